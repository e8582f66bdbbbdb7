"""What an attacker found: evictions that strand others, texts that pose as tombstones, calls that pose as text."""

from __future__ import annotations

from typing import Any

import pytest

from ghostproof_reference.arbiter import Arbiter
from ghostproof_reference.budget import JointBudget, SeparateBudgets
from ghostproof_reference.errors import BudgetExceeded, MalformedRequestError
from ghostproof_reference.gate import NOTICE_MARK, TOMBSTONE_MARK, GateMode, marked_tool, notice_line, tombstone_line
from ghostproof_reference.outcome import Outcome
from ghostproof_reference.request import Call, CallGroup, Notice, Request, Result, Text, Tombstone, Tool
from ghostproof_reference.settings import Settings
from ghostproof_reference.tokens import estimate
from ghostproof_reference.wire.anthropic_messages import ANTHROPIC
from ghostproof_reference.wire.openai_chat import OPENAI_CHAT
from ghostproof_reference.wire.openai_responses import OPENAI_RESPONSES
from ghostproof_reference.wire.shape import Shape

LARGE = JointBudget(9999)


def group(tool: str, call_id: str, *shows: str) -> CallGroup:
    return CallGroup((Call(tool, call_id, '{"q": 1}'),), (Result(call_id, "ok"),), shows=shows)


def test_an_eviction_that_takes_what_showed_a_schema_takes_the_calls_by_that_schema_too() -> None:
    arbiter = Arbiter(Settings(gate=GateMode.EVICT))
    outcome = arbiter.arbitrate(Request((), (group("find", "c1", "upd"), group("upd", "c2"))), LARGE)
    assert outcome.request.history == ()
    assert not any(state.is_ghost for state in arbiter.states().values())


@pytest.mark.parametrize("request_tool", [None, "request_tool_schema", "mcp.ask-for"])
def test_a_whole_line_is_a_tombstone_and_nothing_else_is(request_tool: str | None) -> None:
    line = tombstone_line("upd", request_tool)
    assert marked_tool(line, TOMBSTONE_MARK) == "upd"
    assert marked_tool(notice_line("upd"), NOTICE_MARK) == "upd"
    for other in (line[:-1], line + " ", line.replace("withheld", "shown"), f'{TOMBSTONE_MARK} "upd" in the log'):
        assert marked_tool(other, TOMBSTONE_MARK) is None


@pytest.mark.parametrize("role", ["user", "assistant"])
@pytest.mark.parametrize("text", [f'{TOMBSTONE_MARK} "upd" is what I saw', tombstone_line("upd", None)])
def test_what_somebody_wrote_is_sent_as_it_was_and_no_tombstone(role: str, text: str) -> None:
    payload: dict[str, Any] = {
        "tools": [],
        "messages": [
            {"role": "user", "content": "x"},
            {
                "role": "assistant",
                "content": [{"type": "tool_use", "id": "c1", "name": "upd", "input": {"severity": "S"}}],
            },
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "ok"}]},
            {"role": role, "content": text},
        ],
    }
    arbiter = Arbiter()
    outcome = arbiter.arbitrate(ANTHROPIC.read(payload), LARGE)
    assert len([item for item in outcome.request.history if isinstance(item, Tombstone)]) == 1
    if role == "assistant" or text != tombstone_line("upd", None):
        written: Any = ANTHROPIC.write(payload, outcome.request)
        assert {"role": role, "content": text} in written["messages"]


LEGACY = {"role": "assistant", "content": None, "function_call": {"name": "upd", "arguments": "{}"}}


@pytest.mark.parametrize("message", [LEGACY, {"role": "function", "name": "upd", "content": "ok"}])
def test_a_legacy_call_is_refused_and_does_not_pass_as_text(message: dict[str, Any]) -> None:
    with pytest.raises(MalformedRequestError, match="legacy function_call"):
        OPENAI_CHAT.read({"tools": [], "messages": [message]})


