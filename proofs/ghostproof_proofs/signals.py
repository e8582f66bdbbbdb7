"""A runtime that logs "model requested re-expansion of tombstoned tool", one count a tool.

A visit that uses memory takes the tool as `Any`, since memory fields are no attributes of every tool; the pruner
declares them with `MEMORY`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ghostproof.turn.budget import Turn
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.tool import Value
from ghostproof.variants.arbitration import argument_first

MEMORY: Mapping[str, Value] = {"tombstone_was_sent": False, "signals_logged": 0}


def log_request(tool: Any, turn: Turn) -> None:
    """Before anything else in a turn: was the last response a request, made in view of a tombstone?"""
    if tool.requested and tool.tombstone_was_sent:
        tool.signals_logged = tool.signals_logged + 1


def note_prompt(tool: Any, turn: Turn) -> None:
    """After everything else: what the request that is about to be sent says of the tool."""
    tool.tombstone_was_sent = tool.tombstoned and not tool.schema_resident


def logging(first: tuple[Pass, ...], name: str, passes: tuple[Pass, ...] = argument_first.passes) -> Pruner:
    """`passes` between the logging ones: `first`, and the note of the prompt."""
    return Pruner(*first, *passes, Pass(note_prompt), memory=MEMORY, name=name)


logged = logging((Pass(log_request),), "argument-first with a log of requests")
