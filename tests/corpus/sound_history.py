"""Right ones among pruners whose schemas the history reveals, or whose calls are edited in place."""

from __future__ import annotations

from corpus.parts import evict_gate, expansion, hiding, tombstone_gate
from corpus.unsound_history import cutting, searching, showing
from ghostproof.turn.budget import Turn, prompt_fits_as_it_stands
from ghostproof.turn.pruner import Pass, Pruner, least_recently_called
from ghostproof.turn.tool import Tool


def cut_calls_first(tool: Tool, turn: Turn) -> None:
    """What revealed a tool outlives the calls that came of it."""
    if tool.arguments_resident:
        tool.evict_call()
    else:
        tool.evict_evidence()


def empty_bare_calls(tool: Tool, turn: Turn) -> None:
    """A gate that empties in place: one call in each round, until no arguments are left without a schema."""
    if not tool.schema_resident:
        tool.empty_call()
        tool.empty_call()
        evict_gate(tool, turn)


gate_after_cut = Pruner(searching, cutting, showing, Pass(tombstone_gate), name="the gate stands after the cut")
calls_before_evidence = Pruner(
    searching,
    Pass(cut_calls_first, order=least_recently_called, until=prompt_fits_as_it_stands),
    showing,
    name="calls are cut before what revealed them",
)
emptied_in_place = Pruner(expansion, hiding, Pass(empty_bare_calls), name="the gate empties calls in place")
