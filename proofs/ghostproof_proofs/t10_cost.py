"""T10: what the gate costs, and that the budget is kept or said to be exceeded."""

from __future__ import annotations

from functools import partial

from ghostproof.turn.claim import Claim, Expected, Obligation, Question
from ghostproof.turn.property import Property
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.scenario import ANYTHING, ORDINARY_SESSION, Scenario
from ghostproof.turn.verdict import HoldsTo, Refuted, Verdict
from ghostproof.variants.arbitration import argument_first, prune_schema
from ghostproof_proofs.absences import NO_GHOST_TO_ANSWER
from ghostproof_proofs.broken.gates import gate_without_arguments_test, gate_without_schema_test
from ghostproof_proofs.groups import PRICE
from ghostproof_proofs.t10_parts import (
    AT_MOST_ONE,
    ECONOMY,
    FEW,
    GIVES_ALL,
    NEVER_EXCEEDED,
    NO_LOSS,
    appending,
    items,
    leaving,
    refusing,
    schema_first_noting,
    schema_first_telling,
    separate_noting,
    telling,
)
from ghostproof_proofs.t10_passes import prune_where_it_saves

TELLING = {"argument-first": telling, "argument-first that refuses": refusing}
REFUSES = "refuses to prune at a loss"


def _visits(pruner: Pruner) -> Verdict:
    # Here and below, so that looking at the claims loads no solver.
    from ghostproof_proofs.t10_arguments import visits_are_steps

    return visits_are_steps(pruner)


def _totals() -> Verdict:
    from ghostproof_proofs.t10_arguments import totals_are_safe

    return totals_are_safe()


def _turns(pruner: Pruner, count: int) -> Verdict:
    from ghostproof_proofs.t10_arguments import whole_turns

    return whole_turns(pruner, count)


def _refusals() -> Verdict:
    from ghostproof_proofs.t10_arguments import refusals_are_exact

    return refusals_are_exact()


def _safe(
    label: str, sentence: str, pruner: Pruner, judged: Property, absent: frozenset[str] = NO_GHOST_TO_ANSWER
) -> Question:
    return Question(label, sentence, pruner, ANYTHING, judged=judged, absent=absent)


def _breaks(
    label: str,
    sentence: str,
    pruner: Pruner,
    judged: Property,
    size: tuple[int, int],
    scenario: Scenario = ANYTHING,
) -> Question:
    return Question(label, sentence, pruner, scenario, Expected(Refuted, *size), judged, broken=True)


def _with_gate(what: str, last: Pass) -> Pruner:
    return Pruner(*argument_first.passes[:-1], last, name=f"argument-first, {what}")


