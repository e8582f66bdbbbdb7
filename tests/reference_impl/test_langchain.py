"""Whole runs of a LangChain agent with a model that records and plays a script: pressure, tombstone, request, call."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import ModelRetryMiddleware
from langchain.agents.middleware.types import ModelRequest
from langchain.agents.structured_output import AutoStrategy, ToolStrategy
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGenerationChunk
from langgraph.checkpoint.memory import InMemorySaver

from ghostproof_reference.adapters.langchain import EvictOrTombstone
from ghostproof_reference.budget import JointBudget, SeparateBudgets
from ghostproof_reference.errors import BudgetExceeded, MalformedRequestError
from ghostproof_reference.expansion import ReexpansionRequested
from ghostproof_reference.gate import GateMode
from ghostproof_reference.order import declared
from ghostproof_reference.settings import Settings
from reference_impl.langchain_agent import ROOM, Scripted, calls, other, run, update
from repository.markdown import fences
from repository.tree import ROOT


@pytest.mark.parametrize("asynchronous", [False, True])
def test_with_the_gate_the_model_asks_and_calls_once(asynchronous: bool) -> None:
    model, messages, requests = run(GateMode.TOMBSTONE, asynchronous=asynchronous)
    whole = {"key": "a", "notify": True}
    asked = ("request_tool_schema", {"tool_name": "update"})
    assert calls(messages) == [("update", whole), asked, ("update", whole)]
    assert [(one.tool, one.tombstoned) for one in requests] == [("update", True)]
    pruned = [sent for shown, sent in model.seen if "update" not in shown]
    assert pruned
    assert all(any("[TOOL TOMBSTONE]" in str(message.content) for message in sent) for sent in pruned)
    assert not any("[TOOL TOMBSTONE]" in str(message.content) for message in messages), "only in requests"


def test_without_the_gate_the_ghost_reaches_the_model() -> None:
    model, messages, requests = run(GateMode.OFF)
    _, sent = next(one for one in model.seen if "update" not in one[0])
    assert any(isinstance(message, AIMessage) and message.tool_calls for message in sent)
    assert not any("[TOOL TOMBSTONE]" in str(message.content) for message in sent)
    assert calls(messages)[1:] == [("update", {"key": "a"})]
    errors = [m for m in messages if isinstance(m, ToolMessage) and m.status == "error"]
    assert "notify" in str(errors[0].content)
    assert requests == []


class FailsOnce(Scripted):
    """Its provider is down when the schema that it requested is first shown, and there is less room after that."""

    room: Any  # a list[int]; as such pydantic would copy it

    def _answer(self, shown: list[str], messages: list[Any]) -> AIMessage:
        if self.room[0] > ROOM and any(
            isinstance(m, ToolMessage) and m.name == "request_tool_schema" for m in messages
        ):
            assert {"update", "other"} <= set(shown)
            self.room[0] = ROOM
            raise ConnectionError("the provider is down")
        return super()._answer(shown, messages)


@pytest.mark.parametrize("asynchronous", [False, True])
def test_a_retry_outside_still_shows_what_was_requested(asynchronous: bool) -> None:
    room = [ROOM]
    asked: list[int] = []

    def heard(request: ReexpansionRequested) -> None:
        asked.append(request.turn)
        room[0] = 1_000

    gate = EvictOrTombstone(
        lambda request: SeparateBudgets(arguments=1_000, schemas=room[0]), Settings(order=declared, on_request=heard)
    )
    retry = ModelRetryMiddleware(max_retries=1, on_failure="error", initial_delay=0, jitter=False)
    agent = create_agent(FailsOnce(room=room), [update, other], middleware=[retry, gate])
    earlier = [
        HumanMessage("update it"),
        AIMessage("", tool_calls=[{"name": "update", "args": {"key": "a", "notify": True}, "id": "0"}]),
        ToolMessage("updated", tool_call_id="0", name="update"),
        AIMessage("done"),
    ]
    given = {"messages": [*earlier, HumanMessage("update it again")]}
    steps = {"recursion_limit": 20}
    result = asyncio.run(agent.ainvoke(given, steps)) if asynchronous else agent.invoke(given, steps)
    assert [name for name, _ in calls(result["messages"])] == ["update", "request_tool_schema", "update"]
    assert (len(asked), room) == (1, [ROOM])


class Streaming(Scripted):
    """It answers in chunks. Once the schema that it requested is shown, there is less room."""

    room: Any  # a list[int]; as such pydantic would copy it

    def _stream(self, messages: list[Any], stop: Any = None, run_manager: Any = None, **kwargs: Any) -> Any:
        answer = self._generate(messages, stop, run_manager, **kwargs).generations[0].message
        if "update" in self.seen[-1][0]:
            self.room[0] = ROOM
        for word in ("let ", "me ", "see"):
            yield ChatGenerationChunk(message=AIMessageChunk(word))
        pieces = [
            {"name": call["name"], "args": json.dumps(call["args"]), "id": call["id"], "index": place}
            for place, call in enumerate(answer.tool_calls)
        ]
        yield ChatGenerationChunk(message=AIMessageChunk("", tool_call_chunks=pieces))


def streaming() -> tuple[Streaming, Any, dict[str, Any]]:
    """An agent that streams, and a history in which `update` was called and does not fit any more."""
    room = [ROOM]

    def more(request: ReexpansionRequested) -> None:
        room[0] = 1_000

    gate = EvictOrTombstone(
        lambda request: SeparateBudgets(arguments=1_000, schemas=room[0]), Settings(order=declared, on_request=more)
    )
    model = Streaming(room=room)
    agent = create_agent(model, [update, other], middleware=[gate], checkpointer=InMemorySaver())
    earlier = [
        HumanMessage("update it"),
        AIMessage("", tool_calls=[{"name": "update", "args": {"key": "a", "notify": True}, "id": "0"}]),
        ToolMessage("updated", tool_call_id="0", name="update"),
        AIMessage("done"),
    ]
    return model, agent, {"messages": [*earlier, HumanMessage("update it again")]}


THREAD = {"configurable": {"thread_id": "t"}, "recursion_limit": 20}
ASKED = [
    ("update", {"key": "a", "notify": True}),
    ("request_tool_schema", {"tool_name": "update"}),
    ("update", {"key": "a", "notify": True}),
]


@pytest.mark.parametrize("asynchronous", [False, True])
def test_a_run_that_is_streamed_is_the_same_run(asynchronous: bool) -> None:
    model, agent, given = streaming()

    async def consumed() -> list[Any]:
        return [one async for one, _ in agent.astream(given, THREAD, stream_mode="messages")]

    words = (
        asyncio.run(consumed()) if asynchronous else [o for o, _ in agent.stream(given, THREAD, stream_mode="messages")]
    )
    assert [one.content for one in words].count("see") == len(model.seen) == 3
    assert calls(agent.get_state(THREAD).values["messages"]) == ASKED
    assert not any("[TOOL TOMBSTONE]" in str(one.content) for one in words), "only in requests"


def test_a_stream_that_is_left_early_leaves_what_was_requested_requested() -> None:
    model, agent, given = streaming()

    async def left() -> None:
        stream = agent.astream(given, THREAD, stream_mode="messages")
        async for one, _ in stream:
            if len(model.seen) == 2 and isinstance(one, AIMessageChunk):
                break
        await stream.aclose()

    asyncio.run(left())
    assert "update" in model.seen[-1][0]
    assert agent.get_state(THREAD).next == ("model",), "the answer that was not read to its end is not kept"
    answer = agent.invoke(None, THREAD)
    shown, sent = model.seen[2]
    assert ("update" in shown, "other" in shown) == (True, False), "though there is no room for both any more"
    assert not any("[TOOL TOMBSTONE]" in str(message.content) for message in sent)
    assert calls(answer["messages"]) == ASKED


def test_a_call_that_fails_asynchronously_leaves_what_was_requested_requested() -> None:
    asked = Settings(order=declared)
    room = [ROOM]
    gate = EvictOrTombstone(lambda request: SeparateBudgets(arguments=1_000, schemas=room[0]), asked)
    _, _, given = streaming()
    request = model_request(given["messages"], [update, other, *gate.tools])
    handler = Recording()
    gate.wrap_model_call(request, handler)
    assert "update" not in [one.name for one in handler.sent.tools]
    gate._sessions.arbiter("s").request_schema("update")
    room[0] = 1_000

    async def fails(sent: Any) -> Any:
        handler(sent)
        await asyncio.sleep(0)
        raise ConnectionError("the provider is down")

    with pytest.raises(ConnectionError):
        asyncio.run(gate.awrap_model_call(request, fails))
    assert {"update", "other"} <= {one.name for one in handler.sent.tools}
    room[0] = ROOM
    gate.wrap_model_call(request, handler)
    assert [one.name for one in handler.sent.tools] == ["update", "request_tool_schema"]


def test_two_threads_do_not_share_an_arbiter() -> None:
    turns: list[int] = []
    middleware = EvictOrTombstone(JointBudget(10_000), on_outcome=lambda outcome: turns.append(outcome.turn))
    agent = create_agent(Scripted(), [update], middleware=[middleware], checkpointer=InMemorySaver())
    for thread in ("a", "b", "a"):
        agent.invoke({"messages": [HumanMessage("idle")]}, {"configurable": {"thread_id": thread}})
    assert turns == [1, 1, 2]


class Recording:
    """What is sent on, in place of the model."""

    def __init__(self) -> None:
        self.sent: Any = None

    def __call__(self, request: Any) -> None:
        self.sent = request


def model_request(messages: list[Any], tools: list[Any]) -> Any:
    return ModelRequest(model=Scripted(), messages=messages, tools=tools, state={"arbitration_session": "s"})


def test_nothing_is_lost_in_translation() -> None:
    """The very objects come back: parts, unknown fields, parallel and broken calls, a provider's own tool."""
    broken = {"name": "other", "args": '{"key": ', "id": "3", "error": "cut off", "type": "invalid_tool_call"}
    messages = [
        HumanMessage(
            [{"type": "text", "text": "go"}, {"type": "image", "url": "https://an.example/i"}], name="someone"
        ),
        AIMessage(
            [{"type": "text", "text": "both"}],
            tool_calls=[
                {"name": "update", "args": {"key": "a"}, "id": "1"},
                {"name": "other", "args": {}, "id": "2"},
            ],
            invalid_tool_calls=[broken],
            additional_kwargs={"x": 1},
        ),
        ToolMessage("two", tool_call_id="2", artifact={"y": 2}),
        ToolMessage([{"type": "text", "text": "one"}], tool_call_id="1"),
        ToolMessage("no JSON", tool_call_id="3", status="error"),
    ]
    tools = [update, other, {"type": "web_search"}]
    middleware, handler = EvictOrTombstone(JointBudget(10_000)), Recording()
    middleware.wrap_model_call(model_request(messages, tools), handler)
    assert [id(one) for one in handler.sent.messages] == [id(one) for one in messages]
    assert handler.sent.tools == tools


