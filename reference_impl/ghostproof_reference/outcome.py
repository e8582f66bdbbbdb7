"""What the arbiter answers: the request to send, and every decision that led to it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from ghostproof_reference.request import Request


class Action(Enum):
    """What was decided about a tool or an item of the history."""

    EXPANDED = "expanded"
    """A requested schema is shown."""
    EVICTED = "evicted"
    """A call group, with its results, or a showing left the history."""
    PRUNED = "pruned"
    """A schema is withheld from now on."""
    TOMBSTONED = "tombstoned"
    NOTIFIED = "notified"
    """A notice says that earlier arguments are stale."""
    CLEARED = "cleared"
    """A tombstone or a notice that is no longer needed left the history."""
    KEPT = "kept"
    """Considered for going, and kept."""
    REFUSED = "refused"
    """A requested schema cannot be shown, or a lossy schema is shown in full: once in each turn in which it is so."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision. `tool` names the tool; for a call group `item` names its calls and `tool` is None.

    Tokens are the whole prompt's, before and after, with all tombstones counted that the gate owes as things stand.
    """

    action: Action
    tool: str | None
    item: str | None
    reason: str
    tokens_before: int
    tokens_after: int


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of a prompt, by what they pay for. `markers` are tombstones and notices."""

    schemas: int
    arguments: int
    markers: int
    texts: int
    rest: int

    @property
    def total(self) -> int:
        """Everything that is sent."""
        return self.schemas + self.arguments + self.markers + self.texts + self.rest


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer to one turn. `before` is the request as it came in, markers owed for it included."""

    turn: int
    request: Request
    decisions: tuple[Decision, ...]
    before: Usage
    after: Usage
