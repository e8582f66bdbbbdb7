"""Logs that count something else than requests made in view of a tombstone. Memory: `signals.MEMORY`."""

from __future__ import annotations

from typing import Any

from ghostproof.turn.budget import Turn
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.variants.arbitration import argument_first, expand
from ghostproof_proofs.signals import log_request, logging


def log_expansion(tool: Any, turn: Turn) -> None:
    """Counts once more what is shown again: the same request, seen from the other end."""
    if tool.requested and tool.registered and tool.tombstone_was_sent:
        tool.signals_logged = tool.signals_logged + 1


def log_by_present_tombstone(tool: Any, turn: Turn) -> None:
    """Judges by the tombstone that is there now, and not by the one that the model saw."""
    if tool.requested and tool.tombstoned and not tool.schema_resident:
        tool.signals_logged = tool.signals_logged + 1


def log_any_request(tool: Any, turn: Turn) -> None:
    """Counts every request, also of a tool of which the model saw nothing."""
    if tool.requested:
        tool.signals_logged = tool.signals_logged + 1


def log_visible_call(tool: Any, turn: Turn) -> None:
    """Counts the request, and also a call of a tool whose schema was in view."""
    log_request(tool, turn)
    if tool.idle_turns == 0 and tool.calls > 0 and not tool.tombstone_was_sent:
        tool.signals_logged = tool.signals_logged + 1


_, *after_expansion = argument_first.passes

BROKEN: dict[str, Pruner] = {
    "logged twice": logging((Pass(log_request), Pass(log_expansion)), "a log at request and at expansion"),
    "logged late": logging(
        (Pass(expand), Pass(log_by_present_tombstone)), "a log after the expansion", tuple(after_expansion)
    ),
    "present tombstone": logging((Pass(log_by_present_tombstone),), "a log that judges by the present tombstone"),
    "expansions": logging((Pass(log_expansion),), "a log of expansions"),
    "any request": logging((Pass(log_any_request),), "a log of any request"),
    "visible tools": logging((Pass(log_visible_call),), "a log that counts calls of visible tools"),
}
