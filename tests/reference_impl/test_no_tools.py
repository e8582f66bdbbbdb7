"""A request whose every tool is withheld says what its provider takes, and the next one has the original back."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from ghostproof_reference.arbiter import Arbiter
from ghostproof_reference.budget import JointBudget, SeparateBudgets
from ghostproof_reference.settings import Settings
from ghostproof_reference.wire.anthropic_messages import ANTHROPIC, ANTHROPIC_NATIVE
from ghostproof_reference.wire.openai_chat import OPENAI_CHAT
from ghostproof_reference.wire.openai_responses import OPENAI_RESPONSES
from ghostproof_reference.wire.shape import Shape

PAYLOADS: dict[str, tuple[Shape, dict[str, Any]]] = {
    "chat": (
        OPENAI_CHAT,
        {
            "tools": [{"type": "function", "function": {"name": "upd", "parameters": {"x": "y" * 90}}}],
            "tool_choice": "auto",
            "parallel_tool_calls": False,
            "messages": [{"role": "user", "content": "go"}],
        },
    ),
    "responses": (
        OPENAI_RESPONSES,
        {
            "tools": [{"type": "function", "name": "upd", "parameters": {"x": "y" * 90}}],
            "tool_choice": "required",
            "parallel_tool_calls": True,
            "input": [{"role": "user", "content": "go"}],
        },
    ),
    "anthropic": (
        ANTHROPIC,
        {
            "tools": [{"name": "upd", "input_schema": {"x": "y" * 90}}],
            "tool_choice": {"type": "any"},
            "messages": [{"role": "user", "content": "go"}],
        },
    ),
}


@pytest.mark.parametrize("name", PAYLOADS)
def test_no_field_about_tools_is_left_and_the_original_comes_back(name: str) -> None:
    shape, given = PAYLOADS[name]
    untouched = copy.deepcopy(given)
    arbiter = Arbiter(Settings(request_tool=None))
    written = shape.write(given, arbiter.arbitrate(shape.read(given), SeparateBudgets(9999, 0)).request)
    assert not {"tools", "tool_choice", "parallel_tool_calls"} & set(written)
    assert shape.write(written, shape.read(written)) == written
    arbiter.request_schema("upd")
    outcome = arbiter.arbitrate(shape.read(given), JointBudget(9999))
    assert shape.write(given, outcome.request) == given == untouched


@pytest.mark.parametrize("name", PAYLOADS)
@pytest.mark.parametrize("empty", [[], None])
def test_what_a_payload_says_without_any_tool_is_its_own(name: str, empty: Any) -> None:
    shape, given = PAYLOADS[name]
    given = {**given, "tools": empty}
    outcome = Arbiter(Settings(request_tool=None)).arbitrate(shape.read(given), JointBudget(9999))
    assert shape.write(given, outcome.request) == given


@pytest.mark.parametrize("name", PAYLOADS)
def test_the_request_tool_is_a_tool(name: str) -> None:
    shape, given = PAYLOADS[name]
    written: Any = shape.write(given, Arbiter().arbitrate(shape.read(given), SeparateBudgets(9999, 130)).request)
    assert len(written["tools"]) == 1
    assert written["tool_choice"] == given["tool_choice"]


def test_the_native_block_is_not_written_where_no_tool_would_be_loaded() -> None:
    call = {"type": "tool_use", "id": "1", "name": "upd", "input": {"id": 7}}
    answer = {"type": "tool_result", "tool_use_id": "1", "content": "done"}
    _, given = PAYLOADS["anthropic"]
    given = {**given, "messages": [{"role": "assistant", "content": [call]}, {"role": "user", "content": [answer]}]}
    arbiter = Arbiter(Settings(request_tool=None))
    written: Any = ANTHROPIC_NATIVE.write(
        given, arbiter.arbitrate(ANTHROPIC_NATIVE.read(given), SeparateBudgets(9999, 0)).request
    )
    assert "tools" not in written
    assert written["messages"][-1]["role"] == "user"
    assert "[TOOL TOMBSTONE]" in written["messages"][-1]["content"]