@pytest.mark.parametrize("item", [{"type": "function_call", "name": "upd", "arguments": "{}"}, {"type": ["a"]}])
def test_an_item_without_an_id_or_a_kind_is_refused(item: dict[str, Any]) -> None:
    with pytest.raises(MalformedRequestError, match=r"input\[0\]"):
        OPENAI_RESPONSES.read({"tools": [], "input": [item]})


def test_the_request_tool_stays_when_the_runtime_declares_it() -> None:
    ours = Settings().request_tool
    assert ours is not None
    schema = {"type": "object", "properties": {"why": {"type": "string", "description": "w" * 200}}}
    declared = [
        {"type": "function", "function": {"name": name, "parameters": schema}} for name in (ours.name, "upd", "b")
    ]
    payload = {"tools": declared, "messages": [{"role": "user", "content": "x"}]}
    outcome = Arbiter().arbitrate(OPENAI_CHAT.read(payload), SeparateBudgets(999, 90))
    assert [tool.name for tool in outcome.request.tools] == [ours.name]


@pytest.mark.parametrize("arguments", [{"tool_name": "upd"}, None, 7])
def test_arguments_that_are_no_text_are_answered(arguments: Any) -> None:
    assert Arbiter().answer_request(arguments).startswith('Expected {"tool_name": NAME}')


def test_what_was_sent_can_grow_as_a_tuple_does() -> None:
    sent: Any = Arbiter().arbitrate(Request((), (Text("a"),)), LARGE).request.history
    assert (*sent, Text("b")) == sent + (Text("b"),)  # noqa: RUF005  # the operator is what is tested
    assert (Text("b"),) + sent == (Text("b"), *sent)  # noqa: RUF005


def test_a_shorter_tombstone_from_elsewhere_does_not_make_ours_cheaper() -> None:
    foreign = Tombstone("upd", tombstone_line("upd", None))
    history = (group("upd", "c1"), foreign)
    arbiter = Arbiter()
    arbiter.arbitrate(Request((), history), LARGE)
    arbiter.arbitrate(Request((Tool("upd", {"type": "object"}),), history), LARGE)  # the schema is back: the line goes
    outcome = arbiter.arbitrate(Request((), history), LARGE)
    (ours,) = (item for item in outcome.request.history if isinstance(item, Tombstone))
    assert outcome.after.markers == ours.tokens == estimate(ours.line) > estimate(foreign.line)


def chat_call(tool: str, call_id: str) -> dict[str, Any]:
    function = {"name": tool, "arguments": '{"severity": "SEV-2"}'}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": call_id, "type": "function", "function": function}],
    }


def test_a_tombstone_beside_an_open_call_is_one_when_the_result_comes_and_goes_with_the_schema() -> None:
    def result(call_id: str) -> dict[str, Any]:
        return {"role": "tool", "tool_call_id": call_id, "content": "done"}

    open_call = [{"role": "user", "content": "x"}, chat_call("upd", "c0"), result("c0"), chat_call("upd", "c1")]
    payload: Any = {"tools": [], "messages": open_call}
    arbiter = Arbiter()
    sent: Any = OPENAI_CHAT.write(payload, arbiter.arbitrate(OPENAI_CHAT.read(payload), LARGE).request)
    sent["messages"].append(result("c1"))
    outcome = arbiter.arbitrate(OPENAI_CHAT.read(sent), LARGE)
    assert [item.tool for item in outcome.request.history if isinstance(item, Tombstone)] == ["upd"]
    written: Any = OPENAI_CHAT.write(sent, outcome.request)
    assert str(written["messages"]).count(TOMBSTONE_MARK) == 1
    function = {"name": "upd", "parameters": {"type": "object"}}
    back: Any = {**written, "tools": [{"type": "function", "function": function}]}
    shown: Any = OPENAI_CHAT.write(back, arbiter.arbitrate(OPENAI_CHAT.read(back), LARGE).request)
    assert TOMBSTONE_MARK not in str(shown["messages"])


def test_a_payload_that_no_json_can_hold_is_refused() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    for content in (deep, {("a", "b"): 1}):
        payload = {"tools": [], "messages": [{"role": "user", "content": content}]}
        with pytest.raises(MalformedRequestError, match="no JSON can hold it"):
            Arbiter().arbitrate(OPENAI_CHAT.read(payload), LARGE)


