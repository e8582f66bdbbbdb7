"""Gates that look at something else than what the history still holds, and the pruners that go with them."""

from __future__ import annotations

from typing import Any

from ghostproof.turn.budget import Turn
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.tool import Tool
from ghostproof.variants.arbitration import expand, gate
from ghostproof.variants.pydantic_ai_deferred import deferring, dropping, searching
from ghostproof_proofs.history import cutting, emptying, hiding


def remember_discovery(tool: Any, turn: Turn) -> None:
    """The runtime's own list of what was discovered; it only grows."""
    if tool.evidence_resident:
        tool.discovered = True


def gate_by_discoveries(tool: Any, turn: Turn) -> None:
    """Counts a tool as resident that was once discovered, whether or not the evidence still stands."""
    if not tool.discovered:
        gate(tool, turn)


def gate_for_untouched(tool: Tool, turn: Turn) -> None:
    """Takes a tool with an emptied call for one without arguments: another call of it may be whole."""
    if not tool.emptied:
        gate(tool, turn)


def gate_for_whole_arguments(tool: Tool, turn: Turn) -> None:
    """Takes truncated arguments for none."""
    if not tool.truncated:
        gate(tool, turn)


gated_before_cut = Pruner(searching, Pass(gate), dropping, deferring, name="deferred tools, the gate before the cut")
by_discoveries = Pruner(
    searching,
    Pass(remember_discovery),
    dropping,
    deferring,
    Pass(gate_by_discoveries),
    memory={"discovered": False},
    name="deferred tools, a gate by what was discovered",
)
half_emptied = Pruner(
    Pass(expand), emptying, hiding, Pass(gate_for_untouched), name="emptying, then hiding, a gate for untouched tools"
)
whole_only = Pruner(
    Pass(expand), cutting, hiding, Pass(gate_for_whole_arguments), name="truncating, a gate for whole arguments"
)
