"""Small OpenAI chat payloads to build tests from."""

import json
from typing import Any

SCHEMA = {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]}


def tool(name: str, schema: dict[str, Any] | None = None, **extra: Any) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "parameters": SCHEMA if schema is None else schema}, **extra}


def call(name: str, arguments: object, identity: str = "c1") -> dict[str, Any]:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    entry = {"id": identity, "type": "function", "function": {"name": name, "arguments": text}}
    return {"role": "assistant", "content": None, "tool_calls": [entry]}


def result(text: str, identity: str = "c1") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": identity, "content": text}


def said(role: str, content: object) -> dict[str, Any]:
    return {"role": role, "content": content}


def request(*messages: dict[str, Any], tools: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    body: dict[str, Any] = {"model": "m", "messages": list(messages)}
    return body if tools is None else body | {"tools": tools}
