"""Right ones among pruners whose schemas the history reveals, or whose calls are edited in place."""

from __future__ import annotations

from corpus.parts import evict_gate, expansion, hiding, tombstone_gate
from corpus.unsound_history import calls_first, cutting, searching, showing
from ghostproof.turn.budget import Turn
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.tool import Tool


def empty_bare_calls(tool: Tool, turn: Turn) -> None:
    """A gate that empties a call in place where there is no schema, leaves the empty call there and evicts the rest."""
    if tool.arguments_resident and not tool.schema_resident:
        tool.empty_call()
        tool.evict_all_calls()


gate_after_cut = Pruner(searching, cutting, showing, Pass(tombstone_gate), name="the gate stands after the cut")
calls_before_evidence = Pruner(
    searching, calls_first, showing, Pass(evict_gate), name="calls are cut before what revealed them, and gated"
)
emptied_in_place = Pruner(expansion, hiding, Pass(empty_bare_calls), name="the gate empties calls in place")
