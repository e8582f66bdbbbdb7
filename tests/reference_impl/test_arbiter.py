"""The arbiter's turn: what goes first, what stays, what is said about it, and what the prompt then costs."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from ghostproof_reference.budget import JointBudget, SeparateBudgets
from ghostproof_reference.errors import BudgetExceeded
from ghostproof_reference.order import ORDERS
from ghostproof_reference.outcome import Action
from ghostproof_reference.request import CallGroup, Item, Request, Text, Tombstone
from reference_impl.building import bare, call, done, ghosts, group, shown, tokens, tombstones, tool

ROOM = SeparateBudgets(1000, 1000)


def test_with_room_nothing_changes() -> None:
    request = Request((tool("a"), tool("b")), (Text("hello", 3), group(call("a", "1"))), 7)
    outcome = bare().arbitrate(request, ROOM)
    assert outcome.request == request
    assert outcome.decisions == ()
    assert outcome.before == outcome.after
    assert outcome.after.total == tokens(outcome) == 35


def test_arguments_go_before_schemas_oldest_first_and_pinned_never() -> None:
    history = (group(call("a", "1"), pinned=True), group(call("b", "2")), group(call("c", "3")))
    request = Request((tool("a"), tool("b"), tool("c")), history)
    outcome = bare().arbitrate(request, JointBudget(40))
    assert done(outcome, Action.EVICTED) == [("evicted", "calls 2")]
    assert shown(outcome) == ["a", "b", "c"]
    assert tokens(outcome) == 40


def test_parallel_calls_go_together_with_their_results() -> None:
    together = group(call("a", "1"), call("b", "2"), tokens=9)
    outcome = bare().arbitrate(Request((tool("a"), tool("b")), (together, group(call("a", "3")))), JointBudget(25))
    assert outcome.request.history == (group(call("a", "3")),)


def test_an_eviction_is_followed_by_a_schema_decision_in_the_same_turn() -> None:
    arbiter = bare()
    history = (group(call("a", "1")), group(call("b", "2")))
    request = Request((tool("a"), tool("b")), history)
    first = arbiter.arbitrate(request, SeparateBudgets(20, 10))
    assert done(first, Action.PRUNED, Action.TOMBSTONED) == [("pruned", "a"), ("tombstoned", "a")]
    second = arbiter.arbitrate(request, SeparateBudgets(9, 20))
    assert done(second, Action.EVICTED, Action.CLEARED) == [("evicted", "calls 1"), ("cleared", "a")]
    assert tombstones(second) == []
    third = arbiter.arbitrate(request, SeparateBudgets(4, 20))
    assert done(third, Action.EVICTED, Action.KEPT) == [("evicted", "calls 2"), ("kept", "b")]


def test_a_tombstone_is_reserved_before_it_is_written() -> None:
    request = Request((tool("a", tokens=10, tombstone=4),), (group(call("a", "1"), pinned=True),))
    with pytest.raises(BudgetExceeded):
        bare().arbitrate(request, JointBudget(8))
    outcome = bare().arbitrate(request, JointBudget(9))
    assert (shown(outcome), tombstones(outcome), tokens(outcome)) == ([], ["a"], 9)


def test_pruning_that_saves_nothing_is_refused() -> None:
    request = Request((tool("a", tokens=4, tombstone=4),), (group(call("a", "1"), pinned=True),))
    with pytest.raises(BudgetExceeded, match=r"schema of a \(4\)"):
        bare().arbitrate(request, JointBudget(8))
    assert shown(bare().arbitrate(request, JointBudget(9))) == ["a"]


def test_budget_exceeded_names_what_must_stay_and_changes_nothing() -> None:
    arbiter = bare()
    request = Request((tool("a", pinned=True), tool("b")), (Text("hello", 3), group(call("b", "1"), pinned=True)), 2)
    with pytest.raises(BudgetExceeded) as caught:
        arbiter.arbitrate(request, JointBudget(21))
    assert {(part.what, part.tokens) for part in caught.value.irreducible} == {
        ("schema of a", 10),
        ("calls 1", 5),
        ("tombstone of b", 2),
        ("texts", 3),
        ("rest", 2),
    }
    assert caught.value.needed == 22
    assert (arbiter.turn, arbiter.states()) == (0, {})
    assert arbiter.arbitrate(request, JointBudget(22)).after.total == 22


@pytest.mark.parametrize(
    ("order", "first"),
    [("least-recently-called", "a"), ("least-frequently-called", "b"), ("largest-first", "c"), ("declared", "a")],
)
def test_the_visiting_order_is_a_parameter(order: str, first: str) -> None:
    history = (
        group(call("a", "1")),
        group(call("a", "2")),
        group(call("b", "3")),
        group(call("c", "4"), call("c", "5")),
    )
    request = Request((tool("a"), tool("b"), tool("c", tokens=11)), history)
    outcome = bare(order=ORDERS[order]).arbitrate(request, SeparateBudgets(1000, 30))
    assert done(outcome, Action.PRUNED) == [("pruned", first)]


def test_an_order_is_any_key() -> None:
    request = Request((tool("a"), tool("b")))
    assert shown(bare(order=lambda one: one.name != "b").arbitrate(request, SeparateBudgets(0, 10))) == ["a"]


def test_what_was_pruned_stays_withheld_and_its_tombstone_stays_in_place() -> None:
    arbiter = bare(order=ORDERS["declared"])
    history: tuple[Item, ...] = (group(call("a", "1")),)
    tools = (tool("a"), tool("b"))
    first = arbiter.arbitrate(Request(tools, history), SeparateBudgets(100, 10))
    history += (Text("more", 1), group(call("b", "2")))
    second = arbiter.arbitrate(Request(tools, history), ROOM)
    assert second.request.history[:2] == first.request.history
    assert tombstones(second) == ["a"]
    assert second.decisions == ()


def test_a_runtime_may_keep_what_was_sent_as_its_history() -> None:
    kept, raw = bare(), bare()
    tools = (tool("a"), tool("b"))
    history: tuple[Item, ...] = ()
    sent: Sequence[Item] = ()
    for turn in range(12):
        new = (Text(f"turn {turn}", 1), group(call("ab"[turn % 3 // 2], str(turn))))
        history += new
        budget = SeparateBudgets(20 - turn % 4, 10 + turn % 3 * 5)
        one = raw.arbitrate(Request(tools, history), budget)
        other = kept.arbitrate(Request(tools, (*sent, *new)), budget)
        assert (one.request, one.decisions) == (other.request, other.decisions)
        sent = other.request.history


def test_growing_and_giving_the_whole_history_agree() -> None:
    whole, grown = bare(), bare()
    tools = tuple(tool(f"t{place}", tokens=3 + place) for place in range(6))
    history: tuple[Item, ...] = ()
    chance = random.Random(5)
    for turn in range(60):
        new = (Text("x", 1), group(call(f"t{chance.randrange(6)}", str(turn)), tokens=chance.randint(2, 9)))
        history += new
        budget = JointBudget(70 + turn + chance.randint(0, 30))
        one = whole.arbitrate(Request(tools, history), budget)
        other = grown.advance(new, budget, tools)
        assert one == other
        if turn % 7 == 3 and whole.withheld():
            assert whole.request_schema(whole.withheld()[0]) == grown.request_schema(grown.withheld()[0])


def test_compaction_takes_the_tombstone_and_it_is_carried_forward() -> None:
    arbiter = bare()
    call_of_a = group(call("a", "1"))
    arbiter.arbitrate(Request((tool("a"),), (Text("old", 3), call_of_a)), SeparateBudgets(100, 0))
    outcome = arbiter.arbitrate(Request((tool("a"),), (Text("summary", 1), call_of_a)), SeparateBudgets(100, 0))
    assert tombstones(outcome) == ["a"]
    assert arbiter.states()["a"].tombstoned


def test_a_rewind_and_the_same_calls_again_count_once() -> None:
    arbiter = bare()
    calls: tuple[Item, ...] = (group(call("a", "1")), group(call("a", "2")), group(call("b", "3")))
    tools = (tool("a"), tool("b"))
    arbiter.arbitrate(Request(tools, calls), ROOM)
    arbiter.arbitrate(Request(tools, calls[:1]), ROOM)
    outcome = arbiter.arbitrate(Request(tools, calls), SeparateBudgets(1000, 10))
    assert done(outcome, Action.PRUNED) == [("pruned", "a")]


def test_a_vanished_tool_with_arguments_is_tombstoned_and_comes_back_without() -> None:
    arbiter = bare()
    history = (group(call("a", "1")),)
    arbiter.arbitrate(Request((tool("a"),), history), ROOM)
    assert tombstones(arbiter.arbitrate(Request((), history), ROOM)) == ["a"]
    outcome = arbiter.arbitrate(Request((tool("a"),), history), ROOM)
    assert (shown(outcome), tombstones(outcome)) == (["a"], [])


def test_a_resumed_history_brings_its_tombstones() -> None:
    first = bare(order=ORDERS["declared"])
    tools = (tool("a"), tool("b"))
    sent = first.arbitrate(Request(tools, (group(call("a", "1")),)), SeparateBudgets(100, 10)).request.history
    assert isinstance(sent[-1], Tombstone)
    resumed = bare().arbitrate(Request((tool("b"),), sent), ROOM)
    assert resumed.request.history == sent


def test_a_showing_in_the_history_is_residency_and_its_eviction_is_not_silent() -> None:
    search = group(call("search", "1"), shows=("a",))
    tools = (tool("search", tokens=1), tool("a", deferred=True))
    arbiter = bare()
    outcome = arbiter.arbitrate(Request(tools, (search, group(call("a", "2")))), ROOM)
    assert (shown(outcome), tombstones(outcome)) == (["search"], [])
    outcome = arbiter.arbitrate(Request(tools, (search, group(call("a", "2")))), SeparateBudgets(11, 100))
    assert done(outcome, Action.EVICTED, Action.TOMBSTONED) == [("evicted", "calls 1"), ("tombstoned", "a")]


@pytest.mark.parametrize("seed", range(25))
def test_long_random_sessions_never_send_a_ghost_nor_exceed_the_budget(seed: int) -> None:
    """With every disruption, and arbitration that fails along the way; what is sent is read off independently."""
    chance = random.Random(seed)
    arbiter = bare()
    tools = [tool(f"t{n}", tokens=chance.randint(1, 9), tombstone=chance.randint(1, 4)) for n in range(14)]
    history: list[Item] = []
    met = dict.fromkeys(["tombstoned", "evicted", "pruned", "expanded", "exceeded"], 0)
    for turn in range(80):
        calls = [call(f"t{chance.randrange(14)}", f"{turn}.{n}") for n in range(chance.randint(1, 3))]
        history += [Text("x", 1), group(*calls, tokens=chance.randint(1, 9), pinned=chance.random() < 0.05)]
        if chance.random() < 0.1:
            del history[: chance.randrange(len(history))]
        if chance.random() < 0.1:
            del history[chance.randrange(len(history)) :]
        declared = tuple(tool for tool in tools if chance.random() < 0.97)
        if chance.random() < 0.3:
            arbiter.request_schema(f"t{chance.randrange(14)}")
        joint = chance.random() < 0.5
        budget = (
            JointBudget(chance.randint(60, 140))
            if joint
            else SeparateBudgets(chance.randint(10, 60), chance.randint(10, 60))
        )
        before = arbiter.states(), arbiter.turn
        try:
            outcome = arbiter.arbitrate(Request(declared, tuple(history), 2), budget)
        except BudgetExceeded:
            met["exceeded"] += 1
            assert (arbiter.states(), arbiter.turn) == before
            continue
        assert not ghosts(outcome)
        assert outcome.after.total == tokens(outcome)
        if isinstance(budget, JointBudget):
            assert tokens(outcome) <= budget.total
        else:
            spent = sum(one.tokens or 0 for one in outcome.request.history if not isinstance(one, Text))
            assert spent <= budget.arguments
            assert sum(one.tokens or 0 for one in outcome.request.tools) <= budget.schemas
        assert len(tombstones(outcome)) == len(set(tombstones(outcome)))
        asked = {one.tool for one in outcome.decisions if one.action is Action.EXPANDED}
        assert asked <= set(shown(outcome))
        kept = [one for one in outcome.request.history if isinstance(one, CallGroup)]
        assert [one for one in history if one in kept] == kept
        for decision in outcome.decisions:
            if decision.action.value in met:
                met[decision.action.value] += 1
    assert all(met[name] for name in ("tombstoned", "evicted", "pruned", "expanded")), met


def test_evicted_calls_stay_evicted_in_a_history_that_begins_with_what_was_sent() -> None:
    """Of a history of which nothing was sent, or one text, every rewritten one is a continuation; yet it is no such."""
    for first in ((), (Text("hello", 1),)):
        arbiter = bare()
        tools, calls = (tool("a"),), group(call("a", "1"))
        assert arbiter.arbitrate(Request(tools, (*first, calls, Text("x", 1))), JointBudget(14)).request.tools == tools
        arbiter.arbitrate(Request(tools, (*first, calls)), ROOM)
        outcome = arbiter.arbitrate(Request(tools, (*first, calls, Text("y", 1))), ROOM)
        assert calls not in outcome.request.history
