"""Two statements of T2 with arguments of their own, each checked by solvers like any other."""

from __future__ import annotations

from ghostproof.engines.problem import Bounds, Certificate
from ghostproof.lift.plain import lift_costs, lift_pruner, tool_sorts
from ghostproof.lift.single import EXECUTION, PROMPT, SETTLE, initial_condition, pass_location, single_tool
from ghostproof.lift.system import System, relevant
from ghostproof.lift.term import TRUE, Term, at_most, combine, conjunction, equal, implies, integer, negate, variable
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.scenario import ANYTHING
from ghostproof.turn.verdict import Verdict
from ghostproof_proofs.absences import NO_REJECTIONS
from ghostproof_proofs.discharge import confirmed, settle_system, unwitnessed
from ghostproof_proofs.shield import raw_domain
from ghostproof_proofs.t2_parts import OBEYING, oldest


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
    held = conjunction(_all_before_tombstone(), negate(variable("schema_lossy", "Bool")))
    settled, safe = negate(variable("called", "Bool")), negate(system.bad)
    trim = pass_location(len(pruner.passes) - 1, pruner.passes[-1].name)
    invariant = {
        location: conjunction(
            held, settled if location not in (SETTLE, EXECUTION) else TRUE, safe if location in (trim, PROMPT) else TRUE
        )
        for location in system.locations
    }
    # Obeyed tombstones: no call without a schema, so none that could be rejected.
    absent = NO_REJECTIONS
    return unwitnessed(pruner, OBEYING, NO_GHOST, absent, Bounds()) or confirmed(
        Certificate(system, invariant), Bounds()
    )
