"""T2: schema-first arbitration sends ghosts where argument-first, made of the same passes, does not."""

from __future__ import annotations

from dataclasses import replace

from ghostproof.turn.claim import PROVED, Claim, Expected, Obligation, Question
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.scenario import ANYTHING, ORDINARY_SESSION, Scenario
from ghostproof.turn.verdict import Refuted, Vacuous, Verdict
from ghostproof.variants.arbitration import argument_first, schema_first
from ghostproof_proofs.absences import ORDER_SUFFICES, idle
from ghostproof_proofs.groups import FAILURES
from ghostproof_proofs.orders import Orders
from ghostproof_proofs.t2_parts import (
    ANY_BUDGETS,
    BLIND,
    NEW_BUDGETS,
    NOT_WITHIN,
    alone,
    arguments,
    half_pinned,
    oldest,
    ordinary_and,
    planned,
    separate,
    untouched,
)


def _pair(
    label: str,
    what: str,
    pruners: tuple[Pruner, Pruner],
    scenario: Scenario,
    expected: tuple[Expected, Expected],
    absent: frozenset[str] = frozenset(),
) -> tuple[Question, Question]:
    """The same question for both orders; a refuted one is a wrong variant. `absent` is argument-first's."""
    words = ("argument-first", "schema-first")
    first, second = (
        Question(f"{label}, {order}", f"{what}, {order}", pruner, scenario, wanted, broken=wanted.verdict is Refuted)
        for order, pruner, wanted in zip(words, pruners, expected, strict=True)
    )
    return replace(first, absent=absent), second


def _breaks(label: str, what: str, scenario: Scenario, requests: int, tools: int, pruner: Pruner) -> Question:
    return Question(
        f"d, {label}", f"order alone, {what}", pruner, scenario, Expected(Refuted, requests, tools), broken=True
    )


def _both(orders: Orders) -> tuple[Pruner, Pruner]:
    return orders.argument_first, orders.schema_first


def refuted(requests: int, tools: int) -> Expected:
    """Refuted, shortest at this size."""
    return Expected(Refuted, requests, tools)


VACUOUS = Expected(Vacuous, missing=frozenset({"a pass hides a schema"}))


def _never_grow() -> Verdict:
    from ghostproof_proofs.t2_arguments import schemas_never_grow

    return schemas_never_grow()


def _under_r2() -> Verdict:
    from ghostproof_proofs.t2_arguments import oldest_first_under_r2

    return oldest_first_under_r2()


