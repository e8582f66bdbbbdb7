"""Asking for a schema: shown next, not pruned in that turn, counted; what gives way for it and what does not."""

from __future__ import annotations

import json

import pytest

from ghostproof_reference.arbiter import Arbiter
from ghostproof_reference.budget import JointBudget, SeparateBudgets
from ghostproof_reference.errors import BudgetExceeded
from ghostproof_reference.expansion import REQUEST_TOOL, ReexpansionRequested
from ghostproof_reference.order import declared
from ghostproof_reference.outcome import Action, Outcome
from ghostproof_reference.request import Request
from ghostproof_reference.settings import Settings
from reference_impl.building import bare, call, done, group, shown, tombstones, tool

TOOLS = (tool("a"), tool("b"))
HISTORY = (group(call("a", "1")), group(call("b", "2")))


def withheld_a(**settings: object) -> Arbiter:
    arbiter = bare(**settings)
    assert tombstones(arbiter.arbitrate(Request(TOOLS, HISTORY), SeparateBudgets(100, 10))) == ["a"]
    return arbiter


def test_a_request_is_honoured_in_the_next_request_and_another_gives_way() -> None:
    arbiter = withheld_a()
    assert (
        arbiter.answer_request(json.dumps({"tool_name": "a"})) == "The schema of a will be shown in the next request."
    )
    outcome = arbiter.advance([], SeparateBudgets(100, 10))
    assert done(outcome, Action.EXPANDED, Action.PRUNED) == [("expanded", "a"), ("pruned", "b")]
    assert (shown(outcome), tombstones(outcome)) == (["a"], ["b"])
    after = arbiter.advance([], SeparateBudgets(100, 10))
    assert after.decisions == ()


def test_others_arguments_go_then_others_schemas_then_its_own_arguments() -> None:
    def gone(total: int) -> list[tuple[str, str | None]]:
        arbiter = withheld_a()
        arbiter.request_schema("a")
        return done(arbiter.advance([], JointBudget(total)), Action.EVICTED, Action.PRUNED)

    assert gone(30) == []
    assert gone(29) == gone(25) == [("evicted", "calls 2")]
    assert gone(24) == gone(15) == [("evicted", "calls 2"), ("pruned", "b")]
    assert gone(14) == gone(10) == [("evicted", "calls 2"), ("pruned", "b"), ("evicted", "calls 1")]
    with pytest.raises(BudgetExceeded, match=r"schema of a \(10\)"):
        gone(9)


def test_a_request_that_does_not_fit_stands_until_it_does_or_is_cancelled() -> None:
    arbiter = withheld_a()
    arbiter.request_schema("a")
    with pytest.raises(BudgetExceeded):
        arbiter.advance([], SeparateBudgets(100, 9))
    arbiter.cancel_request("a")
    assert shown(arbiter.advance([], SeparateBudgets(100, 9))) == []
    arbiter.request_schema("a")
    assert shown(arbiter.advance([], SeparateBudgets(100, 10))) == ["a"]


def expanded_a(schemas: int) -> tuple[Arbiter, Outcome]:
    """`a` would be the first to go again."""
    arbiter = withheld_a(order=declared)
    arbiter.request_schema("a")
    outcome = arbiter.advance([], SeparateBudgets(100, schemas))
    assert "a" in shown(outcome)
    return arbiter, outcome


def test_a_request_that_nobody_answered_is_repeated_as_it_was() -> None:
    arbiter, failed = expanded_a(10)
    for _ in range(3):
        arbiter.unanswered()
        again = arbiter.advance([], SeparateBudgets(100, 10))
        assert again.request == failed.request
        assert done(again, Action.EXPANDED, Action.PRUNED, Action.EVICTED) == [("expanded", "a")]
    assert arbiter.requests.total == 1


def test_what_nobody_answered_is_not_lost_to_a_smaller_budget_or_a_longer_history() -> None:
    more = (group(call("b", "3")),)
    answered, _ = expanded_a(20)
    assert shown(answered.advance(more, SeparateBudgets(100, 10))) == ["b"]
    failed, _ = expanded_a(20)
    failed.unanswered()
    assert shown(failed.advance(more, SeparateBudgets(100, 10))) == ["a"]
    failed.unanswered()
    with pytest.raises(BudgetExceeded, match=r"schema of a \(10\)"):
        failed.advance((), SeparateBudgets(100, 9))
    failed.cancel_request("a")
    assert shown(failed.advance((), SeparateBudgets(100, 9))) == []


