"""A pruner: an ordered list of passes, each around a plain function of one tool and the turn's numbers.

A pass visits the tools in its own order and tests its budget condition before each visit. It goes round again while
the condition fails and the last round changed something. A pass without a condition visits every tool once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from ghostproof.turn.budget import Turn
from ghostproof.turn.tool import Tool, Value

Visit = Callable[[Tool, Turn], None]
Key = Callable[[Tool], int]
Condition = Callable[[Turn], bool]


def declared_order(tool: Tool) -> int:
    """The order in which the tools were declared."""
    return 0


def least_recently_called(tool: Tool) -> int:
    """The tool with the most idle turns first."""
    return -tool.idle_turns


def least_frequently_called(tool: Tool) -> int:
    """The tool with the fewest calls first."""
    return tool.calls


def largest_schema_first(tool: Tool) -> int:
    """The tool whose schema costs most tokens first."""
    return -tool.schema_tokens


def largest_arguments_first(tool: Tool) -> int:
    """The tool whose call group costs most tokens first."""
    return -tool.argument_tokens


@dataclass(frozen=True, slots=True)
class Pass:
    """One pass. `order` is a key function, ascending, ties in declared order; `until` is the budget condition.

    `name` defaults to the name of the function. A pass with `at_render` runs when the request is rendered: after late
    events, as does every pass behind it.
    """

    visit: Visit
    order: Key = declared_order
    until: Condition | None = None
    name: str = ""
    at_render: bool = False

    def __post_init__(self) -> None:
        if not self.name:
            object.__setattr__(self, "name", getattr(self.visit, "__name__", type(self.visit).__name__))


class _Timed(Protocol):
    @property
    def at_render(self) -> bool: ...


def rendering(passes: Sequence[_Timed]) -> int:
    """The place of the first pass that runs at render: late events come in just before it, or last of all."""
    return next((index for index, item in enumerate(passes) if item.at_render), len(passes))


class Pruner:
    """Ordered passes, and the memory they keep of each tool.

    `memory` names extra attributes of a tool with their value at the start of a session; a pass may read and write
    them, and they persist from turn to turn until a pass resets them.
    """

    def __init__(self, *passes: Pass, memory: Mapping[str, Value] | None = None, name: str = "") -> None:
        self.passes = passes
        self.memory: Mapping[str, Value] = dict(memory or {})
        self.name = name or type(self).__name__
