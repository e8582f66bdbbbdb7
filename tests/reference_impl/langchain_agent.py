"""A LangChain agent whose model records what it is sent and answers from it, and a run of it in three turns."""

from __future__ import annotations

import asyncio
from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.checkpoint.memory import InMemorySaver

from ghostproof_reference.adapters.langchain import EvictOrTombstone
from ghostproof_reference.budget import SeparateBudgets
from ghostproof_reference.expansion import ReexpansionRequested
from ghostproof_reference.gate import GateMode
from ghostproof_reference.order import declared
from ghostproof_reference.settings import Settings


class Scripted(BaseChatModel):  # type: ignore[misc]
    """A fake model that answers from what it is sent: it asks where a tombstone stands, and calls from what it sees."""

    seen: list[tuple[list[str], list[Any]]] = []  # noqa: RUF012  # pydantic copies it for each instance

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self.bind(tools=[convert_to_openai_tool(one) for one in tools])

    def _generate(self, messages: list[Any], stop: Any = None, run_manager: Any = None, **kwargs: Any) -> Any:
        shown = [one["function"]["name"] for one in kwargs.get("tools", [])]
        self.seen.append((shown, messages))
        return ChatResult(generations=[ChatGeneration(message=self._answer(shown, messages))])

    def _answer(self, shown: list[str], messages: list[Any]) -> AIMessage:
        said = [m.content for m in messages if isinstance(m, HumanMessage) and not m.content.startswith("[TOOL")]
        stones = [m for m in messages if isinstance(m, HumanMessage) and '[TOOL TOMBSTONE] "update"' in m.content]
        last = [m for m in messages if m not in stones][-1]
        answered = isinstance(last, ToolMessage) and last.name != "request_tool_schema"
        number = len(self.seen)
        if said[-1] == "idle" or answered:
            return AIMessage("done")
        if "update" in shown:
            return self._call("update", {"key": "a", "notify": True}, number)
        if stones:
            return self._call("request_tool_schema", {"tool_name": "update"}, number)
        return self._call("update", {"key": "a"}, number)

    def _call(self, name: str, args: dict[str, Any], number: int) -> AIMessage:
        return AIMessage("", tool_calls=[{"name": name, "args": args, "id": f"call-{number}"}])


@tool  # type: ignore[untyped-decorator]
def update(key: str, notify: bool) -> str:
    """Change something. The description is long enough to be worth pruning when room is short for all the tools."""
    return f"updated {key}, {notify}"


@tool  # type: ignore[untyped-decorator]
def other(key: str) -> str:
    """Look at something else."""
    return key


ROOM = 160
"""Tokens for schemas: enough for `update` and the request tool, and not for `other` besides."""


def run(gate: GateMode, *, asynchronous: bool = False) -> tuple[Scripted, list[Any], list[ReexpansionRequested]]:
    """Three turns of one thread: a call, pressure on the schemas, and a second call."""
    requests: list[ReexpansionRequested] = []
    room = [1_000]
    middleware = EvictOrTombstone(
        lambda request: SeparateBudgets(arguments=1_000, schemas=room[0]),
        Settings(gate=gate, order=declared, on_request=requests.append),
    )
    model = Scripted()
    agent = create_agent(model, [update, other], middleware=[middleware], checkpointer=InMemorySaver())
    thread = {"configurable": {"thread_id": "t"}}
    messages: list[Any] = []
    for said, schemas in (("update it", 1_000), ("idle", ROOM), ("update it again", ROOM)):
        room[0] = schemas
        given = {"messages": [HumanMessage(said)]}
        result = asyncio.run(agent.ainvoke(given, thread)) if asynchronous else agent.invoke(given, thread)
        messages = result["messages"]
    return model, messages, requests


def calls(messages: list[Any]) -> list[tuple[str, dict[str, Any]]]:
    return [(one["name"], one["args"]) for m in messages if isinstance(m, AIMessage) for one in m.tool_calls]
