"""Trimming with and without the cascade, and a gate that leaves old tombstones standing.

A visit that uses memory takes the tool as `Any`, since memory fields are no attributes of every tool; the pruner
declares them with `UNDECIDED`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ghostproof.turn.budget import Turn
from ghostproof.turn.tool import Tool, Value
from ghostproof.variants.arbitration import prune_schema

UNDECIDED: Mapping[str, Value] = {"evicted_undecided": False}


def trim_without_cascade(tool: Tool, turn: Turn) -> None:
    """Evicts the oldest call and leaves the tombstone where it stands."""
    if not tool.pinned:
        tool.evict_call()


def trim_with_cascade(tool: Tool, turn: Turn) -> None:
    """Evicts the oldest call; the last one takes the tombstone along."""
    if not tool.pinned:
        tool.evict_call()
        if not tool.arguments_resident:
            tool.tombstoned = False


def gate_that_clears_nothing(tool: Tool, turn: Turn) -> None:
    """Writes what tombstones are needed and removes none."""
    if tool.arguments_resident and not tool.schema_resident:
        tool.tombstoned = True


def trim_and_note(tool: Any, turn: Turn) -> None:
    """Evicts the oldest call, and notes that the schema of its tool is to be decided on."""
    if tool.arguments_resident and not tool.pinned:
        trim_with_cascade(tool, turn)
        tool.evicted_undecided = True


def decide(tool: Any, turn: Turn) -> None:
    """Decides on the schema, to keep it or to hide it, and notes that it did."""
    prune_schema(tool, turn)
    tool.evicted_undecided = False


def decide_after_eviction(tool: Any, turn: Turn) -> None:
    """The cascade: decides wherever an eviction asks for it."""
    if tool.evicted_undecided:
        decide(tool, turn)
