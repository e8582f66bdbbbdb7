"""Anthropic messages. A call group is the assistant's message and the results in the user's answer to it.

What the user says beside the results is an item of its own and survives them. `ANTHROPIC_NATIVE` also writes the
provider's own removal block: the tool then stays declared, deferred, since a block may only withdraw what is declared.
That needs the provider's beta for tool changes in mid-conversation.

An MCP server is one tool that is never withheld, and calls of its tools are calls of it. A tool that somebody else's
removal block withdraws is not declared until a later addition brings it back: what was withdrawn on purpose is not
revived by a request. What such a block names is never withheld, since a block may only name what is declared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby

from ghostproof_reference.request import Call, Notice, Request, Result, Tombstone, Tool, as_text
from ghostproof_reference.wire.anthropic_removals import (
    Place,
    changed_tool,
    content_blocks,
    is_ours,
    last_changes,
    removal_messages,
    removals,
    withdrawn_tools,
)
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


class Part(dict[str, object]):
    """A message with some of its content blocks: those of `message` from `start` to before `stop`."""

    def __init__(self, message: Fields, start: int, stop: int) -> None:
        blocks = listed(message.get("content"), "content")
        super().__init__({**message, "content": list(blocks[start:stop])})
        self.message = message
        self.start = start
        self.stop = stop

    @property
    def whole(self) -> bool:
        """Whether no block is missing."""
        return self.start == 0 and self.stop == len(listed(self.message.get("content"), "content"))


SUBTOOLS = {"bash_code_execution": "code_execution", "text_editor_code_execution": "code_execution"}
"""What calls of the provider's own tools are named, where that is not what is declared."""


def _tools(payload: Payload) -> tuple[Tool, ...]:
    declared, withdrawn = _declared(payload), withdrawn_tools(payload)
    return (*(tool for tool in declared if tool.name not in withdrawn), *_servers(payload, declared))


def _declared(payload: Payload) -> tuple[Tool, ...]:
    """What stands in the tools field."""
    last = last_changes(payload)
    declared = (
        _tool(fields(found, f"tools[{n}]"), f"tools[{n}]", last)
        for n, found in enumerate(listed(payload.get("tools"), "tools"))
    )
    return tuple(declared)


def _inert(payload: Payload) -> list[object]:
    """Declarations of tools that somebody else withdrew: they stay in the tools field, and cost what they cost."""
    withdrawn = withdrawn_tools(payload)
    entries = [fields(tool.payload, "tools") for tool in _declared(payload) if tool.name in withdrawn]
    return [entry for entry in entries if entry.get("defer_loading") is not True]


def _tool(entry: Fields, where: str, changes: Mapping[str, str]) -> Tool:
    kind = entry.get("type", "custom")
    name = string(entry, "mcp_server_name" if kind == "mcp_toolset" else "name", where)
    if kind != "custom":
        # Run or defined by the provider: nothing that a model could request again by name.
        return Tool(name, pinned=True, payload=entry)
    shape = schema(entry.get("input_schema"), where)
    deferred = entry.get("defer_loading") is True or changes.get(name) == "tool_removal"
    # A block may only name what is declared, and what somebody else's block says of a tool stays in the history.
    description, named = str(entry.get("description") or ""), name in changes
    return Tool(name, shape, description, pinned=named, deferred=deferred, payload=entry)


def _servers(payload: Payload, declared: Sequence[Tool]) -> list[Tool]:
    """MCP servers without a toolset: in the connector's first version a server alone brings its tools."""
    known = {tool.name for tool in declared if fields(tool.payload, "tools").get("type") == "mcp_toolset"}
    found = [
        fields(server, f"mcp_servers[{n}]")
        for n, server in enumerate(listed(payload.get("mcp_servers"), "mcp_servers"))
    ]
    names = [string(server, "name", f"mcp_servers[{n}]") for n, server in enumerate(found)]
    return [
        Tool(name, pinned=True, payload=entry) for name, entry in zip(names, found, strict=True) if name not in known
    ]


def _pieces(payload: Payload) -> list[Piece]:
    pieces: list[Piece] = []
    removed = removals(payload)
    for number, found in enumerate(listed(payload.get("messages"), "messages")):
        message, where = fields(found, f"messages[{number}]"), f"messages[{number}]"
        content = message.get("content")
        if isinstance(content, str):
            # Markers of ours are a user's messages; what the model wrote is its own, however it begins.
            user = message.get("role") == "user"
            pieces.append(Piece(message, where, text=content if user else "", stays=message.get("role") != "assistant"))
        elif message.get("role") == "assistant":
            pieces.append(_without(_assistant(message, where), removed, (number, 0)))
        else:
            pieces += [_without(piece, removed, (number, start)) for start, piece in _answer(message, where)]
    return pieces


def _without(piece: Piece, removed: dict[str, Place], place: Place) -> Piece:
    """The piece, at `place`, without the schemas that were withdrawn after it.

    An addition that takes a removal back stays, since the removal does, and would withdraw the tool again.
    """
    if not piece.shows:
        return piece
    shows = tuple(name for name in piece.shows if removed.get(name, (-1, -1)) < place)
    takes_back = not piece.results and any(name in removed for name in shows)
    return replace(piece, shows=shows, stays=piece.stays or takes_back)


