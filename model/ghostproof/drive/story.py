"""A recorded session as plain lines for people: what was asked, offered, kept and dropped, and where the ghost is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ghostproof.report.printable import printable
from ghostproof.turn.recording import Exchange, Recording, Sighting
from ghostproof.wire.formats import FORMATS
from ghostproof.wire.request import ArgumentState, Call, Request, Result
from ghostproof.wire.residency import Residency, residencies

ARGUMENTS = 160
"""Characters of one call's arguments that are shown."""

LEFT = {
    ArgumentState.FULL: "in full",
    ArgumentState.TRUNCATED: "truncated",
    ArgumentState.EMPTIED: "emptied",
}


def tell(recording: Recording) -> list[str]:
    """The lines of the story, each safe for a terminal; lines that belong to a request are indented by two."""
    read = FORMATS[recording.wire]
    lines: list[str] = []
    for exchange in recording.exchanges:
        offered = read(exchange.offered, None)
        whole = {entry.tool: entry.schema for entry in offered.declared if entry.schema is not None}
        sent = read(exchange.sent, whole)
        opening, *answers = exchange.choices or ("",)
        lines.append(printable(f"request {exchange.turn}: {opening}".rstrip(": ")))
        lines += (f"  {printable(answer)}" for answer in answers)
        lines += (f"  {line}" for line in _exchange(exchange, offered, sent))
    return lines


def _exchange(exchange: Exchange, offered: Request, sent: Request) -> Iterator[str]:
    found = residencies(sent)
    declared = dict.fromkeys(entry.tool for entry in offered.declared)
    shown = [tool for tool in declared if tool in found and found[tool].schema_resident]
    lossy = [tool for tool in declared if tool in found and found[tool].lossy]
    dropped = [tool for tool in declared if tool not in shown and tool not in lossy]
    yield f"schemas offered: {_names(declared)}; sent: {_names(shown)}" + (
        f"; dropped: {_names(dropped)}" if dropped else ""
    )
    if lossy:
        yield f"schemas that lost required fields, types or enums: {_names(lossy)}"
    yield from _history(offered, sent)
    for tool, residency in found.items():
        if residency.tombstone is not None and not residency.schema_resident:
            said = printable(residency.tombstone.quote, ARGUMENTS)
            yield f"tombstone for {printable(tool)} at {residency.tombstone.where}: {said}"
    for ghost in exchange.ghosts:
        yield from _ghost(ghost, found)
    if exchange.response is not None:
        yield f"the model {_response(exchange.response)}"


def _history(offered: Request, sent: Request) -> Iterator[str]:
    """What became of each call and result that was offered."""
    left = {(call.id, call.tool): call for call in sent.calls()}
    for call in offered.calls():
        kept = left.get((call.id, call.tool))
        if kept is None:
            yield f"history: {_call(call)}: removed"
        elif kept.arguments is not ArgumentState.FULL or kept.text == call.text:
            yield f"history: {_call(call)}: {LEFT[kept.arguments]}"
        else:
            yield f"history: {_call(call)}: changed to {printable(kept.text, ARGUMENTS)}"
    results = {item.id: item.text for item in sent.items if isinstance(item, Result)}
    for item in offered.items:
        if isinstance(item, Result) and results.get(item.id) != item.text:
            now = results.get(item.id)
            became = "removed" if now is None else f"replaced by {printable(now, 80)}"
            yield f"history: result of {printable(str(item.id))}: {became}"


def _ghost(ghost: Sighting, found: Mapping[str, Residency]) -> Iterator[str]:
    effect = "changes state" if ghost.mutation else "only reads"
    yield f"GHOST: {printable(ghost.tool)} ({ghost.kind}; {effect}): {printable(ghost.evidence)}"
    calls = found[ghost.tool].calls if ghost.tool in found else ()
    if calls:
        yield f"the model sees {_call(calls[-1])} and nothing that says what the tool takes now"


def _response(response: Mapping[str, Any]) -> str:
    calls = response.get("tool_calls") or []
    if not calls:
        return f"answers: {printable(str(response.get('content') or ''), ARGUMENTS)}"
    bodies = (call["function"] for call in calls)
    return "calls " + " and ".join(_written(body["name"], body["arguments"]) for body in bodies)


def _call(call: Call) -> str:
    return _written(call.tool, call.text)


def _written(tool: str, arguments: str) -> str:
    return printable(f"{tool} {arguments}", ARGUMENTS)


def _names(tools: Iterable[str]) -> str:
    return ", ".join(printable(tool, 80) for tool in tools) or "none"
