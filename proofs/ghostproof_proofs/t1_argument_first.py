"""T1: argument-first arbitration with the gate never sends a ghost."""

from __future__ import annotations

from ghostproof.turn.claim import Claim, Expected, Obligation, Question
from ghostproof.turn.property import NO_MUTATION_GHOST
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.scenario import ANYTHING
from ghostproof.turn.verdict import Refuted, Verdict
from ghostproof.variants.arbitration import argument_first
from ghostproof_proofs.absences import NO_GHOST_TO_ANSWER
from ghostproof_proofs.groups import RULE

ungated = Pruner(*argument_first.passes[:-1], name="argument-first without its gate")


def instance_of_shield(pruner: Pruner = argument_first) -> Verdict:
    """T1 as an instance of T4: the last pass of `pruner` is a shield on its own, whatever the passes before it do."""
    from ghostproof_proofs.shield import shielded

    return shielded(pruner.passes[-1])


def over_all_tools(pruner: Pruner = argument_first) -> Verdict:
    """T1 over an uninterpreted sort of tools, with whole sessions of `pruner`."""
    from ghostproof_proofs.quantified import never_ghosts_in_sessions

    return never_ghosts_in_sessions(pruner)


T1 = Claim(
    name="T1",
    title="argument-first arbitration with the gate never sends a ghost",
    statement=(
        "For any number of tools and turns, any sizes and budgets, new ones each turn, and under every action of the"
        " environment, the model and the executor: when trimming stands before pruning and the evict-or-tombstone gate"
        " stands last, no request is sent in which a tool has arguments but neither its schema nor a tombstone."
        " Nothing is assumed about the model, so neither R1 nor R2 is used. It is an instance of T4: here the gate is"
        " the last pass, and what stands before it does not matter for safety. It needs no invariant: one turn from"
        " any state ends without a ghost, so the property is trivial over the states in which a turn ends, though not"
        " over raw states. It is also proved without one tool that stands for all: tools are an uninterpreted sort,"
        " fields are relations over it, and a pass may visit any tool in any order until it has visited all. There,"
        " besides, no tombstone ever stands beside a resident schema, at no moment of any turn. Abstracted, so that"
        " more can happen, are the turn's numbers, comparisons of integers that the property does not make, and what"
        " an action knows of other tools."
    ),
    reason=(
        "The gate visits every tool in every turn after all else has been decided, and leaves each with a schema,"
        " without arguments, or with a tombstone. Nothing happens between the gate and the request."
    ),
    seed=(
        "a tool may be pruned from schema residency only when its argument residency is also evicted, or when the"
        " pruning is accompanied by an explicit tombstone that the model can read"
    ),
    group=RULE,
    imprecise=(
        "It speaks of the moment of pruning. What counts is the moment of sending: until then a schema may go that"
        " nobody pruned, and a tombstone that was written may be taken (T2, T7, T14)."
    ),
    questions=(
        Question("ghosts", "argument-first with the gate never sends a ghost", argument_first, ANYTHING),
        Question(
            "mutation ghosts",
            "argument-first with the gate never sends a ghost of a tool that changes state",
            argument_first,
            ANYTHING,
            judged=NO_MUTATION_GHOST,
            # The gate serves reading tools too, so there is no ghost of one to answer to.
            absent=NO_GHOST_TO_ANSWER,
        ),
        Obligation(
            "instance of T4", "its last pass alone makes any state safe: T1 follows from T4", instance_of_shield
        ),
        Obligation(
            "over all tools at once",
            "over a set of tools of any size: no request has a ghost, and no tombstone stands beside a resident schema",
            over_all_tools,
        ),
        Question(
            "no gate",
            "the same passes without the gate send a ghost",
            ungated,
            ANYTHING,
            Expected(Refuted, 2, 1),
            broken=True,
        ),
    ),
)
