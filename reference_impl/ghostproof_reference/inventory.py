"""What is known of the tools, and the token totals of the prompt, kept up to date by each change.

Nothing here decides anything, and nothing looks at all tools or all items to add them up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ghostproof_reference.equality import canonical_text, declaration_text
from ghostproof_reference.errors import MalformedRequestError
from ghostproof_reference.gate import GateMode, ToolContextState, notice_line, tombstone_line
from ghostproof_reference.journal import Journal
from ghostproof_reference.outcome import Usage
from ghostproof_reference.record import ToolRecord
from ghostproof_reference.request import Tool
from ghostproof_reference.settings import Lossy, Settings
from ghostproof_reference.tokens import tokens
from ghostproof_reference.validate import check_tool


@dataclass(slots=True)
class Totals:
    """Tokens of the prompt. `owed`: tombstones and notices that the gate must have written when it is sent.

    `reserved`: the same if every schema that may go went.
    """

    schemas: int = 0
    arguments: int = 0
    owed: int = 0
    reserved: int = 0
    texts: int = 0
    rest: int = 0

    @property
    def demand(self) -> int:
        """The whole prompt, with what the gate owes."""
        return self.schemas + self.arguments + self.owed + self.texts + self.rest

    @property
    def history_demand(self) -> int:
        """What the argument budget of a pair pays for."""
        return self.arguments + self.reserved

    def usage(self) -> Usage:
        """The numbers as reported."""
        return Usage(self.schemas, self.arguments, self.owed, self.texts, self.rest)


Mark = tuple[int, Totals]
"""A point to roll back to."""


class Inventory:
    """The tools of one session, what each costs as things stand, and the way back to how they were."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.records: dict[str, ToolRecord] = {}
        self.totals = Totals()
        self.journal = Journal()
        self.given: tuple[Tool, ...] | None = None
        """The tools as the runtime declared them last; None before it did."""
        self.declared: tuple[Tool, ...] = ()
        """The same with the request tool."""
        self.expanded: list[ToolRecord] = []
        """Those whose schemas are shown on request in this turn."""
        self.honoured: list[ToolRecord] = []
        """The same of the last request sent."""

    def mark(self) -> Mark:
        """A point to roll back to."""
        return self.journal.mark(), replace(self.totals)

    def roll_back(self, mark: Mark) -> None:
        """Everything is as it was at `mark`."""
        self.journal.roll_back(mark[0])
        self.totals = mark[1]

    def settle(self) -> None:
        """The turn is sent: requests that it honoured are done, and nothing can be taken back."""
        for record in self.expanded:
            record.requested = record.protected = False
        self.honoured, self.expanded = self.expanded, []
        self.journal.forget()

    # ---- one tool ---------------------------------------------------------------------------------------------------

    def record(self, name: str) -> ToolRecord:
        """The record of a tool, made when first needed."""
        found = self.records.get(name)
        if found is None:
            found = ToolRecord(name)
            self.journal.put(self.records, name, found)
        return found

    def shown(self, record: ToolRecord) -> Tool | None:
        """What the tools field shows of a tool; a lossy schema gives way to the full one where it must."""
        tool = record.tool
        if tool is None or not record.declared or record.withheld:
            return None
        if record.unabridged or self.compression_refused(record):
            tool = tool.without_loss()
        return replace(tool, deferred=False) if tool.deferred else tool

    def compression_refused(self, record: ToolRecord) -> bool:
        """Whether a tool that the runtime compressed is shown in full because its arguments are resident."""
        tool = record.tool
        if tool is None or tool.full is None or not tool.lossy or not record.declared or record.withheld:
            return False
        return bool(record.groups) and self.settings.lossy is Lossy.REFUSE and not record.unabridged

    def shown_tools(self) -> list[ToolRecord]:
        """The records of all that the tools field shows, in declared order."""
        records = [self.records[tool.name] for tool in self.declared]
        return [record for record in records if self.shown(record) is not None]

    def schema_resident(self, record: ToolRecord) -> bool:
        """Whether the model can see the schema with all structural constraints."""
        if record.showings:
            return True
        tool = self.shown(record)
        return tool is not None and not tool.lossy

    def schema_tokens(self, record: ToolRecord) -> int:
        """What the tools field spends on a tool."""
        tool = self.shown(record)
        if tool is None:
            return 0
        unabridged = record.tool is not None and record.tool.lossy and not tool.lossy
        return record.full_tokens if unabridged else record.schema_tokens

    def tombstone_accepted(self, record: ToolRecord) -> bool:
        """Whether the gate would write a tombstone for this tool."""
        return self.settings.gate is GateMode.TOMBSTONE and (self.settings.reading_tools or record.changes_state)

    def tombstone_owed(self, record: ToolRecord) -> bool:
        """Whether the tool has arguments without a schema, and a tombstone says so."""
        return bool(record.groups) and self.tombstone_accepted(record) and not self.schema_resident(record)

    def notice_owed(self, record: ToolRecord) -> bool:
        """Whether the model sees a schema beside arguments that were made by another version of it."""
        return self._outdated(record) and self.schema_resident(record)

    def _outdated(self, record: ToolRecord) -> bool:
        stale = record.stale > 0 and record.acknowledged != record.version
        return stale and self.settings.gate is not GateMode.OFF

    def state(self, record: ToolRecord) -> ToolContextState:
        """A tool in the words of the gate."""
        return ToolContextState(
            name=record.name,
            schema_resident=self.schema_resident(record),
            argument_resident=bool(record.groups),
            tombstoned=record.tombstone is not None,
            is_mutation=record.changes_state,
        )

    # ---- changes ----------------------------------------------------------------------------------------------------

    def change(self, records: Iterable[ToolRecord], make: Callable[[], object]) -> None:
        """Make a change to some tools, and bring the totals up to date."""
        changed = list(records)
        for record in changed:
            self._weigh(record, -1)
        make()
        for record in changed:
            self._weigh(record, +1)

    def set(self, record: ToolRecord, **values: object) -> None:
        """Set fields of a tool."""

        def make() -> None:
            for name, value in values.items():
                self.journal.set(record, name, value)

        self.change([record], make)

    def _weigh(self, record: ToolRecord, sign: int) -> None:
        self.totals.schemas += sign * self.schema_tokens(record)
        if record.groups:
            tombstone, notice = self._marker_tokens(record)
            self.totals.owed += sign * (notice if self.schema_resident(record) else tombstone)
            self.totals.reserved += sign * max(tombstone, notice)

    def _marker_tokens(self, record: ToolRecord) -> tuple[int, int]:
        # One that stands may be somebody else's, of another length than ours.
        tombstone = record.tombstone_tokens if record.tombstone is None else record.tombstone.tokens
        notice = record.notice_tokens if record.notice is None else record.notice.tokens
        return tombstone if self.tombstone_accepted(record) else 0, notice if self._outdated(record) else 0

    def reserves(self) -> list[tuple[str, int]]:
        """The tools with arguments, each with what `Totals.reserved` holds for it."""
        return [(record.name, max(self._marker_tokens(record))) for record in self.records.values() if record.groups]

    def size_markers(self, record: ToolRecord) -> None:
        """Count what a tombstone and a notice of a tool would cost, unless that is known."""
        ours = self.settings.request_tool
        lines = {
            "tombstone": tombstone_line(record.name, None if ours is None else ours.name),
            "notice": notice_line(record.name),
        }
        for marker, line in lines.items():
            if not getattr(record, f"{marker}_tokens"):
                size = tokens(f"{marker} of {record.name!r}", line, self.settings.count)
                self.journal.set(record, f"{marker}_tokens", size)

    # ---- declarations -----------------------------------------------------------------------------------------------

    def declare(self, tools: Sequence[Tool]) -> list[ToolRecord]:
        """The tools as declared from now on. Returns those whose version changed under resident arguments.

        Each is compared by its text, so that a schema that was changed in place is seen to be another one.
        """
        tools = tuple(tools)
        names: dict[str, None] = {}
        for place, tool in enumerate(tools):
            check_tool(tool, f"tools[{place}]")
            if tool.name in names:
                raise MalformedRequestError(f"tools[{place}]", f"a second tool named {tool.name!r}")
            names[tool.name] = None
        ours = self.settings.request_tool
        # A runtime that declares the request tool itself declares what tombstones name: it is never withheld.
        declared = tuple(
            replace(tool, pinned=True, deferred=False) if ours is not None and tool.name == ours.name else tool
            for tool in tools
        )
        declared = declared if ours is None or ours.name in names else (*declared, ours)
        present = {tool.name for tool in declared}
        for tool in self.declared:
            if tool.name not in present:
                self.set(self.records[tool.name], declared=False, withheld=False, unabridged=False)
        migrated = []
        for index, tool in enumerate(declared):
            record, declaration = self.record(tool.name), declaration_text(tool)
            if record.declaration != declaration or not record.declared:
                migrated += self._declare(record, tool, declaration)
            if record.index != index:
                self.journal.set(record, "index", index)
        self.journal.set(self, "given", tools)
        self.journal.set(self, "declared", declared)
        return migrated

    def _declare(self, record: ToolRecord, tool: Tool, declaration: str) -> list[ToolRecord]:
        label = f"schema of {tool.name!r}"
        count = self.settings.count
        version = tool.version or _structure_text(tool)
        full = 0 if tool.full is None else tokens(f"full {label}", tool.without_loss().text(), count, tool.full_tokens)
        values: dict[str, object] = {
            "tool": tool,
            "declaration": declaration,
            "declared": True,
            "schema_tokens": tokens(label, tool.text(), count, tool.tokens),
            "full_tokens": full,
            "version": version,
        }
        if record.tool is None or not record.declared or record.tool.deferred != tool.deferred:
            values["withheld"] = tool.deferred
        elif tool.pinned and not tool.deferred:
            # It may have been withheld while it was not pinned, as by a `tool_choice` that names it.
            values["withheld"] = False
        if tool.tombstone_tokens is not None:
            line = tombstone_line(tool.name, None)
            values["tombstone_tokens"] = tokens(f"tombstone of {tool.name!r}", line, count, tool.tombstone_tokens)
        migrates = record.version is not None and record.version != version
        if migrates:
            # Shown on request before another version came between: calls by that one know nothing of it.
            values["acknowledged"] = None
        if record.version is None:
            for ordinal, made_by in record.groups.items():
                self.journal.put(record.groups, ordinal, made_by or version)
        values["stale"] = sum(made_by not in (None, version) for made_by in record.groups.values())
        self.set(record, **values)
        return [record] if migrates and record.stale else []


def _structure_text(tool: Tool) -> str:
    try:
        return canonical_text(structure(tool.schema if tool.full is None else tool.full))
    except RecursionError as error:
        raise MalformedRequestError(f"tool {tool.name!r}", f"its schema is nested too deep: {error}") from error


def structure(schema: object) -> object:
    """A schema without what only describes: two schemas of one structure accept the same arguments."""
    if isinstance(schema, Mapping):
        return {
            key: {name: structure(inner) for name, inner in sorted(value.items())}
            if key in ("properties", "patternProperties", "$defs", "definitions") and isinstance(value, Mapping)
            else structure(value)
            for key, value in sorted(schema.items())
            if key not in ("description", "title", "examples", "$comment")
        }
    return [structure(inner) for inner in schema] if isinstance(schema, list) else schema
