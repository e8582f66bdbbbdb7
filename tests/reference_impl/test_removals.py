"""Anthropic's blocks that withdraw and add tools: the caller's own, ours beside a tombstone, and both at once."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ghostproof_reference.arbiter import Arbiter
from ghostproof_reference.budget import JointBudget, SeparateBudgets
from ghostproof_reference.gate import tombstone_line
from ghostproof_reference.request import Tombstone
from ghostproof_reference.settings import Settings
from ghostproof_reference.wire.anthropic_messages import ANTHROPIC, ANTHROPIC_NATIVE

LARGE = JointBudget(99_999)
SCHEMA = {"type": "object", "properties": {"why": {"type": "string", "description": "w" * 400}}}
each = pytest.mark.parametrize("shape", [ANTHROPIC, ANTHROPIC_NATIVE], ids=["plain", "native"])


def block(kind: str, name: str) -> dict[str, Any]:
    return {"type": kind, "tool": {"type": "tool_reference", "name": name}}


def turn(*names: str) -> list[dict[str, Any]]:
    """An assistant's parallel calls, and their results."""
    uses = [{"type": "tool_use", "id": f"id-{name}", "name": name, "input": {"id": 7}} for name in names]
    results = [{"type": "tool_result", "tool_use_id": f"id-{name}", "content": "done"} for name in names]
    return [{"role": "assistant", "content": uses}, {"role": "user", "content": results}]


