"""pydantic-ai agents: a capability that arbitrates every request to the model.

Put it last in the list of capabilities, so that nothing changes the request behind it. The run keeps the whole history;
what is evicted is missing only in the request. A user's part beside results survives them. Tombstones are user prompts,
which every provider keeps in their place.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from ghostproof_reference.adapters.sessions import Carried, Sessions
from ghostproof_reference.budget import Budget
from ghostproof_reference.outcome import Outcome
from ghostproof_reference.request import Call, Effect, Request, Result, Tool, as_text
from ghostproof_reference.settings import Settings
from ghostproof_reference.tokens import tokens
from ghostproof_reference.wire.shape import Piece, items, on_wire

try:
    from pydantic_ai import RunContext
    from pydantic_ai.capabilities import AbstractCapability
    from pydantic_ai.messages import ModelRequest, ModelResponse, ToolCallPart, ToolReturnPart, UserPromptPart
    from pydantic_ai.toolsets import FunctionToolset
except ImportError as missing:
    raise ImportError(f"{__name__} needs pydantic-ai: pip install 'ghostproof[pydantic-ai]' ({missing})") from None


class EvictOrTombstone(AbstractCapability[Any]):  # type: ignore[misc]  # an extra, its types are not checked
    """Argument-first pruning with the gate, for every conversation of an agent.

    `budget` is one, or a function of pydantic-ai's request context. `effects` says what tools do, `pinned` whose
    schemas stay; output tools always do. `on_outcome` gets the decisions of every turn. What the arbiter raises ends
    the run, and no request is sent.
    """

    def __init__(
        self,
        budget: Budget | Callable[[Any], Budget],
        settings: Settings | None = None,
        *,
        effects: Mapping[str, Effect] | None = None,
        pinned: Collection[str] = (),
        on_outcome: Callable[[Outcome], None] | None = None,
    ) -> None:
        self._budget = budget
        self._settings = Settings() if settings is None else settings
        self._effects = effects or {}
        self._pinned = frozenset(pinned)
        self._on_outcome = on_outcome
        self._sessions = Sessions(self._settings)

    def get_toolset(self) -> Any:
        """The request tool, if the settings have one."""
        declared = self._settings.request_tool
        if declared is None:
            return None
        toolset = FunctionToolset()

        def request_schema(ctx: RunContext[Any], tool_name: str) -> str:
            return self._sessions.arbiter(_session(ctx)).answer_request(json.dumps({"tool_name": tool_name}))

        toolset.add_function(request_schema, name=declared.name, description=declared.description)
        return toolset

    async def wrap_model_request(self, ctx: Any, *, request_context: Any, handler: Any) -> Any:
        """What was requested stays so if the call fails."""
        with self._sessions.request(_session(ctx)):
            return await handler(request_context)

    async def before_model_request(self, ctx: Any, request_context: Any) -> Any:
        """Send what the arbiter lets through."""
        parameters = request_context.model_request_parameters
        budget = self._budget(request_context) if callable(self._budget) else self._budget
        rest = as_text([part.content for part in parameters.instruction_parts or ()])
        revealed = parameters.revealed_tool_names
        hidden = {tool.name for tool in parameters.function_tools if tool.defer_loading and tool.name not in revealed}
        declared = tuple(replace(self._tool(tool), deferred=tool.name in hidden) for tool in parameters.function_tools)
        outputs = tuple(replace(self._tool(tool), pinned=True) for tool in parameters.output_tools)
        history = items(list(_pieces(request_context.messages)))
        asked = Request((*declared, *outputs), history, tokens("instructions", rest, self._settings.count))
        outcome = self._sessions.arbiter(_session(ctx)).arbitrate(asked, budget)
        if self._on_outcome is not None:
            self._on_outcome(outcome)
        shown = {tool.name for tool in outcome.request.tools}
        kept = [
            replace(tool, defer_loading=False) if tool.name in shown & hidden else tool
            for tool in parameters.function_tools
            if tool.name in shown | hidden
        ]
        return replace(
            request_context,
            messages=list(_messages(outcome.request)),
            model_request_parameters=replace(parameters, function_tools=kept),
        )

    def _tool(self, tool: Any) -> Tool:
        ours = self._settings.request_tool
        return Tool(
            tool.name,
            tool.parameters_json_schema,
            tool.description or "",
            effect=self._effects.get(tool.name, Effect.UNKNOWN),
            pinned=tool.name in self._pinned or (ours is not None and tool.name == ours.name),
        )


def _session(ctx: Any) -> str:
    """A conversation, which several runs may share, is a session."""
    return str(ctx.conversation_id)


def _pieces(messages: Iterable[Any]) -> Iterator[Piece]:
    """A response is one piece; a request is one for each part, so that results may go and a prompt beside them stay."""
    for number, message in enumerate(messages):
        where = f"messages[{number}]"
        if isinstance(message, ModelResponse):
            calls = [part for part in message.parts if isinstance(part, ToolCallPart)]
            made = tuple(_call(part) for part in calls)
            yield Piece(_carried(message, None), where, made)
            continue
        for place, part in enumerate(message.parts):
            # A retry of no tool is what the framework says to the model, not an answer to a call.
            retried = part.part_kind == "retry-prompt" and part.tool_name is not None
            answers = retried or isinstance(part, ToolReturnPart)
            results = (Result(part.tool_call_id, ""),) if answers else ()
            yield Piece(_carried(message, place), f"{where}.parts[{place}]", results=results, stays=not answers)


def _call(part: Any) -> Call:
    """Arguments that are no JSON object go back to the model as they are: arguments all the same."""
    written = part.args if isinstance(part.args, str) else json.dumps(part.args or {}, default=str)
    try:
        free = not isinstance(json.loads(written or "{}"), dict)
    except ValueError:
        free = True
    return Call(part.tool_name, part.tool_call_id, written, free)


def _carried(message: Any, place: int | None) -> Carried:
    parts = message.parts if place is None else [message.parts[place]]
    return Carried((message, place), lambda: as_text([getattr(part, "content", None) or repr(part) for part in parts]))


def _messages(request: Request) -> Iterator[Any]:
    """The messages of a request; parts of one message that stand together are that message again."""
    open_message: Any = None
    places: list[int] = []
    for carried in on_wire(request.history, lambda marker: ModelRequest(parts=[UserPromptPart(marker.line)])):
        found = carried.message if isinstance(carried, Carried) else (carried, None)
        assert isinstance(found, tuple)
        message, place = found
        if message is not open_message:
            yield from _joined(open_message, places)
            open_message, places = (None, []) if place is None else (message, [])
        if place is None:
            yield message
        else:
            places.append(place)
    yield from _joined(open_message, places)


def _joined(message: Any, places: list[int]) -> Iterator[Any]:
    if message is not None:
        whole = len(places) == len(message.parts)
        yield message if whole else replace(message, parts=[message.parts[place] for place in places])
