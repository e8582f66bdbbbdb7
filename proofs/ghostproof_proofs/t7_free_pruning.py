"""T7: where a schema may be pruned freely: what the seed calls the safe case, its weakest guard, and its limits."""

from __future__ import annotations

from dataclasses import replace

from ghostproof.turn.budget import arguments_fit, schemas_fit
from ghostproof.turn.claim import Claim, Expected, Obligation, Question
from ghostproof.turn.property import NO_GHOST, Property
from ghostproof.turn.pruner import Pass, Pruner, Visit, least_frequently_called, least_recently_called
from ghostproof.turn.scenario import ANYTHING, Scenario
from ghostproof.turn.tool import Tool
from ghostproof.turn.verdict import Refuted, Verdict
from ghostproof.variants.arbitration import gate, trim_history
from ghostproof_proofs.absences import ALWAYS_IN_VIEW, NO_TOMBSTONES
from ghostproof_proofs.broken.guards import (
    LINE,
    announce,
    anything,
    expand_and_clear,
    expand_and_leave,
    hide_where_announced,
    no_arguments_or_idle,
    no_arguments_or_reads,
)
from ghostproof_proofs.free_pruning import (
    BLIND,
    SETTLED,
    TRIM,
    Guard,
    admitting,
    by_frequency,
    change_with_tombstones,
    change_without_tombstones,
    freely,
    hide_behind_tombstone,
    hiding_where,
    no_arguments,
)
from ghostproof_proofs.groups import FREEDOM


def _exact() -> Verdict:
    # Here, so that looking at the claims loads no solver.
    from ghostproof_proofs.t7_arguments import exact

    return exact()


def _each_weaker_guard() -> Verdict:
    from ghostproof_proofs.t7_arguments import each_weaker_guard

    return each_weaker_guard()


def _rewound(tool: Tool) -> bool:
    return tool.ghost and tool.calls > 0


def _called(tool: Tool) -> bool:
    return tool.calls > 0


NO_REWOUND_GHOST = Property(
    "no_rewound_ghost", "no tool that was called in this session is sent as a ghost", _rewound, _called
)
REWIND = replace(
    admitting("arguments appear"),
    name="a settled session, but for: a rewind; the model calls only what it sees",
    responses=("silent", "call"),
)

UNSEEN = NO_TOMBSTONES | ALWAYS_IN_VIEW
free = freely(change_without_tombstones, "hiding where no arguments are")
tombstoning_free = freely(change_with_tombstones, "hiding where no arguments are, or a tombstone")
guarded = by_frequency(hiding_where(no_arguments), "hiding where no arguments are", TRIM)
tombstoning = by_frequency(hide_behind_tombstone, "hiding behind a tombstone")
takes_tombstones = by_frequency(
    hide_behind_tombstone, "trimming takes tombstones", Pass(trim_history, least_recently_called, arguments_fit)
)


def _behind_a_line(expand: Visit, what: str) -> Pruner:
    return Pruner(
        Pass(expand),
        Pass(announce),
        Pass(hide_where_announced, least_frequently_called, schemas_fit),
        memory=LINE,
        name=f"hides behind a line in the history, showing {what}",
    )


clearing = _behind_a_line(expand_and_clear, "clears it")
leaving = _behind_a_line(expand_and_leave, "leaves it")


def _safe(label: str, sentence: str, pruner: Pruner, absent: frozenset[str] = frozenset()) -> Question:
    return Question(label, sentence, pruner, SETTLED, absent=absent)


def _broken(
    label: str, sentence: str, pruner: Pruner, scenario: Scenario, requests: int, judged: Property = NO_GHOST
) -> Question:
    return Question(label, sentence, pruner, scenario, Expected(Refuted, requests, 1), judged, broken=True)


def _weaker(label: str, sentence: str, guard: Guard, requests: int) -> Question:
    return _broken(label, sentence, by_frequency(hiding_where(guard), sentence), SETTLED, requests)


