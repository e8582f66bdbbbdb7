"""Right passes for the corpus to stand wrong ones beside: its own, so that nobody's change elsewhere moves a count.

A visit that uses memory takes the tool as `Any`: memory fields are no attributes of every tool.
"""

from __future__ import annotations

from typing import Any

from ghostproof.turn.budget import Turn, prompt_fits, schemas_fit
from ghostproof.turn.pruner import Pass, least_recently_called
from ghostproof.turn.tool import Tool


def expand(tool: Tool, turn: Turn) -> None:
    """Show what was asked for, where it still exists."""
    if tool.requested and tool.registered:
        tool.show_schema()


def show_registered(tool: Tool, turn: Turn) -> None:
    """Start from all that is registered, as a runtime does that selects anew for each request."""
    if tool.registered and not tool.schema_shown:
        tool.show_schema()


def hide(tool: Tool, turn: Turn) -> None:
    """Drop a schema that is not pinned and was not just asked for."""
    if tool.schema_shown and not tool.pinned and not tool.requested:
        tool.hide_schema()


def hide_idle(tool: Tool, turn: Turn) -> None:
    """Drop the schema of a tool that was not called in the last response, whatever the budget."""
    if tool.idle_turns >= 1 and not tool.requested:
        tool.hide_schema()


def evict(tool: Tool, turn: Turn) -> None:
    """Evict the oldest call of a tool that is not pinned; tombstones stay."""
    if not tool.pinned:
        tool.evict_call()


def tombstone_gate(tool: Tool, turn: Turn) -> None:
    """The evict-or-tombstone gate, by tombstones; one over nothing goes."""
    if tool.arguments_resident and not tool.schema_resident:
        tool.tombstoned = True
    elif not tool.arguments_resident:
        tool.tombstoned = False


def evict_gate(tool: Tool, turn: Turn) -> None:
    """The evict-or-tombstone gate, by eviction."""
    if tool.arguments_resident and not tool.schema_resident:
        tool.evict_all_calls()


def clear_notes(tool: Any, turn: Turn) -> None:
    """Forget what was noted in the last turn."""
    tool.noted = False


expansion = Pass(expand)
hiding = Pass(hide, order=least_recently_called, until=prompt_fits)
hiding_by_schemas = Pass(hide, order=least_recently_called, until=schemas_fit)
eviction = Pass(evict, order=least_recently_called, until=prompt_fits)
gating = Pass(tombstone_gate)
