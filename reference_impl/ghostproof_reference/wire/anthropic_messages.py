"""Anthropic messages. A call group is the assistant's message and the results in the user's answer to it.

What the user says beside the results is an item of its own and survives them. `ANTHROPIC_NATIVE` also writes the
provider's own removal block: the tool then stays declared, deferred, since a block may only withdraw what is declared.
That needs the provider's beta for tool changes in mid-conversation.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ghostproof_reference.gate import TOMBSTONE_MARK, marked_tool
from ghostproof_reference.request import Call, Notice, Request, Result, Tombstone, Tool, as_text
from ghostproof_reference.wire.shape import (
    Fields,
    Payload,
    Piece,
    Shape,
    fields,
    listed,
    payloads,
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


def _tools(payload: Payload) -> tuple[Tool, ...]:
    withdrawn = _withdrawn(payload)
    declared = (
        _tool(fields(found, f"tools[{n}]"), f"tools[{n}]", withdrawn)
        for n, found in enumerate(listed(payload.get("tools"), "tools"))
    )
    return tuple(declared)


def _tool(entry: Fields, where: str, withdrawn: set[str]) -> Tool:
    name = string(entry, "name", where)
    if entry.get("type", "custom") != "custom":
        # Run or defined by the provider: nothing that a model could request again by name.
        return Tool(name, pinned=True, payload=entry)
    shape = schema(entry.get("input_schema"), where)
    deferred = entry.get("defer_loading") is True or name in withdrawn
    return Tool(name, shape, str(entry.get("description") or ""), deferred=deferred, payload=entry)


def _withdrawn(payload: Payload) -> set[str]:
    """Tools that somebody else's removal blocks withdraw; ours stand beside a tombstone, which says the same."""
    names: set[str] = set()
    for message in listed(payload.get("messages"), "messages"):
        blocks = _blocks(fields(message, "messages"))
        if _marked(blocks):
            continue
        for block in blocks:
            name = _changed(block)
            if block.get("type") == "tool_removal":
                names.add(name)
            elif block.get("type") == "tool_addition":
                names.discard(name)
    return names


def _changed(block: Fields) -> str:
    tool = block.get("tool")
    named = fields(tool, "tool") if tool is not None else {}
    definition = named.get("definition")
    return str((fields(definition, "definition") if definition is not None else named).get("name", ""))


def _blocks(message: Fields) -> list[Fields]:
    content = message.get("content")
    return [] if isinstance(content, str) else [fields(block, "content") for block in listed(content, "content")]


def _marked(blocks: Sequence[Fields]) -> bool:
    return bool(blocks) and marked_tool(str(blocks[0].get("text", "")), TOMBSTONE_MARK) is not None


def _pieces(payload: Payload) -> list[Piece]:
    pieces: list[Piece] = []
    for number, found in enumerate(listed(payload.get("messages"), "messages")):
        message, where = fields(found, f"messages[{number}]"), f"messages[{number}]"
        content = message.get("content")
        if isinstance(content, str):
            # Markers of ours are a user's messages; what the model wrote is its own, however it begins.
            pieces.append(Piece(message, where, text=content if message.get("role") == "user" else ""))
        elif message.get("role") == "assistant":
            pieces.append(_assistant(message, where))
        else:
            pieces += _answer(message, where)
    return pieces


def _assistant(message: Fields, where: str) -> Piece:
    calls: list[Call] = []
    results: list[Result] = []
    shows: list[str] = []
    for number, block in enumerate(_blocks(message)):
        kind, place = str(block.get("type", "")), f"{where}.content[{number}]"
        if kind.endswith("tool_use"):
            given = block.get("input")
            arguments = given if isinstance(given, str) else as_text({} if given is None else given)
            calls.append(Call(string(block, "name", place), string(block, "id", place), arguments))
        elif kind.endswith("tool_result"):
            results.append(Result(string(block, "tool_use_id", place), as_text(block.get("content"))))
            shows += _references(block.get("content"))
    return Piece(message, where, tuple(calls), tuple(results), tuple(shows))


def _answer(message: Fields, where: str) -> list[Piece]:
    """A user's or system's message, cut where results end and something else begins."""
    blocks = _blocks(message)
    pieces: list[Piece] = []
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
            pieces.append(Piece(part, where, results=results, shows=tuple(shows)))
        else:
            added = tuple(_changed(block) for block in blocks[start:stop] if block.get("type") == "tool_addition")
            text = str(blocks[0].get("text", "")) if start == 0 and (len(blocks) == 1 or _ours(blocks)) else ""
            pieces.append(Piece(part, where, shows=added, text=text))
        start = stop
    return pieces or [Piece(message, where)]


def _ours(blocks: Sequence[Fields]) -> bool:
    return len(blocks) == 2 and blocks[1].get("type") == "tool_removal" and _marked(blocks)


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
    parts: list[object] = []
    stones: dict[int, Tombstone] = {}
    for item in request.history:
        if isinstance(item, Tombstone | Notice):
            line = {"role": "user", "content": item.line}
            parts.append(line)
            if native and isinstance(item, Tombstone):
                stones[id(line)] = item
        else:
            parts += payloads(item)
    history = _joined(parts)
    declared = _tools(payload)
    names = {tool.name for tool in declared}
    withdrawn: set[str] = set()
    for index, message in enumerate(history):
        stone = stones.get(id(message))
        if stone is not None and stone.tool in names and _removal_may_stand(history, index):
            removal = {"type": "tool_removal", "tool": {"type": "tool_reference", "name": stone.tool}}
            history[index] = {"role": "system", "content": [{"type": "text", "text": stone.line}, removal]}
            withdrawn.add(stone.tool)
    return rebuilt(payload, tools_on_wire(declared, request, _render, withdrawn), "messages", history)


def _removal_may_stand(history: Sequence[object], index: int) -> bool:
    """The provider takes a system message only behind the user's, and before the assistant's or at the end."""
    before = index > 0 and _role(history[index - 1]) in ("user", "system")
    return before and (index + 1 == len(history) or _role(history[index + 1]) == "assistant")


ANTHROPIC = Shape("Anthropic messages", _tools, _pieces, partial(_write, native=False), ("system",))
ANTHROPIC_NATIVE = Shape("Anthropic messages", _tools, _pieces, partial(_write, native=True), ("system",))
