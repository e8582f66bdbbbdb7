"""Pruners whose explanation is known: which pass keeps them safe, or which change mends them."""

from __future__ import annotations

from typing import Any

from ghostproof.turn.budget import Turn, prompt_fits, prompt_fits_as_it_stands
from ghostproof.turn.pruner import Pass, Pruner, least_recently_called
from ghostproof.turn.tool import Tool
from ghostproof.variants.arbitration import expand, gate, prune_schema, trim
from ghostproof_proofs.broken.gates import PLAN, VIEW, gate_on_last_turn, planning_gate, remember_view, trim_as_planned

PRUNE = Pass(prune_schema, least_recently_called, prompt_fits)
AS_IT_STANDS = Pass(prune_schema, least_recently_called, prompt_fits_as_it_stands)


def gate_again(tool: Tool, turn: Turn) -> None:
    """What the gate does, once more."""
    gate(tool, turn)


def mark_stale(tool: Any, turn: Turn) -> None:
    """Notes a tombstone over nothing, for the next turn to sweep."""
    tool.stale = tool.tombstoned and not tool.arguments_resident


def sweep(tool: Any, turn: Turn) -> None:
    """Removes what was noted a turn ago, whatever came in since."""
    if tool.stale:
        tool.tombstoned = False


def gate_that_keeps(tool: Tool, turn: Turn) -> None:
    """Tombstones, and never takes one away."""
    if tool.arguments_resident and not tool.schema_resident:
        tool.tombstoned = True


def evict(tool: Tool, turn: Turn) -> None:
    """The oldest call goes."""
    tool.evict_call()


redundant = Pruner(Pass(expand), *trim, PRUNE, Pass(gate), Pass(gate_again), name="two gates")
no_gate = Pruner(Pass(expand), *trim, PRUNE, name="no gate")
planned = Pruner(
    Pass(expand),
    AS_IT_STANDS,
    Pass(planning_gate),
    Pass(trim_as_planned, least_recently_called, prompt_fits_as_it_stands),
    memory=PLAN,
    name="eviction planned",
)
stale_view = Pruner(
    Pass(expand), *trim, PRUNE, Pass(gate_on_last_turn), Pass(remember_view), memory=VIEW, name="stale view"
)
deferred = Pruner(
    Pass(expand),
    PRUNE,
    Pass(gate_that_keeps),
    Pass(sweep),
    Pass(evict, least_recently_called, prompt_fits),
    Pass(mark_stale),
    memory={"stale": False},
    name="tombstones swept a turn later",
)
never_hides = Pruner(Pass(expand), *trim, name="never hides")
