"""One tool's state: what the prompt holds of it, what the executor knows of it, and what its items cost.

The methods are the only meaning of showing, hiding, evicting and tombstoning. The lifting runs these very methods on
symbolic values, so there is no second definition of them anywhere.
"""

from __future__ import annotations

from collections.abc import Mapping

Value = bool | int

# Chosen once per session; a pruner may read but never change them. Sizes are tokens, each at least 1.
FIXED: Mapping[str, type] = {
    "mutation": bool,
    "pinned": bool,
    "schema_tokens": int,
    "argument_tokens": int,
    "tombstone_tokens": int,
}

# What a session starts with: every schema shown, nothing in the history.
INITIAL: Mapping[str, Value] = {
    "schema_shown": True,
    "schema_lossy": False,
    "calls_resident": 0,
    "tombstone_resident": False,
    "calls_before_tombstone": 0,
    "requested": False,
    "schema_current": True,
    "arguments_current": True,
    "registered": True,
    "idle_turns": 0,
    "calls": 0,
    "called": False,
    "rebuilt": False,
    "rejected": False,
    "recovering": False,
    "duplicated": False,
    "evidence_resident": False,
    "emptied": False,
    "truncated": False,
}

# What a pass may change, besides its own memory. All else belongs to the environment, the model or the executor.
PRUNER_WRITES = frozenset(
    {
        "schema_shown",
        "schema_lossy",
        "calls_resident",
        "tombstone_resident",
        "calls_before_tombstone",
        "schema_current",
        "evidence_resident",
        "emptied",
        "truncated",
    }
)

AT_LEAST: Mapping[str, int] = {
    "schema_tokens": 1,
    "argument_tokens": 1,
    "tombstone_tokens": 1,
    "calls_resident": 0,
    "calls_before_tombstone": 0,
    "idle_turns": 0,
    "calls": 0,
}


class Tool:
    """One tool as passes see it.

    Attributes: those of `FIXED` and `INITIAL`, and one for each entry of the pruner's memory.
    `calls_resident` counts call groups whose arguments are in the history; `calls_before_tombstone` counts those of
    them that stand before the tombstone (an item's place in the history is its age). `calls` and `idle_turns` count
    calls ever made and turns since the last one.

    `evidence_resident` says that the schema is shown by an item of the history, its discovery evidence (a search
    result, a `tool_reference`, a skill file that was read), and goes with it. `truncated` says that all resident
    arguments were cut in the middle: less is left, and what is left is still arguments. `emptied` says that a call
    was left in the history without its values, as `{}`; it is no argument residency, and nothing takes it away again.
    """

    # Declared for type checkers; set from FIXED and INITIAL.
    mutation: bool
    pinned: bool
    schema_tokens: int
    argument_tokens: int
    tombstone_tokens: int
    schema_shown: bool
    schema_lossy: bool
    calls_resident: int
    tombstone_resident: bool
    calls_before_tombstone: int
    requested: bool
    schema_current: bool
    arguments_current: bool
    registered: bool
    idle_turns: int
    calls: int
    called: bool
    rebuilt: bool
    rejected: bool
    recovering: bool
    duplicated: bool
    evidence_resident: bool
    emptied: bool
    truncated: bool

    def __init__(self, values: Mapping[str, Value]) -> None:
        self.__dict__.update(values)

    @property
    def schema_resident(self) -> bool:
        """The schema is shown with all its structural constraints."""
        return self.schema_shown and not self.schema_lossy

    @property
    def arguments_resident(self) -> bool:
        """The arguments of at least one earlier call are in the history."""
        return self.calls_resident > 0

    @property
    def tombstoned(self) -> bool:
        """A line in the history says that the schema is withheld and how to request it."""
        return self.tombstone_resident

    @tombstoned.setter
    def tombstoned(self, value: bool) -> None:
        if not value:
            self.tombstone_resident = False
            self.calls_before_tombstone = 0
        elif not self.tombstone_resident:
            self.tombstone_resident = True
            self.calls_before_tombstone = self.calls_resident

    @property
    def ghost(self) -> bool:
        """Argument residency, no schema residency, no tombstone. Judged when the request is sent, and only then."""
        return self.arguments_resident and not self.schema_resident and not self.tombstoned

    @property
    def tombstone_is_oldest(self) -> bool:
        """The tombstone stands before every resident call."""
        return self.tombstone_resident and self.calls_before_tombstone == 0

    def show_schema(self) -> None:
        """Show the full, current schema. It clears the tombstone: an old one would mask a later ghost."""
        self.schema_shown = True
        self.schema_lossy = False
        self.schema_current = True
        self.tombstoned = False
        self.evidence_resident = False

    def reveal_schema(self) -> None:
        """Show the schema by an item of the history, and only as long as that item stands: its discovery evidence."""
        self.show_schema()
        self.evidence_resident = True

    def evict_evidence(self) -> None:
        """Remove the item that reveals the schema, and the schema with it; nothing happens when there is none."""
        if self.evidence_resident:
            self.evidence_resident = False
            self.hide_schema()

    def show_schema_lossily(self) -> None:
        """Show the schema without its structural constraints. Shown is shown: it clears the tombstone as well."""
        self.schema_shown = True
        self.schema_lossy = True
        self.tombstoned = False

    def hide_schema(self) -> None:
        """Drop the schema from the prompt."""
        self.schema_shown = False
        self.schema_lossy = False

    def evict_call(self) -> None:
        """Remove the oldest resident call group from the history; nothing happens when there is none."""
        if self.calls_resident > 0:
            self.calls_resident = self.calls_resident - 1
            if self.calls_before_tombstone > 0:
                self.calls_before_tombstone = self.calls_before_tombstone - 1

    def evict_all_calls(self) -> None:
        """Remove every resident call group from the history."""
        self.calls_resident = 0
        self.calls_before_tombstone = 0

    def empty_call(self) -> None:
        """Leave the oldest resident call group in the history without its values; nothing happens when there is none.

        What is left of it costs nothing: a name and two braces are counted with the rest of the prompt.
        """
        if self.calls_resident > 0:
            self.emptied = True
            self.evict_call()

    def truncate_calls(self) -> None:
        """Cut all resident arguments in the middle; they are counted in full, which is what a cautious runtime does."""
        if self.calls_resident > 0:
            self.truncated = True
