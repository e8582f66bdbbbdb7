"""Whatever is wrong with a request, the error names the item, and the arbiter is as it was."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ghostproof_reference.arbiter import Arbiter
from ghostproof_reference.budget import JointBudget, SeparateBudgets
from ghostproof_reference.errors import GhostToolInvariantError, MalformedRequestError, SettingsError, TokenCountError
from ghostproof_reference.gate import GateMode
from ghostproof_reference.request import Call, CallGroup, Request, Result, Showing, Text, Tool
from ghostproof_reference.settings import Settings
from reference_impl.building import bare, call, group, tool

BUDGET = SeparateBudgets(40, 20)
TOOLS = (tool("a"), tool("b"))
SOUND = (group(call("a", "1")), Text("hello", 1), group(call("b", "2")))


def snapshot(arbiter: Arbiter) -> object:
    """All that an arbiter remembers, in the order it remembers it."""
    inventory, history = arbiter._inventory, arbiter._history
    records = [
        (
            *(getattr(record, name) for name in record.__slots__ if name not in ("groups", "showings")),
            *(sorted(record.groups.items()), sorted(record.showings)),
        )
        for record in inventory.records.values()
    ]
    entries = [(entry.ordinal, entry.item, entry.evicted) for entry in history.entries]
    return (
        list(inventory.records),
        records,
        replace(inventory.totals),
        inventory.given,
        inventory.declared,
        list(inventory.expanded),
        list(history.given),
        entries,
        list(history.kept),
        list(history.evictable),
        sorted(history.call_ids),
        sorted(history.counted),
        dict(history.gone),
        history.next_ordinal,
        arbiter.turn,
    )


def used() -> Arbiter:
    """An arbiter in mid-session, with something withheld, tombstoned, evicted and requested."""
    arbiter = bare()
    arbiter.arbitrate(Request(TOOLS, SOUND), SeparateBudgets(9, 10))
    arbiter.request_schema("a")
    return arbiter


ONE = call("a", "9")
BAD_ITEMS: list[tuple[Any, str]] = [
    ("text", r"history\[3\]: not an item"),
    (None, r"history\[3\]: not an item"),
    (Text(7), r"history\[3\]: a text is a string"),  # type: ignore[arg-type]
    (CallGroup(()), r"history\[3\]: a call group without a call"),
    (group(ONE, ONE), "call '9': two calls have this id"),
    (group(call("b", "1")), "call '1': two calls have this id"),
    (CallGroup((ONE,), (Result("8", "x"),)), "result of '8': there is no such call"),
    (CallGroup((ONE,), (Result("9", "x"), Result("9", "y"))), "result of '9': a second result"),
    (group(Call("a", "9", '{"severity": "SE')), "call '9': its arguments are not whole JSON"),
    (group(Call("a", "9", "[" * 100_000)), "call '9': its arguments are not whole JSON"),
    (group(Call("a", "9", "[1]")), "call '9': its arguments are not a JSON object"),
    (group(Call("a", "9", {"id": 1})), "call '9': arguments are text"),  # type: ignore[arg-type]
    (group(Call("", "9", "{}")), "call '9': a tool needs a name"),
    (group(Call("a", "", "{}")), r"history\[3\]: a call needs an id"),
    (group(Call("a", None, "{}")), r"history\[3\]: a call needs an id"),  # type: ignore[arg-type]
    (Showing(("",)), r"history\[3\]: a tool needs a name"),
    (group(ONE, tokens=-1), "calls 9: a number of tokens"),
    (group(ONE, tokens=0), "calls 9: a number of tokens"),
]


@pytest.mark.parametrize(("item", "message"), BAD_ITEMS, ids=str)
@pytest.mark.parametrize("whole", [True, False])
def test_a_bad_item_is_named_and_nothing_happens(item: Any, message: str, whole: bool) -> None:
    arbiter, twin = used(), used()
    before = snapshot(arbiter)
    good = group(call("b", "7"))
    # The tail is another one, so that part of what was given before is taken back as well.
    rewritten = Request(TOOLS[:1], (*SOUND[:2], good, item))
    with pytest.raises((MalformedRequestError, TokenCountError), match=f"^{message}"):
        arbiter.arbitrate(rewritten, BUDGET) if whole else arbiter.advance([item], BUDGET, TOOLS[:1])
    assert snapshot(arbiter) == before
    request = Request(TOOLS, (*SOUND, good))
    assert arbiter.arbitrate(request, BUDGET) == twin.arbitrate(request, BUDGET)


BAD_TOOLS: list[tuple[Any, str]] = [
    ([Tool("")], r"tools\[0\]: a tool needs a name"),
    ([Tool("  ")], r"tools\[0\]: a tool needs a name"),
    ([Tool(None)], r"tools\[0\]: a tool needs a name"),  # type: ignore[arg-type]
    ([tool("a"), tool("a")], r"tools\[1\]: a second tool named 'a'"),
    (["a"], r"tools\[0\]: not a Tool"),
    ([Tool("a", "object")], "tool 'a': a schema is an object"),  # type: ignore[arg-type]
    ([Tool("a", effect="mutation")], "tool 'a': its effect is not an Effect"),  # type: ignore[arg-type]
    ([Tool("a", full={})], "tool 'a': a full schema beside one that is not lossy"),
    ([tool("a", tokens=-3)], "schema of 'a': a number of tokens"),
    ([tool("a", tombstone=0)], "tombstone of 'a': a number of tokens"),
]


@pytest.mark.parametrize(("tools", "message"), BAD_TOOLS, ids=str)
def test_a_bad_tool_is_named_and_nothing_happens(tools: Any, message: str) -> None:
    arbiter = used()
    before = snapshot(arbiter)
    with pytest.raises((MalformedRequestError, TokenCountError), match=f"^{message}"):
        arbiter.arbitrate(Request(tuple(tools), SOUND), BUDGET)
    assert snapshot(arbiter) == before


@pytest.mark.parametrize("request_", [None, {}, [TOOLS]], ids=str)
def test_what_is_no_request_is_rejected(request_: Any) -> None:
    with pytest.raises(MalformedRequestError, match=r"^request: not a Request"):
        bare().arbitrate(request_, BUDGET)


def test_a_history_is_a_sequence_and_the_rest_is_a_number() -> None:
    with pytest.raises(MalformedRequestError, match=r"^history: not a sequence"):
        bare().arbitrate(Request(TOOLS, "abc"), BUDGET)  # type: ignore[arg-type]
    with pytest.raises(TokenCountError, match=r"^rest_tokens: "):
        bare().arbitrate(Request(TOOLS, SOUND, -1), BUDGET)


@pytest.mark.parametrize("number", [-1, 1.5, None, "9", True, float("nan")])
def test_a_budget_is_a_number_of_tokens(number: Any) -> None:
    for make in (lambda: JointBudget(number), lambda: SeparateBudgets(number, 1), lambda: SeparateBudgets(1, number)):
        with pytest.raises(SettingsError, match="is a non-negative integer of tokens"):
            make()


def test_a_budget_is_one_of_the_two() -> None:
    with pytest.raises(SettingsError, match="a budget is a JointBudget or SeparateBudgets, not 100"):
        bare().arbitrate(Request(TOOLS, SOUND), 100)  # type: ignore[arg-type]


@pytest.mark.parametrize("number", [-1, 0, 2.0, None, "9", True])
def test_a_counter_that_returns_nonsense_is_caught(number: Any) -> None:
    arbiter = Arbiter(Settings(count=lambda text: number if "odd" in text else 1))
    good = Request((Tool("a"),), (CallGroup((call("a", "1"),)),))
    arbiter.arbitrate(good, JointBudget(100))
    before = snapshot(arbiter)
    odd = (Request((Tool("a"), Tool("odd")), good.history), "schema of 'odd'")
    text = (Request(good.tools, (*good.history, Text("odd"))), r"text at history\[1\]")
    called = (Request(good.tools, (*good.history, CallGroup((call("odd", "2"),)))), "calls 2")
    for request, named in (odd, text, called):
        with pytest.raises(TokenCountError, match=f"^{named}: a number of tokens"):
            arbiter.arbitrate(request, JointBudget(100))
        assert snapshot(arbiter) == before


@pytest.mark.parametrize("broken", ["count", "order"])
def test_a_function_that_raises_leaves_the_arbiter_as_it_was(broken: str) -> None:
    arbiter = Arbiter(Settings(**{broken: lambda given: given.nonsense}))  # type: ignore[arg-type]
    before = snapshot(arbiter)
    with pytest.raises(AttributeError):
        arbiter.arbitrate(Request((Tool("a"), Tool("b"))), SeparateBudgets(10, 1))
    assert snapshot(arbiter) == before


@pytest.mark.parametrize(("mode", "pinned"), [(GateMode.STRICT, False), (GateMode.EVICT, True)])
def test_a_gate_that_may_do_nothing_raises_and_names_every_ghost(mode: GateMode, pinned: bool) -> None:
    arbiter = bare(gate=mode)
    history = (group(call("a", "1"), call("b", "2"), pinned=pinned),)
    arbiter.arbitrate(Request(TOOLS, history), BUDGET)
    before = snapshot(arbiter)
    with pytest.raises(GhostToolInvariantError, match="'a', 'b'") as caught:
        arbiter.arbitrate(Request((), history), BUDGET)
    assert caught.value.tools == ("a", "b")
    assert snapshot(arbiter) == before


def test_settings_are_checked() -> None:
    with pytest.raises(SettingsError, match="gate is one of"):
        Settings(gate="tombstone")  # type: ignore[arg-type]
    with pytest.raises(SettingsError, match="count is a function"):
        Settings(count=4)  # type: ignore[arg-type]