@pytest.mark.parametrize("choice", ["other", {"type": "function", "function": {"name": "other"}}])
def test_a_tool_that_the_request_demands_is_shown_though_it_was_withheld(choice: Any) -> None:
    middleware = EvictOrTombstone(
        SeparateBudgets(arguments=1_000, schemas=ROOM), Settings(order=lambda one: -one.index)
    )
    handler, request = Recording(), model_request([HumanMessage("go")], [update, other, *middleware.tools])
    middleware.wrap_model_call(request, handler)
    assert "other" not in [one.name for one in handler.sent.tools]
    middleware.wrap_model_call(request.override(tool_choice=choice), handler)
    assert [one.name for one in handler.sent.tools] == ["other", "request_tool_schema"]


def test_what_does_not_fit_is_not_sent_and_changes_nothing() -> None:
    outcomes: list[int] = []
    room = [10]
    middleware = EvictOrTombstone(
        lambda request: JointBudget(room[0]), on_outcome=lambda outcome: outcomes.append(outcome.turn)
    )
    handler = Recording()
    with pytest.raises(BudgetExceeded):
        middleware.wrap_model_call(model_request([HumanMessage("go")], [update]), handler)
    assert handler.sent is None
    room[0] = 10_000
    middleware.wrap_model_call(model_request([HumanMessage("go")], [update]), handler)
    assert outcomes == [1]


