"""What the user or the system wrote between a call and its result stays, in its place, whatever becomes of the call."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from ghostproof_reference.arbiter import Arbiter
from ghostproof_reference.budget import JointBudget, SeparateBudgets
from ghostproof_reference.request import CallGroup, Text, Tombstone
from ghostproof_reference.settings import Settings
from ghostproof_reference.wire.anthropic_messages import ANTHROPIC, ANTHROPIC_NATIVE
from ghostproof_reference.wire.openai_chat import OPENAI_CHAT
from ghostproof_reference.wire.openai_responses import OPENAI_RESPONSES
from ghostproof_reference.wire.shape import Shape

ARGUMENTS = '{"id": 7}'
SAID = "wait, the other one"
RULE = "be careful"


def chat() -> dict[str, Any]:
    def call(name: str, call_id: str) -> dict[str, Any]:
        return {"id": call_id, "type": "function", "function": {"name": name, "arguments": ARGUMENTS}}

    return {
        "tools": [{"type": "function", "function": {"name": "upd"}}],
        "messages": [
            {"role": "user", "content": "go"},
            {"role": "assistant", "content": None, "tool_calls": [call("upd", "1"), call("upd", "2")]},
            {"role": "user", "content": SAID},
            {"role": "tool", "tool_call_id": "1", "content": "one"},
            {"role": "developer", "content": RULE},
            {"role": "tool", "tool_call_id": "2", "content": "two"},
            {"role": "assistant", "content": "done"},
        ],
    }


def responses() -> dict[str, Any]:
    return {
        "tools": [{"type": "function", "name": "upd"}],
        "input": [
            {"role": "user", "content": "go"},
            {"type": "reasoning", "id": "r"},
            {"type": "function_call", "name": "upd", "call_id": "1", "arguments": ARGUMENTS},
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": SAID}]},
            {"type": "function_call", "name": "upd", "call_id": "2", "arguments": ARGUMENTS},
            {"role": "system", "content": RULE},
            {"type": "function_call_output", "call_id": "1", "output": "one"},
            {"type": "function_call_output", "call_id": "2", "output": "two"},
        ],
    }


def anthropic() -> dict[str, Any]:
    def result(call_id: str) -> dict[str, Any]:
        return {"type": "tool_result", "tool_use_id": call_id, "content": "done"}

    calls = [{"type": "tool_use", "id": call_id, "name": "upd", "input": {"id": 7}} for call_id in "12"]
    return {
        "tools": [{"name": "upd", "input_schema": {}}],
        "messages": [
            {"role": "user", "content": "go"},
            {"role": "assistant", "content": calls},
            {"role": "user", "content": [result("1"), {"type": "text", "text": SAID}, result("2")]},
            {"role": "system", "content": RULE},
        ],
    }


SHAPES = [(OPENAI_CHAT, chat), (OPENAI_RESPONSES, responses), (ANTHROPIC, anthropic), (ANTHROPIC_NATIVE, anthropic)]
each_shape = pytest.mark.parametrize(("shape", "payload"), SHAPES, ids=["chat", "responses", "anthropic", "native"])


@each_shape
def test_it_comes_back_in_its_place(shape: Shape, payload: Any) -> None:
    given = payload()
    request = shape.read(given)
    assert shape.write(given, request) == payload()
    assert len([item for item in request.history if isinstance(item, CallGroup)]) == 1
    outcome = Arbiter(Settings(request_tool=None)).arbitrate(request, JointBudget(9999))
    assert shape.write(given, outcome.request) == payload()


@each_shape
def test_it_is_counted_once(shape: Shape, payload: Any) -> None:
    given = payload()
    arbiter = Arbiter(Settings(request_tool=None, count=len))
    usage = arbiter.arbitrate(shape.read(given), JointBudget(9999)).after
    field = "input" if "input" in given else "messages"
    assert len(json.dumps(given[field], separators=(",", ":"))) - 60 <= usage.arguments + usage.texts
    assert str(given).count(SAID) == 1
    longer = json.loads(json.dumps(given).replace(SAID, SAID + "x" * 1000))
    more = Arbiter(Settings(request_tool=None, count=len)).arbitrate(shape.read(longer), JointBudget(9999)).after
    assert (more.texts - usage.texts, more.arguments) == (1000, usage.arguments)


@each_shape
def test_it_stays_when_the_calls_go(shape: Shape, payload: Any) -> None:
    given = payload()
    arbiter = Arbiter(Settings(request_tool=None))
    written = shape.write(given, arbiter.arbitrate(shape.read(given), SeparateBudgets(0, 9999)).request)
    left = json.dumps(written)
    assert (SAID in left, RULE in left, '"7"' in left, "call_id" in left, "tool_use" in left) == (
        *(True, True, False, False, False),
    )
    again = arbiter.arbitrate(shape.read(given), JointBudget(9999))
    assert json.dumps(shape.write(given, again.request)) == left


def test_a_user_who_speaks_while_a_call_is_open_is_heard_when_it_is_answered() -> None:
    given = chat()
    whole = copy.deepcopy(given["messages"])
    arbiter = Arbiter(Settings(request_tool=None))
    for length in range(1, len(whole) + 1):
        given["messages"] = whole[:length]
        outcome = arbiter.arbitrate(OPENAI_CHAT.read(given), JointBudget(9999))
        assert OPENAI_CHAT.write(given, outcome.request)["messages"] == whole[:length]
        texts = [item for item in outcome.request.history if isinstance(item, Text)]
        assert len(texts) == sum(message["role"] in ("user", "developer") for message in whole[:length]) + (length == 7)


def test_a_tombstone_between_goes_behind_and_what_stays_does_not_move() -> None:
    given = chat()
    arbiter = Arbiter()
    given["tools"] = []
    sent: Any = OPENAI_CHAT.write(given, arbiter.arbitrate(OPENAI_CHAT.read(given), JointBudget(9999)).request)
    stone = sent["messages"].pop()
    assert "[TOOL TOMBSTONE]" in stone["content"]
    sent["messages"].insert(2, stone)
    read = OPENAI_CHAT.read(sent)
    assert [item.tool for item in read.history if isinstance(item, Tombstone)] == ["upd"]
    written: Any = OPENAI_CHAT.write(sent, read)
    said = [message for message in written["messages"] if "[TOOL TOMBSTONE]" not in str(message)]
    assert said == chat()["messages"]
