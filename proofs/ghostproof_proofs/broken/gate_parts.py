"""The evict-or-tombstone gate with one part missing each, and what a gate can do without (T5)."""

from __future__ import annotations

from ghostproof.turn.budget import Turn
from ghostproof.turn.tool import Tool

HIDDEN_NOW = {"shown_before": True}
SEEN_LAST = {"was_at_risk": False}
EVERY_OTHER = {"watching": False}


def no_action(tool: Tool, turn: Turn) -> None:
    """Sees a ghost and only makes room: the tombstone over nothing goes, none is written."""
    if not tool.arguments_resident:
        tool.tombstoned = False


def shown_is_enough(tool: Tool, turn: Turn) -> None:
    """Tests that a schema is shown, not that it is resident: a lossy one passes."""
    if tool.arguments_resident and not tool.schema_shown:
        tool.tombstoned = True


def mutation_only(tool: Tool, turn: Turn) -> None:
    """Serves only tools that change state."""
    if tool.mutation and tool.arguments_resident and not tool.schema_resident:
        tool.tombstoned = True


def pinned_exempt(tool: Tool, turn: Turn) -> None:
    """Takes a pinned tool to be safe because trimming leaves it alone."""
    if not tool.pinned and tool.arguments_resident and not tool.schema_resident:
        tool.tombstoned = True


def look(tool: Tool, turn: Turn) -> None:
    """Before anything is pruned: which schemas are shown."""
    tool.shown_before = tool.schema_shown  # type: ignore[attr-defined]  # the pruner's memory


def pruned_this_turn(tool: Tool, turn: Turn) -> None:
    """Serves only what this turn's pruning has hidden."""
    hidden: bool = tool.shown_before and not tool.schema_shown  # type: ignore[attr-defined]  # the pruner's memory
    if hidden and tool.arguments_resident:
        tool.tombstoned = True


def every_other_turn(tool: Tool, turn: Turn) -> None:
    """Looks in every other turn only."""
    watching: bool = not tool.watching  # type: ignore[attr-defined]  # the pruner's memory
    tool.watching = watching  # type: ignore[attr-defined]
    if watching and tool.arguments_resident and not tool.schema_resident:
        tool.tombstoned = True


def last_turns_view(tool: Tool, turn: Turn) -> None:
    """Acts on what it saw in the turn before."""
    at_risk: bool = tool.was_at_risk  # type: ignore[attr-defined]  # the pruner's memory
    tool.was_at_risk = tool.arguments_resident and not tool.schema_resident  # type: ignore[attr-defined]
    if at_risk:
        tool.tombstoned = True


def no_schema_test(tool: Tool, turn: Turn) -> None:
    """Tombstones every tool with arguments, also one whose schema is in view: safe, and not true."""
    if tool.arguments_resident:
        tool.tombstoned = True


def no_arguments_test(tool: Tool, turn: Turn) -> None:
    """Tombstones every tool without its schema, also one that nobody can rebuild a call of: safe, and not free."""
    if not tool.schema_resident:
        tool.tombstoned = True


def tombstone_only(tool: Tool, turn: Turn) -> None:
    """Tombstones, and never clears one."""
    if tool.arguments_resident and not tool.schema_resident:
        tool.tombstoned = True
