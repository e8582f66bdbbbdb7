"""Right pruners whose schemas and arguments live in the history: schemas that it reveals, arguments that are edited."""

from __future__ import annotations

from dataclasses import replace

from ghostproof.turn.budget import Turn, arguments_fit, prompt_fits_as_it_stands, schemas_fit
from ghostproof.turn.environment import IDLE
from ghostproof.turn.property import Property
from ghostproof.turn.pruner import Pass, Pruner, least_recently_called
from ghostproof.turn.scenario import HISTORY_EVENTS, Scenario
from ghostproof.turn.tool import Tool
from ghostproof.variants.arbitration import expand, gate
from ghostproof.variants.pydantic_ai_deferred import deferred_tools, deferring, searching

LOST = "discovery evidence is lost"
# Compaction behind the last pass: what revealed a tool may go there too.
LOST_LATE: Scenario = replace(HISTORY_EVENTS, name=f"{HISTORY_EVENTS.name}; late: {LOST}", late=(IDLE.name, LOST))


def drop_calls_first(tool: Tool, turn: Turn) -> None:
    """Cuts the other way round: what revealed the tool goes only when no call of it is left."""
    if tool.arguments_resident:
        tool.evict_call()
    else:
        tool.evict_evidence()


def empty_oldest(tool: Tool, turn: Turn) -> None:
    """Clears the input of the oldest call; the call itself stays, with nothing in it."""
    tool.empty_call()


def hide_where_no_arguments(tool: Tool, turn: Turn) -> None:
    """The guard of T7: a schema goes where no arguments are left. An emptied call has none."""
    if not tool.arguments_resident and not tool.requested:
        tool.hide_schema()


def truncate(tool: Tool, turn: Turn) -> None:
    """Cuts arguments in the middle, to save tokens."""
    tool.truncate_calls()


def hide_unasked(tool: Tool, turn: Turn) -> None:
    """Drops a schema that nobody asked for."""
    if not tool.requested:
        tool.hide_schema()


def gate_for_emptied(tool: Tool, turn: Turn) -> None:
    """The gate for a stronger property: an emptied call, too, is not left without schema and tombstone."""
    if (tool.arguments_resident or tool.emptied) and not tool.schema_resident:
        tool.tombstoned = True
    elif not tool.arguments_resident and not tool.emptied:
        tool.tombstoned = False


def _left_empty(tool: Tool) -> bool:
    return tool.emptied and not tool.schema_resident and not tool.tombstoned


def _emptied(tool: Tool) -> bool:
    return tool.emptied


# The weaker warning: no values to rebuild a call from, and still the shape of a call whose schema nobody sees.
NO_BARE_CALL = Property(
    "no_bare_call",
    "no tool has an emptied call in a sent request without its schema or a tombstone",
    _left_empty,
    _emptied,
)

emptying = Pass(empty_oldest, order=least_recently_called, until=arguments_fit)
freely = Pass(hide_where_no_arguments, order=least_recently_called, until=schemas_fit)
cutting = Pass(truncate, order=least_recently_called, until=arguments_fit)
hiding = Pass(hide_unasked, order=least_recently_called, until=schemas_fit)

deferred_gated = Pruner(*deferred_tools.passes, Pass(gate), name="deferred tools, then the gate")
deferred_at_render = Pruner(
    *deferred_tools.passes, Pass(gate, at_render=True), name="deferred tools, then the gate at render"
)
calls_first = Pruner(
    searching,
    Pass(drop_calls_first, order=least_recently_called, until=prompt_fits_as_it_stands),
    deferring,
    name="deferred tools, calls cut before what revealed them",
)
emptied_freely = Pruner(Pass(expand), emptying, freely, name="emptying, then hiding where no arguments are")
emptied_gated = Pruner(Pass(expand), emptying, hiding, Pass(gate), name="emptying, then hiding, then the gate")
bare_gated = Pruner(
    Pass(expand), emptying, hiding, Pass(gate_for_emptied), name="emptying, then hiding, then a gate for emptied calls"
)
truncated_gated = Pruner(Pass(expand), cutting, hiding, Pass(gate), name="truncating, then hiding, then the gate")