def payload(*names: str, messages: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    tools = [{"name": name, "input_schema": SCHEMA} for name in names]
    return {"tools": tools, "messages": [{"role": "user", "content": "go"}, *(messages or [])]}


def stones(request: Any) -> list[str]:
    return [item.tool for item in request.history if isinstance(item, Tombstone)]


@each
def test_what_the_caller_withdrew_is_not_revived_and_stays_declared(shape: Any) -> None:
    given = payload("upd", "b", messages=turn("upd"))
    arbiter = Arbiter()
    arbiter.arbitrate(shape.read(given), LARGE)
    given["messages"].append({"role": "system", "content": [block("tool_removal", "upd")]})
    outcome = arbiter.arbitrate(shape.read(given), LARGE)
    assert stones(outcome.request) == ["upd"]
    assert "not available now" in arbiter.request_schema("upd")
    again = arbiter.arbitrate(shape.read(given), LARGE)
    written = shape.write(given, again.request)
    assert stones(again.request) == ["upd"]
    assert written["tools"][:2] == given["tools"]
    assert json.dumps(written["messages"]).count('"tool_removal"') == 1, "the provider refuses a second withdrawal"
    given["messages"] += [{"role": "assistant", "content": "ok"}, {"role": "user", "content": "back"}]
    given["messages"].append({"role": "system", "content": [block("tool_addition", "upd")]})
    back = arbiter.arbitrate(shape.read(given), LARGE)
    assert stones(back.request) == []
    assert arbiter.states()["upd"].schema_resident


@each
def test_an_addition_that_was_withdrawn_later_shows_nothing(shape: Any) -> None:
    given = payload("upd", "b", messages=turn("upd"))
    given["tools"][0]["defer_loading"] = True
    given["messages"].append({"role": "system", "content": [block("tool_addition", "upd")]})
    arbiter = Arbiter()
    arbiter.arbitrate(shape.read(given), LARGE)
    assert arbiter.states()["upd"].schema_resident
    given["messages"] += [{"role": "assistant", "content": "ok"}, {"role": "user", "content": "no more"}]
    given["messages"].append({"role": "system", "content": [block("tool_removal", "upd")]})
    assert stones(arbiter.arbitrate(shape.read(given), LARGE).request) == ["upd"]


@each
def test_what_a_system_message_says_beside_an_addition_is_not_evicted(shape: Any) -> None:
    said = {"type": "text", "text": "from now on"}
    given = payload("upd", "b")
    given["messages"].append({"role": "system", "content": [said, block("tool_addition", "upd")]})
    outcome = Arbiter(Settings(request_tool=None)).arbitrate(shape.read(given), LARGE)
    arguments = outcome.after.arguments
    small = Arbiter(Settings(request_tool=None)).arbitrate(shape.read(given), SeparateBudgets(arguments, 9999))
    assert "from now on" in json.dumps(shape.write(given, small.request))


def test_parallel_calls_withdrawn_together_have_a_line_each_and_stay_callable_once_requested() -> None:
    given = payload("upd", "b", "c", messages=turn("upd", "b"))
    arbiter = Arbiter(Settings(order=lambda tool: tool.index))
    full = arbiter.arbitrate(ANTHROPIC_NATIVE.read(given), LARGE).after.schemas
    tight = SeparateBudgets(9999, full - 150)
    outcome = arbiter.arbitrate(ANTHROPIC_NATIVE.read(given), tight)
    assert stones(outcome.request) == ["upd", "b"]
    written: Any = ANTHROPIC_NATIVE.write(given, outcome.request)
    roles = [message["role"] for message in written["messages"]]
    assert roles[:3] == ["user", "assistant", "user"], "a call is followed by its results"
    [told] = [message["content"] for message in written["messages"] if message["role"] == "system"]
    assert [block["type"] for block in told] == ["text", "text", "tool_removal", "tool_removal"]
    natives = [block["tool"]["name"] for block in told[2:]]
    declared = {tool["name"]: tool.get("defer_loading", False) for tool in written["tools"]}
    assert natives == ["upd", "b"]
    assert stones(ANTHROPIC_NATIVE.read(written)) == ["upd", "b"]
    assert {name for name, deferred in declared.items() if deferred} == set(natives)
    for place, role in enumerate(roles):
        if role == "system":
            assert roles[place - 1] in ("user", "system")
            assert roles[place + 1 :][:1] in ([], ["assistant"])
    # Twice withheld and twice revived: never a second line, never one beside a schema that is shown.
    for _ in range(2):
        arbiter.request_schema("upd")
        shown = arbiter.arbitrate(ANTHROPIC_NATIVE.read(given), LARGE)
        out: Any = ANTHROPIC_NATIVE.write(given, shown.request)
        assert "upd" not in stones(shown.request)
        assert given["tools"][0] in out["tools"]
        assert '"name": "upd"}}' not in json.dumps(out["messages"])
        arbiter.request_schema("b")
        withheld = arbiter.arbitrate(ANTHROPIC_NATIVE.read(given), tight)
        assert stones(withheld.request).count("upd") == 1


def test_a_message_that_withdraws_more_than_its_line_says_is_the_callers() -> None:
    line = {"type": "text", "text": tombstone_line("upd", None)}
    withdrawn = block("tool_removal", "b")
    said = {"type": "text", "text": "and this too"}
    for blocks in ([withdrawn], [block("tool_removal", "upd"), withdrawn], [withdrawn, said], [line, withdrawn, said]):
        given = payload("upd", "b", messages=turn("b"))
        given["messages"].append({"role": "system", "content": [line, *blocks]})
        outcome = Arbiter().arbitrate(ANTHROPIC.read(given), LARGE)
        assert "b" in stones(outcome.request)
        assert given["messages"][-1] in ANTHROPIC.write(given, outcome.request)["messages"]  # type: ignore[operator]


def test_a_tool_deferred_from_the_start_is_withdrawn_once_and_shown_on_request() -> None:
    given = payload("upd", "b", messages=turn("upd"))
    given["tools"][0]["defer_loading"] = True
    arbiter = Arbiter()
    first: Any = ANTHROPIC_NATIVE.write(given, arbiter.arbitrate(ANTHROPIC_NATIVE.read(given), LARGE).request)
    assert first["tools"][0] == given["tools"][0]
    assert json.dumps(first["messages"]).count('"tool_removal"') == 1
    arbiter.request_schema("upd")
    second: Any = ANTHROPIC_NATIVE.write(first, arbiter.arbitrate(ANTHROPIC_NATIVE.read(first), LARGE).request)
    assert "defer_loading" not in second["tools"][0]
    assert "tool_removal" not in json.dumps(second["messages"])


@each
def test_a_declaration_that_stays_though_it_was_withdrawn_counts(shape: Any) -> None:
    given = payload("upd", "b", messages=turn("b"))
    shown = Arbiter().arbitrate(shape.read(given), LARGE).after
    given["messages"].append({"role": "system", "content": [block("tool_removal", "upd")]})
    after = Arbiter().arbitrate(shape.read(given), LARGE).after
    assert (after.schemas + after.rest, after.rest > 0) == (shown.schemas, True)
    given["tools"][0]["defer_loading"] = True
    assert shape.read(given).rest_tokens == 0, "the model never saw it"


@each
def test_what_a_block_of_the_caller_names_stays_declared_and_its_return_is_not_evicted(shape: Any) -> None:
    given = payload("upd", "b", messages=turn("upd"))
    arbiter = Arbiter()
    assert "upd" in stones(arbiter.arbitrate(shape.read(given), SeparateBudgets(9999, 120)).request)
    given["messages"].append({"role": "system", "content": [block("tool_removal", "upd")]})
    given["messages"].append({"role": "system", "content": [block("tool_addition", "upd")]})
    outcome = arbiter.arbitrate(shape.read(given), SeparateBudgets(9999, 240))
    written: Any = shape.write(given, outcome.request)
    assert [tool["name"] for tool in written["tools"]] == ["upd", "request_tool_schema"]
    assert given["tools"][0] in written["tools"]
    assert stones(outcome.request) == []
    room = outcome.after.arguments - 1
    small = arbiter.arbitrate(shape.read(given), SeparateBudgets(room, 240))
    assert [entry.tool for entry in small.decisions] == [None, "upd"], "the call goes"
    left: Any = shape.write(given, small.request)
    assert left["messages"] == [given["messages"][0], *given["messages"][-2:]]
