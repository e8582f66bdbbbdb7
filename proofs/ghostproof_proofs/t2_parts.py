"""What T2 is about: the pairs of pruners, the sessions it admits, and two statements with arguments of their own."""

from __future__ import annotations

from dataclasses import replace

from ghostproof.turn.budget import Turn, arguments_fit, prompt_fits, prompt_fits_as_it_stands, schemas_fit
from ghostproof.turn.pruner import Condition, Pass, Visit, least_recently_called
from ghostproof.turn.scenario import ORDINARY_SESSION, Scenario
from ghostproof.turn.tool import Tool
from ghostproof.variants.arbitration import gate, prune_schema, trim_history
from ghostproof.variants.trims import trim_arguments_first, trim_calls, trim_oldest_item
from ghostproof_proofs.broken.gates import PLAN, planning_gate, trim_as_planned
from ghostproof_proofs.orders import both_orders

NEW_BUDGETS = replace(
    ORDINARY_SESSION, name="ordinary environment, budgets free each turn, starts within budget", constant_budgets=False
)
NOT_WITHIN = replace(
    ORDINARY_SESSION, name="ordinary environment, constant budgets, any first prompt", starts_within_budget=False
)
ANY_BUDGETS = replace(
    NEW_BUDGETS, name="ordinary environment, budgets free each turn, any first prompt", starts_within_budget=False
)
OBEYING = replace(
    ORDINARY_SESSION,
    name="ordinary environment, constant budgets, starts within budget, R2: tombstones are obeyed",
    responses=tuple(name for name in ORDINARY_SESSION.responses if name != "call despite the tombstone"),
)
BLIND = replace(
    ORDINARY_SESSION,
    name="ordinary environment with blind calls, constant budgets, starts within budget",
    responses=(*ORDINARY_SESSION.responses, "call blind"),
)


def ordinary_and(action: str) -> Scenario:
    """An ordinary session that also admits one disruptive action."""
    return replace(
        ORDINARY_SESSION,
        name=f"ordinary environment and {action!r}, constant budgets, starts within budget",
        environment=(*ORDINARY_SESSION.environment, action),
    )


def trimming(visit: Visit, until: Condition = prompt_fits) -> tuple[Pass, ...]:
    """A trimming pass, least recently called first."""
    return (Pass(visit, least_recently_called, until),)


def pruning(until: Condition = prompt_fits, visit: Visit = prune_schema) -> Pass:
    """The pruning pass, least recently called first."""
    return Pass(visit, least_recently_called, until)


def trim_unpinned_calls(tool: Tool, turn: Turn) -> None:
    """What a pin protects when it is a mark on messages: the arguments."""
    if not tool.pinned:
        tool.evict_call()


def prune_pinned_too(tool: Tool, turn: Turn) -> None:
    """A schema goes whether or not somebody pinned the tool's messages."""
    if tool.schema_shown and not tool.requested:
        tool.hide_schema()


separate = both_orders(trimming(trim_history, arguments_fit), (pruning(schemas_fit),), "no gate, separate budgets")
planned = both_orders(
    trimming(trim_as_planned, prompt_fits_as_it_stands),
    (pruning(prompt_fits_as_it_stands), Pass(planning_gate)),
    "a gate that plans evictions",
    PLAN,
)
oldest = both_orders(trimming(trim_oldest_item), (pruning(), Pass(gate)), "oldest item first")
arguments = both_orders(trimming(trim_arguments_first), (pruning(), Pass(gate)), "arguments first")
untouched = both_orders(trimming(trim_calls), (pruning(), Pass(gate)), "tombstones untouched")
alone = both_orders(
    trimming(trim_history, prompt_fits_as_it_stands), (pruning(prompt_fits_as_it_stands),), "no gate, joint budget"
)
half_pinned = both_orders(
    trimming(trim_unpinned_calls, prompt_fits_as_it_stands),
    (pruning(prompt_fits_as_it_stands, prune_pinned_too),),
    "no gate, pins that hold arguments only",
)
