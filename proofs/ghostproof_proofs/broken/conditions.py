"""Retention and compression that meet one of the seed's conditions only by halves."""

from __future__ import annotations

from ghostproof.turn.budget import Turn
from ghostproof.turn.tool import Tool


def evict_what_is_idle(tool: Tool, turn: Turn) -> None:
    """Keeps what the last response called, so that the model sees what came of it, and nothing older."""
    if tool.idle_turns > 0:
        tool.evict_all_calls()


def compress_lossily(tool: Tool, turn: Turn) -> None:
    """Shows the schema without its required fields, types or enums."""
    if tool.schema_shown and not tool.requested:
        tool.show_schema_lossily()
