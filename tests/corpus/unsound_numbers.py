"""Pruners that are wrong at one number: the exact budget, equal sizes, two calls at once, the rest of the prompt."""

from __future__ import annotations

from corpus.parts import eviction, expansion, hide, hiding
from ghostproof.turn.budget import Turn, prompt_fits
from ghostproof.turn.pruner import Pass, Pruner, least_recently_called
from ghostproof.turn.tool import Tool


def hide_and_warn(tool: Tool, turn: Turn) -> None:
    """Hides at the budget, warns above it."""
    over = turn.demand_tokens - turn.total_budget
    if over >= 0:
        tool.hide_schema()
    if over > 0 and tool.arguments_resident:
        tool.tombstoned = True


def evict_what_is_enough(tool: Tool, turn: Turn) -> None:
    """Evicts the one call that makes the prompt fit; it does not think of two at once."""
    if 0 < turn.demand_tokens - turn.total_budget <= tool.argument_tokens:
        tool.evict_call()


def evict_one_where_too_much(tool: Tool, turn: Turn) -> None:
    """Evicts one call of each tool while the prompt is too large: one call a tool is all that a turn can add."""
    if turn.demand_tokens > turn.total_budget and not tool.pinned:
        tool.evict_call()


def conversation_fits(turn: Turn) -> bool:
    """Counts schemas and arguments, and forgets what else is sent."""
    return turn.schema_tokens + turn.argument_tokens <= turn.total_budget


def fits_but_for_one_token(turn: Turn) -> bool:
    """Lets one token too many pass; hiding does not."""
    return turn.demand_tokens <= turn.total_budget + 1


def warn_of_large_savings(tool: Tool, turn: Turn) -> None:
    """Compares schema and arguments, and forgets that they may be the same size."""
    if not tool.arguments_resident or tool.schema_resident:
        return
    if tool.schema_tokens > tool.argument_tokens:
        tool.tombstoned = True
    if tool.schema_tokens < tool.argument_tokens:
        tool.evict_all_calls()


def warn_while_budget_lasts(tool: Tool, turn: Turn) -> None:
    """Reserves tombstones by what stands already, and not by what is owed."""
    if tool.arguments_resident and not tool.schema_resident and turn.tombstone_tokens < turn.argument_budget:
        tool.tombstoned = True


exact_budget = Pruner(Pass(hide_and_warn), name="wrong at the exact budget")
parallel_calls = Pruner(
    Pass(evict_what_is_enough, order=least_recently_called), hiding, name="one eviction for two calls"
)
one_call_a_tool = Pruner(Pass(evict_one_where_too_much), hiding, name="one eviction a tool a turn")
forgets_the_rest = Pruner(
    Pass(eviction.visit, order=least_recently_called, until=conversation_fits),
    hiding,
    name="trimming forgets the rest of the prompt",
)
one_token_off = Pruner(
    Pass(eviction.visit, order=least_recently_called, until=fits_but_for_one_token),
    Pass(hide, order=least_recently_called, until=prompt_fits),
    name="trimming is a token too generous",
)
equal_sizes = Pruner(expansion, hiding, Pass(warn_of_large_savings), name="wrong where two sizes are equal")
tombstone_budget = Pruner(hiding, Pass(warn_while_budget_lasts), name="tombstones have a budget of their own")
