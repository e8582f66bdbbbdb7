"""T8: the seed's conditions of validity, each both ways: outside of it no failure, inside the shortest one."""

from __future__ import annotations

from functools import partial

from ghostproof.turn.claim import PROVED, Claim, Expected, Obligation, Question
from ghostproof.turn.property import NO_GHOST, Property
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.scenario import Scenario
from ghostproof.turn.verdict import Refuted, Verdict
from ghostproof.variants.arbitration import prune_schema
from ghostproof_proofs.absences import (
    ALWAYS_IN_VIEW,
    NO_GHOST_TO_ANSWER,
    NO_REJECTIONS,
    NO_TOMBSTONES,
    NOTHING_HIDDEN,
    NOTHING_TO_LOSE,
)
from ghostproof_proofs.ancestry import ANYTHING_R2, NO_REJECTION, ORDINARY_R2, STALE_R2
from ghostproof_proofs.broken.conditions import compress_lossily, evict_what_is_idle
from ghostproof_proofs.broken.gates import gate_for_mutations
from ghostproof_proofs.conditions import (
    NO_ARGUMENTS,
    NO_GHOST_OF_FAILURE,
    NO_READING_GHOST,
    NO_REBUILT_CALL,
    NO_REBUILT_READING,
    NO_UNCALLED_GHOST,
    NOTHING_APPEARS,
    R1,
    R1_R2,
    SETTLED_R1_R2,
    evict_everything,
    fresh_copy,
    kept_copy,
    retaining,
    stripping,
)
from ghostproof_proofs.free_pruning import BLIND, SETTLED, admitting, by_frequency
from ghostproof_proofs.groups import FREEDOM


def _nothing_retained() -> Verdict:
    # Here, so that looking at the claims loads no solver.
    from ghostproof_proofs.shield import shielded

    return shielded(Pass(evict_everything), NO_ARGUMENTS)


def _never(pruner: Pruner, scenario: Scenario, judged: Property, absent: frozenset[str]) -> Verdict:
    from ghostproof_proofs.t9_arguments import never

    return never(pruner, scenario, judged, absent)


def _rejection() -> Verdict:
    from ghostproof_proofs.sessions import breach, observed

    return observed(kept_copy, STALE_R2, breach(NO_REJECTION))


latest_kept = by_frequency(prune_schema, "only the last response's calls stay", Pass(evict_what_is_idle))
lossy = by_frequency(compress_lossily, "compressed lossily")
sparing_readers = Pruner(*retaining.passes, Pass(gate_for_mutations), name=f"{retaining.name}, a gate for mutations")


def _holds(
    label: str, sentence: str, pruner: Pruner, scenario: Scenario, judged: Property, absent: frozenset[str]
) -> Question:
    return Question(label, sentence, pruner, scenario, PROVED, judged, absent=absent)


def _fails(
    label: str, sentence: str, pruner: Pruner, scenario: Scenario, judged: Property = NO_GHOST, requests: int = 2
) -> Question:
    return Question(label, sentence, pruner, scenario, Expected(Refuted, requests, 1), judged, broken=True)