def test_a_result_without_its_call_is_named() -> None:
    middleware = EvictOrTombstone(JointBudget(10_000))
    with pytest.raises(MalformedRequestError, match=r"messages\[0\]: result of '9'"):
        middleware.wrap_model_call(model_request([ToolMessage("x", tool_call_id="9")], []), Recording())


def test_without_langchain_one_line_says_what_to_install() -> None:
    start = "import sys; sys.modules['langchain'] = None; import ghostproof_reference.adapters.langchain"
    paths = {"PYTHONPATH": str(ROOT / "reference_impl")}
    done = subprocess.run([sys.executable, "-c", start], env=paths, capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1].startswith(
        "ImportError: ghostproof_reference.adapters.langchain needs LangChain"
    )
    assert "pip install 'ghostproof[langchain]'" in done.stderr


def test_the_lines_of_the_readme_run() -> None:
    [block] = [b for b in fences((ROOT / "README.md").read_text()) if "adapters.langchain" in b.text]
    assert len(block.lines) <= 15
    names: dict[str, Any] = {"model": Scripted(), "update_incident": update, "list_alerts": other}
    exec(compile(block.text, "README.md", "exec"), names)
    assert calls(names["answer"]["messages"])[0][0] == "update"


LONG_ANSWER = {
    "title": "Answer",
    "description": "what to say at the end, " * 40,
    "type": "object",
    "properties": {"x": {"type": "integer"}},
    "required": ["x"],
}


