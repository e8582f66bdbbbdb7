"""Pruners that misread the items of a history: what reveals a schema, and calls that were edited in place."""

from __future__ import annotations

from corpus.parts import expansion, hide, tombstone_gate
from ghostproof.turn.budget import Turn, arguments_fit, prompt_fits_as_it_stands, schemas_fit
from ghostproof.turn.pruner import Pass, Pruner, least_recently_called
from ghostproof.turn.tool import Tool


def search(tool: Tool, turn: Turn) -> None:
    """What was asked for is found, and the result of the search shows it."""
    if tool.requested and tool.registered:
        tool.reveal_schema()


def cut_from_the_front(tool: Tool, turn: Turn) -> None:
    """The result of the search is older than the calls that came of it."""
    if tool.evidence_resident:
        tool.evict_evidence()
    else:
        tool.evict_call()


def cut_calls_first(tool: Tool, turn: Turn) -> None:
    """What revealed a tool outlives the calls that came of it."""
    if tool.arguments_resident:
        tool.evict_call()
    else:
        tool.evict_evidence()


def show_revealed(tool: Tool, turn: Turn) -> None:
    """Only what the history reveals is shown."""
    if not tool.evidence_resident:
        tool.hide_schema()


def cut_inside(tool: Tool, turn: Turn) -> None:
    """Shortens what is resident."""
    tool.truncate_calls()


def gate_for_whole(tool: Tool, turn: Turn) -> None:
    """Looks at arguments that are whole, as if cut ones were none."""
    if not tool.truncated:
        tombstone_gate(tool, turn)


searching, showing = Pass(search), Pass(show_revealed)
cutting = Pass(cut_from_the_front, order=least_recently_called, until=prompt_fits_as_it_stands)
calls_first = Pass(cut_calls_first, order=least_recently_called, until=prompt_fits_as_it_stands)

gate_before_cut = Pruner(searching, showing, Pass(tombstone_gate), cutting, name="the gate stands before the cut")
own_cut_only = Pruner(searching, calls_first, showing, name="calls are cut before what revealed them, ungated")
whole_only = Pruner(
    expansion,
    Pass(cut_inside, order=least_recently_called, until=arguments_fit),
    Pass(hide, order=least_recently_called, until=schemas_fit),
    Pass(gate_for_whole),
    name="cut arguments pass for none",
)
