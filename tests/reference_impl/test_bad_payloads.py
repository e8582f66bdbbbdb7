"""A bad payload in mid-session, in each format: one error that names the item, and the session goes on as if unseen."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from ghostproof_reference.arbiter import Arbiter
from ghostproof_reference.budget import JointBudget, SeparateBudgets
from ghostproof_reference.errors import MalformedRequestError, SettingsError, TokenCountError
from ghostproof_reference.settings import Settings
from ghostproof_reference.tokens import estimate
from ghostproof_reference.wire.anthropic_messages import ANTHROPIC
from ghostproof_reference.wire.openai_chat import OPENAI_CHAT
from ghostproof_reference.wire.openai_responses import OPENAI_RESPONSES
from ghostproof_reference.wire.shape import Shape

ARGUMENTS = '{"id": 7}'
TIGHT = SeparateBudgets(400, 180)
Turn = Callable[[str, str, Any], list[dict[str, Any]]]


def chat(name: str, call_id: str, arguments: Any = ARGUMENTS) -> list[dict[str, Any]]:
    call = {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}
    return [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": call_id, "content": "done"},
    ]


def responses(name: str, call_id: str, arguments: Any = ARGUMENTS) -> list[dict[str, Any]]:
    return [
        {"type": "function_call", "name": name, "call_id": call_id, "arguments": arguments},
        {"type": "function_call_output", "call_id": call_id, "output": "done"},
    ]


def anthropic(name: str, call_id: str, arguments: Any = ARGUMENTS) -> list[dict[str, Any]]:
    return [
        {"role": "assistant", "content": [{"type": "tool_use", "id": call_id, "name": name, "input": arguments}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": call_id, "content": "done"}]},
    ]


SHAPES: dict[str, tuple[Shape, str, Any]] = {
    "chat": (OPENAI_CHAT, "messages", chat),
    "responses": (OPENAI_RESPONSES, "input", responses),
    "anthropic": (ANTHROPIC, "messages", anthropic),
}


def declared(kind: str, name: str) -> dict[str, Any]:
    described: dict[str, Any] = {"name": name, "description": "what it does " * 9}
    if kind == "chat":
        return {"type": "function", "function": described}
    return {"type": "function", **described} if kind == "responses" else {**described, "input_schema": {}}


def payload(kind: str) -> dict[str, Any]:
    _, history, turn = SHAPES[kind]
    said: list[dict[str, Any]] = [{"role": "user", "content": "go"}]
    return {"tools": [declared(kind, "upd"), declared(kind, "b")], history: [*said, *turn("upd", "1"), *turn("b", "2")]}


BAD: dict[str, tuple[Callable[[Any, str, Any], object], str]] = {
    "a call id twice": (lambda p, h, turn: p[h].extend(turn("b", "1")), "call '1'"),
    "a result without a call": (lambda p, h, turn: p[h].append(turn("b", "9")[1]), "result of '9'"),
    "truncated arguments": (lambda p, h, turn: p[h].extend(turn("b", "9", '{"id": "SE')), "call '9'"),
    "a call without a name": (lambda p, h, turn: p[h].extend(turn("", "9")), r"'name'"),
    "a tool without a name": (lambda p, h, turn: _nameless(p["tools"][1]), r"tools\[1\].*'name'"),
    "a tool twice": (lambda p, h, turn: p["tools"].append(copy.deepcopy(p["tools"][0])), "a second tool named 'upd'"),
    "an item that is none": (lambda p, h, turn: p[h].append("x"), r"\[5\]: not an object"),
    "a history that is none": (lambda p, h, turn: p.update({h: {"a": 1}}), "not a list"),
}


def _nameless(tool: dict[str, Any]) -> None:
    tool.get("function", tool)["name"] = ""


def begun(kind: str, **settings: Any) -> Arbiter:
    arbiter = Arbiter(Settings(**settings))
    arbiter.arbitrate(SHAPES[kind][0].read(payload(kind)), TIGHT)
    assert arbiter.withheld(), "the session is to be under pressure"
    return arbiter


def goes_on(kind: str, arbiter: Arbiter, twin: Arbiter) -> None:
    """Three more turns, a request among them, end in the same requests and decisions."""
    shape, history, turn = SHAPES[kind]
    given = payload(kind)
    for number in range(3):
        given[history] += turn("b", f"later {number}")
        assert arbiter.arbitrate(shape.read(given), TIGHT) == twin.arbitrate(shape.read(given), TIGHT)
        assert arbiter.request_schema("upd") == twin.request_schema("upd")
        given[history].append({"role": "user", "content": "on"})


@pytest.mark.parametrize("kind", SHAPES)
@pytest.mark.parametrize("bad", BAD)
def test_the_item_is_named_and_the_session_goes_on(kind: str, bad: str) -> None:
    shape, history, turn = SHAPES[kind]
    spoil, message = BAD[bad]
    arbiter, twin = begun(kind), begun(kind)
    given = payload(kind)
    spoil(given, history, turn)
    with pytest.raises(MalformedRequestError, match=message):
        arbiter.arbitrate(shape.read(given), TIGHT)
    goes_on(kind, arbiter, twin)


@pytest.mark.parametrize("kind", SHAPES)
def test_a_negative_budget_and_a_nonsensical_count_leave_no_trace(kind: str) -> None:
    shape, history, turn = SHAPES[kind]
    arbiter, twin = begun(kind, count=lambda text: -1 if "odd" in text else estimate(text)), begun(kind)
    given = payload(kind)
    given[history] += turn("b", "odd")
    with pytest.raises(SettingsError, match="not -1"):
        arbiter.arbitrate(shape.read(given), JointBudget(-1))
    with pytest.raises(TokenCountError, match="calls odd"):
        arbiter.arbitrate(shape.read(given), TIGHT)
    goes_on(kind, arbiter, twin)