T10 = Claim(
    name="T10",
    title="tombstones are few, and a prompt is within its budget or not sent",
    statement=(
        "A tool is tombstoned in a sent request only while its arguments are resident and its schema is not. Counted"
        " as items of the history, it never has more than one tombstone there. Pruning can be refused exactly where"
        " hiding the schema would save nothing once its tombstone is reserved. On one joint budget a pass tests"
        " demand: shown schemas, resident arguments, and a tombstone wherever arguments are resident without a schema,"
        " there or still owed. For any number of tools, sizes and budgets and from any state, argument-first then ends"
        " each turn within the budget, or at its floor, which is what pinned tools and requested schemas cost: then it"
        " says BudgetExceeded, exactly if the floor exceeds the budget, and that prompt is not to be sent. By"
        " induction over visited tools. (Visits) A visit to any one tool, the others summarised by their totals, which"
        " are free, is a step of a system of totals: it leaves the floor and never raises demand, trimming from any"
        " state and pruning once trimming has nothing left; the gate turns demand into use, owing nothing; what"
        " changes something uses something up, so that passes end. (Totals) That system ends as claimed; a property of"
        " totals that holds of no tool, and with one tool more, holds of any number. Whole turns of one to three tools"
        " with at most one resident call each say the same with exact sums: bounded, a check on the composition. Not"
        " claimed: that refusing to prune is harmless everywhere. In schema-first it breaks the second half, since"
        " what was refused while arguments stood is not pruned when they have gone; on a joint budget argument-first"
        " has nothing to refuse."
    ),
    reason=(
        "Demand counts what the gate will write before it is written. Trimming that ends without fitting has taken all"
        " it may, so the pruning after it needs no tombstones and hides all it may; the gate then has nothing to add."
    ),
    seed=(
        "The cost is a small, bounded increase in prompt tokens for tombstones on pruned mutation tools — typically"
        " one line per pruned tool"
    ),
    group=PRICE,
    imprecise=(
        "One line a tool, and not only for tools that change state. Bounded it is, but not free: the lines must be"
        " reserved before savings are counted, and what is pinned or asked for may exceed the budget by itself."
    ),
    questions=(
        _safe(
            "economy", "a tombstone only where arguments are resident and the schema is not", argument_first, ECONOMY
        ),
        _breaks(
            "economy, no arguments test",
            "a gate that tombstones every tool without a schema",
            _with_gate("a gate without the arguments test", Pass(gate_without_arguments_test)),
            ECONOMY,
            (1, 1),
        ),
        _breaks(
            "economy, no schema test",
            "a gate that tombstones every tool with arguments",
            _with_gate("a gate without the schema test", Pass(gate_without_schema_test)),
            ECONOMY,
            (1, 1),
        ),
        _safe("at most one", "no tool has two tombstones among the items of the history", items, AT_MOST_ONE),
        _breaks("at most one, appending", "a gate that writes in every turn", appending, AT_MOST_ONE, (3, 1), FEW),
        _breaks("at most one, left behind", "a showing that leaves the tombstone", leaving, AT_MOST_ONE, (4, 1), FEW),
        Obligation("refusals", "pruning is refused exactly where hiding the schema saves nothing", _refusals),
        _safe(
            "no loss, schema-first",
            "schema-first that refuses to prune at a loss",
            schema_first_noting(prune_where_it_saves, REFUSES),
            NO_LOSS,
            frozenset(),
        ),
        _breaks(
            "loss, schema-first",
            "schema-first that prunes whatever it saves",
            schema_first_noting(prune_schema, "prunes at a loss"),
            NO_LOSS,
            (1, 2),
        ),
        _safe(
            "no loss, separate budgets",
            "argument-first on separate budgets that refuses to prune at a loss",
            separate_noting(prune_where_it_saves, REFUSES),
            NO_LOSS,
        ),
        _breaks(
            "loss, separate budgets",
            "argument-first on separate budgets that prunes whatever it saves",
            separate_noting(prune_schema, "prunes at a loss"),
            NO_LOSS,
            (1, 1),
        ),
        *(
            Obligation(
                f"fit, visits of {name}",
                f"{name}: a visit to one of any number of tools is a step of the system of totals",
                partial(_visits, pruner),
            )
            for name, pruner in TELLING.items()
        ),
        Obligation("fit, totals", "the system of totals ends within the budget or at a floor above it", _totals),
        *(
            Obligation(
                f"fit, whole turns of {count}",
                f"argument-first: a whole turn of {count} with exact sums, at most one resident call a tool",
                partial(_turns, telling, count),
                Expected(HoldsTo, 1, count),
            )
            for count in (1, 2, 3)
        ),
        *(
            _safe(
                f"nothing left, {name}", f"{name} says BudgetExceeded only with nothing left to give", pruner, GIVES_ALL
            )
            for name, pruner in TELLING.items()
        ),
        _breaks(
            "something left, schema-first that refuses",
            "schema-first that refuses to prune at a loss says BudgetExceeded and keeps what could go",
            schema_first_telling(prune_where_it_saves, REFUSES),
            GIVES_ALL,
            (2, 2),
            ORDINARY_SESSION,
        ),
        _breaks(
            "BudgetExceeded",
            "argument-first never says BudgetExceeded: it does, and this is how",
            telling,
            NEVER_EXCEEDED,
            (2, 1),
            ORDINARY_SESSION,
        ),
    ),
)
