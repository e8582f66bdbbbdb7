"""Functions of another file that `allowed` reaches: they are checked here, under this file's name."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from ghostproof.turn.budget import Turn
from ghostproof.turn.tool import Tool

LIMIT = 3


def is_idle(tool: Tool, turns: int = LIMIT) -> bool:
    """Not called for some turns."""
    return tool.idle_turns >= turns


def unless_pinned(visit: Callable[[Tool, Turn], None]) -> Callable[[Tool, Turn], None]:
    """A decorator of the usual kind."""

    @wraps(visit)
    def guarded(*args: Tool | Turn, **kwargs: Tool | Turn) -> None:
        (tool, _) = args
        if not tool.pinned:  # type: ignore[union-attr]
            visit(*args, **kwargs)  # type: ignore[arg-type]

    return guarded
