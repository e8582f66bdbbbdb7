"""LangChain agent middleware as a pruner: the real `create_agent`, run on one request with a model that only records.

    selector_alone = pruner(lambda oracle: [LLMToolSelectorMiddleware(model=StructuredModel(...))])

Needs the extra `langchain`; nothing else in ghostproof imports it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

# Nothing of a checked session may leave the machine, whatever the environment says about tracing.
os.environ["LANGSMITH_TRACING"] = os.environ["LANGCHAIN_TRACING_V2"] = "false"

from langchain.agents import create_agent
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.messages.utils import convert_to_messages, convert_to_openai_messages
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import RunnableLambda
from langchain_core.tools import StructuredTool
from langchain_core.utils.function_calling import convert_to_openai_tool

from ghostproof.drive.oracle import Oracle

Request = dict[str, Any]


class RecordingModel(BaseChatModel):  # type: ignore[misc]  # langchain is an extra, its types are not checked
    """A chat model that keeps what it is given, as an OpenAI chat request, and answers with text.

    Override `get_num_tokens_from_messages` to script a token counter.
    """

    seen: list[Request] = []  # noqa: RUF012  # pydantic copies it for each instance

    @property
    def _llm_type(self) -> str:
        return "recording"

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Any:
        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools])

    def _generate(self, messages: list[Any], stop: Any = None, run_manager: Any = None, **kwargs: Any) -> Any:
        self.seen.append({"messages": convert_to_openai_messages(messages), "tools": kwargs.get("tools", [])})
        return ChatResult(generations=[ChatGeneration(message=AIMessage("recorded"))])


class StructuredModel(BaseChatModel):  # type: ignore[misc]
    """A chat model for middleware that asks for structured output: `answer` is given the schema and the messages."""

    answer: Callable[[dict[str, Any], Any], Any]

    @property
    def _llm_type(self) -> str:
        return "structured"

    def with_structured_output(self, schema: Any, **kwargs: Any) -> Any:
        return RunnableLambda(lambda messages: self.answer(schema, messages))

    def _generate(self, messages: list[Any], stop: Any = None, run_manager: Any = None, **kwargs: Any) -> Any:
        raise NotImplementedError("this model is scripted for structured output only")


def pruner(
    middleware: Callable[[Oracle], Sequence[Any]], model: Callable[[], RecordingModel] = RecordingModel
) -> Callable[[Request, Oracle], Request]:
    """A pruner that sends what an agent with this middleware gives its model first.

    `middleware` makes a fresh list for each request, in LangChain's order: the first is outermost. Whatever it asks of
    other models goes through the oracle it is given. `model` makes the agent's own model.
    """

    def prune(request: Request, oracle: Oracle) -> Request:
        recording = model()
        agent = create_agent(
            model=recording,
            tools=[_tool(entry["function"]) for entry in request.get("tools", [])],
            middleware=list(middleware(oracle)),
        )
        agent.invoke({"messages": convert_to_messages(request["messages"])})
        if not recording.seen:
            raise RuntimeError("the middleware ended the run before the model was called")
        return {**request, **recording.seen[0]}

    return prune


def _tool(function: dict[str, Any]) -> Any:
    """A tool object, since middleware treats plain dicts as the provider's own tools; it never runs."""
    return StructuredTool(
        name=function["name"],
        description=function.get("description", ""),
        args_schema=function.get("parameters") or {"type": "object", "properties": {}},
        func=lambda **arguments: "",
    )