T7 = Claim(
    name="T7",
    title="where a schema may be pruned freely",
    statement=(
        "In a settled session no arguments come from elsewhere, no schema and no tombstone is lost to others than the"
        " pruner, and no tool is called blind; all else may happen, migrations behind a cache and ignored tombstones"
        " too. There a pruner that has no tombstones and hides a schema only where no arguments of its tool are"
        " resident never sends a ghost, whatever else it shows and evicts, in any order and without a gate. This is"
        " the weakest guard that is sound: from any state without a ghost and without tombstones, hiding a shown"
        " schema makes a ghost exactly where the guard fails. So no guard may admit a state with arguments that a"
        " session reaches, unless a later pass of the turn mends it. Of the guards that also admit arguments by effect"
        " or by what is current, each has its session with a ghost, but for those that admit only current arguments"
        " beside a stale schema, which no session reaches. With tombstones the weakest guard is, in the same sense: no"
        " arguments, or tombstoned. It needs more: showing the schema clears the tombstone, and no pass takes one that"
        " is needed. Outside settled sessions neither guard suffices. A rewind, a handoff, a server that vanishes, a"
        " schema that is shown lossily or a blind call makes a ghost after pruning, or without any; so does a"
        " tombstone that is lost. The seed's safe case is thus safe in the turn in which it is pruned; in every later"
        " turn the gate must look again, and with it the same pruners are safe under every action."
    ),
    reason=(
        "The guard speaks of the moment of hiding, a ghost of the moment of sending. Between them, and in later turns,"
        " arguments must stay away, or the tombstone must stay."
    ),
    seed=(
        "A schema may be freely pruned when `argument_residency == False`; this is the safe case and the only case"
        " where frequency-based pruning is sound without a tombstone."
    ),
    group=FREEDOM,
    imprecise=(
        "The safe case is safe in the turn in which the schema is pruned. Later the arguments may come from"
        " elsewhere, so that the gate must look again. And with tombstones it is not the only case."
    ),
    questions=(
        _safe("no arguments", "any pruner that hides only where no arguments are", free, UNSEEN),
        _safe("no arguments, seed's pruner", "least frequently called first, so guarded", guarded, UNSEEN),
        _safe(
            "no arguments, or tombstoned",
            "any pruner that hides only where no arguments are, or a tombstone, and takes none that is needed",
            tombstoning_free,
        ),
        _safe("or tombstoned, seed's pruner", "least frequently called first, behind a tombstone", tombstoning),
        Obligation(
            "weakest",
            "from any state without a ghost, hiding makes one exactly where the guard fails",
            _exact,
        ),
        Obligation(
            "each weaker guard",
            "each guard that admits arguments in one more state that is reached has a session with a ghost",
            _each_weaker_guard,
        ),
        _weaker("no guard", "frequency alone decides", anything, 2),
        _weaker("tools that only read", "hiding also what only reads", no_arguments_or_reads, 2),
        _weaker("old arguments", "hiding also what was idle for a turn", no_arguments_or_idle, 3),
        _broken("handoff", "arguments appear of a tool that was pruned", guarded, admitting("arguments appear"), 2),
        _broken(
            "rewind", "evicted arguments come back after the schema was pruned", guarded, REWIND, 3, NO_REWOUND_GHOST
        ),
        _broken("vanishing server", "the schema goes and the arguments stay", guarded, admitting("tool vanishes"), 2),
        _broken(
            "lossy schema",
            "the schema is shown without its constraints",
            guarded,
            admitting("schema is shown lossily"),
            2,
        ),
        _broken("blind call", "a pruned tool is called from memory and leaves arguments", guarded, BLIND, 2),
        _broken(
            "lost tombstone",
            "the tombstone that allowed the pruning is lost later",
            tombstoning,
            admitting("tombstone is lost"),
            3,
        ),
        _broken("taken tombstone", "trimming takes the tombstone in a later turn", takes_tombstones, SETTLED, 3),
        _safe("showing clears", "showing a schema takes the old line away", clearing),
        _broken(
            "showing leaves", "an old line, from before the last showing, passes for a tombstone", leaving, SETTLED, 4
        ),
        Question(
            "gate in every turn",
            "any pruner that hides only where no arguments are, and the gate, under every action",
            freely(change_without_tombstones, "hiding where no arguments are, with the gate", Pass(gate)),
            ANYTHING,
        ),
        Question(
            "gate in every turn, seed's pruner",
            "least frequently called first, so guarded, and the gate, under every action",
            Pruner(*guarded.passes, Pass(gate), name=f"{guarded.name}, with the gate"),
            ANYTHING,
        ),
    ),
)
