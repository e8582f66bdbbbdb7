"""Small pruners of many shapes, right and wrong, and the scenarios in which readings of them are compared."""

from __future__ import annotations

from ghostproof.turn.budget import Turn, arguments_fit, prompt_fits, prompt_fits_as_it_stands, schemas_fit
from ghostproof.turn.environment import ORDINARY
from ghostproof.turn.pruner import (
    Pass,
    Pruner,
    largest_arguments_first,
    largest_schema_first,
    least_frequently_called,
    least_recently_called,
)
from ghostproof.turn.scenario import ANYTHING, OBEDIENT, ORDINARY_SESSION, UNCONSTRAINED, Scenario
from ghostproof.turn.tool import Tool
from ghostproof.variants.arbitration import argument_first, expand, gate, prune, prune_schema, schema_first, trim


def trim_arguments(tool: Tool, turn: Turn) -> None:
    """Arguments only; tombstones stay."""
    if tool.calls_resident > 0 and not tool.pinned:
        tool.evict_call()


def evict_all_without_schema(tool: Tool, turn: Turn) -> None:
    """A gate that knows no tombstones."""
    if tool.arguments_resident and not tool.schema_resident:
        tool.evict_all_calls()


def plan_eviction(tool: Tool, turn: Turn) -> None:
    """A gate that only intends to evict."""
    tool.planned = tool.arguments_resident and not tool.schema_resident  # type: ignore[attr-defined]


def carry_out(tool: Tool, turn: Turn) -> None:
    """What was intended, if there is need."""
    if tool.planned:  # type: ignore[attr-defined]
        tool.evict_all_calls()


def gate_on_last_turn(tool: Tool, turn: Turn) -> None:
    """A gate that looks at what it noted a turn ago."""
    if tool.noted and tool.arguments_resident and not tool.schema_resident:  # type: ignore[attr-defined]
        tool.tombstoned = True
    tool.noted = not tool.schema_resident  # type: ignore[attr-defined]


def prune_and_note(tool: Tool, turn: Turn) -> None:
    """Hide, and note that it was this pruner who did."""
    if tool.schema_shown and not tool.pinned and not tool.requested:
        tool.hide_schema()
        tool.pruned = True  # type: ignore[attr-defined]


def gate_on_pruned(tool: Tool, turn: Turn) -> None:
    """A gate for the tools that were pruned in this turn only."""
    if tool.pruned and tool.arguments_resident and not tool.schema_resident:  # type: ignore[attr-defined]
        tool.tombstoned = True
    tool.pruned = False  # type: ignore[attr-defined]


def compress(tool: Tool, turn: Turn) -> None:
    """Drop the structure of a schema that is not in use."""
    if tool.schema_resident and tool.idle_turns >= 1:
        tool.show_schema_lossily()


def gate_on_shown(tool: Tool, turn: Turn) -> None:
    """A gate that takes a lossy schema for one."""
    if tool.arguments_resident and not tool.schema_shown:
        tool.tombstoned = True


def hide_idle(tool: Tool, turn: Turn) -> None:
    """Hide what has been idle for a while, whatever the budget."""
    if tool.idle_turns >= 2 and not tool.requested:
        tool.hide_schema()


def hide_the_costly(tool: Tool, turn: Turn) -> None:
    """Hide one schema at a time while it alone is what is too much, from a visit's own look at the numbers."""
    over = turn.demand_tokens - turn.total_budget
    if over > 0 and tool.schema_shown and min(over, tool.schema_tokens) > 0 and tool.calls_resident <= 1:
        tool.hide_schema()


def watered_down(tool: Tool, turn: Turn) -> None:
    """A tombstone for the first call only."""
    if tool.calls_resident == 1 and not tool.schema_resident:
        tool.tombstoned = True


def oldest_first(tool: Tool, turn: Turn) -> None:
    """Whatever is oldest in the history goes first."""
    if tool.tombstone_is_oldest:
        tool.tombstoned = False
    elif tool.calls_resident > 0:
        tool.evict_call()


def calls_then_pinned(tool: Tool) -> int:
    """A key of two fields."""
    return tool.calls - 3 if tool.pinned else tool.calls + tool.idle_turns


def is_pinned(tool: Tool) -> bool:
    """A key that is a flag."""
    return tool.pinned


trim_pair = Pass(trim_arguments, order=least_recently_called, until=arguments_fit)
prune_pair = Pass(prune_schema, order=least_frequently_called, until=schemas_fit)

CORPUS: dict[str, Pruner] = {
    pruner.name: pruner
    for pruner in (
        argument_first,
        schema_first,
        Pruner(Pass(expand), *trim, prune[0], name="argument-first without a gate"),
        Pruner(Pass(expand), prune[0], *trim, name="schema-first without a gate"),
        Pruner(trim_pair, prune_pair, Pass(gate), name="separate budgets"),
        Pruner(trim_pair, prune_pair, name="separate budgets without a gate"),
        Pruner(
            Pass(prune_schema, order=largest_schema_first, until=prompt_fits_as_it_stands),
            Pass(evict_all_without_schema),
            name="evict only",
        ),
        Pruner(
            Pass(prune_schema, order=calls_then_pinned, until=prompt_fits_as_it_stands),
            Pass(plan_eviction),
            Pass(carry_out, order=largest_arguments_first, until=prompt_fits_as_it_stands),
            memory={"planned": False},
            name="eviction planned",
        ),
        Pruner(Pass(hide_idle), Pass(gate_on_last_turn), memory={"noted": False}, name="stale view"),
        Pruner(
            Pass(expand),
            Pass(prune_and_note, order=is_pinned, until=prompt_fits),
            Pass(gate_on_pruned),
            memory={"pruned": False},
            name="gate on pruned tools",
        ),
        Pruner(Pass(compress), Pass(prune_schema, until=schemas_fit), Pass(gate_on_shown), name="hollow"),
        Pruner(Pass(hide_idle), Pass(gate), name="by idle turns"),
        Pruner(Pass(hide_the_costly, order=largest_schema_first), Pass(watered_down), name="watered down"),
        Pruner(
            Pass(prune_schema, until=prompt_fits),
            Pass(gate),
            Pass(oldest_first, order=least_recently_called, until=prompt_fits),
            name="oldest item first",
        ),
    )
}

UNPINNED = {"pinned": False, "mutation": True}
ORDINARY_UNPINNED = Scenario(
    "ordinary, constant budgets, nothing pinned",
    environment=("idle",),
    responses=ORDINARY_SESSION.responses,
    constant_budgets=True,
    starts_within_budget=True,
    fixed=UNPINNED,
)
HANDED_OVER = Scenario(
    "arguments appear or a tool vanishes, constant budgets, nothing pinned",
    environment=("idle", "tool vanishes", "arguments appear"),
    responses=("silent", "call"),
    constant_budgets=True,
    fixed=UNPINNED,
)
# What readings are compared on: everything, the ordinary, and a few corners of the space of scenarios.
SCENARIOS = (
    ANYTHING,
    ORDINARY_SESSION,
    HANDED_OVER,
    Scenario("obedient models, budgets free each turn", environment=ORDINARY, responses=OBEDIENT),
    Scenario(
        "no idling, pinned",
        environment=("schema migrates", "tool vanishes", "tool returns", "arguments appear"),
        responses=UNCONSTRAINED,
        starts_within_budget=True,
        fixed={"pinned": True, "argument_tokens": 3},
    ),
)
