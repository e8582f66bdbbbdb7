"""Guards of free pruning that admit too much, and showing that leaves an old tombstone to be read by one.

A visit that uses memory takes the tool as `Any`, since memory fields are no attributes of every tool; the pruner
declares them with `LINE`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ghostproof.turn.budget import Turn
from ghostproof.turn.tool import Tool, Value

# A line in the history that says that the schema is withheld, wherever it stands. A tombstone in the model is one that
# stands after every showing of the schema.
LINE: Mapping[str, Value] = {"line": False}


def anything(tool: Tool) -> bool:
    """No guard at all: frequency alone decides."""
    return True


def no_arguments_or_reads(tool: Tool) -> bool:
    """Takes a tool that only reads for harmless."""
    return not tool.arguments_resident or not tool.mutation


def no_arguments_or_idle(tool: Tool) -> bool:
    """Takes arguments of a tool that the last response did not call for forgotten."""
    return not tool.arguments_resident or tool.idle_turns > 0


def announce(tool: Any, turn: Turn) -> None:
    """Writes the line before the schema goes, one for a tool."""
    if tool.arguments_resident and not tool.line:
        tool.tombstoned = True
        tool.line = True


def hide_where_announced(tool: Any, turn: Turn) -> None:
    """Trusts the line wherever it stands."""
    if tool.schema_shown and not tool.requested and (not tool.arguments_resident or tool.line):
        tool.hide_schema()


def expand_and_clear(tool: Any, turn: Turn) -> None:
    """Shows what was asked for and takes the line out of the history."""
    if tool.requested and tool.registered:
        tool.show_schema()
        tool.line = False


def expand_and_leave(tool: Tool, turn: Turn) -> None:
    """Shows what was asked for and leaves the line where it is: before the showing, where it is no tombstone."""
    if tool.requested and tool.registered:
        tool.show_schema()
