"""Gates in last place that do what they should, for too few tools or at too few times."""

from __future__ import annotations

from corpus.parts import expand, expansion, hiding, tombstone_gate
from ghostproof.turn.budget import Turn, prompt_fits
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.tool import Tool


def for_unpinned(tool: Tool, turn: Turn) -> None:
    """Spares what no pass may prune; a server that goes away asks no pass."""
    if not tool.pinned:
        tombstone_gate(tool, turn)


def for_mutations(tool: Tool, turn: Turn) -> None:
    """Spares tools that only read."""
    if tool.mutation:
        tombstone_gate(tool, turn)


def for_unrequested(tool: Tool, turn: Turn) -> None:
    """Writes all tombstones anew each turn, none for a tool that was asked for: it is about to be shown."""
    tool.tombstoned = tool.arguments_resident and not tool.schema_resident and not tool.requested


def expand_where_there_is_room(tool: Tool, turn: Turn) -> None:
    """Honours a request only where the schema fits."""
    if turn.demand_tokens + tool.schema_tokens <= turn.total_budget:
        expand(tool, turn)


def for_accepted_calls(tool: Tool, turn: Turn) -> None:
    """Spares a tool whose last call was rejected: nobody would build on that."""
    if not tool.rejected:
        tombstone_gate(tool, turn)


def for_current_arguments(tool: Tool, turn: Turn) -> None:
    """Spares arguments that no longer match the live schema: nobody would use them."""
    if tool.arguments_current:
        tombstone_gate(tool, turn)


def for_called_tools(tool: Tool, turn: Turn) -> None:
    """Spares a tool that this session never called: there is nothing to rebuild from."""
    if tool.calls > 0:
        tombstone_gate(tool, turn)


def for_a_single_call(tool: Tool, turn: Turn) -> None:
    """Compares the number of calls for equality where it should ask whether there is one."""
    if tool.calls_resident == 1 and not tool.schema_resident:
        tool.tombstoned = True


def for_what_is_not_shown(tool: Tool, turn: Turn) -> None:
    """Takes a schema without its structure for a schema."""
    if tool.arguments_resident and not tool.schema_shown:
        tool.tombstoned = True


def while_over_budget(tool: Tool, turn: Turn) -> None:
    """Looks at the prompt after pruning made it fit, and sees no reason to act."""
    if not prompt_fits(turn):
        tombstone_gate(tool, turn)


def where_it_can_be_paid(tool: Tool, turn: Turn) -> None:
    """Gives way to the budget: no tombstone where it does not fit."""
    if turn.prompt_tokens + tool.tombstone_tokens <= turn.total_budget:
        tombstone_gate(tool, turn)


def hide_without_reserve(tool: Tool, turn: Turn) -> None:
    """Hides by what stands in the prompt now."""
    if tool.schema_shown and turn.prompt_tokens > turn.total_budget:
        tool.hide_schema()


spares_pinned = Pruner(expansion, hiding, Pass(for_unpinned), name="spares pinned tools")
spares_reading = Pruner(expansion, hiding, Pass(for_mutations), name="spares reading tools")
spares_requested = Pruner(
    Pass(expand_where_there_is_room), hiding, Pass(for_unrequested), name="spares tools that were asked for"
)
spares_rejected = Pruner(hiding, Pass(for_accepted_calls), name="spares rejected calls")
spares_stale = Pruner(expansion, hiding, Pass(for_current_arguments), name="spares stale arguments")
spares_uncalled = Pruner(expansion, hiding, Pass(for_called_tools), name="spares tools that were never called")
spares_second_call = Pruner(expansion, hiding, Pass(for_a_single_call), name="spares tools with two calls")
spares_lossy = Pruner(expansion, hiding, Pass(for_what_is_not_shown), name="spares lossy schemas")
under_pressure = Pruner(expansion, hiding, Pass(while_over_budget), name="gate while over budget")
if_it_can_be_paid = Pruner(Pass(hide_without_reserve), Pass(where_it_can_be_paid), name="gate where it can be paid")
stops_when_it_fits = Pruner(
    expansion, hiding, Pass(tombstone_gate, until=prompt_fits), name="a gate that stops when the prompt fits"
)
