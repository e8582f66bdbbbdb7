"""Each format comes back as it was, loses whole groups only, and carries tombstones that it reads again."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from ghostproof.wire.tombstone import notice
from ghostproof_reference.arbiter import Arbiter
from ghostproof_reference.budget import JointBudget, SeparateBudgets
from ghostproof_reference.errors import MalformedRequestError
from ghostproof_reference.order import ORDERS
from ghostproof_reference.request import CallGroup, Text, Tombstone
from ghostproof_reference.settings import Settings
from ghostproof_reference.wire.anthropic_messages import ANTHROPIC, ANTHROPIC_NATIVE
from ghostproof_reference.wire.openai_chat import OPENAI_CHAT
from ghostproof_reference.wire.openai_responses import OPENAI_RESPONSES
from ghostproof_reference.wire.shape import Shape

PARAMETERS = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"], "x-unknown": [1]}
ARGUMENTS = json.dumps({"id": 7})


def chat() -> dict[str, Any]:
    def call(name: str, call_id: str) -> dict[str, Any]:
        return {"id": call_id, "type": "function", "function": {"name": name, "arguments": ARGUMENTS}, "x": 1}

    return {
        "model": "m",
        "x-unknown": {"a": 1},
        "tools": [
            {"type": "function", "function": {"name": name, "parameters": PARAMETERS, "strict": True}, "x": 2}
            for name in ("alpha", "beta")
        ],
        "messages": [
            {"role": "system", "content": "be brief"},
            {"role": "user", "content": [{"type": "text", "text": "go"}], "name": "someone"},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [call("alpha", "1"), call("beta", "2")],
                "refusal": None,
            },
            {"role": "tool", "tool_call_id": "1", "content": "one", "x": 3},
            {"role": "tool", "tool_call_id": "2", "content": [{"type": "text", "text": "two"}]},
            {"role": "assistant", "content": "done", "annotations": []},
        ],
    }


def responses() -> dict[str, Any]:
    return {
        "model": "m",
        "instructions": "be brief",
        "x-unknown": {"a": 1},
        "tools": [
            *({"type": "function", "name": name, "parameters": PARAMETERS, "x": 2} for name in ("alpha", "beta")),
            {"type": "web_search", "filters": {}},
        ],
        "input": [
            {"role": "user", "content": [{"type": "input_text", "text": "go"}]},
            {"type": "reasoning", "id": "r", "encrypted_content": "zzz"},
            {"type": "function_call", "name": "alpha", "call_id": "1", "arguments": ARGUMENTS, "status": "completed"},
            {"type": "function_call", "name": "beta", "call_id": "2", "arguments": ARGUMENTS},
            {"type": "function_call_output", "call_id": "2", "output": "two"},
            {"type": "function_call_output", "call_id": "1", "output": "one"},
            {"type": "web_search_call", "id": "w"},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "done"}]},
        ],
    }


def anthropic() -> dict[str, Any]:
    def call(name: str, call_id: str) -> dict[str, Any]:
        return {"type": "tool_use", "id": call_id, "name": name, "input": {"id": 7}, "x": 1}

    def result(call_id: str) -> dict[str, Any]:
        return {"type": "tool_result", "tool_use_id": call_id, "content": [{"type": "text", "text": "done"}], "x": 4}

    thinking = {"type": "thinking", "thinking": "hm", "signature": "s"}
    more = {"type": "text", "text": "and also", "cache_control": {"type": "ephemeral"}}
    return {
        "model": "m",
        "system": [{"type": "text", "text": "be brief"}],
        "x-unknown": {"a": 1},
        "tools": [
            *({"name": name, "input_schema": PARAMETERS, "x": 2} for name in ("alpha", "beta")),
            {"type": "web_search_20250305", "name": "web_search"},
        ],
        "messages": [
            {"role": "user", "content": "go"},
            {"role": "assistant", "content": [thinking, call("alpha", "1"), call("beta", "2")], "x": 5},
            {"role": "user", "content": [result("1"), result("2"), more], "x": 6},
        ],
    }


SHAPES = [(OPENAI_CHAT, chat), (OPENAI_RESPONSES, responses), (ANTHROPIC, anthropic), (ANTHROPIC_NATIVE, anthropic)]
each_shape = pytest.mark.parametrize(("shape", "payload"), SHAPES, ids=["chat", "responses", "anthropic", "native"])
DECLARED = Settings(order=ORDERS["declared"])


@each_shape
def test_a_payload_comes_back_as_it_was(shape: Shape, payload: Any) -> None:
    given = payload()
    untouched = copy.deepcopy(given)
    assert shape.write(given, shape.read(given)) == untouched
    outcome = Arbiter(Settings(request_tool=None)).arbitrate(shape.read(given), JointBudget(10_000))
    assert shape.write(given, outcome.request) == untouched
    assert given == untouched


@each_shape
def test_what_was_called_is_one_group(shape: Shape, payload: Any) -> None:
    [found] = [item for item in shape.read(payload()).history if isinstance(item, CallGroup)]
    assert [(call.tool, call.id, json.loads(call.arguments)) for call in found.calls] == [
        ("alpha", "1", {"id": 7}),
        ("beta", "2", {"id": 7}),
    ]
    assert sorted(result.call_id for result in found.results) == ["1", "2"]


@each_shape
def test_evicting_leaves_neither_orphan_nor_lost_text(shape: Shape, payload: Any) -> None:
    given = payload()
    written = shape.write(given, Arbiter(DECLARED).arbitrate(shape.read(given), SeparateBudgets(0, 1000)).request)
    left = json.dumps(written)
    assert "tool_use" not in left
    assert "call_id" not in left
    assert '"reasoning"' not in left
    texts = [item for item in shape.read(given).history if isinstance(item, Text)]
    assert [item for item in shape.read(written).history if isinstance(item, Text)] == texts
    assert "request_tool_schema" in left


@each_shape
def test_a_tombstone_is_written_read_again_and_recognised_by_the_auditor(shape: Shape, payload: Any) -> None:
    given = payload()
    arbiter = Arbiter(DECLARED)
    request = shape.read(given, pinned=["beta"])
    outcome = arbiter.arbitrate(request, SeparateBudgets(1000, outcome_without_alpha(shape, given)))
    written = shape.write(given, outcome.request)
    [stone] = [item for item in shape.read(written).history if isinstance(item, Tombstone)]
    assert stone.tool == "alpha"
    found = notice(stone.line, "alpha")
    assert found is not None
    assert not found.poor
    again = arbiter.arbitrate(shape.read(written, pinned=["beta"]), JointBudget(10_000))
    assert [type(item) for item in again.request.history].count(Tombstone) == 1


def outcome_without_alpha(shape: Shape, given: Any) -> int:
    """A schema budget that fits all but alpha."""
    full = Arbiter(DECLARED).arbitrate(shape.read(given), JointBudget(10_000)).after.schemas
    return full - 1


def test_the_native_block_stands_beside_the_text_and_its_tool_stays_declared() -> None:
    given = anthropic()
    request = ANTHROPIC_NATIVE.read(given, pinned=["beta"])
    budget = SeparateBudgets(1000, outcome_without_alpha(ANTHROPIC_NATIVE, given))
    written: Any = ANTHROPIC_NATIVE.write(given, Arbiter(DECLARED).arbitrate(request, budget).request)
    last = written["messages"][-1]
    assert last["role"] == "system"
    assert last["content"][1] == {"type": "tool_removal", "tool": {"type": "tool_reference", "name": "alpha"}}
    assert written["tools"][0] == {**given["tools"][0], "defer_loading": True}


def test_somebody_elses_removal_is_a_withheld_schema() -> None:
    given = anthropic()
    removal = {"type": "tool_removal", "tool": {"type": "tool_reference", "name": "alpha"}}
    given["messages"].append({"role": "system", "content": [removal]})
    outcome = Arbiter().arbitrate(ANTHROPIC.read(given), JointBudget(10_000))
    assert [item.tool for item in outcome.request.history if isinstance(item, Tombstone)] == ["alpha"]


def test_a_deferred_tool_stays_declared_and_is_shown_on_request() -> None:
    given = anthropic()
    given["tools"][0]["defer_loading"] = True
    arbiter = Arbiter()
    first: Any = ANTHROPIC.write(given, arbiter.arbitrate(ANTHROPIC.read(given), JointBudget(10_000)).request)
    assert first["tools"][0]["defer_loading"] is True
    assert arbiter.states()["alpha"].tombstoned
    arbiter.request_schema("alpha")
    second: Any = ANTHROPIC.write(given, arbiter.arbitrate(ANTHROPIC.read(given), JointBudget(10_000)).request)
    assert "defer_loading" not in second["tools"][0]
    assert not arbiter.states()["alpha"].tombstoned


def test_a_revealed_tool_is_resident_while_the_search_is_there() -> None:
    given = responses()
    given["tools"][0]["defer_loading"] = True
    revealed = {"type": "tool_search_output", "call_id": "s", "tools": [{"type": "function", "name": "alpha"}]}
    given["input"][:0] = [{"type": "tool_search_call", "call_id": "s", "arguments": {"query": "a"}}, revealed]
    arbiter = Arbiter()
    arbiter.arbitrate(OPENAI_RESPONSES.read(given), JointBudget(10_000))
    assert arbiter.states()["alpha"].schema_resident
    del given["input"][:2]
    arbiter.arbitrate(OPENAI_RESPONSES.read(given), JointBudget(10_000))
    assert arbiter.states()["alpha"].tombstoned


def test_a_result_may_answer_a_call_that_the_provider_keeps() -> None:
    given = {"previous_response_id": "r", "input": [{"type": "function_call_output", "call_id": "1", "output": "x"}]}
    assert OPENAI_RESPONSES.write(given, OPENAI_RESPONSES.read(given)) == given


def test_a_deferred_declaration_comes_back_as_it_was() -> None:
    for shape, payload in ((ANTHROPIC, anthropic()), (OPENAI_RESPONSES, responses())):
        payload["tools"][0]["defer_loading"] = True
        assert shape.write(payload, shape.read(payload)) == payload
        outcome = Arbiter(Settings(request_tool=None)).arbitrate(shape.read(payload), JointBudget(10_000))
        assert shape.write(payload, outcome.request)["tools"] == payload["tools"]


MALFORMED = [
    (
        OPENAI_CHAT,
        {"messages": [{"role": "tool", "tool_call_id": "9", "content": ""}]},
        r"messages\[0\]: result of '9'",
    ),
    (OPENAI_CHAT, {"messages": {}}, "messages: not a list"),
    (OPENAI_CHAT, {"messages": ["x"]}, r"messages\[0\]: not an object"),
    (OPENAI_CHAT, {"messages": [{"content": "x"}]}, r"messages\[0\]: 'role'"),
    (OPENAI_CHAT, {"tools": [{"type": "function", "function": {}}]}, r"tools\[0\].function: 'name'"),
    (OPENAI_CHAT, [], "OpenAI chat: not an object"),
    (OPENAI_RESPONSES, {"tools": [{"name": "x"}]}, r"tools\[0\]: 'type'"),
    (OPENAI_RESPONSES, {"input": [{"type": "function_call", "call_id": "1"}]}, r"input\[0\]: 'name'"),
    (OPENAI_RESPONSES, {"input": [{"type": "function_call_output", "call_id": "1"}]}, r"input\[0\]: result of '1'"),
    (ANTHROPIC, {"tools": [{"input_schema": {}}]}, r"tools\[0\]: 'name'"),
    (
        ANTHROPIC,
        {"messages": [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1"}]}]},
        "result of '1'",
    ),
    (
        ANTHROPIC,
        {
            "messages": [{"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "a", "input": {}}]}]
            * 2
        },
        "call '1': two calls",
    ),
]


@pytest.mark.parametrize(("shape", "payload", "message"), MALFORMED)
def test_a_malformed_payload_is_rejected_by_its_place(shape: Shape, payload: Any, message: str) -> None:
    with pytest.raises(MalformedRequestError, match=message):
        shape.read(payload)
