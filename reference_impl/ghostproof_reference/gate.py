"""The evict-or-tombstone gate, for one tool and for a turn. The names are the seed's, the meaning is its prose's.

The seed's listing raises for a mutation tool in the very state that its prose says to repair by tombstoning. Here, as
in the prose, a tombstone is the repair, and preferred for mutation tools; the error is for callers who cannot take one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from ghostproof_reference.errors import GhostToolInvariantError


class GateMode(Enum):
    """What is done for a tool whose arguments are resident while its schema is not."""

    TOMBSTONE = "tombstone"
    EVICT = "evict"
    """Its arguments go too. Pinned ones may not: then it is as STRICT."""
    STRICT = "strict"
    """Nothing is repaired. Only schemas without resident arguments are pruned, and a ghost from elsewhere raises."""
    OFF = "off"
    """No gate: for measuring, and for replaying what happens without one."""


@dataclass(slots=True)
class ToolContextState:
    """One tool in the context, at the moment the request is sent."""

    name: str
    schema_resident: bool
    argument_resident: bool
    tombstoned: bool
    is_mutation: bool

    @property
    def is_ghost(self) -> bool:
        """The model sees arguments, no schema, and nothing that says so."""
        return self.argument_resident and not self.schema_resident and not self.tombstoned


def tombstone_line(tool: str, request_tool: str | None) -> str:
    """The one line that says that a schema is withheld and how to request it."""
    name = json.dumps(tool)
    how = "ask for its schema" if request_tool is None else f"request its schema with {request_tool}(tool_name={name})"
    return f"{TOMBSTONE_MARK} {name}: schema withheld. Do not call it from its earlier arguments; first {how}."


def notice_line(tool: str) -> str:
    """The one line that says that a schema is not the one that earlier calls were made by."""
    name = json.dumps(tool)
    return f"{NOTICE_MARK} {name}: schema changed after its earlier calls. Follow it as shown now, not their arguments."


TOMBSTONE_MARK = "[TOOL TOMBSTONE]"
NOTICE_MARK = "[TOOL NOTICE]"
ANY_TOOL = "ANY-TOOL"


def marked_tool(line: str, mark: str) -> str | None:
    """The tool that a line of ours with this mark is about; None for any other text.

    A text that only begins like one is somebody's own, and no tombstone: the whole line counts.
    """
    if "\n" in line or not line.startswith(f'{mark} "'):
        return None
    try:
        name, _ = json.JSONDecoder().raw_decode(line, len(mark) + 1)
    except ValueError:
        return None
    if not isinstance(name, str):
        return None
    asked, named = (tombstone_line(name, ANY_TOOL).partition(ANY_TOOL)[place] for place in (0, 2))
    middle = line[len(asked) : -len(named)]
    by_request = line == f"{asked}{middle}{named}" and middle.isprintable() and not set(middle) & set(' "()')
    ours = line == notice_line(name) if mark == NOTICE_MARK else line == tombstone_line(name, None) or by_request
    return name if ours else None


def enforce_evict_or_tombstone(
    state: ToolContextState, *, tombstone_accepted: bool = True, request_tool: str | None = None
) -> str | None:
    """The tombstone that must be emitted for this tool, or None where the context is sound as it is.

    Raises GhostToolInvariantError if one is needed and none is accepted.
    """
    if not state.is_ghost:
        return None
    if not tombstone_accepted:
        raise GhostToolInvariantError([state.name], "no tombstone is accepted")
    return tombstone_line(state.name, request_tool)


def plan_turn_pruning(
    states: Iterable[ToolContextState], *, tombstone_accepted: bool = True, request_tool: str | None = None
) -> list[str]:
    """The tombstones of a turn, in the order of the tools. Raises GhostToolInvariantError that names every ghost."""
    listed = list(states)
    if not tombstone_accepted and (ghosts := [state.name for state in listed if state.is_ghost]):
        raise GhostToolInvariantError(ghosts, "no tombstone is accepted")
    lines = (enforce_evict_or_tombstone(state, request_tool=request_tool) for state in listed)
    return [line for line in lines if line is not None]
