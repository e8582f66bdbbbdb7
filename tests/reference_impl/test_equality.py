"""What is another value on the wire is noticed, in a schema, in a message, and behind the same call id."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from ghostproof_reference.arbiter import Arbiter
from ghostproof_reference.budget import JointBudget, SeparateBudgets
from ghostproof_reference.equality import canonical_text, same_value
from ghostproof_reference.errors import MalformedRequestError
from ghostproof_reference.outcome import Action, Outcome
from ghostproof_reference.request import Aside, Call, CallGroup, Notice, Request, Result, Showing, Text, Tool
from ghostproof_reference.wire.openai_chat import OPENAI_CHAT
from reference_impl.building import bare, call, done, group, shown, tool

ROOM = SeparateBudgets(1000, 1000)
LARGE = JointBudget(9999)


@pytest.mark.parametrize(
    ("one", "other"),
    [(1, True), (1, 1.0), (0.0, -0.0), (True, "true"), ([1], [True]), ({"a": [0]}, {"a": [False]}), (None, 0)],
)
def test_values_that_differ_as_text_are_two(one: Any, other: Any) -> None:
    assert not same_value(one, other)
    assert canonical_text(one) != canonical_text(other)


@pytest.mark.parametrize(
    ("one", "other"), [({"a": 1, "b": [2]}, {"b": [2], "a": 1}), ([1, "x"], (1, "x")), (float("nan"), float("nan"))]
)
def test_values_that_are_one_as_text_are_one(one: Any, other: Any) -> None:
    assert same_value(one, other)
    assert canonical_text(one) == canonical_text(other)


def test_an_aside_is_its_payload_and_its_place() -> None:
    one = Aside({"a": 1}, "c", 1)
    assert same_value(one, Aside({"a": 1}, "c", 1))
    assert not same_value(one, Aside({"a": 1}, "c", 2))
    assert not same_value(one, Aside({"a": True}, "c", 1))


def noticed(outcome: Outcome) -> list[str]:
    return [item.tool for item in outcome.request.history if isinstance(item, Notice)]


@pytest.mark.parametrize(("old", "new"), [(1, True), (True, 1), (1, 1.0)])
def test_a_constant_that_becomes_another_value_is_a_migration(old: object, new: object) -> None:
    def with_constant(value: object) -> Tool:
        return tool("a", schema={"properties": {"x": {"const": value}}})

    arbiter, history = bare(), (group(call("a", "1")),)
    arbiter.arbitrate(Request((with_constant(old),), history), ROOM)
    outcome = arbiter.arbitrate(Request((with_constant(new),), history), ROOM)
    assert noticed(outcome) == ["a"]
    assert canonical_text(outcome.request.tools[0].schema) == canonical_text(with_constant(new).schema)


def test_keys_in_another_order_are_no_change() -> None:
    arbiter, history = bare(), (group(call("a", "1")),)
    first = tool("a", schema={"type": "object", "properties": {"x": {"type": "string"}}})
    arbiter.arbitrate(Request((first,), history), ROOM)
    turned = tool("a", schema={"properties": {"x": {"type": "string"}}, "type": "object"})
    outcome = arbiter.arbitrate(Request((turned,), history), ROOM)
    assert (outcome.decisions, outcome.request.tools[0]) == ((), first)


def test_a_schema_changed_in_place_is_a_migration() -> None:
    schema: dict[str, Any] = {"properties": {"x": {"type": "string"}}}
    tools, history = (tool("a", schema=schema),), (group(call("a", "1")),)
    arbiter = bare()
    arbiter.arbitrate(Request(tools, history), ROOM)
    schema["properties"]["x"]["type"] = "object"
    assert noticed(arbiter.arbitrate(Request(tools, history), ROOM)) == ["a"]


def test_a_declaration_changed_in_place_is_counted_anew() -> None:
    payload: dict[str, Any] = {"tools": [{"type": "function", "function": {"name": "a", "parameters": {}}}]}
    arbiter = bare()
    before = arbiter.arbitrate(OPENAI_CHAT.read(payload), LARGE).after.schemas
    payload["tools"][0]["function"]["description"] = "what it does " * 20
    assert arbiter.arbitrate(OPENAI_CHAT.read(payload), LARGE).after.schemas > before + 50


def test_a_message_with_another_value_is_another_message() -> None:
    def payload(value: object) -> dict[str, Any]:
        return {"messages": [{"role": "user", "content": "x", "flag": value}, {"role": "user", "content": "y"}]}

    arbiter = bare()
    arbiter.arbitrate(OPENAI_CHAT.read(payload(1)), LARGE)
    sent = arbiter.arbitrate(OPENAI_CHAT.read(payload(True)), LARGE).request
    assert canonical_text(OPENAI_CHAT.write(payload(True), sent)) == canonical_text(payload(True))


def test_a_schema_that_no_json_can_hold_is_refused_by_its_tool() -> None:
    deep: Any = {}
    for _ in range(100_000):
        deep = {"items": deep}
    middling: Any = {}
    for _ in range(900):
        middling = {"items": middling}
    for schema in (deep, middling, {1: "x", "y": 2}):
        with pytest.raises(MalformedRequestError, match=r"^tool 'a': "):
            bare().arbitrate(Request((tool("a", schema=schema),)), ROOM)


def rewound(*new: CallGroup) -> tuple[Arbiter, Outcome]:
    """A call of `a` is evicted, the session goes back before it, and the same id is given again."""
    arbiter, tools = bare(), (tool("a"), tool("b"))
    first = (Text("x", 1), group(call("a", "1")))
    assert first[1] not in arbiter.arbitrate(Request(tools, first), SeparateBudgets(0, 100)).request.history
    arbiter.arbitrate(Request(tools, first[:1]), ROOM)
    return arbiter, arbiter.arbitrate(Request(tools, (*first[:1], *new)), ROOM)


@pytest.mark.parametrize("other", [call("b", "1"), call("a", "1", '{"id": 8}')])
def test_another_call_behind_the_same_id_is_another_call(other: Call) -> None:
    again = group(other)
    arbiter, tools = bare(), (tool("a"), tool("b"))
    history = (Text("x", 1), group(call("a", "1")))
    arbiter.arbitrate(Request(tools, history), SeparateBudgets(0, 100))
    outcome = arbiter.arbitrate(Request(tools, (history[0], again)), ROOM)
    assert again in outcome.request.history, "the old one was evicted, not this one"


def test_another_result_of_the_same_call_is_seen() -> None:
    arbiter = bare()
    open_call = CallGroup((call("a", "1"),), tokens=5)
    arbiter.arbitrate(Request((tool("a"),), (open_call,)), SeparateBudgets(0, 100))
    answered = CallGroup(open_call.calls, (Result("1", "done"),), tokens=5)
    assert answered in arbiter.arbitrate(Request((tool("a"),), (answered,)), ROOM).request.history


def test_a_rewound_call_of_another_tool_counts_for_that_tool() -> None:
    _, outcome = rewound(group(call("b", "1")), group(call("b", "2")))
    assert len(outcome.request.history) == 3
    arbiter = rewound(group(call("b", "1")), group(call("b", "2")))[0]
    # By last use `a` goes first, as it does by frequency: b was called twice, once behind the id of a's call.
    assert done(arbiter.advance([], SeparateBudgets(100, 10)), Action.PRUNED) == [("pruned", "a")]
    assert arbiter._inventory.records["b"].calls == 2


def test_stale_calls_are_told_by_more_than_their_id() -> None:
    old = tool("a", schema={"properties": {"x": {"type": "string"}}})
    new = tool("a", schema={"properties": {"x": {"type": "object"}}})
    arbiter = bare()
    arbiter.arbitrate(Request((old,), (group(call("a", "1")),)), ROOM)
    assert noticed(arbiter.arbitrate(Request((new,), ()), ROOM)) == []
    again = (Text("rewritten", 1), group(call("a", "1")))
    assert noticed(arbiter.arbitrate(Request((new,), again), ROOM)) == ["a"]
    other = (Text("rewritten again", 1), group(call("a", "1", '{"id": {}}')))
    assert noticed(arbiter.arbitrate(Request((new,), other), ROOM)) == []


def test_an_evicted_showing_with_another_payload_is_another_showing() -> None:
    def showing(value: object) -> Showing:
        return Showing(("a",), payload={"shows": value}, tokens=3)

    arbiter, tools = bare(), (tool("a"),)
    arbiter.arbitrate(Request(tools, (showing(1),)), SeparateBudgets(0, 100))
    outcome = arbiter.arbitrate(Request(tools, (showing(True),)), ROOM)
    assert (shown(outcome), len(outcome.request.history)) == (["a"], 1)
    same = arbiter.arbitrate(Request(tools, copy.deepcopy((showing(True),))), ROOM)
    assert same.request.history == outcome.request.history
