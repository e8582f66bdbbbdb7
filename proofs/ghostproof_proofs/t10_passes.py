"""What T10 is about: passes that say BudgetExceeded, refuse to prune without a saving, and count tombstones as items.

What is needed besides a tool's own fields is kept in the pruner's memory. The totals of a turn pay for one tombstone a
tool; that no tool ever has more is therefore part of what makes demand exact.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ghostproof.turn.budget import Turn, argument_cost
from ghostproof.turn.tool import Tool, Value

# ---- the outcome of a turn

OUTCOME: Mapping[str, Value] = {"budget_exceeded": False}


def say_nothing_yet(tool: Any, turn: Turn) -> None:
    """A new turn: nothing has been said."""
    tool.budget_exceeded = False


def say_budget_exceeded(tool: Any, turn: Turn) -> None:
    """Visited only while the prompt does not fit: it is not sent, and each of its tools is marked with the reason."""
    tool.budget_exceeded = True


def fixed_floor(tool: Tool) -> int:
    """Tokens that no pass may take, but for pinned arguments: a pinned tool's schema and tombstone, a requested schema.

    A tombstone over nothing is not among them: the gate takes it.
    """
    held = tool.schema_shown and (tool.pinned or tool.requested)
    owed = tool.pinned and tool.arguments_resident and (tool.tombstoned or not tool.schema_resident)
    return (tool.schema_tokens if held else 0) + (tool.tombstone_tokens if owed else 0)


def floor(tool: Tool) -> int:
    """The least a tool can cost in this turn, in tokens, once requests have been honoured."""
    return fixed_floor(tool) + (argument_cost(tool) if tool.pinned else 0)


def spare_items(tool: Tool) -> int:
    """How many items trimming may still take from the tool's history."""
    if tool.pinned:
        return 0
    return tool.calls_resident + (1 if tool.tombstoned else 0)


def has_something_left(tool: Tool) -> bool:
    """The tool costs more than its floor."""
    if tool.pinned:
        return False
    return tool.arguments_resident or tool.tombstoned or (tool.schema_shown and not tool.requested)


# ---- refusing to prune where nothing is saved


def prune_where_it_saves(tool: Tool, turn: Turn) -> None:
    """Drop a schema that nobody asked for, if it is dearer than the tombstone that would have to stand for it."""
    owed_after = tool.arguments_resident and tool.schema_resident and not tool.tombstoned
    reserve = tool.tombstone_tokens if owed_after else 0
    if tool.schema_shown and not tool.pinned and not tool.requested and tool.schema_tokens > reserve:
        tool.hide_schema()


NOTED: Mapping[str, Value] = {"was_shown": False}


def note_shown(tool: Any, turn: Turn) -> None:
    """Before anything is pruned: which schemas are there with all their constraints."""
    tool.was_shown = tool.schema_resident


# ---- tombstones as items of the history

# `lines` is how many tombstones of the tool are in the history, `standing` whether one is there after its last showing.
ITEMS: Mapping[str, Value] = {"lines": 0, "standing": False}


def read_history(tool: Any, turn: Turn) -> None:
    """What the environment took between two requests is gone: the line that stood."""
    if tool.standing and not tool.tombstoned:
        tool.lines = tool.lines - 1
        tool.standing = False


def expand_and_clear(tool: Any, turn: Turn) -> None:
    """Show what was asked for, and take every line of the tool out of the history."""
    if tool.requested and tool.registered:
        tool.show_schema()
        tool.lines = 0
        tool.standing = False


def trim_items(tool: Any, turn: Turn) -> None:
    """The tool's lines go, in one visit; where there are none, the oldest call."""
    if tool.pinned:
        return
    if tool.lines > 0:
        tool.lines = 0
        tool.standing = False
        tool.tombstoned = False
    else:
        tool.evict_call()


def gate_items(tool: Any, turn: Turn) -> None:
    """Write a line where arguments stand without a schema and no line does; take all lines over nothing."""
    if tool.arguments_resident and not tool.schema_resident:
        if not tool.standing:
            tool.lines = tool.lines + 1
            tool.standing = True
        tool.tombstoned = True
    elif not tool.arguments_resident:
        tool.lines = 0
        tool.standing = False
        tool.tombstoned = False
