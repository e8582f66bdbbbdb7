"""A played session for people: what happened, what each pass did and why, what the model sees, where the ghost is.

Told from the trace alone, which the plain functions made. A change is put in words of the model where there are such
words; every other changed field is told by name, so that nothing a pass did is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ghostproof.report.changes import described
from ghostproof.report.printable import printable
from ghostproof.report.words import count, listed
from ghostproof.turn.action import Action
from ghostproof.turn.budget import Turn
from ghostproof.turn.environment import ENVIRONMENT_BY_NAME
from ghostproof.turn.response import EXECUTION_BY_NAME, RESPONSE_BY_NAME
from ghostproof.turn.tool import Tool
from ghostproof.turn.trace import PassEnd, Request, Snapshot, Step, Trace, Walk

ACTIONS: Mapping[str, Mapping[str, Action]] = {
    "environment": ENVIRONMENT_BY_NAME,
    "response": RESPONSE_BY_NAME,
    "execution": EXECUTION_BY_NAME,
}
# What each budget pays for.
SPENDING = {"schema_budget": "schemas", "argument_budget": "history", "total_budget": "prompt"}
ENDS = {
    "fits": "its budget condition holds",
    "visited": "every tool visited once, no condition",
    "unchanged": "its condition still fails, and a whole round changed nothing",
}


def tell(trace: Trace) -> list[str]:
    """The lines of the story, each safe for a terminal; lines that belong to a turn are indented."""
    names = [printable(name, 60) for name in trace.names]
    lines = [f"pruner {printable(trace.pruner, 80)}, tools as the session starts:"]
    lines += (f"  {name}: {_fixed(tool)}" for name, tool in zip(names, trace.script.tools, strict=True))
    if trace.script.rest_tokens:
        lines.append(f"  the rest of each prompt costs {count(trace.script.rest_tokens, 'token')}")
    for request in trace.requests:
        lines.append(f"turn {request.turn}")
        lines += (f"  {line}" for line in _turn(request, names, trace.budgets))
    return lines


def tell_walk(walk: Walk) -> list[str]:
    """The commands of a plain system and the states between them."""
    lines = [f"state 0: {_values(walk.states[0])}"] if walk.states else []
    for number, (name, state) in enumerate(zip(walk.commands, walk.states[1:], strict=False), start=1):
        lines += [f"command {printable(name)}", f"state {number}: {_values(state)}"]
    return lines


def _values(state: Mapping[str, bool | int | str]) -> str:
    return printable(", ".join(f"{name} {value}" for name, value in state.items()), 1000)


def _fixed(tool: Snapshot) -> str:
    effect = "changes state" if tool["mutation"] else "only reads"
    sizes = f"schema {tool['schema_tokens']}, a call's arguments {tool['argument_tokens']}"
    pinned = ", pinned" if tool["pinned"] else ""
    return f"{effect}{pinned}; tokens: {sizes}, tombstone {tool['tombstone_tokens']}"


def _turn(request: Request, names: Sequence[str], budgets: Sequence[str]) -> Iterator[str]:
    passes: list[Step] = []
    for step in request.steps:
        if isinstance(step, PassEnd):
            yield from _pass(step, passes, names, budgets)
            passes = []
        elif step.actor in ACTIONS:
            yield from _action(step, names)
        else:
            passes.append(step)
    yield f"request {request.turn} is sent: {_budget(request.numbers, budgets)}"
    for index, (name, tool) in enumerate(zip(names, request.tools, strict=True)):
        yield f"  {name}: {seen(tool)}"
        if index in request.violations:
            yield f"  GHOST: {name}: the model sees arguments, no schema and no tombstone"


def _action(step: Step, names: Sequence[str]) -> Iterator[str]:
    sentence = ACTIONS[step.actor][step.action].sentence
    # Idle, silent and no execution change nothing and are the usual case.
    if step.after:
        yield sentence.replace("{tool}", names[step.tool])


def _pass(end: PassEnd, steps: Sequence[Step], names: Sequence[str], budgets: Sequence[str]) -> Iterator[str]:
    name = printable(end.name, 60)
    if not steps:
        yield f"pass {name}: changes nothing; {ENDS[end.reason]}"
        return
    yield f"pass {name}: prompt {end.tokens_before} -> {end.tokens_after} tokens; {ENDS[end.reason]}"
    conditional = end.reason != "visited"
    for step in steps:
        why = f" because {_budget(step.numbers, budgets)}" if conditional else ""
        yield f"  {listed(described(step.before, step.after, names[step.tool]))}{why}"


def _budget(numbers: Mapping[str, int], budgets: Sequence[str]) -> str:
    """What is spent of each budget that the pruner reads, and what it still owes in tombstones."""
    turn = Turn(**numbers)
    spent = [f"{SPENDING[name]} {_spent(turn, name)} of {getattr(turn, name)} tokens" for name in budgets]
    owed = turn.tombstone_demand_tokens - turn.tombstone_tokens
    if owed:
        spent.append(f"tombstones still owed {owed}")
    return ", ".join(spent) or f"the prompt has {turn.prompt_tokens} tokens"


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
        parts.append(f"{count(tool.calls_resident, 'call')} with arguments{stale}")
    else:
        parts.append("no calls")
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
    return "schema shown" if tool.schema_current else "an outdated schema shown"
