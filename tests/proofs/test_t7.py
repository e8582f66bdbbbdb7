"""T7: the guards are exact, each premise is needed, and the traces show what they are named for."""

from __future__ import annotations

import pytest

from ghostproof.engines.problem import Bounds
from ghostproof.examine import examine
from ghostproof.host.host import LocalHost
from ghostproof.turn.claim import Question
from ghostproof.turn.environment import EVERYTHING
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.scenario import ANYTHING, Scenario
from ghostproof.turn.tool import Tool
from ghostproof.turn.trace import Request, Step, Trace
from ghostproof.turn.verdict import Proved, Refuted, Undetermined, Vacuous, Verdict
from ghostproof_proofs import t7_arguments
from ghostproof_proofs.broken.gates import gate_every_other_turn
from ghostproof_proofs.broken.guards import anything, no_arguments_or_reads
from ghostproof_proofs.free_pruning import BLIND, SETTLED, Guard, admitting, hiding_where, no_arguments
from ghostproof_proofs.sessions import breach, observed
from ghostproof_proofs.t7_arguments import KNOWN, Guarding, Known, each_weaker_guard, exact, weaker
from ghostproof_proofs.t7_free_pruning import T7, free, tombstoning_free

SOON = Bounds(turns=3, tools=1)


def verdict_of(pruner: Pruner, scenario: Scenario) -> Verdict:
    return examine(LocalHost(pruner), scenario, NO_GHOST, SOON, "bmc")


def trace_of(label: str) -> Trace:
    """The shortest trace of the question so labelled, with one tool."""
    question = next(question for question in T7.questions if question.label == label)
    assert isinstance(question, Question)
    verdict = observed(question.pruner, question.scenario, breach(question.judged), Bounds(turns=4, tools=1))
    assert isinstance(verdict, Refuted)
    assert isinstance(verdict.trace, Trace)
    assert verdict.trace.size == (question.expected.requests, question.expected.tools)
    return verdict.trace


def steps_of(request: Request, actor: str) -> list[Step]:
    return [step for step in request.steps if isinstance(step, Step) and step.actor == actor]


def no_state(tool: Tool) -> bool:
    return False


@pytest.mark.parametrize("guard", [anything, no_arguments_or_reads, no_arguments, no_state])
def test_no_other_guard_is_exact(guard: Guard) -> None:
    # "No arguments" is too strong where there are tombstones, "never" everywhere, the others are too weak.
    verdict = exact([Guarding("it", guard)])
    assert isinstance(verdict, Undetermined)
    unsound = guard in (anything, no_arguments_or_reads)
    assert verdict.reason.startswith("it: no ghost where it holds" if unsound else "it: a ghost where it does not")


def test_without_guards_there_is_nothing_to_be_exact() -> None:
    assert isinstance(exact([]), Vacuous)


def test_a_guard_that_is_no_weaker_has_no_session(monkeypatch: pytest.MonkeyPatch) -> None:
    def as_it_is(guard: Guard, known: Known) -> Guard:
        return guard

    monkeypatch.setattr(t7_arguments, "KNOWN", KNOWN[:1])
    assert isinstance(each_weaker_guard(as_it_is), Vacuous)


def test_weaker_guards_admit_each_state_with_arguments_once() -> None:
    for mutation, arguments_current, schema_current in KNOWN:
        values = {
            "calls_resident": 1,
            "tombstone_resident": False,
            "mutation": mutation,
            "arguments_current": arguments_current,
            "schema_current": schema_current,
        }
        admitting_it = [known for known in KNOWN if weaker(no_arguments, known)(Tool(values))]
        assert admitting_it == [(mutation, arguments_current, schema_current)]
        assert not any(weaker(no_state, known)(Tool({**values, "tombstone_resident": True})) for known in KNOWN)


def test_current_arguments_beside_a_stale_schema_are_never_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    # What a stale schema gives is rejected. Each of the two states is asked of both guards.
    monkeypatch.setattr(t7_arguments, "KNOWN", ((True, True, True), (True, True, False)))
    found = each_weaker_guard()
    assert isinstance(found, Proved)
    assert {(item.by, item.count) for item in found.checked} == {("replay", 2), ("induction", 2)}


@pytest.mark.parametrize("action", [name for name in EVERYTHING if name not in SETTLED.environment])
def test_each_premise_about_the_environment_is_needed(action: str) -> None:
    broken = [isinstance(verdict_of(pruner, admitting(action)), Refuted) for pruner in (free, tombstoning_free)]
    # A server returns only after it has gone, and shows its schema: no harm. Only tombstones can be lost.
    assert broken == {"tool returns": [False, False], "tombstone is lost": [False, True]}.get(action, [True, True])


def test_blind_calls_and_whole_disruption_break_both() -> None:
    for pruner in (free, tombstoning_free):
        assert isinstance(verdict_of(pruner, BLIND), Refuted)
        assert isinstance(verdict_of(pruner, ANYTHING), Refuted)


def test_without_their_guards_the_same_pruners_are_refuted() -> None:
    unguarded = Pruner(*free.passes, Pass(hiding_where(anything)), name="free, and hides everything")
    assert isinstance(verdict_of(unguarded, SETTLED), Refuted)


def test_the_gate_in_every_other_turn_is_not_enough() -> None:
    gated = Pruner(*free.passes, Pass(gate_every_other_turn), memory={"looking": False}, name="looks now and then")
    assert isinstance(verdict_of(gated, ANYTHING), Refuted)


def test_a_rewind_brings_back_what_was_called_evicted_and_pruned() -> None:
    _, second, third = trace_of("rewind").requests
    assert second.tools[0]["calls"] == 1
    assert second.tools[0]["calls_resident"] == 0
    assert steps_of(second, "trim_calls")
    assert [step.after["schema_shown"] for step in steps_of(second, "hide")] == [False]
    assert "arguments appear" in {step.action for step in steps_of(third, "environment")}
    assert not third.tools[0]["schema_shown"]


def test_a_handoff_brings_arguments_of_a_tool_that_was_never_called() -> None:
    first, second = trace_of("handoff").requests
    assert first.tools[0]["schema_shown"] is False
    assert second.tools[0]["calls"] == 0
    assert second.tools[0]["calls_resident"] == 1


def test_a_vanishing_server_needs_no_pruning() -> None:
    trace = trace_of("vanishing server")
    assert not any(steps_of(request, "hide") for request in trace.requests)
    assert "tool vanishes" in {step.action for step in steps_of(trace.requests[-1], "environment")}


@pytest.mark.parametrize(("label", "actor"), [("lost tombstone", "environment"), ("taken tombstone", "trim_history")])
def test_the_tombstone_goes_a_turn_after_the_pruning_it_allowed(label: str, actor: str) -> None:
    *_, pruned, last = trace_of(label).requests
    assert pruned.tools[0]["tombstone_resident"] is True
    assert pruned.tools[0]["schema_shown"] is False
    assert any(step.after.get("tombstone_resident") is False for step in steps_of(last, actor))


def test_a_line_from_before_the_last_showing_is_taken_for_a_tombstone() -> None:
    *_, hidden, shown, last = trace_of("showing leaves").requests
    for request, resident, tombstoned in ((hidden, False, True), (shown, True, False), (last, False, False)):
        tool = request.tools[0]
        assert (tool["schema_shown"], tool["tombstone_resident"], tool["line"]) == (resident, tombstoned, True)
