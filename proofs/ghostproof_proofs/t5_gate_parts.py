"""T5: what each part of the gate is for: the shortest ghost without it."""

from __future__ import annotations

from ghostproof.turn.budget import prompt_fits
from ghostproof.turn.claim import Claim, Expected, Question
from ghostproof.turn.property import NO_GHOST, NO_MUTATION_GHOST, Property
from ghostproof.turn.pruner import Pass, Pruner, least_recently_called
from ghostproof.turn.scenario import ANYTHING
from ghostproof.turn.verdict import Refuted
from ghostproof.variants.arbitration import argument_first, gate
from ghostproof.variants.gates import evict_gate, evict_or_tombstone_gate
from ghostproof_proofs.absences import NOTHING_TO_LOSE
from ghostproof_proofs.broken.gates import (
    PRUNED,
    TURNS,
    VIEW,
    forget_notes,
    gate_every_other_turn,
    gate_for_mutations,
    gate_for_pruned,
    gate_for_unpinned,
    gate_on_last_turn,
    gate_on_shown_schemas,
    gate_without_action,
    gate_without_arguments_test,
    gate_without_schema_test,
    prune_and_note,
    remember_view,
)
from ghostproof_proofs.groups import FAILURES

UNGATED = argument_first.passes[:-1]


def _with(what: str, *gates: Pass) -> Pruner:
    return Pruner(*UNGATED, *gates, name=f"argument-first, {what}")


def _safe(
    label: str, sentence: str, pruner: Pruner, absent: frozenset[str] = frozenset(), judged: Property = NO_GHOST
) -> Question:
    return Question(label, sentence, pruner, ANYTHING, judged=judged, absent=absent)


def _broken(label: str, sentence: str, pruner: Pruner) -> Question:
    # Each needs two requests: arguments must come and the schema must go, and a tool undergoes one action a turn.
    return Question(label, sentence, pruner, ANYTHING, Expected(Refuted, 2, 1), broken=True)


for_pruned = Pruner(
    Pass(forget_notes),
    *UNGATED[:-1],
    Pass(prune_and_note, least_recently_called, prompt_fits),
    Pass(gate_for_pruned),
    memory=PRUNED,
    name="argument-first, a gate for tools pruned this turn",
)
every_other = Pruner(
    *UNGATED, Pass(gate_every_other_turn), memory=TURNS, name="argument-first, a gate in every other turn"
)
stale = Pruner(
    *UNGATED,
    Pass(gate_on_last_turn),
    Pass(remember_view),
    memory=VIEW,
    name="argument-first, a gate with last turn's view",
)

T5 = Claim(
    name="T5",
    title="what each part of the gate is for",
    statement=(
        "In argument-first under every action, the gate with one part taken away sends a ghost in two requests with"
        " one tool, when it lacks: the action (it only notices); residency (it takes a lossy schema for a schema); the"
        " tools it did not prune itself, or that only read, or that are pinned; every second turn, or the turns in"
        " which the prompt fits; the view of this turn. A gate for tools that change state still sends no ghost of"
        " such a tool. Not needed for safety are: the choice between eviction and tombstone, since either alone"
        " suffices; the test whether arguments are resident; and the test whether the schema is. Without these tests"
        " the gate acts more often, never less: it tombstones what has no arguments, or what has its schema, so that"
        " only economy breaks."
    ),
    reason=(
        "A ghost needs arguments and no schema at the moment of the request, and anything may bring that about for any"
        " tool in any turn. The tests only spare tools that need no tombstone."
    ),
    seed="The operational rule is a two-part gate evaluated per tool per turn",
    group=FAILURES,
    imprecise=(
        "Either half suffices, so that which of the two is preferred for mutation tools is no matter of safety. Tools"
        " that only read need the gate too, and so do pinned ones."
    ),
    questions=(
        _broken(
            "no action",
            "the gate sees it and does nothing",
            _with("a gate that does nothing", Pass(gate_without_action)),
        ),
        _broken(
            "shown, not resident",
            "the gate takes a shown schema for a resident one",
            _with("a gate on shown schemas", Pass(gate_on_shown_schemas)),
        ),
        _broken("pruned tools only", "the gate looks only at tools pruned this turn", for_pruned),
        _broken(
            "mutations only",
            "the gate spares tools that only read",
            _with("a gate for mutations", Pass(gate_for_mutations)),
        ),
        _safe(
            "mutations only, judged so",
            "the gate spares tools that only read, and only ghosts of the others are judged",
            _with("a gate for mutations", Pass(gate_for_mutations)),
            judged=NO_MUTATION_GHOST,
        ),
        _broken(
            "unpinned tools only",
            "the gate spares pinned tools",
            _with("a gate for unpinned tools", Pass(gate_for_unpinned)),
        ),
        _broken(
            "under pressure only",
            "the gate runs only while the prompt does not fit",
            _with("a gate under pressure", Pass(gate, until=prompt_fits)),
        ),
        _broken("every other turn", "the gate looks in every other turn", every_other),
        _broken("last turn's view", "the gate tombstones by what was seen at the last request", stale),
        _safe(
            "no arguments test",
            "the gate tombstones every tool without a schema",
            _with("a gate without the arguments test", Pass(gate_without_arguments_test)),
            # No tool goes unmentioned, so none is asked for or called blind.
            frozenset({"response: ask", "response: call blind"}),
        ),
        _safe(
            "no schema test",
            "the gate tombstones every tool with arguments",
            _with("a gate without the schema test", Pass(gate_without_schema_test)),
        ),
        _safe("tombstones alone", "a gate that only tombstones", argument_first),
        _safe(
            "evictions alone", "a gate that only evicts", _with("a gate that evicts", Pass(evict_gate)), NOTHING_TO_LOSE
        ),
        _safe(
            "either by effect",
            "a gate that tombstones what changes state and evicts what only reads",
            _with("a gate that chooses by effect", Pass(evict_or_tombstone_gate)),
        ),
    ),
)
