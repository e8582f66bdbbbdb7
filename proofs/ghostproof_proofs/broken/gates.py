"""Gates that lack one part, and the passes that go with them.

A visit that uses memory takes the tool as `Any`, since memory fields are no attributes of every tool; the pruner
declares them with `PLAN`, `VIEW`, `PRUNED` or `TURNS`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ghostproof.turn.budget import Turn
from ghostproof.turn.tool import Tool, Value
from ghostproof.variants.arbitration import gate, prune_schema

PLAN: Mapping[str, Value] = {"eviction_planned": False}
VIEW: Mapping[str, Value] = {"schema_seen_last_turn": True}
PRUNED: Mapping[str, Value] = {"pruned_this_turn": False}
TURNS: Mapping[str, Value] = {"looking": False}


def gate_without_action(tool: Tool, turn: Turn) -> None:
    """Sees the trouble and does nothing about it: a gate that only logs."""
    if not tool.arguments_resident:
        tool.tombstoned = False


def gate_on_shown_schemas(tool: Tool, turn: Turn) -> None:
    """Tests whether a schema is shown, not whether it is resident: a lossy one passes for the real one."""
    if tool.arguments_resident and not tool.schema_shown:
        tool.tombstoned = True
    elif not tool.arguments_resident:
        tool.tombstoned = False


def gate_for_mutations(tool: Tool, turn: Turn) -> None:
    """Spares tools that only read. The seed's listing calls their tombstones "advisory only"."""
    if tool.mutation:
        gate(tool, turn)


def gate_for_unpinned(tool: Tool, turn: Turn) -> None:
    """Spares pinned tools, as if what no pass prunes could not lose its schema."""
    if not tool.pinned:
        gate(tool, turn)


def gate_without_arguments_test(tool: Tool, turn: Turn) -> None:
    """Tombstones every tool without a schema, whether or not there are arguments."""
    if not tool.schema_resident:
        tool.tombstoned = True


def gate_without_schema_test(tool: Tool, turn: Turn) -> None:
    """Tombstones every tool with arguments, whether or not there is a schema."""
    tool.tombstoned = tool.arguments_resident


def planning_gate(tool: Any, turn: Turn) -> None:
    """Counts on a later trimming to evict, and marks the tool for it."""
    if tool.arguments_resident and not tool.schema_resident:
        tool.eviction_planned = True


def trim_as_planned(tool: Any, turn: Turn) -> None:
    """Evicts what was planned, and else the oldest call: if it is reached before the prompt fits."""
    if tool.pinned:
        return
    if tool.eviction_planned:
        tool.evict_all_calls()
        tool.eviction_planned = False
    else:
        tool.evict_call()


def gate_on_last_turn(tool: Any, turn: Turn) -> None:
    """Tombstones by what was seen when the last request was sent: a view taken before this turn's pruning."""
    if tool.arguments_resident and not tool.schema_seen_last_turn:
        tool.tombstoned = True
    elif not tool.arguments_resident:
        tool.tombstoned = False


def remember_view(tool: Any, turn: Turn) -> None:
    """Keeps the view of this turn for the next."""
    tool.schema_seen_last_turn = tool.schema_resident


def gate_every_other_turn(tool: Any, turn: Turn) -> None:
    """Looks in every other turn, to save time."""
    tool.looking = not tool.looking
    if tool.looking:
        gate(tool, turn)


def forget_notes(tool: Any, turn: Turn) -> None:
    """A turn starts with no notes."""
    tool.pruned_this_turn = False


def prune_and_note(tool: Any, turn: Turn) -> None:
    """`prune_schema`, with a note of whose schema it took."""
    shown = tool.schema_shown
    prune_schema(tool, turn)
    if shown and not tool.schema_shown:
        tool.pruned_this_turn = True


def gate_for_pruned(tool: Any, turn: Turn) -> None:
    """Looks only at tools that this turn's pruning touched."""
    if tool.pruned_this_turn:
        gate(tool, turn)