def _assistant(message: Fields, where: str) -> Piece:
    calls: list[Call] = []
    results: list[Result] = []
    shows: list[str] = []
    for number, block in enumerate(content_blocks(message)):
        kind, place = str(block.get("type", "")), f"{where}.content[{number}]"
        if kind.endswith("tool_use"):
            given = block.get("input")
            arguments = given if isinstance(given, str) else as_text({} if given is None else given)
            calls.append(Call(_called(block, kind, place), string(block, "id", place), arguments))
        elif kind.endswith("tool_result"):
            results.append(Result(string(block, "tool_use_id", place), as_text(block.get("content"))))
            shows += _references(block.get("content"))
    return Piece(message, where, tuple(calls), tuple(results), tuple(shows))


def _called(block: Fields, kind: str, where: str) -> str:
    """The declared tool that a block calls."""
    name = string(block, "server_name" if kind == "mcp_tool_use" else "name", where)
    return SUBTOOLS.get(name, name) if kind == "server_tool_use" else name


def _answer(message: Fields, where: str) -> list[tuple[int, Piece]]:
    """A user's or system's message, cut where results end and something else begins; each with its first block."""
    blocks = content_blocks(message)
    if is_ours(blocks):
        lines = [str(block["text"]) for block in blocks[: len(blocks) // 2]]
        return [(number, Piece(line, where, text=line, stays=True)) for number, line in enumerate(lines)]
    pieces: list[tuple[int, Piece]] = []
    start = 0
    for stop in range(1, len(blocks) + 1):
        result = blocks[start].get("type") == "tool_result"
        if stop < len(blocks) and (blocks[stop].get("type") == "tool_result") == result:
            continue
        part = Part(message, start, stop)
        if result:
            ids = [string(block, "tool_use_id", f"{where}.content") for block in blocks[start:stop]]
            pairs = zip(ids, blocks[start:stop], strict=True)
            results = tuple(Result(call_id, as_text(block.get("content"))) for call_id, block in pairs)
            shows = [name for block in blocks[start:stop] for name in _references(block.get("content"))]
            pieces.append((start, Piece(part, where, results=results, shows=tuple(shows))))
        else:
            added = tuple(changed_tool(block) for block in blocks[start:stop] if block.get("type") == "tool_addition")
            text = str(blocks[0].get("text", "")) if len(blocks) == 1 else ""
            # A bare addition may go like a call. What somebody wrote, or withdrew, may not.
            stays = len(added) < stop - start
            pieces.append((start, Piece(part, where, shows=added, text=text, stays=stays)))
        start = stop
    return pieces or [(0, Piece(message, where, stays=True))]


def _references(content: object) -> list[str]:
    """Names of the tools that a result reveals."""
    if isinstance(content, dict):
        return _references(content.get("tool_references"))
    found = content if isinstance(content, list) else []
    return [
        str(b["tool_name"])
        for b in found
        if isinstance(b, dict) and b.get("type") == "tool_reference" and "tool_name" in b
    ]


def _render(tool: Tool) -> Fields:
    return {"name": tool.name, "description": tool.description, "input_schema": dict(tool.schema)}


def _joined(parts: Sequence[object]) -> list[object]:
    """Parts of one message that stand together again are that message."""
    joined: list[object] = []
    for part in parts:
        last = joined[-1] if joined else None
        if (
            isinstance(part, Part)
            and isinstance(last, Part)
            and last.message is part.message
            and last.stop == part.start
        ):
            joined[-1] = Part(part.message, last.start, part.stop)
        else:
            joined.append(part)
    return [(part.message if part.whole else dict(part)) if isinstance(part, Part) else part for part in joined]


def _role(message: object) -> object:
    return message.get("role") if isinstance(message, dict) else None


def _write(payload: Payload, request: Request, *, native: bool) -> dict[str, object]:
    declared = _declared(payload)
    names = {tool.name for tool in declared} - withdrawn_tools(payload) if native else set()
    stones: dict[int, Tombstone] = {}

    def line(marker: Tombstone | Notice) -> Fields:
        written = {"role": "user", "content": marker.line}
        if isinstance(marker, Tombstone) and marker.tool in names:
            stones[id(written)] = marker
        return written

    history: list[object] = []
    withdrawn: set[str] = set()
    given, end = _joined(on_wire(request.history, line)), 0
    for are_stones, found in groupby(given, lambda message: id(message) in stones):
        run = list(found)
        end += len(run)
        if are_stones and all(_role(message) == "assistant" for message in given[end : end + 1]):
            # The provider takes a system message only behind the user's: elsewhere the first line must do.
            lead = 0 if any(_role(message) in ("user", "system") for message in history[-1:]) else 1
            told = [stones[id(message)] for message in run[lead:]]
            withdrawn |= {stone.tool for stone in told}
            run[lead:] = removal_messages(told)
        history += run
    served = {tool.name for tool in _servers(payload, declared)}
    request = replace(request, tools=tuple(tool for tool in request.tools if tool.name not in served))
    tools = tools_on_wire(declared, request, _render, withdrawn)
    if withdrawn and all(fields(entry, "tools").get("defer_loading") is True for entry in tools):
        # The provider refuses a tools field of which nothing is loaded: then the lines must do.
        return _write(payload, request, native=False)
    return rebuilt(payload, tools, "messages", history)


ANTHROPIC = Shape("Anthropic messages", _tools, _pieces, partial(_write, native=False), ("system",), _inert)
ANTHROPIC_NATIVE = Shape("Anthropic messages", _tools, _pieces, partial(_write, native=True), ("system",), _inert)
