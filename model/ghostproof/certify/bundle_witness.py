"""A played session as a certificate bundle holds it: every step with what it read, and what each request shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ghostproof.turn.tool import FIXED, INITIAL, Value
from ghostproof.turn.trace import PassEnd, Request, Step, Trace

SENT, SETTLES = "request is sent", "last response settles"


def session(trace: Trace) -> dict[str, Any]:
    """The session of `trace`, as data."""
    shown: Sequence[Mapping[str, Value]] = [{**tool, **INITIAL} for tool in trace.script.tools]
    requests = []
    for request in trace.requests:
        requests.append({"steps": _steps(request, shown), "tools": [dict(tool) for tool in request.tools]})
        shown = request.tools
    return {"tools": [{name: tool[name] for name in FIXED} for tool in trace.script.tools], "requests": requests}


def _steps(request: Request, before: Sequence[Mapping[str, Value]]) -> list[list[Any]]:
    """The steps that lead to `request` from the tools as the last one showed them."""
    every = [step for step in request.steps if not isinstance(step, PassEnd)]
    # A pass may bear the name of another actor; only passes read the turn's numbers.
    steps = [step for step in every if not step.numbers]
    told: list[list[Any]] = []
    if request.turn > 1:
        told += [[SENT, index, {}] for index in range(len(before))]
        told += [[step.action, step.tool, _others(before, step)] for step in _of(steps, "response")]
        told += [[step.action, step.tool, {}] for step in _of(steps, "execution")]
        told += [[SETTLES, index, {}] for index in range(len(before))]
    told += [[step.action, step.tool, {}] for step in _of(steps, "environment")]
    told += [
        [f"{step.actor} visits", step.tool, {f"turn.{name}": value for name, value in step.numbers.items()}]
        for step in every
        if step.numbers
    ]
    return told


def _of(steps: Sequence[Step], actor: str) -> list[Step]:
    return [step for step in steps if step.actor == actor]


def _others(tools: Sequence[Mapping[str, Value]], step: Step) -> dict[str, bool]:
    rejected = [tool for index, tool in enumerate(tools) if index != step.tool and tool["rejected"]]
    return {"others.rejected": bool(rejected), "others.rebuilt": any(bool(tool["rebuilt"]) for tool in rejected)}
