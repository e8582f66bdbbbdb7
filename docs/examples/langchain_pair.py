"""Two stock middlewares of LangChain 1.5.2, in both orders, and with an evict-or-tombstone gate behind them.

    pip install 'ghostproof[langchain]'
    ghostproof check --callable docs/examples/langchain_pair.py:selector_then_editing
    ghostproof check --callable docs/examples/langchain_pair.py:editing_then_selector
    ghostproof check --callable docs/examples/langchain_pair.py:gated

`LLMToolSelectorMiddleware` hides schemas, `ContextEditingMiddleware` empties arguments once a request is too long. Its
count includes the schemas of the request it sees: behind the selector that request is short, nothing is emptied, and
the arguments of a hidden tool stay. Neither order is safe in every session, for neither has a gate. The middlewares are
the real ones; scripted are the selector's answers, each of which is played, and the token counter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, combinations
from typing import Any

from langchain.agents.middleware import (
    AgentMiddleware,
    ClearToolUsesEdit,
    ContextEditingMiddleware,
    LLMToolSelectorMiddleware,
)
from langchain_core.messages import AIMessage, SystemMessage

from ghostproof.drive.langchain_agent import RecordingModel, StructuredModel, pruner
from ghostproof.drive.oracle import Oracle

SCHEMA_TOKENS = 200
TRIGGER = 159 + 300
"""Tokens above which arguments are emptied: the history of one short call counts 159, and each schema 200."""


class CountingModel(RecordingModel):
    """Counts a token for every four characters of a message, and 200 for every schema."""

    def get_num_tokens_from_messages(self, messages: list[Any], tools: Sequence[Any] | None = None) -> int:
        texts = (f"{message.content}{getattr(message, 'tool_calls', '')}" for message in messages)
        return sum(len(text) for text in texts) // 4 + SCHEMA_TOKENS * len(tools or ())


def selector(oracle: Oracle) -> Any:
    """The selector, whose model may name any of the tools it is offered."""

    def answer(schema: dict[str, Any], messages: Any) -> dict[str, Any]:
        names = offered_names(schema)
        subsets = chain.from_iterable(combinations(names, count) for count in range(len(names) + 1))
        return {"tools": list(oracle.choose("the selector picks", list(subsets)))}

    return LLMToolSelectorMiddleware(model=StructuredModel(answer=answer))


def editing() -> Any:
    """The editor, which counts with the agent's model and clears inputs too."""
    edit = ClearToolUsesEdit(trigger=TRIGGER, keep=0, clear_tool_inputs=True)
    return ContextEditingMiddleware(edits=[edit], token_count_method="model")


def offered_names(schema: Any) -> list[str]:
    """The tool names that stand as constants in the schema of the selector's answer."""
    if isinstance(schema, list):
        return [name for part in schema for name in offered_names(part)]
    if not isinstance(schema, dict):
        return []
    return [schema["const"]] if "const" in schema else offered_names(list(schema.values()))


class EvictOrTombstone(AgentMiddleware):  # type: ignore[misc]  # langchain's types are not checked here
    """The gate: last in the list, so that nothing changes the request after it."""

    def wrap_model_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        shown = {tool.name for tool in request.tools}
        calls = (call for message in request.messages if isinstance(message, AIMessage) for call in message.tool_calls)
        hidden = dict.fromkeys(call["name"] for call in calls if call["args"] and call["name"] not in shown)
        notes = [
            SystemMessage(f"[{name}] The schema of this tool is withheld; request it before calling the tool.")
            for name in hidden
        ]
        return handler(request.override(messages=[*request.messages, *notes]))


selector_then_editing = pruner(lambda oracle: [selector(oracle), editing()], CountingModel)
editing_then_selector = pruner(lambda oracle: [editing(), selector(oracle)], CountingModel)
gated = pruner(lambda oracle: [selector(oracle), editing(), EvictOrTombstone()], CountingModel)
