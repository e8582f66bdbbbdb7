"""A pruner that remembers: a class, or a function without parameters, that makes a fresh pruner for each session."""

from __future__ import annotations

import inspect
from typing import Any

from ghostproof.drive.styles.signature import prune_call, required, where
from ghostproof.drive.styles.style import Call, Style
from ghostproof.turn.errors import PrunerError, a_kind


class SessionStyle:
    """Each session gets an instance of its own, which sees the session's requests in order."""

    remembers = True

    def __init__(self, factory: Any) -> None:
        self._factory = factory

    def begin(self) -> Call:
        pruner = self._factory()
        method = getattr(pruner, "prune", None)
        target = method if callable(method) else pruner
        if not callable(target):
            raise PrunerError(
                where(self._factory),
                f"makes {a_kind(pruner)}, which has no `prune` and cannot be called",
                "give it a method prune(self, request) or prune(self, request, oracle)",
            )
        return prune_call(target)


def recognise(target: Any) -> Style | None:
    """A class, or a function that takes nothing."""
    if not callable(target):
        return None
    least, most = required(target)
    if inspect.isclass(target):
        if least > 0:
            raise PrunerError(
                where(target.__init__),
                f"cannot be made without arguments: {target.__name__} needs {least}",
                "give them defaults, or name a function without parameters that makes one",
            )
        return SessionStyle(target)
    return SessionStyle(target) if most == 0 else None
