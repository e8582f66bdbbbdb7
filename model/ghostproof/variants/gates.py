"""Gates that are as good as `arbitration.gate`: what is done for a tool with arguments in the prompt and no schema.

Seed: "the pruner must either (a) evict the prior arguments along with the schema, or (b) insert a tombstone into the
context". `arbitration.gate` tombstones; here are eviction (what openai-agents' `remove_all_tools` does at a handoff),
and the choice between the two by effect.
"""

from __future__ import annotations

from ghostproof.turn.budget import Turn
from ghostproof.turn.tool import Tool


def evict_gate(tool: Tool, turn: Turn) -> None:
    """Evict at once; every tool, every turn. A tombstone over nothing goes."""
    if tool.arguments_resident and not tool.schema_resident:
        tool.evict_all_calls()
    if not tool.arguments_resident:
        tool.tombstoned = False


def evict_or_tombstone_gate(tool: Tool, turn: Turn) -> None:
    """Tombstone what changes state, evict what only reads. Seed: "Tombstoning is preferred for mutation tools"."""
    if tool.arguments_resident and not tool.schema_resident:
        if tool.mutation:
            tool.tombstoned = True
        else:
            tool.evict_all_calls()
    if not tool.arguments_resident:
        tool.tombstoned = False
