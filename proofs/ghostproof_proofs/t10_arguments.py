"""T10's arguments of its own: the induction over visited tools, and what a refusal to prune is worth."""

from __future__ import annotations

from ghostproof.certify.projection import Required, required, visited
from ghostproof.engines.problem import Bounds, Certificate
from ghostproof.lift.term import Term, at_most, combine, conjunction, implies, integer, negate
from ghostproof.turn.budget import Turn
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.tool import Tool
from ghostproof.turn.verdict import Vacuous, Verdict
from ghostproof_proofs.discharge import confirmed, missing, settle_required
from ghostproof_proofs.t10_lemmas import One, Roles, visit_lemmas
from ghostproof_proofs.t10_parts import refusing
from ghostproof_proofs.t10_totals import invariant, turn_of_totals
from ghostproof_proofs.t10_turns import exact_turns

NAME = "induction over visits"


def roles(pruner: Pruner) -> Roles:
    """The last four passes, which come after requests have been honoured, by their places."""
    return Roles(*pruner.passes[-4:])


def visits_are_steps(pruner: Pruner) -> Verdict:
    """Each visit of the pruner, to one tool among any number, does to the totals what the system of totals does."""
    return settle_required(visit_lemmas(roles(pruner)), NAME, "a visit does what the totals do not")


def totals_are_safe() -> Verdict:
    """The system of totals ends as claimed, by an invariant written by hand and checked like any other."""
    system, bounds = turn_of_totals(), Bounds()
    absent = missing({f"{c.name} can be taken": c.guard for c in system.commands}, bounds.limits)
    return Vacuous(absent, NAME) if absent else confirmed(Certificate(system, invariant()), bounds)


def whole_turns(pruner: Pruner, count: int) -> Verdict:
    """The conclusion itself for so many tools, with exact sums. Bounded."""
    return exact_turns(pruner.passes[-4:], [count])


def _hide(tool: Tool, turn: Turn) -> None:
    tool.hide_schema()


def refusal_lemmas(pruner: Pruner = refusing) -> list[Required]:
    """Pruning lowers demand whenever it acts, and what it refuses for want of a saving would not have lowered it."""
    turn = roles(pruner)
    one, hiding = One(turn.prune, turn.gate.visit), One(Pass(_hide), turn.gate.visit)
    fields = one.before
    mine = conjunction(fields["schema_shown"], negate(fields["pinned"]), negate(fields["requested"]))
    usual = implies(fields["tombstone_resident"], negate(_resident(one)))
    return [
        required(
            "pruning that acts lowers demand",
            conjunction(one.known, usual, one.fails, negate(one.unchanged)),
            at_most(combine(one.left.totals["demand"], integer(1)), one.held.totals["demand"]),
        ),
        required(
            "pruning that refuses would not have lowered demand",
            conjunction(one.known, hiding.known, usual, one.fails, one.unchanged, mine),
            at_most(hiding.held.totals["demand"], hiding.left.totals["demand"]),
        ),
        required(
            "what it hides is what hiding hides",
            conjunction(one.known, usual, one.fails, negate(one.unchanged)),
            conjunction(
                negate(one.after["schema_shown"]),
                negate(visited(_hide, fields, one.numbers)["schema_shown"]),
            ),
        ),
    ]


def _resident(one: One) -> Term:
    return conjunction(one.before["schema_shown"], negate(one.before["schema_lossy"]))


def refusals_are_exact(pruner: Pruner = refusing) -> Verdict:
    """See `refusal_lemmas`."""
    return settle_required(refusal_lemmas(pruner), NAME, "a schema is kept or hidden to no purpose")
