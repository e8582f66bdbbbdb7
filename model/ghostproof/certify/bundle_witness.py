"""A played session as a certificate bundle holds it: every step of every tool in the turn's order, and each request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ghostproof.lift.plain import LiftedPass, LiftedPruner
from ghostproof.lift.term import evaluate
from ghostproof.turn.budget import BUDGETS
from ghostproof.turn.tool import FIXED, Value
from ghostproof.turn.trace import PassEnd, Request, Step, Trace

SENT, SETTLES = "request is sent", "last response settles"
ENDS = {"fits": "ends: fits", "unchanged": "ends: a round changed nothing"}
State = dict[str, Value]


def session(trace: Trace, pruner: LiftedPruner) -> dict[str, Any]:
    """The session of `trace`, played by `pruner`, as data; nothing comes late in it.

    What a visit reads of the turn follows from the tools, the rest and the budgets: these are told once a request.
    """
    return {
        "tools": [{name: tool[name] for name in FIXED} for tool in trace.script.tools],
        "requests": [
            {
                "turn": {f"turn.{name}": request.numbers[name] for name in ("rest_tokens", *BUDGETS)},
                "steps": _steps(request, pruner),
                "tools": [dict(tool) for tool in request.tools],
            }
            for request in trace.requests
        ],
    }


def _steps(request: Request, pruner: LiftedPruner) -> list[list[Any]]:
    """The steps that lead to `request` from the one before it, each a command's name and the tool that takes it."""
    others = [step for step in request.steps if isinstance(step, Step) and not step.by_pass]
    everyone = range(len(request.tools))
    told: list[list[Any]] = []
    if request.turn > 1:
        told += [[SENT, index] for index in everyone]
        told += [[step.action, step.tool] for actor in ("response", "execution") for step in _of(others, actor)]
        told += [[SETTLES, index] for index in everyone]
    told += [[step.action, step.tool] for step in _of(others, "environment")]
    tools = _before_passes(request)
    items = {item.name: item for item in pruner.passes}
    made: list[Step] = []
    for step in request.steps:
        if isinstance(step, Step):
            made += [step] if step.by_pass else []
            continue
        told += _of_pass(items[step.name], made, step, tools)
        for change in made:
            tools[change.tool].update(change.after)
        made = []
    return told


def _of(steps: Sequence[Step], actor: str) -> list[Step]:
    return [step for step in steps if step.actor == actor]


def _before_passes(request: Request) -> list[State]:
    tools = [dict(tool) for tool in request.tools]
    for step in reversed(request.steps):
        if isinstance(step, Step) and step.by_pass:
            tools[step.tool].update(step.before)
    return tools


def _of_pass(
    item: LiftedPass, made: Sequence[Step], end: PassEnd, tools: Sequence[Mapping[str, Value]]
) -> list[list[Any]]:
    """The visits of a pass; where no condition ends it each tool is visited once, also where that changes nothing."""
    visits = f"{item.name} visits"
    if item.condition is None:
        order = sorted(range(len(tools)), key=lambda index: evaluate(item.order, tools[index]))
        return [[visits, index] for index in order]
    return [[visits, step.tool] for step in made] + [[f"{item.name} {ENDS[end.reason]}", i] for i in range(len(tools))]
