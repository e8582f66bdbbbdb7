"""LangChain agents: a middleware that arbitrates every request to the model, last of all.

Put it last in the list of middlewares, so that nothing changes the request behind it. The agent's state keeps the whole
history; what is evicted is missing only in the request. Tombstones are human messages, since not every provider takes a
system message in the middle.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Annotated, Any

from ghostproof_reference.adapters.sessions import Carried, Sessions
from ghostproof_reference.arbiter import Arbiter
from ghostproof_reference.budget import Budget
from ghostproof_reference.outcome import Outcome
from ghostproof_reference.request import Call, Effect, Request, Result, Tool, as_text
from ghostproof_reference.settings import Settings
from ghostproof_reference.tokens import tokens
from ghostproof_reference.wire.shape import Piece, chosen, items, on_wire

try:
    from langchain.agents.middleware import AgentMiddleware
    from langchain.agents.middleware.types import AgentState, PrivateStateAttr
    from langchain.agents.structured_output import AutoStrategy, ToolStrategy
    from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
    from langchain_core.tools import StructuredTool
    from langchain_core.utils.function_calling import convert_to_openai_tool
    from langgraph.prebuilt import InjectedState
except ImportError as missing:
    raise ImportError(f"{__name__} needs LangChain: pip install 'ghostproof[langchain]' ({missing})") from None

SESSION = "arbitration_session"


class ArbitratedState(AgentState[Any]):  # type: ignore[misc]  # langchain is an extra, its types are not checked
    """The agent's state with the name of its session, so that a thread that is resumed keeps its arbiter."""

    arbitration_session: Annotated[str, PrivateStateAttr]


class EvictOrTombstone(AgentMiddleware):  # type: ignore[misc]
    """Argument-first pruning with the gate, for every session of an agent.

    `budget` is one, or a function of LangChain's model request. `effects` says what tools do, `pinned` whose schemas
    stay. `on_outcome` gets the decisions of every turn. What the arbiter raises ends the run, and no request is sent.
    """

    state_schema = ArbitratedState

    def __init__(
        self,
        budget: Budget | Callable[[Any], Budget],
        settings: Settings | None = None,
        *,
        effects: Mapping[str, Effect] | None = None,
        pinned: Collection[str] = (),
        on_outcome: Callable[[Outcome], None] | None = None,
    ) -> None:
        super().__init__()
        self._budget = budget
        self._settings = Settings() if settings is None else settings
        self._effects = effects or {}
        self._pinned = frozenset(pinned)
        self._on_outcome = on_outcome
        self._sessions = Sessions(self._settings)
        self.tools = [] if self._settings.request_tool is None else [self._request_tool(self._settings.request_tool)]

    def before_agent(self, state: Any, runtime: Any) -> dict[str, str] | None:
        """Name the session once: with a checkpointer for the whole thread, else for one run."""
        return None if state.get(SESSION) else {SESSION: uuid.uuid4().hex}

    def wrap_model_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        """Send what the arbiter lets through; what was requested stays so if the call fails."""
        with self._sessions.request(request.state[SESSION]) as arbiter:
            return handler(self._arbitrated(arbiter, request))

    async def awrap_model_call(self, request: Any, handler: Callable[[Any], Awaitable[Any]]) -> Any:
        """The same on the asynchronous path."""
        with self._sessions.request(request.state[SESSION]) as arbiter:
            return await handler(self._arbitrated(arbiter, request))

    def _arbitrated(self, arbiter: Arbiter, request: Any) -> Any:
        budget = self._budget(request) if callable(self._budget) else self._budget
        rest = "" if request.system_message is None else as_text(request.system_message.content)
        # Where LangChain's own tool choice is a string, it names a tool or says how to choose.
        named = {request.tool_choice} if isinstance(request.tool_choice, str) else chosen(request.tool_choice)
        declared = tuple(self._tool(tool, self._pinned | named) for tool in request.tools)
        history = items([_piece(message, f"messages[{n}]") for n, message in enumerate(request.messages)])
        asked = Request(
            (*declared, *_outputs(request.response_format)),
            history,
            tokens("system message", rest, self._settings.count),
        )
        outcome = arbiter.arbitrate(asked, budget)
        if self._on_outcome is not None:
            self._on_outcome(outcome)
        shown = {tool.name for tool in outcome.request.tools}
        kept = [tool for tool, known in zip(request.tools, declared, strict=True) if known.name in shown]
        carried = on_wire(outcome.request.history, lambda marker: HumanMessage(marker.line))
        sent = [one.message if isinstance(one, Carried) else one for one in carried]
        return request.override(tools=kept, messages=sent)

    def _tool(self, tool: Any, pinned: Collection[str]) -> Tool:
        """A tool as LangChain declares it; a provider's own, which no schema describes, is never withheld."""
        if isinstance(tool, dict) and not isinstance(tool.get("function"), dict) and "parameters" not in tool:
            return Tool(str(tool.get("name") or tool.get("type")), pinned=True, payload=tool)
        described = convert_to_openai_tool(tool)["function"]
        name = described["name"]
        ours = self._settings.request_tool
        return Tool(
            name,
            described.get("parameters") or {},
            described.get("description") or "",
            effect=self._effects.get(name, Effect.UNKNOWN),
            pinned=name in pinned or (ours is not None and name == ours.name),
        )

    def _request_tool(self, declared: Tool) -> Any:
        def request_schema(tool_name: str, state: Annotated[Any, InjectedState]) -> str:
            return self._sessions.arbiter(state[SESSION]).answer_request(json.dumps({"tool_name": tool_name}))

        return StructuredTool.from_function(request_schema, name=declared.name, description=declared.description)


def _outputs(response_format: Any) -> tuple[Tool, ...]:
    """The tools that LangChain adds for structured output, whose schemas it sends whatever a middleware keeps.

    Where it may choose a provider's own way instead, the schema is sent all the same, and counted so.
    """
    if isinstance(response_format, AutoStrategy):
        response_format = ToolStrategy(response_format.schema)
    specs = response_format.schema_specs if isinstance(response_format, ToolStrategy) else ()
    return tuple(Tool(spec.name, spec.json_schema, spec.description, pinned=True) for spec in specs)


def _piece(message: Any, where: str) -> Piece:
    carried = Carried(message, lambda: _text(message))
    if isinstance(message, ToolMessage):
        return Piece(carried, where, results=(Result(message.tool_call_id, ""),))
    if not isinstance(message, AIMessage):
        return Piece(carried, where, stays=True)
    calls = [Call(call["name"], call["id"], json.dumps(call["args"])) for call in message.tool_calls]
    # What a model wrote that is no JSON goes back to it as it is: arguments all the same.
    broken = [
        Call(call["name"] or "unknown", call["id"], call["args"] or "", True) for call in message.invalid_tool_calls
    ]
    return Piece(carried, where, (*calls, *broken))


def _text(message: Any) -> str:
    """What is counted for a message: what a provider is sent of it."""
    sent = [message.type, message.content]
    if isinstance(message, AIMessage):
        sent += [message.tool_calls, message.invalid_tool_calls]
    return as_text(sent)
