"""A pruner of one's own as a plain function of OpenAI chat requests, without and with a gate.

    ghostproof check --callable docs/examples/callable_pruner.py:by_last_question
    ghostproof check --callable docs/examples/callable_pruner.py:by_last_question_gated

The pruner keeps the schemas that share a word with the last thing the user said, as selectors do that look at the query
alone. The request it returns is what the provider would get.
"""

from __future__ import annotations

from typing import Any

Request = dict[str, Any]


def words(text: str) -> set[str]:
    return {word.strip(".,?").lower() for word in text.replace("_", " ").split()}


def by_last_question(request: Request) -> Request:
    """Forgets a tool as soon as the user speaks of something else, though its call is still in the history."""
    asked = next(message["content"] for message in reversed(request["messages"]) if message["role"] == "user")
    tools = [tool for tool in request["tools"] if words(tool["function"]["name"]) & words(asked)]
    return {**request, "tools": tools}


def by_last_question_gated(request: Request) -> Request:
    """The same, and a tombstone for every tool whose arguments stay without its schema."""
    sent = by_last_question(request)
    shown = {tool["function"]["name"] for tool in sent["tools"]}
    calls = [call["function"] for message in request["messages"] for call in message.get("tool_calls", [])]
    hidden = dict.fromkeys(call["name"] for call in calls if call["name"] not in shown)
    notes = [
        {"role": "system", "content": f"[{name}] The schema of this tool is withheld; request it before calling."}
        for name in hidden
    ]
    return {**sent, "messages": [*request["messages"], *notes]}
