"""What is resident in one request, tool by tool, and which tools are ghosts in it.

A ghost is a tool whose arguments are resident, whose schema is not, and for which no tombstone stands. It is judged on
the request alone, as it is sent.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from ghostproof.report.printable import printable
from ghostproof.turn.recording import Sighting
from ghostproof.wire.request import (
    BEFORE,
    ArgumentState,
    Call,
    Declared,
    Removal,
    Request,
    Result,
    SchemaState,
    Text,
)
from ghostproof.wire.tombstone import notice


@dataclass(frozen=True, slots=True)
class Tombstone:
    """Where a tool is said to be withheld or gone, and whether it fails to say how to request the schema."""

    where: str
    quote: str
    poor: bool


@dataclass(frozen=True, slots=True)
class Residency:
    """One tool in one request. `calls` carry argument values, `prose` are texts that tell them, `emptied` has none."""

    tool: str
    schema: SchemaState
    lossy: bool
    calls: tuple[Call, ...]
    prose: tuple[Text | Result, ...]
    emptied: tuple[Call, ...]
    tombstone: Tombstone | None

    @property
    def schema_resident(self) -> bool:
        return self.schema is SchemaState.RESIDENT and not self.lossy

    @property
    def argument_resident(self) -> bool:
        return bool(self.calls or self.prose)

    @property
    def ghost(self) -> bool:
        hidden = self.schema_resident or self.schema is SchemaState.UNKNOWN
        return self.argument_resident and not hidden and self.tombstone is None


@dataclass(frozen=True, slots=True)
class Remark:
    """Something weaker than a ghost: `emptied` (a call without values and no schema) or `poor tombstone`."""

    tool: str
    kind: str
    evidence: str


def residencies(request: Request, values: Mapping[str, Collection[str]] | None = None) -> dict[str, Residency]:
    """The residency of each tool that the request declares, shows a call of, or tells about.

    `values` are argument values known to belong to earlier calls of a tool; a text that names the tool and holds one of
    them carries its arguments as prose.
    """
    told = {tool: _prose(request, tool, known) for tool, known in (values or {}).items()}
    tools = [*(declared.tool for declared in request.declared), *(call.tool for call in request.calls()), *told]
    return {tool: _residency(request, tool, told.get(tool, ())) for tool in dict.fromkeys(tools)}


def ghosts(
    found: Mapping[str, Residency],
    *,
    mutation: Callable[[str], bool] = lambda tool: True,
    tombstoned_before: Collection[str] = (),
) -> tuple[Sighting, ...]:
    """The ghosts among `found`. A tool of unknown effect counts as a mutation.

    `tombstoned_before` are tools for which an earlier request of the session held a tombstone.
    """
    return tuple(
        Sighting(tool, _kind(residency, tool in tombstoned_before), mutation(tool), _evidence(residency))
        for tool, residency in found.items()
        if residency.ghost
    )


def remarks(found: Mapping[str, Residency]) -> tuple[Remark, ...]:
    """What is worth a warning and no ghost."""
    remarks: list[Remark] = []
    for tool, residency in found.items():
        if residency.schema_resident or residency.schema is SchemaState.UNKNOWN:
            continue
        if residency.argument_resident and (tombstone := residency.tombstone) is not None and tombstone.poor:
            remarks.append(Remark(tool, "poor tombstone", f"{tombstone.where}: {printable(tombstone.quote)}"))
        if residency.emptied and not residency.argument_resident and residency.tombstone is None:
            remarks.append(Remark(tool, "emptied", ", ".join(call.where for call in residency.emptied)))
    return tuple(remarks)


def _residency(request: Request, tool: str, prose: tuple[Text | Result, ...]) -> Residency:
    declared = [entry for entry in request.declared if entry.tool == tool]
    calls = [call for call in request.calls() if call.tool == tool]
    removed = max((item.position for item in request.items if _removes(item, tool)), default=None)
    shown = [entry for entry in declared if entry.state is SchemaState.RESIDENT]
    if removed is not None:
        shown = [entry for entry in shown if entry.position > removed]
    whole = [entry for entry in shown if not entry.lossy]
    return Residency(
        tool=tool,
        schema=_state(request, declared, shown),
        lossy=bool(shown) and not whole,
        calls=tuple(call for call in calls if call.arguments is not ArgumentState.EMPTIED),
        prose=prose,
        emptied=tuple(call for call in calls if call.arguments is ArgumentState.EMPTIED),
        tombstone=_tombstone(request, tool, max((entry.position for entry in shown), default=None)),
    )


def _state(request: Request, declared: list[Declared], shown: list[Declared]) -> SchemaState:
    if shown:
        return SchemaState.RESIDENT
    states = {entry.state for entry in declared}
    if SchemaState.UNKNOWN in states:
        return SchemaState.UNKNOWN
    if states:
        return SchemaState.WITHHELD
    return SchemaState.UNKNOWN if request.hidden else SchemaState.ABSENT


def _removes(item: object, tool: str) -> bool:
    return isinstance(item, Removal) and item.tool == tool


def _tombstone(request: Request, tool: str, shown: int | None) -> Tombstone | None:
    """The last tombstone that stands after every showing of the tool."""
    for item in reversed(request.items):
        # An entry's own description stands where the entry stands; everything else must come later than a showing.
        if shown is not None and item.position <= shown and not item.position == shown == BEFORE:
            continue
        if isinstance(item, Removal) and item.tool == tool:
            return Tombstone(item.where, f"{tool} removed by the provider's own block", poor=False)
        if isinstance(item, Text | Result):
            about = isinstance(item, Text) and item.about == tool
            said = notice(item.text, tool, named=about, result=isinstance(item, Result))
            if said is not None:
                return Tombstone(item.where, said.quote, said.poor)
    return None


def _prose(request: Request, tool: str, values: Collection[str]) -> tuple[Text | Result, ...]:
    return tuple(
        item
        for item in request.items
        if isinstance(item, Text | Result)
        and item.position != BEFORE
        and tool in item.text
        and any(value in item.text for value in values)
    )


def _kind(residency: Residency, tombstoned_before: bool) -> str:
    if residency.lossy:
        return "hollow"
    if tombstoned_before:
        return "tombstone lost"
    if residency.schema is SchemaState.WITHHELD:
        return "deferred"
    return "withheld" if residency.calls else "prose"


def _evidence(residency: Residency) -> str:
    if residency.calls:
        call = residency.calls[-1]
        seen = f"{call.where} shows arguments {printable(call.text, 120)}"
    else:
        item = residency.prose[-1]
        seen = f"{item.where} tells arguments: {printable(item.text, 120)}"
    missing = {
        SchemaState.RESIDENT: "the schema shown has lost required fields, types or enums",
        SchemaState.WITHHELD: "the schema is declared but not shown",
    }
    return f"{seen}; {missing.get(residency.schema, 'no schema is declared')}; no tombstone"
