"""Named actions on one tool: what the environment, the model and the executor may do between two arbitrations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from ghostproof.turn.tool import Tool


class Kind(Enum):
    """Who acts, and for the environment whether a well-behaved runtime must expect it."""

    ORDINARY = "ordinary"
    DISRUPTIVE = "disruptive"
    RESPONSE = "response"
    EXECUTION = "execution"


@dataclass(frozen=True, slots=True)
class Others:
    """What an action may know of the other tools: whether a call of one of them was just rejected, and was rebuilt."""

    rejected: bool
    rebuilt: bool


@dataclass(frozen=True, slots=True)
class Action:
    """A named, guarded change of one tool. `effect` is applied only where `guard` holds; what it does not touch stays.

    `sentence` tells the action to people, with the tool's name in place of `{tool}`.
    """

    name: str
    kind: Kind
    sentence: str
    guard: Callable[[Tool, Others], bool]
    effect: Callable[[Tool, Others], None]


def named(table: tuple[Action, ...]) -> dict[str, Action]:
    """The actions of `table` by name."""
    return {action.name: action for action in table}