def test_only_the_last_request_can_be_unanswered() -> None:
    arbiter, _ = expanded_a(20)
    arbiter.advance((), SeparateBudgets(100, 20))
    arbiter.unanswered()
    assert shown(arbiter.advance((), SeparateBudgets(100, 10))) == ["b"]


def test_a_vanished_tool_is_refused_and_shown_when_it_is_back() -> None:
    arbiter = withheld_a()
    arbiter.arbitrate(Request(TOOLS[1:], HISTORY), SeparateBudgets(100, 10))
    assert "not available now" in arbiter.request_schema("a")
    refused = arbiter.arbitrate(Request(TOOLS[1:], HISTORY), SeparateBudgets(100, 10))
    assert done(refused, Action.REFUSED) == [("refused", "a")]
    assert shown(arbiter.arbitrate(Request(TOOLS, HISTORY), SeparateBudgets(100, 10))) == ["a"]


def test_a_tool_that_returns_while_its_request_stands_gives_way_to_nobody_in_that_turn() -> None:
    for asked, kept in ((False, "b"), (True, "a")):
        arbiter = withheld_a(order=declared)
        arbiter.arbitrate(Request(TOOLS[1:], HISTORY), SeparateBudgets(100, 10))
        if asked:
            arbiter.request_schema("a")
        back = arbiter.arbitrate(Request(TOOLS, HISTORY), SeparateBudgets(100, 10))
        assert shown(back) == [kept]
        assert done(back, Action.EXPANDED) == [("expanded", "a")] * asked
    assert shown(arbiter.arbitrate(Request((*TOOLS, tool("c")), HISTORY), SeparateBudgets(100, 10))) == ["c"]


def test_a_tombstoned_tool_that_was_never_declared_can_be_requested_and_is_counted() -> None:
    arbiter = bare(order=declared)
    handed_over = arbiter.arbitrate(Request(TOOLS[1:], HISTORY), SeparateBudgets(100, 10))
    assert tombstones(handed_over) == ["a"]
    assert "not available now" in arbiter.request_schema("a")
    assert arbiter.requests.total == 1
    assert shown(arbiter.arbitrate(Request(TOOLS, HISTORY), SeparateBudgets(100, 10))) == ["a"]


def test_the_signal_is_counted_by_tool_and_turn_as_the_prompt_was_sent() -> None:
    heard: list[ReexpansionRequested] = []
    arbiter = withheld_a(on_request=heard.append)
    arbiter.request_schema("a")
    arbiter.request_schema("a")
    assert arbiter.request_schema("b") == "The schema of b is shown already."
    arbiter.advance([], SeparateBudgets(100, 10))
    arbiter.request_schema("b")
    assert [(event.turn, event.tool, event.tombstoned) for event in heard] == [
        (1, "a", True),
        (1, "a", True),
        (1, "b", False),
        (2, "b", True),
    ]
    assert arbiter.requests.total == 3
    assert arbiter.requests.by_tool == {"a": 2, "b": 1}
    assert arbiter.requests.by_turn == {1: 2, 2: 1}


@pytest.mark.parametrize("arguments", ["", "{", "[]", "{}", '{"tool_name": 7}', "null", "[" * 100_000])
def test_a_model_that_writes_nonsense_is_told_so(arguments: str) -> None:
    arbiter = withheld_a()
    assert arbiter.answer_request(arguments).startswith("Expected ")
    assert "Withheld at present: a." in arbiter.request_schema("nothing of the kind")
    assert arbiter.requests.total == 0


def test_the_request_tool_is_declared_last_and_never_withheld() -> None:
    arbiter = Arbiter(Settings())
    outcome = arbiter.arbitrate(Request(TOOLS, HISTORY), JointBudget(400))
    assert outcome.request.tools[-1] == REQUEST_TOOL
    with pytest.raises(BudgetExceeded, match="schema of request_tool_schema"):
        arbiter.advance([], JointBudget(20))
    own = tool(REQUEST_TOOL.name)
    assert shown(Arbiter().arbitrate(Request((own,)), JointBudget(400))) == [REQUEST_TOOL.name]


def test_expansion_and_pruning_come_to_rest() -> None:
    arbiter = withheld_a()
    arbiter.request_schema("a")
    outcomes = [arbiter.advance([], SeparateBudgets(100, 10)) for _ in range(4)]
    assert [bool(outcome.decisions) for outcome in outcomes] == [True, False, False, False]
