"""A played session for people: what happened, what each pass did and why, what the model sees, where the ghost is.

Told from the trace alone, which the plain functions made. A change is put in words of the model where there are such
words; every other changed field is told by name, so that nothing a pass did is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ghostproof.report.changes import described
from ghostproof.report.moments import answered
from ghostproof.report.printable import printable
from ghostproof.report.words import count, listed
from ghostproof.turn.action import Action
from ghostproof.turn.budget import Turn
from ghostproof.turn.environment import ENVIRONMENT_BY_NAME, LATE_BY_NAME
from ghostproof.turn.property import PROPERTIES
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.response import EXECUTION_BY_NAME, RESPONSE_BY_NAME
from ghostproof.turn.tool import Tool
from ghostproof.turn.trace import PassEnd, Request, Snapshot, Step, Trace, Walk

ACTIONS: Mapping[str, Mapping[str, Action]] = {
    "environment": ENVIRONMENT_BY_NAME,
    "late": LATE_BY_NAME,
    "response": RESPONSE_BY_NAME,
    "execution": EXECUTION_BY_NAME,
}
# What each budget pays for.
SPENDING = {"schema_budget": "schemas", "argument_budget": "history", "total_budget": "prompt"}
# The usual case, in which nothing happens to a tool.
UNEVENTFUL = ("idle", "silent", "no execution")


def tell(trace: Trace) -> list[str]:
    """The lines of the story, each safe for a terminal; lines that belong to a turn are indented."""
    names = [printable(name, 60) for name in trace.names]
    # What was given no name is called after its class.
    named = "without a name" if trace.pruner == Pruner.__name__ else printable(trace.pruner, 80)
    lines = [f"pruner {named}, tools as the session starts:"]
    lines += (f"  {name}: {_fixed(tool)}" for name, tool in zip(names, trace.script.tools, strict=True))
    if trace.script.rest_tokens:
        lines.append(f"  the rest of each prompt costs {count(trace.script.rest_tokens, 'token')}")
    for request, following in zip(trace.requests, [*trace.requests[1:], None], strict=True):
        lines.append(f"turn {request.turn}")
        lines += (f"  {line}" for line in _turn(request, names, trace))
        # What followed a request stands in the trace before the next one.
        lines += (f"  {line}" for line in (_answers(following, names) if following else ()))
    return lines


def tell_walk(walk: Walk) -> list[str]:
    """The commands of a plain system and the states between them."""
    lines = [f"state 0: {_values(walk.states[0])}"] if walk.states else []
    for number, (name, state) in enumerate(zip(walk.commands, walk.states[1:], strict=False), start=1):
        lines += [f"command {printable(name)}", f"state {number}: {_values(state)}"]
    return lines


def _wrong(name: str, judged: str) -> str:
    """What is wrong with a tool at the request. Claims judge more than ghosts, and what they judge may be no ghost."""
    if judged in PROPERTIES:
        return f"GHOST: {name}: the model sees arguments, no schema and no tombstone"
    return f"VIOLATION: {name}: {printable(judged)} fails"


def _values(state: Mapping[str, bool | int | str]) -> str:
    return printable(", ".join(f"{name} {value}" for name, value in state.items()), 1000)


def _fixed(tool: Snapshot) -> str:
    effect = "changes state" if tool["mutation"] else "only reads"
    sizes = f"schema {tool['schema_tokens']}, a call's arguments {tool['argument_tokens']}"
    pinned = ", pinned" if tool["pinned"] else ""
    return f"{effect}{pinned}; tokens: {sizes}, tombstone {tool['tombstone_tokens']}"


def _turn(request: Request, names: Sequence[str], trace: Trace) -> Iterator[str]:
    visits: list[Step] = []
    for step in request.steps:
        if isinstance(step, PassEnd):
            yield from _pass(step, visits, names, trace.budgets)
            visits = []
        elif step.by_pass:
            visits.append(step)
        elif step.actor == "environment":
            yield from _action(step, names)
        elif step.actor == "late":
            yield from (f"late, before the request is sent: {said}" for said in _action(step, names))
        elif step.after.get("called"):
            yield f"the call of {names[step.tool]} joins the history"
    yield f"request {request.turn} is sent: {_budget(request.numbers, trace.budgets)}"
    for index, (name, tool) in enumerate(zip(names, request.tools, strict=True)):
        yield f"  {name}: {seen(tool)}"
        if index in request.violations:
            yield f"  {_wrong(name, trace.judged)}"


def _answers(following: Request, names: Sequence[str]) -> Iterator[str]:
    for step in answered(following):
        yield from _action(step, names)


def _action(step: Step, names: Sequence[str]) -> Iterator[str]:
    if step.action not in UNEVENTFUL:
        yield ACTIONS[step.actor][step.action].sentence.replace("{tool}", names[step.tool])


def _pass(end: PassEnd, visits: Sequence[Step], names: Sequence[str], budgets: Sequence[str]) -> Iterator[str]:
    conditional = end.reason != "visited"
    yield f"pass {printable(end.name, 60)}{_what(end, bool(visits))}"
    for visit in visits:
        why = f" because {_budget(visit.numbers, budgets)}" if conditional else ""
        yield f"  {listed(described(visit.before, visit.after, names[visit.tool]))}{why}"


def _what(end: PassEnd, changed: bool) -> str:
    """What a pass did to the prompt, and why it ended."""
    tokens = f"prompt {end.tokens_before} -> {end.tokens_after} tokens"
    match end.reason, changed:
        case "visited", True:
            return f" (every tool once): {tokens}"
        case "visited", False:
            return " (every tool once): changes nothing"
        case "fits", True:
            return f": {tokens}, until its budget condition holds"
        case "fits", False:
            return ": nothing to do, its budget condition holds"
        case _, True:
            return f": {tokens}; its budget condition still fails, and there is nothing left to change"
        case _:
            return ": finds nothing to change, though its budget condition fails"


def _budget(numbers: Mapping[str, int], budgets: Sequence[str]) -> str:
    """What is spent of each budget that the pruner reads, and what the prompt still owes in tombstones."""
    turn = Turn(**numbers)
    spent = [f"{SPENDING[name]} {_spent(turn, name)} of {getattr(turn, name)} tokens" for name in budgets]
    told = spent or [f"prompt {count(turn.prompt_tokens, 'token')}"]
    owed = turn.tombstone_demand_tokens - turn.tombstone_tokens
    if owed:
        told.append(f"{count(owed, 'token')} owed for tombstones")
    return ", ".join(told)


def _spent(turn: Turn, budget: str) -> int:
    spent = {
        "schema_budget": turn.schema_tokens,
        "argument_budget": turn.history_tokens,
        "total_budget": turn.prompt_tokens,
    }
    return spent[budget]


def seen(snapshot: Snapshot) -> str:
    """What the model sees of one tool in a sent request."""
    tool = Tool(snapshot)
    parts = [_schema(tool)]
    if tool.calls_resident:
        stale = "" if tool.arguments_current else ", which no longer match its live schema"
        cut = "truncated " if tool.truncated else ""
        parts.append(f"{count(tool.calls_resident, 'call')} with {cut}arguments{stale}")
    else:
        parts.append("no calls")
    if tool.emptied:
        parts.append("an emptied call")
    if tool.tombstoned:
        parts.append("a tombstone")
    elif not tool.schema_resident:
        parts.append("no tombstone")
    return ", ".join(parts)


def _schema(tool: Tool) -> str:
    if not tool.schema_shown:
        return "schema not shown" if tool.registered else "schema not shown (the tool is gone)"
    if tool.schema_lossy:
        return "schema shown without required fields, types or enums"
    shown = "schema shown" if tool.schema_current else "an outdated schema shown"
    return f"{shown} by an item of the history" if tool.evidence_resident else shown
