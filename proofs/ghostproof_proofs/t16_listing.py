"""T16: the seed's listing is not the rule that its prose states."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from ghostproof.turn.claim import Claim, Expected, Obligation, Question
from ghostproof.turn.property import NO_MUTATION_GHOST
from ghostproof.turn.pruner import Pass, Pruner, Visit
from ghostproof.turn.scenario import ANYTHING
from ghostproof.turn.verdict import HoldsTo, Refuted
from ghostproof.variants.arbitration import argument_first
from ghostproof_proofs.broken.listing import listing_ignored, listing_then_evict, listing_then_tombstone
from ghostproof_proofs.groups import LISTING
from ghostproof_proofs.listing_compared import (
    Case,
    Statement,
    compared,
    no_plan_tombstones_a_mutation_tool,
    one_mutation_ghost_aborts_the_plan,
)

READING = replace(ANYTHING, name=f"{ANYTHING.name}; every tool only reads", fixed={"mutation": False})


def _mutation_ghost(case: Case) -> bool:
    return case.tool.ghost and case.tool.mutation


def _reading_ghost(case: Case) -> bool:
    return case.tool.ghost and not case.tool.mutation


STATEMENTS = {
    "raises where it should repair": Statement(
        lambda case: case.raised == _mutation_ghost(case) and (not case.raised or case.gate_tombstones),
        {"a state in which it raises": lambda case: case.raised},
    ),
    "its error misses half": Statement(
        lambda case: not (case.raised and _reading_ghost(case)),
        {"a ghost for which it raises nothing": lambda case: case.tool.ghost and not case.raised},
    ),
    "evicts nothing": Statement(
        lambda case: case.left == case.given,
        {
            "a ghost that it leaves one": lambda case: case.left.argument_resident and case.tool.ghost,
            "a tombstone that is not recorded": lambda case: bool(case.said) and not case.left.tombstoned,
        },
    ),
    "agrees elsewhere": Statement(
        lambda case: case.raised or bool(case.said) == case.gate_tombstones,
        {"a tombstone": lambda case: bool(case.said), "nothing to do": lambda case: not (case.said or case.raised)},
    ),
}


def _stated(label: str, sentence: str) -> Obligation:
    return Obligation(label, sentence, partial(compared, STATEMENTS[label]))


def _as_gate(visit: Visit, what: str) -> Pruner:
    return Pruner(*argument_first.passes[:-1], Pass(visit), name=f"argument-first, the seed's listing, {what}")


T16 = Claim(
    name="T16",
    title="the seed's listing is not its prose",
    statement=(
        "The rule of the listing, in all of its sixteen states, and its plan, on every plan of up to three tools:"
        " (1) it raises exactly where a tool that changes state is a ghost, which is the state that the prose says to"
        " repair by a tombstone, preferred for just these tools; its description speaks of tombstones that a caller"
        " cannot accept, but no caller can say so, and none is tried. (2) Therefore planning a turn never tombstones a"
        " tool that changes state. (3) One such tool aborts the plan, and the tombstones of all others are lost with"
        " it. (4) Its error is described as raised for every ghost; for a tool that only reads it is not. (5) It"
        " evicts nothing, though it is named for that, and records nothing: the state that it is given stays as it"
        " was, so that the caller has to mark the tombstone. (6) Everywhere else it does what the prose says. A caller"
        " that answers the error by a tombstone or by eviction has the prose's gate; one that logs it and sends the"
        " request has a ghost of a tool that changes state. Whatever follows the prose does not follow the listing."
    ),
    reason=(
        "The last branch of the listing, whose comment begins with the repair, raises instead. The branch before it"
        " serves the tools that the prose worries about least."
    ),
    seed=(
        "Mutation tool: schema gone, arguments present, no tombstone. This is the unsound state. Repair by tombstoning;"
        " if the caller cannot accept a tombstone, the invariant is violated."
    ),
    group=LISTING,
    imprecise=("The prose repairs this state, and the listing raises. Ghostproof follows the prose."),
    questions=(
        _stated(
            "raises where it should repair",
            "the listing raises exactly for ghosts of tools that change state, and there the prose's rule tombstones",
        ),
        Obligation(
            "mutation tools unserved",
            "no plan has a tombstone for a tool that changes state",
            no_plan_tombstones_a_mutation_tool,
            Expected(HoldsTo, 1, 3),
        ),
        Obligation(
            "one aborts all",
            "a plan is aborted exactly if a tool that changes state is a ghost, whoever else was or would be served",
            one_mutation_ghost_aborts_the_plan,
            Expected(HoldsTo, 1, 3),
        ),
        _stated(
            "its error misses half",
            "the error said to be raised for arguments without schema and tombstone is not raised for reading tools",
        ),
        _stated("evicts nothing", "the listing leaves every state as it was: nothing evicted, nothing recorded"),
        _stated(
            "agrees elsewhere",
            "where the listing does not raise, it tombstones exactly where the prose's rule does",
        ),
        Question(
            "error ignored",
            "the listing as last pass, its error logged: a ghost of a tool that changes state",
            _as_gate(listing_ignored, "its error ignored"),
            ANYTHING,
            Expected(Refuted, 2, 1),
            judged=NO_MUTATION_GHOST,
            broken=True,
        ),
        Question(
            "reading tools",
            "the same where every tool only reads: no ghost",
            _as_gate(listing_ignored, "its error ignored"),
            READING,
        ),
        Question(
            "error repaired by tombstone",
            "the listing as last pass, its error answered by a tombstone: no ghost",
            _as_gate(listing_then_tombstone, "its error answered by a tombstone"),
            ANYTHING,
        ),
        Question(
            "error repaired by eviction",
            "the listing as last pass, its error answered by eviction: no ghost",
            _as_gate(listing_then_evict, "its error answered by eviction"),
            ANYTHING,
        ),
    ),
)
