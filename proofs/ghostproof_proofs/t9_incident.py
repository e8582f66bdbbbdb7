"""T9: with the gate and a model that obeys tombstones nothing descends from a ghost; without, the seed's incident."""

from __future__ import annotations

from functools import partial

from ghostproof.turn.claim import Claim, Expected, Obligation
from ghostproof.turn.property import Property
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.scenario import ORDINARY_SESSION, Scenario
from ghostproof.turn.verdict import Refuted, Verdict
from ghostproof.variants.arbitration import argument_first
from ghostproof_proofs.absences import NO_GHOST_TO_ANSWER, NO_REJECTIONS
from ghostproof_proofs.ancestry import (
    ANYTHING_R2,
    BLIND_R2,
    MEEK,
    NO_DESCENDANT,
    NO_DUPLICATE,
    NO_DUPLICATING_DESCENDANT,
    NO_HARM,
    NO_REJECTED_DESCENDANT,
    NO_REJECTION,
    ORDINARY_R2,
    STALE_R2,
)
from ghostproof_proofs.frequency import gated, ungated
from ghostproof_proofs.groups import PRICE


def _never(pruner: Pruner, scenario: Scenario, judged: Property, absent: frozenset[str]) -> Verdict:
    # Here, so that looking at the claims loads no solver.
    from ghostproof_proofs.t9_arguments import never

    return never(pruner, scenario, judged, absent)


def _one_response() -> Verdict:
    from ghostproof_proofs.t9_arguments import one_response

    return one_response(ANYTHING_R2)


def _broken(pruner: Pruner, scenario: Scenario, judged: Property) -> Verdict:
    from ghostproof_proofs.sessions import breach, observed

    return observed(pruner, scenario, breach(judged))


def _incident() -> Verdict:
    from ghostproof_proofs.sessions import observed
    from ghostproof_proofs.t9_arguments import incident

    return observed(ungated, MEEK, incident())


def _reached(
    label: str, sentence: str, pruner: Pruner, scenario: Scenario, judged: Property, size: tuple[int, int]
) -> Obligation:
    return Obligation(label, sentence, partial(_broken, pruner, scenario, judged), Expected(Refuted, *size))


T9 = Claim(
    name="T9",
    title="with the gate and an obedient model nothing descends from a ghost; without the gate the incident is reached",
    statement=(
        "A call descends from a ghost if it was rebuilt from one, or works around the rejection of a call that does."
        " With the gate, and a model that obeys tombstones (R2), no call descends from a ghost, for any number of"
        " tools and turns, any budgets and sizes, and under every action of environment and executor; so nothing is"
        " rejected and no effect duplicated that has a ghost call as ancestor. It is shown for argument-first and for"
        " the seed's pruner with the gate, and rests on no pruner: where no ghost is sent, no response makes such a"
        " call. In an ordinary session on one constant budget, without blind calls, the seed's pruner with the gate"
        " has nothing at all rejected or duplicated. What stays is not the gate's to prevent: a tool that is called"
        " blind, seeing nothing of it, may be rejected and worked around, and so may one whose schema migrates behind"
        " a cached copy. Without R2 the gate does not help: a call may be rebuilt despite the tombstone, be rejected,"
        " and duplicate an effect. Without the gate, and with the meekest model (R1 and R2, no blind calls), ordinary"
        " sessions reach each of these. The seed's incident takes five requests and two tools: the schema is pruned"
        " while the arguments stay, it migrates, a call is rebuilt, it is rejected, a sibling works around it, its"
        " effect is a duplicate. In this order the migration costs one of the requests; it is not needed, since a"
        " rejection for a field left out is as good."
    ),
    reason=(
        "A call is rebuilt only of a tool that is a ghost, or that is tombstoned if the tombstone is not obeyed; all"
        " else descends from such a call. All tools answer at the same moment, so that the first call to descend from"
        " a ghost would have to be a rebuilt one."
    ),
    seed=(
        "the duplicate-incident workaround disappeared because the model, reading the tombstone, requested re-expansion"
        " instead of reconstructing"
    ),
    group=PRICE,
    imprecise=(
        "It takes a model that obeys tombstones (R2), and then speaks of what descends from ghosts only: a blind call"
        " or a cached schema can still be rejected and duplicate an effect."
    ),
    questions=(
        Obligation(
            "argument-first",
            "argument-first with the gate, under every action and R2: no call descends from a ghost",
            partial(_never, argument_first, ANYTHING_R2, NO_DESCENDANT, NO_GHOST_TO_ANSWER),
        ),
        Obligation(
            "seed's pruner",
            "least frequently called first with the gate, under every action and R2: no call descends from a ghost",
            partial(_never, gated, ANYTHING_R2, NO_DESCENDANT, NO_GHOST_TO_ANSWER),
        ),
        Obligation(
            "one response",
            "whatever the pruner: where no tool is a ghost, R2 alone lets no call descend from one",
            _one_response,
        ),
        Obligation(
            "nothing rejected",
            "the seed's pruner with the gate, ordinary session, R2: nothing is rejected and nothing duplicated",
            partial(_never, gated, ORDINARY_R2, NO_HARM, NO_GHOST_TO_ANSWER | NO_REJECTIONS),
        ),
        _reached(
            "blind call, rejected", "gate and R2: a blind call is rejected", gated, BLIND_R2, NO_REJECTION, (3, 2)
        ),
        _reached(
            "blind call, duplicate",
            "gate and R2: a rejected blind call is worked around",
            gated,
            BLIND_R2,
            NO_DUPLICATE,
            (4, 2),
        ),
        _reached(
            "cached schema, rejected",
            "gate and R2: a call by the cached copy of a migrated schema is rejected",
            gated,
            STALE_R2,
            NO_REJECTION,
            (2, 1),
        ),
        _reached(
            "cached schema, duplicate", "gate and R2: that call is worked around", gated, STALE_R2, NO_DUPLICATE, (3, 2)
        ),
        _reached(
            "no R2, rebuilt",
            "gate, tombstones ignored: a call is rebuilt despite the tombstone",
            gated,
            ORDINARY_SESSION,
            NO_DESCENDANT,
            (3, 1),
        ),
        _reached(
            "no R2, rejected",
            "gate, tombstones ignored: the rebuilt call is rejected",
            gated,
            ORDINARY_SESSION,
            NO_REJECTED_DESCENDANT,
            (3, 1),
        ),
        _reached(
            "no R2, duplicate",
            "gate, tombstones ignored: the workaround duplicates an effect",
            gated,
            ORDINARY_SESSION,
            NO_DUPLICATING_DESCENDANT,
            (4, 2),
        ),
        _reached("no gate, rebuilt", "no gate, R1 and R2: a call is rebuilt", ungated, MEEK, NO_DESCENDANT, (3, 1)),
        _reached(
            "no gate, rejected",
            "no gate, R1 and R2: the rebuilt call is rejected",
            ungated,
            MEEK,
            NO_REJECTED_DESCENDANT,
            (3, 1),
        ),
        _reached(
            "no gate, duplicate",
            "no gate, R1 and R2: the workaround duplicates an effect, without any migration",
            ungated,
            MEEK,
            NO_DUPLICATING_DESCENDANT,
            (4, 2),
        ),
        Obligation(
            "the incident",
            "no gate, R1 and R2: pruned, migrated, rebuilt, rejected, worked around, duplicated",
            _incident,
            Expected(Refuted, 5, 2),
        ),
    ),
)
