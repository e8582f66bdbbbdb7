"""The listing that ends the seed, as it stands there: the rule per tool, and the plan of a turn.

Branches, their order, what is returned and what is raised are the seed's, also where they do not do what the prose
around them says. T16 is about that difference; nothing else uses this module.
"""

from __future__ import annotations

from dataclasses import dataclass


class GhostToolInvariantError(RuntimeError):
    """Seed: raised when schema residency is false, argument residency true, and no tombstone has been emitted."""


@dataclass
class ToolContextState:
    """What the listing knows of a tool in one turn."""

    name: str
    schema_resident: bool
    argument_resident: bool
    tombstoned: bool
    is_mutation: bool


def enforce_evict_or_tombstone(state: ToolContextState) -> str | None:
    """A tombstone if one must be emitted, else None.

    Raises GhostToolInvariantError, the seed says, "if the state is unsound and cannot be repaired by tombstoning".
    """
    if state.schema_resident:
        return None
    if not state.argument_resident:
        return None
    if state.tombstoned:
        return None
    if not state.is_mutation:
        return f"[TOOL TOMBSTONE] '{state.name}' schema withheld; request re-expansion before calling."
    raise GhostToolInvariantError(
        f"Unsound context: mutation tool '{state.name}' has argument residency but no schema residency and no"
        " tombstone. Evict arguments or emit a tombstone before proceeding."
    )


def plan_turn_pruning(states: list[ToolContextState]) -> list[str]:
    """The tombstones of a turn: what the rule returns for each tool, in order."""
    tombstones: list[str] = []
    for s in states:
        t = enforce_evict_or_tombstone(s)
        if t:
            tombstones.append(t)
    return tombstones
