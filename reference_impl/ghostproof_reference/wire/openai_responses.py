"""OpenAI Responses. A namespace of tools is one tool that is never withheld; its calls count as calls of it.

So is an MCP server, whose tools the provider lists and calls: `mcp_call` is a call of it with its result, a request for
approval is one whose result is the approval, and the three go together. `mcp_list_tools` shows its schemas; it stays,
since the provider would only list them again.
"""

from __future__ import annotations

from dataclasses import replace

from ghostproof_reference.request import Call, Request, Result, Tool, as_text
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

CALLS = {"function_call": "arguments", "custom_tool_call": "input", "tool_search_call": "arguments"}
MCP = ("mcp_list_tools", "mcp_approval_request", "mcp_approval_response", "mcp_call")
RESULTS = ("function_call_output", "custom_tool_call_output", "tool_search_output")


def _tools(payload: Payload) -> tuple[Tool, ...]:
    return tuple(
        _tool(fields(found, f"tools[{n}]"), f"tools[{n}]")
        for n, found in enumerate(listed(payload.get("tools"), "tools"))
    )


def _tool(entry: Fields, where: str) -> Tool:
    kind = string(entry, "type", where)
    if kind not in ("function", "custom"):
        # Run by the provider or a whole namespace: nothing that a model could request again by name.
        return Tool(str(entry.get("name") or entry.get("server_label") or kind), pinned=True, payload=entry)
    shape = schema(entry.get("parameters" if kind == "function" else "format"), where)
    deferred = entry.get("defer_loading") is True
    name = string(entry, "name", where)
    return Tool(name, shape, str(entry.get("description") or ""), deferred=deferred, payload=entry)


def _pieces(payload: Payload) -> list[Piece]:
    given = payload.get("input")
    if isinstance(given, str):
        return [Piece(_as_message(given), "input")]
    found = listed(given, "input")
    pieces = [_piece(fields(item, f"input[{n}]"), f"input[{n}]") for n, item in enumerate(found)]
    if payload.get("previous_response_id") is None and payload.get("conversation") is None:
        return pieces
    # The provider holds the earlier turns: a result may answer a call that is not in sight, and then is no call's here.
    made = {call.id for piece in pieces for call in piece.calls}
    return [replace(p, results=tuple(result for result in p.results if result.call_id in made)) for p in pieces]


def _as_message(text: object) -> Fields:
    """What an input that is a mere string stands for."""
    return {"role": "user", "content": text}


def _piece(item: Fields, where: str) -> Piece:
    kind = string(item, "type", where) if "type" in item else "message"
    if kind in CALLS and (kind != "tool_search_call" or item.get("call_id") is not None):
        name = item.get("namespace") or item.get("name") or ("tool_search" if kind == "tool_search_call" else None)
        call_id = string(item, "call_id", where)
        given = item.get(CALLS[str(kind)], "")
        free = kind != "function_call"
        # Text that is no text is the arbiter's to reject: it names the call.
        arguments = str(given) if kind == "tool_search_call" else given
        return Piece(item, where, (Call(string({"name": name}, "name", where), call_id, arguments, free),))  # type: ignore[arg-type]
    if kind in MCP:
        return _of_server(item, str(kind), where)
    shows = tuple(
        string(fields(tool, where), "name", where)
        for tool in listed(item.get("tools"), where)
        if kind in ("additional_tools", "tool_search_output") and fields(tool, where).get("name") is not None
    )
    if kind in RESULTS and item.get("call_id") is not None:
        return Piece(
            item, where, results=(Result(string(item, "call_id", where), str(item.get("output", ""))),), shows=shows
        )
    content = item.get("content")
    text = content if isinstance(content, str) and item.get("role") in ("system", "developer") else ""
    stays = kind == "message" and item.get("role") != "assistant"
    return Piece(item, where, shows=shows, text=text, leads=kind == "reasoning", stays=stays)


def _of_server(item: Fields, kind: str, where: str) -> Piece:
    """What the provider did with an MCP server, or asks about it."""
    if kind == "mcp_approval_response":
        answer = Result(string(item, "approval_request_id", where), as_text(item.get("approve")))
        return Piece(item, where, results=(answer,))
    server = string(item, "server_label", where)
    if kind == "mcp_list_tools":
        return Piece(item, where, shows=(server,) if listed(item.get("tools"), where) else (), stays=True)
    call_id = string(item, "id", where)
    given = item.get("arguments", "")
    # Text that is no text is the arbiter's to reject: it names the call.
    calls = (Call(server, call_id, given),)  # type: ignore[arg-type]
    if kind == "mcp_approval_request":
        return Piece(item, where, calls)
    approved = item.get("approval_request_id")
    results = (Result(call_id, as_text([item.get("output"), item.get("error")])),)
    return Piece(item, where, calls, results, joins=() if approved is None else (str(approved),))


def _render(tool: Tool) -> Fields:
    described = {"name": tool.name, "description": tool.description, "parameters": dict(tool.schema)}
    return {"type": "function", **described, "strict": False}


def _write(payload: Payload, request: Request) -> dict[str, object]:
    history = on_wire(request.history, lambda marker: {"role": "developer", "content": marker.line})
    written = rebuilt(payload, tools_on_wire(_tools(payload), request, _render), "input", history)
    return {**written, "input": payload["input"]} if history == [_as_message(payload.get("input"))] else written


OPENAI_RESPONSES = Shape("OpenAI Responses", _tools, _pieces, _write, ("instructions",))
