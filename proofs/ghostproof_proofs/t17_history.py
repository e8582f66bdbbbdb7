"""T17: schemas that the history reveals, and arguments that are edited in it: what the gate must look at."""

from __future__ import annotations

from dataclasses import replace

from ghostproof.turn.claim import Claim, Expected, Obligation, Question
from ghostproof.turn.environment import HISTORY
from ghostproof.turn.property import NO_GHOST, Property
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.scenario import HISTORY_EVENTS, ORDINARY_SESSION, Scenario
from ghostproof.turn.verdict import Refuted, Verdict
from ghostproof.variants.arbitration import gate
from ghostproof.variants.pydantic_ai_deferred import deferred_tools
from ghostproof_proofs.absences import ALWAYS_IN_VIEW, NO_GHOST_TO_ANSWER, NO_REJECTIONS, NO_TOMBSTONES
from ghostproof_proofs.broken.history import by_discoveries, gated_before_cut, half_emptied, whole_only
from ghostproof_proofs.broken.hostile import hostile
from ghostproof_proofs.free_pruning import SETTLED
from ghostproof_proofs.groups import FAILURES
from ghostproof_proofs.history import (
    LOST,
    LOST_LATE,
    NO_BARE_CALL,
    bare_gated,
    calls_first,
    deferred_at_render,
    deferred_gated,
    emptied_freely,
    emptied_gated,
    truncated_gated,
)

LOSING = replace(
    ORDINARY_SESSION,
    name=f"{ORDINARY_SESSION.name}; also: {LOST}",
    environment=(*ORDINARY_SESSION.environment, LOST),
)


def _every_event() -> Verdict:
    # Here, so that looking at the claims loads no solver.
    from ghostproof_proofs.witnessed import every_action_taken

    return every_action_taken(deferred_gated, HISTORY_EVENTS, frozenset(action.name for action in HISTORY))


def _safe(
    label: str,
    sentence: str,
    pruner: Pruner,
    scenario: Scenario = HISTORY_EVENTS,
    judged: Property = NO_GHOST,
    absent: frozenset[str] = frozenset(),
) -> Question:
    return Question(label, sentence, pruner, scenario, judged=judged, absent=absent)


def _broken(
    label: str, sentence: str, pruner: Pruner, scenario: Scenario, requests: int, judged: Property = NO_GHOST
) -> Question:
    return Question(label, sentence, pruner, scenario, Expected(Refuted, requests, 1), judged, broken=True)


T17 = Claim(
    name="T17",
    title="what the history reveals, and what is cut inside it",
    statement=(
        "(a) Discovery evidence is a third residency. A tool whose schema is shown by an item of the history (a search"
        " result, a reference, a file that was read) has it only while that item stands. The item is older than every"
        " call that it made possible, so a cut from the front takes the schema and leaves the calls: without a gate, or"
        " with one that comes before the cut, a ghost in three requests. The gate must come after the last cut, and it"
        " must ask what the history shows now: one that goes by the runtime's list of what was once discovered lets the"
        " same ghost through. With the gate as last pass such a pruner is safe whatever is revealed or lost, and behind"
        " it, where compaction may still drop the evidence, with the gate at render. Cut the other way round, calls"
        " before what revealed them, the pruner needs no gate in an ordinary session, and needs it as soon as the"
        " evidence can be lost otherwise. (b) An emptied call is no argument residency: there are no values to rebuild"
        " a call from. In settled sessions emptying serves the guard of T7 as well as evicting does. It is not nothing:"
        " the shape of a call stands there without its schema, a warning of its own. The gate does not answer it, and"
        " one that counts emptied calls does. But an emptied call says nothing of the next: a gate that takes its tool"
        " for one without arguments lets a ghost through, where a later call of it is whole. (c) Truncated arguments"
        " are arguments: a gate that takes them for gone lets a ghost through. With the gate as last pass emptying and"
        " truncating, by the pruner or by others, are safe."
    ),
    reason=(
        "A ghost is judged on the request alone, so each residency is what the request holds: a schema that an item"
        " revealed goes with the item, values that were emptied are gone, and values that were cut are there."
    ),
    seed="schema and arguments are a coupled pair, and pruning one without the other is a type error",
    group=FAILURES,
    imprecise=(
        "Where the history reveals schemas there are three that are coupled: the schema, the arguments, and the item"
        " that revealed the schema. And arguments are a matter of degree: cut ones count, emptied ones do not."
    ),
    questions=(
        Obligation(
            "witnesses",
            f"{deferred_gated.name}: played sessions in which each event inside the history happens",
            _every_event,
        ),
        _safe("evidence", "(a) deferred tools, and the gate as last pass: no ghost", deferred_gated),
        _broken(
            "evidence, no gate",
            "(a) the cut takes what revealed the schema, and leaves the call: a ghost",
            deferred_tools,
            ORDINARY_SESSION,
            3,
        ),
        _broken(
            "evidence, gate before the cut",
            "(a) the gate sees a schema that the cut then takes: a ghost",
            gated_before_cut,
            ORDINARY_SESSION,
            3,
        ),
        _broken(
            "evidence, gate by discoveries",
            "(a) a gate that counts as resident whatever was once discovered: a ghost",
            by_discoveries,
            ORDINARY_SESSION,
            3,
        ),
        _broken(
            "evidence, lost late",
            "(a) compaction drops the evidence behind the gate: a ghost",
            deferred_gated,
            LOST_LATE,
            2,
        ),
        _safe(
            "evidence, gate at render",
            "(a) the same with the gate at render: no ghost",
            deferred_at_render,
            LOST_LATE,
        ),
        _safe(
            "calls before evidence",
            "(a) calls are cut before what revealed them, without a gate, in an ordinary session: no ghost",
            calls_first,
            ORDINARY_SESSION,
            absent=NO_REJECTIONS | NO_TOMBSTONES,
        ),
        _broken(
            "calls before evidence, lost",
            "(a) the same where evidence can be lost otherwise: a ghost",
            calls_first,
            LOSING,
            3,
        ),
        _safe(
            "emptied",
            "(b) calls are emptied, and schemas hidden where no arguments are left, without a gate: no ghost",
            emptied_freely,
            SETTLED,
            absent=NO_TOMBSTONES | ALWAYS_IN_VIEW,
        ),
        _broken(
            "emptied, bare call",
            "(b) the same leaves an emptied call without its schema",
            emptied_freely,
            SETTLED,
            2,
            NO_BARE_CALL,
        ),
        _broken(
            "emptied, gate for arguments",
            "(b) the gate does not answer an emptied call",
            emptied_gated,
            SETTLED,
            2,
            NO_BARE_CALL,
        ),
        _safe(
            "emptied, gate for emptied calls",
            "(b) a gate that counts emptied calls as well: none is left without schema and tombstone",
            bare_gated,
            judged=NO_BARE_CALL,
            absent=NO_GHOST_TO_ANSWER,
        ),
        _broken(
            "emptied, gate for untouched tools",
            "(b) a gate that takes a tool with an emptied call for one without arguments: a ghost",
            half_emptied,
            SETTLED,
            3,
        ),
        _safe(
            "truncated", "(c) arguments are truncated, schemas hidden, and the gate is last: no ghost", truncated_gated
        ),
        _broken(
            "truncated, gate for whole arguments",
            "(c) a gate that takes truncated arguments for none: a ghost",
            whole_only,
            SETTLED,
            2,
        ),
        _safe(
            "shield",
            "whatever a pass can do, to the history as well, then the gate: no ghost",
            Pruner(*hostile, Pass(gate), name="hostile pruner, then the gate"),
        ),
    ),
)
