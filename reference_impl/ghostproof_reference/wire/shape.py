"""What a provider format has to say of itself, and how its pieces become items.

A format cuts a payload into pieces, each with the calls, results and schemas that it finds there, and puts pieces back
together. What a piece holds besides is never looked at: unknown fields come back as they were.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from ghostproof_reference.errors import MalformedRequestError
from ghostproof_reference.gate import NOTICE_MARK, TOMBSTONE_MARK, marked_tool
from ghostproof_reference.request import (
    Aside,
    Call,
    CallGroup,
    Effect,
    Item,
    Notice,
    Request,
    Result,
    Showing,
    Text,
    Tombstone,
    Tool,
    as_text,
)
from ghostproof_reference.tokens import Counter, estimate, tokens

Payload = Mapping[str, object]
Fields = Mapping[str, object]
"""A JSON object on the wire."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of the history on the wire. `where` is its path; `leads` says that it belongs to the piece behind it.

    `stays`: what the user or the system wrote, or what the provider would only send again; it is never taken away, and
    goes with no call that it stands in. `joins` names calls without which it cannot stand, where they are in sight.
    """

    payload: object
    where: str
    calls: tuple[Call, ...] = ()
    results: tuple[Result, ...] = ()
    shows: tuple[str, ...] = ()
    text: str = ""
    leads: bool = False
    stays: bool = False
    joins: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Shape:
    """A provider format. `prompt_fields` hold text that is sent and is neither a tool nor history, such as `system`.

    `inert` are declarations that are sent and are no tools any more, such as those that the caller withdrew.
    """

    name: str
    tools: Callable[[Payload], tuple[Tool, ...]]
    pieces: Callable[[Payload], list[Piece]]
    write: Callable[[Payload, Request], dict[str, object]]
    prompt_fields: tuple[str, ...] = ()
    inert: Callable[[Payload], Sequence[object]] = lambda payload: ()

    def read(
        self,
        payload: Payload,
        *,
        effects: Mapping[str, Effect] | None = None,
        pinned: Collection[str] = (),
        count: Counter = estimate,
    ) -> Request:
        """The request that a payload stands for. What tools do is not on the wire: `effects` says it, by name.

        What `tool_choice` demands or allows by name is pinned: a request that names a tool shows it.
        Raises MalformedRequestError, which names the place.
        """
        known = effects or {}
        kept = {*pinned, *chosen(payload.get("tool_choice") if isinstance(payload, Mapping) else None)}
        tools = tuple(
            replace(tool, effect=known.get(tool.name, tool.effect), pinned=tool.pinned or tool.name in kept)
            for tool in self.tools(fields(payload, self.name))
        )
        rest = [(name, payload[name]) for name in self.prompt_fields if payload.get(name)]
        rest += [("a tool that is withdrawn", entry) for entry in self.inert(payload)]
        rest_tokens = sum(tokens(what, as_text(found), count) for what, found in rest)
        return Request(tools, items(self.pieces(payload)), rest_tokens)


def chosen(choice: object) -> set[str]:
    """The names in a `tool_choice`: of the tool that it demands, or of those in its list of `allowed_tools`.

    A name stands beside its type or in a field named like its type; the list too, with OpenAI.
    """
    if not isinstance(choice, Mapping):
        return set()
    kind = choice.get("type")
    inner = choice.get(kind, choice) if isinstance(kind, str) else choice
    if not isinstance(inner, Mapping):
        return set()
    if kind == "allowed_tools":
        allowed = inner.get("tools")
        return set().union(*map(chosen, allowed)) if isinstance(allowed, list | tuple) else set()
    name = inner.get("name")
    return {name} if isinstance(name, str) else set()


def items(pieces: Sequence[Piece]) -> tuple[Item, ...]:
    """Pieces as items. A call group reaches from its first call to its last result, with what stands between.

    What stays of that, such as a user's message, is an item of its own behind the group; `on_wire` puts it between.
    """
    place: dict[str, int] = {}
    end: dict[int, int] = {}
    for index, piece in enumerate(pieces):
        for call in piece.calls:
            if call.id in place:
                raise MalformedRequestError(f"{piece.where}: call {call.id!r}", "two calls have this id")
            place[call.id] = index
            end[index] = index
        for result in piece.results:
            if result.call_id not in place:
                raise MalformedRequestError(
                    f"{piece.where}: result of {result.call_id!r}", "there is no such call before it"
                )
            end[place[result.call_id]] = index
        end.update((place[call_id], index) for call_id in piece.joins if call_id in place)
    found: list[Item] = []
    index = 0
    while index < len(pieces):
        first = index
        while pieces[index].leads and index + 1 < len(pieces):
            index += 1
        if index not in end:
            found += [_alone(piece) for piece in pieces[first : index + 1]]
            index += 1
            continue
        last = index
        while index <= last:
            last = max(last, end.get(index, index))
            if index + 1 < len(pieces) and not pieces[index].results and pieces[index + 1].calls:
                last = max(last, index + 1)
            index += 1
        found += _spanned(pieces[first:index])
    return tuple(found)


def _spanned(span: Sequence[Piece]) -> list[Item]:
    """A call group, and what of its span is an item of its own.

    A marker that was written while a call was open stands between it and its result, and goes behind it.
    """
    wire = [piece for piece in span if not _marked(piece)]
    group = _group([piece for piece in wire if not piece.stays])
    first = group.calls[0].id
    asides = [
        _alone(replace(piece, payload=Aside(piece.payload, first, place)))
        for place, piece in enumerate(wire)
        if piece.stays
    ]
    return [group, *asides, *(_alone(piece) for piece in span if _marked(piece))]


def _marked(piece: Piece) -> bool:
    return any(marked_tool(piece.text, mark) is not None for mark in (TOMBSTONE_MARK, NOTICE_MARK))


def _group(pieces: Sequence[Piece]) -> CallGroup:
    return CallGroup(
        calls=tuple(call for piece in pieces for call in piece.calls),
        results=tuple(result for piece in pieces for result in piece.results),
        shows=tuple(dict.fromkeys(name for piece in pieces for name in piece.shows)),
        payload=tuple(piece.payload for piece in pieces),
    )


def _alone(piece: Piece) -> Item:
    if (tool := marked_tool(piece.text, TOMBSTONE_MARK)) is not None:
        return Tombstone(tool, piece.text)
    if (tool := marked_tool(piece.text, NOTICE_MARK)) is not None:
        return Notice(tool, piece.text)
    if piece.shows:
        return Showing(piece.shows, pinned=piece.stays, payload=piece.payload)
    return Text("", payload=piece.payload)


def payloads(item: Item) -> tuple[object, ...]:
    """What an item that came from the wire stands for there."""
    if isinstance(item, CallGroup) and isinstance(item.payload, tuple):
        return item.payload
    return (item.payload,)  # type: ignore[union-attr]


def on_wire(history: Sequence[Item], marker: Callable[[Tombstone | Notice], object]) -> list[object]:
    """A history as it stands on the wire, with our markers written by `marker`."""
    written: list[object] = []
    begun: dict[str, int] = {}
    for item in history:
        if isinstance(item, Tombstone | Notice):
            written.append(marker(item))
            continue
        if isinstance(item, CallGroup):
            begun[item.calls[0].id] = len(written)
        if not isinstance(item.payload, Aside):
            written += payloads(item)
        elif item.payload.call_id in begun:
            written.insert(begun[item.payload.call_id] + item.payload.place, item.payload.payload)
        else:
            written.append(item.payload.payload)
    return written


def fields(found: object, where: str) -> Fields:
    """An object. Raises MalformedRequestError for anything else."""
    if not isinstance(found, Mapping):
        raise MalformedRequestError(where, f"not an object: {found!r:.80}")
    return found


def listed(found: object, where: str) -> Sequence[object]:
    """A list; nothing counts as an empty one. Raises MalformedRequestError for anything else."""
    if found is None:
        return ()
    if not isinstance(found, list | tuple):
        raise MalformedRequestError(where, f"not a list: {found!r:.80}")
    return found


def string(found: Fields, name: str, where: str) -> str:
    """A field that is a string and not empty. Raises MalformedRequestError for anything else."""
    value = found.get(name)
    if not isinstance(value, str) or not value:
        raise MalformedRequestError(where, f"{name!r} is a string, not {value!r:.80}")
    return value


def schema(found: object, where: str) -> Fields:
    """A schema; none at all counts as an empty one."""
    return {} if found is None else fields(found, where)


def tools_on_wire(
    declared: Sequence[Tool], request: Request, render: Callable[[Tool], Fields], withdrawn: Collection[str] = ()
) -> list[object]:
    """The tools field for `request`, where the payload declares `declared`.

    A deferred declaration stays, since it shows nothing; once its schema was requested it is deferred no more. One in
    `withdrawn` stays as a deferred one.
    """
    shown = {tool.name: tool for tool in request.tools}
    written: list[object] = []
    for tool in declared:
        sent, entry = shown.pop(tool.name, None), fields(tool.payload, f"tool {tool.name!r}")
        if sent is not None and sent.payload is None:
            written.append(render(sent))
        elif sent is not None and tool.deferred and not sent.deferred:
            written.append({name: value for name, value in entry.items() if name != "defer_loading"})
        elif sent is not None or tool.deferred:
            written.append(entry)
        elif tool.name in withdrawn:
            written.append({**entry, "defer_loading": True})
    return [*written, *(render(tool) for tool in shown.values())]


BESIDE_TOOLS = ("tool_choice", "parallel_tool_calls")
"""Fields that say how tools are to be called, which no provider needs and some refuse where there is no tool."""


def rebuilt(payload: Payload, tools: list[object], history_field: str, history: list[object]) -> dict[str, object]:
    """The payload with other tools and another history.

    Where every tool of it is withheld, the tools field goes, since OpenAI's chat format refuses an empty one, and
    `BESIDE_TOOLS` with it. What the payload says without any tool is its own.
    """
    written = {**payload, history_field: history}
    if tools:
        written["tools"] = tools
    elif payload.get("tools"):
        for name in ("tools", *BESIDE_TOOLS):
            written.pop(name, None)
    return written