T2 = Claim(
    name="T2",
    title="schema-first sends ghosts where argument-first, made of the same passes, does not",
    statement=(
        "In ordinary sessions: without disruption and blind calls, on a constant budget that the first prompt fits."
        " (a) Separate budgets without a gate: both orders send a ghost once budgets change from turn to turn, or the"
        " first prompt need not fit. On constant separate budgets that it fits, no schema is ever pruned: both orders"
        " are vacuous, and nothing is claimed. (b) One joint budget and a gate that only plans an eviction, which"
        " trimming is to carry out: schema-first hides the schema, which makes room, so that trimming ends before it"
        " gets to the plan; argument-first is safe, since nothing is ever planned. (c) One joint budget and the same"
        " tombstone gate: the tombstone that it has just written is an item of the history, and the trimming that"
        " comes after takes it. It depends on what trimming takes first: the tombstone (a ghost), the oldest item (a"
        " ghost, for which the model must ignore a tombstone; none if R2 holds), the arguments (none), or never a"
        " tombstone (none, under any disruption: schema-first with a tombstone that nothing can take is safe)."
        " Argument-first is safe in all four; in ordinary sessions its gate was never seen to have anything to do. (d)"
        " Order alone: on one joint budget, without any gate, argument-first sends no ghost, for any number of tools,"
        " and schema-first does. It needs neither a constant budget nor a first prompt that fits, nor one of the two,"
        " and a pin that protects schema and arguments alike does no harm. A pin that protects the arguments only"
        " breaks it, and so do a tool that vanishes, arguments that appear from elsewhere, a schema shown lossily and"
        " a blind call. Separate budgets do not break it so long as they are constant and the first prompt fits, since"
        " nothing is pruned then; otherwise (a) is what they do."
    ),
    reason=(
        "What comes last decides. Trimming that comes last may take the tombstone, or may not come at all because"
        " pruning made room. Trimming that comes first ends when the prompt fits, and then nothing is pruned, or when"
        " nothing is left to trim, and then no pruned tool has arguments; this needs one budget that both passes test."
    ),
    seed=(
        "Pruning schema first and then trimming arguments (the common order, because schema is cheaper to trim) is the"
        " ordering that manufactures ghost tools"
    ),
    group=FAILURES,
    imprecise=(
        "The order by itself neither makes a ghost nor prevents one. Schema-first is safe where nothing can take the"
        " tombstone. Argument-first without a gate is safe on one joint budget while nothing disrupts the session and"
        " no tool is called blind, and not beyond."
    ),
    questions=(
        *_pair(
            "a, new budgets",
            "separate budgets that change, no gate",
            _both(separate),
            NEW_BUDGETS,
            (refuted(2, 1), refuted(2, 1)),
        ),
        *_pair(
            "a, any first prompt",
            "separate constant budgets that the first prompt may exceed, no gate",
            _both(separate),
            NOT_WITHIN,
            (refuted(2, 2), refuted(2, 2)),
        ),
        *_pair(
            "a, constant",
            "separate constant budgets that the first prompt fits, no gate: nothing is pruned",
            _both(separate),
            ORDINARY_SESSION,
            (VACUOUS, VACUOUS),
        ),
        Obligation(
            "a, why constant is vacuous",
            "schemas never cost more than in the first prompt, so a schema budget that fits there always fits",
            _never_grow,
        ),
        *_pair(
            "b",
            "a gate that plans evictions, joint budget",
            _both(planned),
            ORDINARY_SESSION,
            (PROVED, refuted(2, 1)),
            ORDER_SUFFICES | idle("planning_gate"),
        ),
        *_pair(
            "c, tombstone first",
            "trimming takes the tombstone first",
            (argument_first, schema_first),
            ORDINARY_SESSION,
            (PROVED, refuted(2, 2)),
            ORDER_SUFFICES | idle("gate"),
        ),
        *_pair(
            "c, oldest first",
            "trimming takes the oldest item first",
            _both(oldest),
            ORDINARY_SESSION,
            (PROVED, refuted(3, 2)),
            ORDER_SUFFICES | idle("gate"),
        ),
        Obligation(
            "c, oldest first, R2",
            "trimming takes the oldest item first, schema-first, and the model obeys tombstones",
            _under_r2,
        ),
        *_pair(
            "c, arguments first",
            "trimming takes arguments before the tombstone",
            _both(arguments),
            ORDINARY_SESSION,
            (PROVED, PROVED),
            ORDER_SUFFICES | idle("gate"),
        ),
        *_pair("c, tombstone untouched", "trimming takes arguments only", _both(untouched), ANYTHING, (PROVED, PROVED)),
        *_pair(
            "d",
            "order alone: joint budget, no gate",
            _both(alone),
            ORDINARY_SESSION,
            (PROVED, refuted(2, 1)),
            ORDER_SUFFICES,
        ),
        Question(
            "d, any budgets",
            "order alone, argument-first, budgets that change, and a first prompt that may exceed them",
            alone.argument_first,
            ANY_BUDGETS,
            absent=ORDER_SUFFICES,
        ),
        _breaks(
            "half a pin",
            "a pin that protects arguments and not the schema",
            ORDINARY_SESSION,
            2,
            1,
            half_pinned.argument_first,
        ),
        _breaks("tool vanishes", "a tool vanishes", ordinary_and("tool vanishes"), 2, 1, alone.argument_first),
        _breaks(
            "arguments appear",
            "arguments appear from elsewhere",
            ordinary_and("arguments appear"),
            2,
            2,
            alone.argument_first,
        ),
        _breaks(
            "lossy schema",
            "a schema is shown lossily",
            ordinary_and("schema is shown lossily"),
            2,
            1,
            alone.argument_first,
        ),
        _breaks("blind call", "a tool is called blind", BLIND, 3, 2, alone.argument_first),
    ),
)
