"""What the arbiter remembers between turns: of each tool, and of each item of the history."""

from __future__ import annotations

from dataclasses import dataclass, field

from ghostproof_reference.request import CallGroup, Item, Tool


@dataclass(slots=True, eq=False)
class Entry:
    """An item of the history. `ordinal` is its place in the session; `label` names it in decisions and errors."""

    ordinal: int
    item: Item
    label: str
    tokens: int
    evicted: bool = False

    @property
    def shows(self) -> tuple[str, ...]:
        """Tools whose schemas it shows."""
        return getattr(self.item, "shows", ())

    @property
    def pinned(self) -> bool:
        """Whether it may not be evicted."""
        return bool(getattr(self.item, "pinned", False))


@dataclass(slots=True, eq=False)
class ToolRecord:
    """One tool. `tool` is its last declaration, kept when it is declared no more."""

    name: str
    tool: Tool | None = None
    declaration: str = ""
    """That declaration as text, by which a later one is compared with it."""
    declared: bool = False
    index: int = -1
    withheld: bool = False
    requested: bool = False
    protected: bool = False
    """Expanded in this turn: not pruned in it."""
    unabridged: bool = False
    """Shown in full on request, until it is withheld again."""
    calls: int = 0
    last_called: int = -1
    version: str | None = None
    acknowledged: str | None = None
    """A version that was shown on request after the calls: no notice is needed for it."""
    schema_tokens: int = 0
    full_tokens: int = 0
    tombstone_tokens: int = 0
    notice_tokens: int = 0
    groups: dict[int, str | None] = field(default_factory=dict)
    """Ordinals of the resident groups that hold its arguments, with the version each was made by."""
    stale: int = 0
    """How many of them were made by another version than the present one."""
    showings: dict[int, None] = field(default_factory=dict)
    """Ordinals of the resident items that show its schema."""
    tombstone: Entry | None = None
    notice: Entry | None = None

    @property
    def changes_state(self) -> bool:
        """Unknown counts as mutation."""
        return self.tool is None or self.tool.changes_state


def called(entry: Entry) -> tuple[str, ...]:
    """The tools whose arguments stand in an item, each once. A call without a value leaves none."""
    if not isinstance(entry.item, CallGroup):
        return ()
    return tuple(dict.fromkeys(call.tool for call in entry.item.calls if call.carries_values))
