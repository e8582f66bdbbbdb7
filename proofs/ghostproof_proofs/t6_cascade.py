"""T6: what the cascade buys: not safety, but no stale tombstone and no eviction without a schema decision."""

from __future__ import annotations

from typing import Any

from ghostproof.turn.budget import prompt_fits
from ghostproof.turn.claim import PROVED, Claim, Expected, Question
from ghostproof.turn.property import NO_GHOST, Property
from ghostproof.turn.pruner import Pass, Pruner, Visit, least_recently_called
from ghostproof.turn.scenario import ANYTHING
from ghostproof.turn.tool import Tool
from ghostproof.turn.verdict import Refuted
from ghostproof.variants.arbitration import expand, gate, prune_schema
from ghostproof_proofs.absences import NO_GHOST_TO_ANSWER
from ghostproof_proofs.broken.cascades import (
    UNDECIDED,
    decide,
    decide_after_eviction,
    gate_that_clears_nothing,
    trim_and_note,
    trim_with_cascade,
    trim_without_cascade,
)
from ghostproof_proofs.groups import FAILURES


def _tombstone_is_stale(tool: Tool) -> bool:
    return tool.tombstoned and not tool.arguments_resident


def _tombstoned(tool: Tool) -> bool:
    return tool.tombstoned


def _undecided(tool: Any) -> bool:
    eviction: bool = tool.evicted_undecided
    return eviction


def _nothing_left(tool: Tool) -> bool:
    return tool.calls > 0 and not tool.arguments_resident


NO_STALE_TOMBSTONE = Property(
    "no_stale_tombstone",
    "no tool has a tombstone in a sent request without arguments",
    _tombstone_is_stale,
    _tombstoned,
)
NO_UNDECIDED_EVICTION = Property(
    "no_undecided_eviction",
    "no call is evicted without a decision on the schema of its tool before the request is sent",
    _undecided,
    _nothing_left,
    UNDECIDED,
)


def _trimming(name: str, trim: Visit, last: Visit) -> Pruner:
    return Pruner(
        Pass(expand),
        Pass(trim, least_recently_called, prompt_fits),
        Pass(prune_schema, least_recently_called, prompt_fits),
        Pass(last),
        name=f"argument-first, {name}",
    )


def _deciding(name: str, *cascade: Pass) -> Pruner:
    return Pruner(
        Pass(expand),
        Pass(trim_and_note, least_recently_called, prompt_fits),
        Pass(decide, least_recently_called, prompt_fits),
        *cascade,
        Pass(gate),
        memory=UNDECIDED,
        name=f"argument-first, {name}",
    )


neither = _trimming("no cascade and a gate that clears nothing", trim_without_cascade, gate_that_clears_nothing)
clearing = _trimming("no cascade and a gate that clears", trim_without_cascade, gate)
cascading = _trimming("a cascade and a gate that clears nothing", trim_with_cascade, gate_that_clears_nothing)
passing = _deciding("evictions without a decision")
decided = _deciding("a decision after each eviction", Pass(decide_after_eviction))


def _asked(label: str, sentence: str, pruner: Pruner, judged: Property, expected: Expected = PROVED) -> Question:
    # Behind either gate there is no ghost to answer, whatever else is judged.
    absent = frozenset() if judged is NO_GHOST or expected is not PROVED else NO_GHOST_TO_ANSWER
    return Question(label, sentence, pruner, ANYTHING, expected, judged, expected is not PROVED, absent)


T6 = Claim(
    name="T6",
    title="what the cascade buys",
    statement=(
        "Without the cascade argument-first with the gate is still safe. A tombstone that stands in a sent request"
        " without arguments of its tool needs both: a trimming that leaves the tombstone when it evicts the last call,"
        " and a gate that clears none; a cascade alone or a clearing gate alone prevents it, under every action. And"
        " where schemas are visited only while the prompt does not fit, an eviction that makes it fit passes without"
        " a decision on the schema in its turn; a pass that decides after each eviction prevents that. The seed asks"
        " for the cascade as a part of the rule: it is one of economy and order, and safety does not depend on it."
    ),
    reason=(
        "The gate decides by what is resident at the end of the turn, however it came to be so; only what it does not"
        " look at, old tombstones and schemas of tools without arguments, is left to the cascade."
    ),
    seed=(
        "If the argument budget forces eviction of a prior call's arguments, that eviction must cascade to a"
        " schema-residency decision in the same turn."
    ),
    group=FAILURES,
    imprecise=(
        "It is no condition of safety. It keeps tombstones from outliving what they are about, and evictions from"
        " passing without a decision."
    ),
    questions=(
        _asked("ghosts", "no cascade, and a gate that clears nothing: no ghost", neither, NO_GHOST),
        _asked("ghosts, undecided", "evictions pass without a decision: no ghost", passing, NO_GHOST),
        _asked(
            "stale tombstones",
            "no cascade, and a gate that clears nothing: a tombstone outlives the arguments",
            neither,
            NO_STALE_TOMBSTONE,
            Expected(Refuted, 3, 1),
        ),
        _asked("a gate that clears", "no cascade: the gate removes the stale tombstone", clearing, NO_STALE_TOMBSTONE),
        _asked("a cascade", "the last eviction takes the tombstone along", cascading, NO_STALE_TOMBSTONE),
        _asked(
            "no decision",
            "an eviction makes the prompt fit, and the schema of its tool is not looked at",
            passing,
            NO_UNDECIDED_EVICTION,
            Expected(Refuted, 1, 1),
        ),
        _asked("a decision", "each eviction is followed by a decision", decided, NO_UNDECIDED_EVICTION),
    ),
)
