"""Whole runs of a pydantic-ai agent with its function model: pressure, tombstone, request, call."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest
from pydantic_ai import Agent, capture_run_messages
from pydantic_ai.messages import (
    ModelRequest,
    ModelResponse,
    RetryPromptPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestContext, ModelRequestParameters
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.tools import ToolDefinition

from ghostproof_reference.adapters.pydantic_ai import EvictOrTombstone
from ghostproof_reference.budget import JointBudget, SeparateBudgets
from ghostproof_reference.errors import BudgetExceeded, MalformedRequestError
from ghostproof_reference.expansion import ReexpansionRequested
from ghostproof_reference.gate import GateMode
from ghostproof_reference.order import declared
from ghostproof_reference.settings import Settings
from repository.markdown import fences
from repository.tree import ROOT

ROOM = 180
"""Tokens for schemas: enough for `update` and the request tool, and not for `other` besides."""


class Scripted:
    """Answers from what it is sent: it asks where a tombstone stands, and calls from what it sees."""

    def __init__(self) -> None:
        self.seen: list[tuple[list[str], list[Any]]] = []

    def __call__(self, messages: list[Any], info: AgentInfo) -> ModelResponse:
        shown = [tool.name for tool in info.function_tools]
        self.seen.append((shown, list(messages)))
        parts = [part for message in messages for part in message.parts]
        prompts = [str(part.content) for part in parts if isinstance(part, UserPromptPart)]
        said = [prompt for prompt in prompts if not prompt.startswith("[TOOL")]
        asked = max(n for n, part in enumerate(parts) if isinstance(part, UserPromptPart) and part.content == said[-1])
        done = any(isinstance(part, ToolReturnPart) and part.tool_name == "update" for part in parts[asked:])
        if said[-1] == "idle" or done:
            return ModelResponse(parts=[TextPart("done")])
        if "update" in shown:
            return self._call("update", {"key": "a", "notify": True})
        if any('[TOOL TOMBSTONE] "update"' in prompt for prompt in prompts):
            return self._call("request_tool_schema", {"tool_name": "update"})
        return self._call("update", {"key": "a"})

    def _call(self, name: str, args: dict[str, Any]) -> ModelResponse:
        return ModelResponse(parts=[ToolCallPart(name, args, f"call-{len(self.seen)}")])


def update(key: str, notify: bool) -> str:
    """Change something. The description is long enough to be worth pruning when room is short for all the tools."""
    return f"updated {key}, {notify}"


def other(key: str) -> str:
    """Look at something else, and at whatever else there is to be seen of it, until all of it has been looked at."""
    return key


def run(gate: GateMode) -> tuple[Scripted, list[Any], list[ReexpansionRequested]]:
    """Three runs of one conversation: a call, pressure on the schemas, and a second call."""
    requests: list[ReexpansionRequested] = []
    room = [1_000]
    capability = EvictOrTombstone(
        lambda request: SeparateBudgets(arguments=1_000, schemas=room[0]),
        Settings(gate=gate, order=declared, on_request=requests.append),
    )
    model = Scripted()
    agent = Agent(FunctionModel(model), tools=[update, other], capabilities=[capability])
    messages: list[Any] = []
    for said, schemas in (("update it", 1_000), ("idle", ROOM), ("update it again", ROOM)):
        room[0] = schemas
        messages = agent.run_sync(said, message_history=messages).all_messages()
    return model, messages, requests


def calls(messages: list[Any]) -> list[tuple[str, Any]]:
    return [(p.tool_name, p.args) for m in messages for p in m.parts if isinstance(p, ToolCallPart)]


def tombstoned(messages: list[Any]) -> bool:
    return any("[TOOL TOMBSTONE]" in str(getattr(part, "content", "")) for m in messages for part in m.parts)


def test_with_the_gate_the_model_asks_and_calls_once() -> None:
    model, messages, requests = run(GateMode.TOMBSTONE)
    whole = {"key": "a", "notify": True}
    asked = ("request_tool_schema", {"tool_name": "update"})
    assert calls(messages) == [("update", whole), asked, ("update", whole)]
    assert [(one.tool, one.tombstoned) for one in requests] == [("update", True)]
    pruned = [sent for shown, sent in model.seen if "update" not in shown]
    assert pruned
    assert all(tombstoned(sent) for sent in pruned)
    assert not tombstoned(messages), "only in requests"


def test_without_the_gate_the_ghost_reaches_the_model() -> None:
    model, messages, requests = run(GateMode.OFF)
    sent = next(sent for shown, sent in model.seen if "update" not in shown)
    assert calls(sent)[0][0] == "update"
    assert not tombstoned(sent)
    assert ("update", {"key": "a"}) in calls(messages)
    assert requests == []


class FailsOnce(Scripted):
    """Its provider is down when the schema that it requested is first shown, and there is less room after that."""

    def __init__(self, room: list[int]) -> None:
        super().__init__()
        self.room = room

    def __call__(self, messages: list[Any], info: AgentInfo) -> ModelResponse:
        if self.room[0] > ROOM:
            assert {"update", "other"} <= {tool.name for tool in info.function_tools}
            self.room[0] = ROOM
            raise ConnectionError("the provider is down")
        return super().__call__(messages, info)


def test_a_second_run_after_one_that_failed_still_shows_what_was_requested() -> None:
    room = [ROOM]
    asked: list[int] = []

    def heard(request: ReexpansionRequested) -> None:
        asked.append(request.turn)
        room[0] = 1_000

    capability = EvictOrTombstone(
        lambda request: SeparateBudgets(arguments=1_000, schemas=room[0]), Settings(order=declared, on_request=heard)
    )
    agent = Agent(FunctionModel(FailsOnce(room)), tools=[update, other], capabilities=[capability])
    earlier = [
        ModelRequest(parts=[UserPromptPart("update it")]),
        ModelResponse(parts=[ToolCallPart("update", {"key": "a", "notify": True}, "0")]),
        ModelRequest(parts=[ToolReturnPart("update", "updated", "0")]),
        ModelResponse(parts=[TextPart("done")]),
    ]
    with capture_run_messages() as reached, pytest.raises(ConnectionError):
        agent.run_sync("update it again", message_history=earlier, conversation_id="c")
    assert len(asked) == 1
    result = agent.run_sync(message_history=list(reached), conversation_id="c")
    assert [name for name, _ in calls(result.all_messages())] == ["update", "request_tool_schema", "update"]
    assert (len(asked), room) == (1, [ROOM])


def arbitrated(capability: EvictOrTombstone, messages: list[Any], *tools: ToolDefinition) -> Any:
    context = ModelRequestContext(
        model=FunctionModel(Scripted()),
        messages=messages,
        model_settings=None,
        model_request_parameters=ModelRequestParameters(function_tools=list(tools)),
    )
    return asyncio.run(capability.before_model_request(SimpleNamespace(conversation_id="c"), context))


def session() -> list[Any]:
    """Parallel calls, one of them broken, with thoughts; and a prompt in the same message as the results."""
    return [
        ModelRequest(parts=[UserPromptPart(["go", "on"])], metadata={"x": 1}),
        ModelResponse(
            parts=[ThinkingPart("hm"), ToolCallPart("update", {"key": "a"}, "1"), ToolCallPart("other", '{"key', "2")],
            provider_details={"y": 2},
        ),
        ModelRequest(
            parts=[ToolReturnPart("other", "two", "2"), ToolReturnPart("update", "one", "1"), UserPromptPart("thanks")]
        ),
    ]


def test_nothing_is_lost_in_translation() -> None:
    messages = session()
    sent = arbitrated(
        EvictOrTombstone(JointBudget(10_000)), messages, ToolDefinition(name="update"), ToolDefinition(name="other")
    )
    assert [id(one) for one in sent.messages] == [id(one) for one in messages]


def test_what_the_user_says_beside_results_survives_them() -> None:
    sent = arbitrated(
        EvictOrTombstone(SeparateBudgets(0, 1_000)),
        session(),
        ToolDefinition(name="update"),
        ToolDefinition(name="other"),
    )
    assert calls(sent.messages) == []
    assert [part.content for message in sent.messages for part in message.parts] == [["go", "on"], "thanks"]


def test_a_retry_that_answers_a_call_goes_with_it_and_any_other_stays() -> None:
    """The class is deprecated, and may still stand in a history that was built in memory."""
    with pytest.warns(match="RetryPromptPart"):
        parts = [RetryPromptPart("wrong key", tool_name="update", tool_call_id="1"), RetryPromptPart("say more")]
    messages = [
        ModelRequest(parts=[UserPromptPart("go")]),
        ModelResponse(parts=[ToolCallPart("update", {"key": "a"}, "1")]),
        ModelRequest(parts=parts),
    ]
    sent = arbitrated(EvictOrTombstone(SeparateBudgets(0, 1_000)), messages, ToolDefinition(name="update"))
    assert [part.content for message in sent.messages for part in message.parts] == ["go", "say more"]


def test_a_deferred_tool_stays_declared_and_is_shown_on_request() -> None:
    capability = EvictOrTombstone(JointBudget(10_000))
    tools = (ToolDefinition(name="update", defer_loading=True), ToolDefinition(name="other"))
    sent = arbitrated(capability, session(), *tools)
    assert tombstoned(sent.messages)
    assert sent.model_request_parameters.function_tools == list(tools)
    capability._sessions.arbiter("c").request_schema("update")
    sent = arbitrated(capability, session(), *tools)
    assert not tombstoned(sent.messages)
    assert [tool.defer_loading for tool in sent.model_request_parameters.function_tools] == [False, False]


def test_what_does_not_fit_is_not_sent_and_changes_nothing() -> None:
    turns: list[int] = []
    room = [1]
    capability = EvictOrTombstone(lambda request: JointBudget(room[0]), on_outcome=lambda done: turns.append(done.turn))
    with pytest.raises(BudgetExceeded):
        arbitrated(capability, session())
    room[0] = 10_000
    arbitrated(capability, session())
    assert turns == [1]


def test_a_result_without_its_call_is_named() -> None:
    with pytest.raises(MalformedRequestError, match=r"messages\[0\]\.parts\[0\]: result of '9'"):
        arbitrated(EvictOrTombstone(JointBudget(10)), [ModelRequest(parts=[ToolReturnPart("x", "y", "9")])])


def test_without_pydantic_ai_one_line_says_what_to_install() -> None:
    start = "import sys; sys.modules['pydantic_ai'] = None; import ghostproof_reference.adapters.pydantic_ai"
    paths = {"PYTHONPATH": str(ROOT / "reference_impl")}
    done = subprocess.run([sys.executable, "-c", start], env=paths, capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1].startswith("ImportError: ghostproof_reference.adapters.pydantic_ai needs")
    assert "pip install 'ghostproof[pydantic-ai]'" in done.stderr


def test_the_lines_of_the_readme_run() -> None:
    [block] = [b for b in fences((ROOT / "README.md").read_text()) if "adapters.pydantic_ai" in b.text]
    assert len(block.lines) <= 15
    names: dict[str, Any] = {"model": FunctionModel(Scripted()), "update_incident": update, "list_alerts": other}
    exec(compile(block.text, "README.md", "exec"), names)
    assert calls(names["answer"].all_messages())[0][0] == "update"