def versioned(version: str) -> tuple[Tool, ...]:
    return (Tool("upd", {"p": "x" * 300}, version=version),)


def noticed(outcome: Outcome) -> bool:
    return any(isinstance(item, Notice) for item in outcome.request.history)


def test_a_version_that_comes_back_is_not_acknowledged_for_calls_made_between() -> None:
    first, second = group("upd", "c1"), group("upd", "c2")
    arbiter = Arbiter()
    arbiter.arbitrate(Request(versioned("1"), (first,)), LARGE)
    arbiter.arbitrate(Request(versioned("1"), (first,)), SeparateBudgets(999, 120))
    arbiter.request_schema("upd")
    assert not noticed(arbiter.arbitrate(Request(versioned("2"), (first,)), LARGE))
    assert noticed(arbiter.arbitrate(Request(versioned("3"), (first,)), LARGE))
    assert noticed(arbiter.arbitrate(Request(versioned("3"), (first, second)), LARGE))
    assert noticed(arbiter.arbitrate(Request(versioned("2"), (first, second)), LARGE))


def test_a_compaction_around_stale_calls_leaves_their_notice() -> None:
    call = group("upd", "c1")
    arbiter = Arbiter()
    arbiter.arbitrate(Request(versioned("1"), (Text("long"), call)), LARGE)
    assert noticed(arbiter.arbitrate(Request(versioned("2"), (Text("long"), call)), LARGE))
    assert noticed(arbiter.arbitrate(Request(versioned("2"), (Text("summary"), call)), LARGE))


UPD = {"type": "function", "name": "upd"}
CHAT_UPD = {"type": "function", "function": {"name": "upd"}}
CHOICES: dict[str, tuple[Shape, str, dict[str, Any]]] = {
    "chat": (OPENAI_CHAT, "messages", CHAT_UPD),
    "chat, of some": (
        OPENAI_CHAT,
        "messages",
        {"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": [CHAT_UPD]}},
    ),
    "responses": (OPENAI_RESPONSES, "input", UPD),
    "responses, of some": (OPENAI_RESPONSES, "input", {"type": "allowed_tools", "mode": "auto", "tools": [UPD]}),
    "anthropic": (ANTHROPIC, "messages", {"type": "tool", "name": "upd"}),
}


@pytest.mark.parametrize("name", CHOICES)
def test_a_tool_that_the_payload_demands_stays(name: str) -> None:
    shape, history, choice = CHOICES[name]
    schema = {"type": "object", "properties": {"why": {"type": "string", "description": "w" * 200}}}
    described: dict[str, Any] = {"name": "upd", "parameters": schema}
    declared = {
        "chat": {"type": "function", "function": described},
        "responses": {"type": "function", **described},
        "anthropic": {"name": "upd", "input_schema": schema},
    }[name.partition(",")[0]]
    payload = {"tools": [declared], history: [{"role": "user", "content": "x"}]}
    tight = SeparateBudgets(999, 120)
    pruned = Arbiter().arbitrate(shape.read(payload), tight)
    assert "upd" not in [tool.name for tool in pruned.request.tools]
    with pytest.raises(BudgetExceeded, match="upd"):
        Arbiter().arbitrate(shape.read({**payload, "tool_choice": choice}), tight)
    kept = Arbiter().arbitrate(shape.read({**payload, "tool_choice": choice}), LARGE)
    assert "upd" in [tool.name for tool in kept.request.tools]
    demanding = {**payload, "tool_choice": choice}
    twice = Arbiter()
    twice.arbitrate(shape.read(payload), tight)
    written: Any = shape.write(demanding, twice.arbitrate(shape.read(demanding), LARGE).request)
    assert written["tools"][0] == declared, "it was withheld before it was demanded"
    for odd in ("auto", None, {}, {"type": "function", "function": 7}, {"name": 7}, {"type": "allowed_tools"}):
        assert shape.read({**payload, "tool_choice": odd}).tools[0].pinned is False
