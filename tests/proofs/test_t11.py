"""T11: an endless session is what it is said to be, and each thing that excludes it is needed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ghostproof.engines import fair
from ghostproof.engines.fair import Endless, Sessions, endless
from ghostproof.engines.problem import Bounds
from ghostproof.examine import examine
from ghostproof.host.host import LocalHost
from ghostproof.turn.claim import Question
from ghostproof.turn.errors import InternalError
from ghostproof.turn.explore import Grid
from ghostproof.turn.tool import Tool
from ghostproof.turn.trace import Trace
from ghostproof.turn.verdict import HoldsTo, Proved, Refuted, Undetermined
from ghostproof_proofs.t2_parts import NOT_WITHIN
from ghostproof_proofs.t10_cost import T10
from ghostproof_proofs.t11_arguments import excluded, only_singly, searched
from ghostproof_proofs.t11_expansion import T11
from ghostproof_proofs.t11_parts import (
    HONOURED,
    USES,
    asked_for,
    ended,
    ended_or_used,
    ended_used_or_gone,
    hasty_steady,
    steady,
)

UNFAIR = Endless(asked_for, ended, USES)
FAIR = Endless(asked_for, ended_or_used, USES)
GRID = Grid(tools=2, budgets=(0, 1, 2, 3, 4))


def _never(tool: Tool) -> bool:
    return False


def test_an_endless_session_expands_and_prunes_the_same_tool_in_each_round() -> None:
    verdict = searched(steady, NOT_WITHIN, UNFAIR, 2)
    assert isinstance(verdict, Refuted)
    assert isinstance(verdict.trace, Trace)
    shown = [request.tools[0]["schema_shown"] for request in verdict.trace.requests]
    assert shown[1:] == [shown[1], not shown[1], shown[1], not shown[1], shown[1]]
    assert not any(tool["budget_exceeded"] for request in verdict.trace.requests for tool in request.tools)
    assert not any(tool["calls"] for request in verdict.trace.requests[2:] for tool in request.tools[:1])
    assert "repeats 2 requests for ever" in verdict.minimality[0]


@pytest.mark.parametrize("never", [ended, ended_or_used])
def test_without_fairness_nothing_is_excluded(never: object) -> None:
    assert callable(never)
    assert isinstance(excluded(Endless(asked_for, never, USES)), Undetermined)


def test_with_both_it_is() -> None:
    assert isinstance(excluded(Endless(asked_for, ended_used_or_gone, USES)), Proved)


def test_a_model_that_uses_what_it_asked_for_is_needed_in_the_search() -> None:
    assert isinstance(endless(steady, NOT_WITHIN, HONOURED, GRID, FAIR), HoldsTo)
    assert isinstance(endless(hasty_steady, NOT_WITHIN, HONOURED, GRID, FAIR), Refuted)


SAFE = [
    pytest.param(question, id=f"{claim.name} {question.label}")
    for claim in (T10, T11)
    for question in claim.questions
    if isinstance(question, Question) and not question.broken
]


@pytest.mark.parametrize("question", SAFE)
def test_what_is_proved_speaks_of_something_that_happens(question: Question) -> None:
    judged = question.judged
    happens = replace(judged, name=f"not even possible: {judged.name}", violated=judged.antecedent)
    bounds = Bounds(turns=3, tools=2)
    assert isinstance(examine(LocalHost(question.pruner), question.scenario, happens, bounds, "bmc"), Refuted)


def test_what_never_comes_again_is_no_lasso() -> None:
    assert isinstance(endless(steady, NOT_WITHIN, HONOURED, GRID, Endless(_never, ended, USES)), HoldsTo)


def test_too_many_states_are_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair, "STATES_MAX", 5)
    assert isinstance(endless(steady, NOT_WITHIN, HONOURED, GRID, UNFAIR), Undetermined)


@pytest.mark.parametrize("wrong", ["not a cycle", "not what was sought"])
def test_a_lasso_that_is_none_is_an_error_of_ours(wrong: str) -> None:
    sessions = Sessions(steady, NOT_WITHIN, HONOURED, GRID)
    found = sessions.lasso(UNFAIR)
    assert found is not None
    stem, cycle = found
    path, sought = (cycle[:2], UNFAIR) if wrong == "not a cycle" else (cycle, Endless(_never, ended, USES))
    with pytest.raises(InternalError, match="replay"):
        sessions.played(stem, path, sought)


def test_two_requests_that_fit_only_singly() -> None:
    verdict = only_singly()
    assert isinstance(verdict, Refuted)
    assert isinstance(verdict.trace, Trace)
    last = verdict.trace.requests[-1]
    budget = last.numbers["total_budget"]
    assert all(tool["requested"] and tool["schema_shown"] and tool["budget_exceeded"] for tool in last.tools)
    # Nothing is pinned, so besides the schemas only the rest of the prompt cannot give way.
    rest = last.numbers["rest_tokens"]
    assert all(tool["schema_tokens"] + rest <= budget for tool in last.tools)
    assert last.numbers["schema_tokens"] + rest > budget
