"""What T2 is about: the pairs of pruners, the sessions it admits, and two statements with arguments of their own."""

from __future__ import annotations

from dataclasses import replace

from ghostproof.engines.induction import NAME
from ghostproof.engines.problem import Bounds, Certificate
from ghostproof.lift.plain import lift_costs, lift_pruner, tool_sorts
from ghostproof.lift.single import EXECUTION, PROMPT, SETTLE, initial_condition, pass_location, single_tool
from ghostproof.lift.system import System, relevant
from ghostproof.lift.term import TRUE, Term, at_most, combine, conjunction, equal, implies, integer, negate, variable
from ghostproof.turn.budget import Turn, arguments_fit, prompt_fits, prompt_fits_as_it_stands, schemas_fit
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.pruner import Condition, Pass, Visit, least_recently_called
from ghostproof.turn.scenario import ANYTHING, ORDINARY_SESSION, Scenario
from ghostproof.turn.tool import Tool
from ghostproof.turn.verdict import Vacuous, Verdict
from ghostproof.variants.arbitration import gate, prune_schema, trim_history
from ghostproof.variants.trims import trim_arguments_first, trim_calls, trim_oldest_item
from ghostproof_proofs.broken.gates import PLAN, planning_gate, trim_as_planned
from ghostproof_proofs.discharge import confirmed, missing, settle_system
from ghostproof_proofs.orders import both_orders
from ghostproof_proofs.shield import raw_domain

NEW_BUDGETS = replace(
    ORDINARY_SESSION, name="ordinary environment, budgets free each turn, starts within budget", constant_budgets=False
)
NOT_WITHIN = replace(
    ORDINARY_SESSION, name="ordinary environment, constant budgets, any first prompt", starts_within_budget=False
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


def schemas_never_grow() -> Verdict:
    """In no state a schema costs more than in the first prompt, where all are shown.

    One tool suffices, since sums keep the order of their parts: a constant budget that fits there always fits.
    """
    cost, size = lift_costs()["schema_tokens"], variable("schema_tokens", "Int")
    first = initial_condition(ANYTHING, {})
    system = System(
        "the cost of a schema",
        tool_sorts({}),
        PROMPT,
        raw_domain(),
        (),
        PROMPT,
        negate(conjunction(at_most(cost, size), implies(first, equal(cost, size)))),
    )
    return settle_system(
        system,
        {
            "a schema costs less than at first": conjunction(raw_domain(), at_most(combine(cost, integer(1)), size)),
            "there is a first prompt": first,
        },
    )


def _all_before_tombstone() -> Term:
    """With a tombstone no schema is shown, no call is under way, and every resident call stands before it."""
    shown, tombstone, called = (variable(n, "Bool") for n in ("schema_shown", "tombstone_resident", "called"))
    before, calls = variable("calls_before_tombstone", "Int"), variable("calls_resident", "Int")
    return implies(tombstone, conjunction(negate(shown), negate(called), equal(before, calls)))


def oldest_first_under_r2() -> Verdict:
    """Schema-first, oldest item first, is safe when tombstones are obeyed.

    The invariant is written by hand, since Spacer runs out of time; it is checked like any other.
    """
    pruner = oldest.schema_first
    system = relevant(single_tool(lift_pruner(pruner), OBEYING, NO_GHOST))
    absent = missing({"a session starts": system.initial}, Bounds().limits)
    if absent:
        return Vacuous(absent, NAME)
    held = conjunction(_all_before_tombstone(), negate(variable("schema_lossy", "Bool")))
    settled, safe = negate(variable("called", "Bool")), negate(system.bad)
    trim = pass_location(len(pruner.passes) - 1, pruner.passes[-1].name)
    invariant = {
        location: conjunction(
            held, settled if location not in (SETTLE, EXECUTION) else TRUE, safe if location in (trim, PROMPT) else TRUE
        )
        for location in system.locations
    }
    return confirmed(Certificate(system, invariant), Bounds())
