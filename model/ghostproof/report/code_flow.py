"""A refuting session as a SARIF code flow: one location for each step of the trace, and one for each sent request."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ghostproof.report.changes import described
from ghostproof.report.printable import printable
from ghostproof.report.story import ACTIONS, UNEVENTFUL, seen
from ghostproof.report.words import listed
from ghostproof.turn.recording import Recording
from ghostproof.turn.trace import PassEnd, Request, Step, Trace, Walk

Place = tuple[str, int]
Json = dict[str, Any]

ENDS = {
    "fits": "its budget condition holds",
    "visited": "every tool was visited once",
    "unchanged": "its budget condition fails, and nothing is left to change",
}


@dataclass(frozen=True, slots=True)
class Written:
    """Where a pruner is written, as far as is known: itself, and each of its passes by name."""

    pruner: Place | None = None
    passes: Mapping[str, Place] = field(default_factory=dict)


def message(text: str, limit: int = 1000) -> Json:
    """A SARIF message that says `text` and nothing else: what would be a placeholder or a link in it is made none."""
    safe = printable(text, limit).replace("](", "] (")
    return {"text": safe.replace("{", "{{").replace("}", "}}")}


def location(place: Place | None, name: str, kind: str, said: str = "") -> Json:
    """A place in a file, where there is one, and in words."""
    logical: Json = {"fullyQualifiedName": printable(name, 200)}
    found: Json = {"logicalLocations": [logical | ({"kind": kind} if kind else {})]}
    if place is not None:
        path, line = place
        found["physicalLocation"] = {"artifactLocation": _artifact(path), "region": {"startLine": max(1, line)}}
    return found | ({"message": message(said)} if said else {})


def _artifact(path: str) -> Json:
    safe = path.encode("utf-8", "surrogatepass")
    if Path(path).is_absolute():
        return {"uri": "file://" + quote(safe)}
    # A colon in the first part of a relative reference would make it a scheme.
    return {"uri": quote(safe), "uriBaseId": "%SRCROOT%"}


def code_flow(trace: Trace | Recording | Walk, written: Written) -> Json | None:
    """The session; None if it has no step."""
    match trace:
        case Trace():
            steps = list(_session(trace, written))
        case Recording():
            steps = list(_recording(trace, written))
        case Walk():
            steps = [_step(location(written.pruner, name, "", name), 0) for name in trace.commands]
    for order, step in enumerate(steps):
        step["executionOrder"] = order
    return {"threadFlows": [{"locations": steps}]} if steps else None


def _session(trace: Trace, written: Written) -> Iterator[Json]:
    names = [printable(name, 60) for name in trace.names]
    for request in trace.requests:
        for step in request.steps:
            yield _end(step, written) if isinstance(step, PassEnd) else _change(step, names, written)
        yield _sent(request, names, written)


def _change(step: Step, names: Sequence[str], written: Written) -> Json:
    name = names[step.tool]
    if step.by_pass:
        said = f"pass {printable(step.actor, 60)} {listed(described(step.before, step.after, name))}"
        place = location(written.passes.get(step.actor, written.pruner), step.actor, "function", said)
        return _step(place, 2, "important", _state(step, name))
    said = ACTIONS[step.actor][step.action].sentence.replace("{tool}", name)
    weight = "unimportant" if step.action in UNEVENTFUL else "important"
    return _step(location(written.pruner, step.actor, "", said), 1, weight, _state(step, name))


def _state(step: Step, name: str) -> Json:
    values = {f"{name}.{field}": value for field, value in step.after.items()} | dict(step.numbers)
    return {printable(key, 100): {"text": str(value)} for key, value in values.items()}


def _end(end: PassEnd, written: Written) -> Json:
    tokens = f"prompt {end.tokens_before} -> {end.tokens_after} tokens"
    said = f"pass {printable(end.name, 60)} ends: {tokens}; {ENDS.get(end.reason, printable(end.reason))}"
    return _step(location(written.passes.get(end.name, written.pruner), end.name, "function", said), 1, "unimportant")


def _sent(request: Request, names: Sequence[str], written: Written) -> Json:
    tools = "; ".join(f"{name}: {seen(tool)}" for name, tool in zip(names, request.tools, strict=True))
    ghosts = [names[index] for index in request.violations]
    said = f"request {request.turn} is sent" + (f" with a GHOST of {listed(ghosts)}" if ghosts else "") + f": {tools}"
    return _step(location(written.pruner, "prompt", "", said), 0, "essential" if ghosts else "important")


def _recording(trace: Recording, written: Written) -> Iterator[Json]:
    for exchange in trace.exchanges:
        ghosts = "; ".join(f"GHOST of {ghost.tool} ({ghost.kind}): {ghost.evidence}" for ghost in exchange.ghosts)
        said = f"request {exchange.turn}: {'; '.join(exchange.choices)}" + (f"; {ghosts}" if ghosts else "")
        weight = "essential" if exchange.ghosts else "important"
        yield _step(location(written.pruner, "request", "", said), 0, weight)


def _step(place: Json, nesting: int, weight: str = "important", state: Json | None = None) -> Json:
    step: Json = {"location": place, "nestingLevel": nesting, "importance": weight}
    return step | ({"state": state} if state else {})
