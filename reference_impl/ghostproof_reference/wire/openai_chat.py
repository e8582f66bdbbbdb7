"""OpenAI chat completions, and those who took its format over."""

from __future__ import annotations

from ghostproof_reference.errors import MalformedRequestError
from ghostproof_reference.request import Call, Request, Result, Tool
from ghostproof_reference.wire.shape import (
    Fields,
    Payload,
    Piece,
    Shape,
    fields,
    listed,
    on_wire,
    rebuilt,
    schema,
    string,
    tools_on_wire,
)


def _tools(payload: Payload) -> tuple[Tool, ...]:
    return tuple(
        _tool(fields(found, f"tools[{n}]"), f"tools[{n}]")
        for n, found in enumerate(listed(payload.get("tools"), "tools"))
    )


def _tool(entry: Fields, where: str) -> Tool:
    kind = "custom" if "custom" in entry else "function"
    declared = fields(entry.get(kind), f"{where}.{kind}")
    name = string(declared, "name", f"{where}.{kind}")
    shape = schema(declared.get("parameters" if kind == "function" else "format"), f"{where}.{kind}")
    return Tool(name, shape, str(declared.get("description") or ""), payload=entry)


def _pieces(payload: Payload) -> list[Piece]:
    messages = listed(payload.get("messages"), "messages")
    return [_piece(fields(found, f"messages[{n}]"), f"messages[{n}]") for n, found in enumerate(messages)]


def _piece(message: Fields, where: str) -> Piece:
    role = string(message, "role", where)
    if role == "function" or message.get("function_call") is not None:
        # It has no id: call and result cannot be told apart from others, and may not pass as text.
        raise MalformedRequestError(where, "a legacy function_call; write tool_calls with ids")
    content = message.get("content")
    text = content if isinstance(content, str) else ""
    if role == "tool":
        return Piece(message, where, results=(Result(string(message, "tool_call_id", where), text),))
    calls = [
        _call(fields(found, f"{where}.tool_calls[{n}]"), f"{where}.tool_calls[{n}]")
        for n, found in enumerate(listed(message.get("tool_calls"), f"{where}.tool_calls"))
    ]
    text = text if role in ("system", "developer") else ""
    return Piece(message, where, tuple(calls), text=text, stays=role != "assistant")


def _call(found: Fields, where: str) -> Call:
    free = "custom" in found
    made = fields(found.get("custom" if free else "function"), where)
    arguments = made.get("input" if free else "arguments", "")
    # Text that is no text is the arbiter's to reject: it names the call.
    return Call(string(made, "name", where), string(found, "id", where), arguments, free)  # type: ignore[arg-type]


def _render(tool: Tool) -> Fields:
    described = {"name": tool.name, "description": tool.description, "parameters": dict(tool.schema)}
    return {"type": "function", "function": described}


def _write(payload: Payload, request: Request) -> dict[str, object]:
    history = on_wire(request.history, lambda marker: {"role": "system", "content": marker.line})
    return rebuilt(payload, tools_on_wire(_tools(payload), request, _render), "messages", history)


OPENAI_CHAT = Shape("OpenAI chat", _tools, _pieces, _write)