T8 = Claim(
    name="T8",
    title="the conditions of validity, each both ways",
    statement=(
        "The seed expects the failure only where arguments are retained, the tool changes state, compression is"
        " lossy, and a prior call stands in the context. What holds of each: (retention) A runtime that strips a"
        " tool's arguments when it prunes the tool sends no ghost in settled sessions (T7), but does after a blind"
        " call, a handoff, or when a server vanishes, which nobody pruned. One that strips all arguments in every"
        " turn, after everything else, sends none from any state, since it sends no arguments; one that keeps only"
        " what the last response called does, when it prunes that. (Effect) Tools that only read are ghosts like"
        " others. What R1 says of the model is that no call of theirs is rebuilt, without any gate; with R1 and R2 a"
        " gate that spares them lets no call be rebuilt at all. Without R1 it does, and R1 says nothing of tools that"
        " change state. (Loss) Compression that loses no structural constraint leaves the schema resident, by"
        " definition: no ghost in settled sessions, and in ordinary ones no rejection. The next migration unmasks a"
        " copy that is kept: a call by it is rejected, and no ghost is in that session. A copy made afresh in every"
        " turn is not rejected. Lossy compression makes a ghost. (Prior call) A tool that was never called in this"
        " session is no ghost unless its arguments come from elsewhere, which a handoff does. The call need not have"
        " succeeded: one that was rejected leaves its arguments as well."
    ),
    reason=(
        "A ghost is arguments without schema and tombstone. The first and the last condition are about the arguments,"
        " the third about the schema; the second is none of the prompt but of the model, and so a named assumption."
    ),
    seed=(
        "The argument-residency invariant holds under these conditions, and the failure is *not* expected outside them"
    ),
    group=FREEDOM,
    imprecise=(
        "Each condition is narrower than it reads: stripped arguments come back by a handoff or a blind call, reading"
        " tools are harmless only by what the model does (R1), a lossless copy must not be kept, and a prior call need"
        " not have succeeded."
    ),
    questions=(
        _fails("retained", "arguments stay when the schema goes", retaining, SETTLED),
        _holds(
            "stripped",
            "arguments go with the schema, settled session: no ghost",
            stripping,
            SETTLED,
            NO_GHOST,
            NO_TOMBSTONES | ALWAYS_IN_VIEW,
        ),
        _fails("stripped, blind call", "the stripped tool is called from memory", stripping, BLIND),
        _fails("stripped, handoff", "arguments arrive after the stripping", stripping, admitting("arguments appear")),
        _fails("stripped, vanished", "the schema goes without being pruned", stripping, admitting("tool vanishes")),
        Obligation(
            "nothing retained", "all arguments go in every turn: from any state none is sent", _nothing_retained
        ),
        _fails("last call kept", "what the last response called stays and is pruned", latest_kept, SETTLED),
        _fails(
            "reading tool", "a tool that only reads is a ghost like any other", retaining, SETTLED, NO_READING_GHOST
        ),
        _holds(
            "reading tool, R1",
            "no gate, R1, under every action: no call of a tool that only reads is rebuilt",
            retaining,
            R1,
            NO_REBUILT_READING,
            NOTHING_TO_LOSE,
        ),
        _fails(
            "reading tool, no R1",
            "no gate: a call of a tool that only reads is rebuilt",
            retaining,
            SETTLED,
            NO_REBUILT_READING,
            3,
        ),
        _fails(
            "mutation, R1 and R2",
            "no gate: a call of a tool that changes state is rebuilt",
            retaining,
            SETTLED_R1_R2,
            NO_REBUILT_CALL,
            3,
        ),
        _holds(
            "spared readers, R1 and R2",
            "a gate that spares what only reads, R1 and R2, under every action: no call is rebuilt",
            sparing_readers,
            R1_R2,
            NO_REBUILT_CALL,
            frozenset({"response: rebuild a call from a mutation ghost"}),
        ),
        _fails(
            "spared readers, no R1",
            "the same gate and R2: a call of a tool that only reads is rebuilt",
            sparing_readers,
            ANYTHING_R2,
            NO_REBUILT_CALL,
        ),
        Obligation(
            "lossless",
            "compressed copies with every constraint: no ghost in settled sessions",
            partial(
                _never,
                kept_copy,
                SETTLED,
                NO_GHOST,
                NOTHING_HIDDEN | NO_GHOST_TO_ANSWER | NO_TOMBSTONES | ALWAYS_IN_VIEW,
            ),
        ),
        Obligation(
            "masked",
            "compressed copies, ordinary session: no call is rejected, even after migrations",
            partial(
                _never,
                kept_copy,
                ORDINARY_R2,
                NO_REJECTION,
                NOTHING_HIDDEN | NO_GHOST_TO_ANSWER | NO_TOMBSTONES | NO_REJECTIONS,
            ),
        ),
        Obligation(
            "unmasked",
            "the schema migrates behind the kept copy: a call by the copy is rejected",
            _rejection,
            Expected(Refuted, 2, 1),
        ),
        Obligation(
            "copied afresh",
            "the copy is made anew in every turn, the schema migrates behind it: no call is rejected",
            partial(
                _never,
                fresh_copy,
                STALE_R2,
                NO_REJECTION,
                NOTHING_HIDDEN | NO_GHOST_TO_ANSWER | NO_TOMBSTONES | NO_REJECTIONS,
            ),
        ),
        _fails("lossy", "compression loses required fields or types", lossy, SETTLED),
        _holds(
            "no prior call",
            "no gate, every action but arguments from elsewhere: no ghost of a tool that was never called",
            retaining,
            NOTHING_APPEARS,
            NO_UNCALLED_GHOST,
            NOTHING_TO_LOSE,
        ),
        _fails(
            "no prior call, handoff",
            "another agent's arguments of a tool that was never called here",
            retaining,
            admitting("arguments appear"),
            NO_UNCALLED_GHOST,
            1,
        ),
        _fails(
            "rejected prior call",
            "the only call was rejected, and its arguments stay",
            retaining,
            SETTLED,
            NO_GHOST_OF_FAILURE,
        ),
    ),
)
