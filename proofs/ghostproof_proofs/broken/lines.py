"""Passes that leave more than one tombstone of a tool in the history, counted as `t10_passes` counts them."""

from __future__ import annotations

from typing import Any

from ghostproof.turn.budget import Turn


def gate_that_appends(tool: Any, turn: Turn) -> None:
    """Writes a line in every turn in which arguments stand without a schema, whether or not one is there."""
    if tool.arguments_resident and not tool.schema_resident:
        tool.lines = tool.lines + 1
        tool.standing = True
        tool.tombstoned = True
    elif not tool.arguments_resident:
        tool.lines = 0
        tool.standing = False
        tool.tombstoned = False


def expand_and_leave(tool: Any, turn: Turn) -> None:
    """Shows what was asked for and leaves the old line where it is: before the showing, where it says nothing."""
    if tool.requested and tool.registered:
        tool.show_schema()
        tool.standing = False
