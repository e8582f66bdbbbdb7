"""Passes that do not honour a request for a schema as they should."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ghostproof.turn.budget import Turn
from ghostproof.turn.tool import Tool, Value

PENDING: Mapping[str, Value] = {"pending": False}


def prune_what_was_asked_for(tool: Tool, turn: Turn) -> None:
    """Hides a schema whether or not it was asked for."""
    if tool.schema_shown and not tool.pinned:
        tool.hide_schema()


def note_request(tool: Any, turn: Turn) -> None:
    """Takes the request over into a flag of the pruner's own."""
    tool.pending = tool.requested


def expand_and_forget(tool: Any, turn: Turn) -> None:
    """Shows what was asked for and clears the flag at once, so that pruning does not see it."""
    if tool.pending and tool.registered:
        tool.show_schema()
        tool.pending = False


def prune_what_is_not_pending(tool: Any, turn: Turn) -> None:
    """Spares what the flag still says was asked for."""
    if tool.schema_shown and not tool.pinned and not tool.pending:
        tool.hide_schema()


def expand_where_it_fits(tool: Tool, turn: Turn) -> None:
    """Shows what was asked for if there is room, and makes none."""
    if tool.requested and tool.registered and turn.demand_tokens + tool.schema_tokens <= turn.total_budget:
        tool.show_schema()