class Answering(Scripted):
    """It answers in the structure it is asked for, at once."""

    def _answer(self, shown: list[str], messages: list[Any]) -> AIMessage:
        return self._call("Answer", {"x": 1}, len(self.seen))


@pytest.mark.parametrize("strategy", [ToolStrategy, AutoStrategy])
@pytest.mark.parametrize("mode", [GateMode.TOMBSTONE, GateMode.EVICT, GateMode.STRICT])
def test_the_tool_of_a_structured_answer_is_shown_and_no_ghost(strategy: Any, mode: GateMode) -> None:
    model = Answering()
    middleware = EvictOrTombstone(JointBudget(9999), Settings(gate=mode))
    agent = create_agent(
        model, [update], middleware=[middleware], response_format=strategy(LONG_ANSWER), checkpointer=InMemorySaver()
    )
    thread = {"configurable": {"thread_id": "one"}}
    for words in ("first", "second"):
        answer = agent.invoke({"messages": [HumanMessage(words)]}, thread)
    assert answer["structured_response"] == {"x": 1}
    shown, messages = model.seen[-1]
    assert "Answer" in shown
    assert not any("[TOOL TOMBSTONE]" in str(message.content) for message in messages)
    assert [call["name"] for m in messages if isinstance(m, AIMessage) for call in m.tool_calls] == ["Answer"]


def test_the_tool_of_a_structured_answer_counts() -> None:
    middleware = EvictOrTombstone(JointBudget(200))
    agent = create_agent(Answering(), [update], middleware=[middleware], response_format=ToolStrategy(LONG_ANSWER))
    with pytest.raises(BudgetExceeded):
        agent.invoke({"messages": [HumanMessage("x")]})
