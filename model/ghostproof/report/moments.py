"""The tools' states between the steps of a played session, and which step left a ghost.

A trace holds the state at each prompt and what every step changed; what lies between follows from the two.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ghostproof.turn.property import PROPERTIES
from ghostproof.turn.tool import Tool
from ghostproof.turn.trace import PassEnd, Request, Snapshot, Step, Trace

States = tuple[Snapshot, ...]


@dataclass(frozen=True, slots=True)
class PassRun:
    """One pass in one turn: the visits that changed something, and all tools before the first and after the last."""

    end: PassEnd
    visits: tuple[Step, ...]
    before: States
    after: States


@dataclass(frozen=True, slots=True)
class Arbitration:
    """One turn from the moment at which the pruner begins: what had happened, the tools then, and the passes.

    `late` came in before the passes from number `render` on, and left the tools as `after_late`.
    """

    happened: tuple[Step, ...]
    arrived: States
    passes: tuple[PassRun, ...]
    late: tuple[Step, ...] = ()
    render: int = 0
    after_late: States = ()


def answered(request: Request) -> tuple[Step, ...]:
    """What the model and the executor did after the request before this one."""
    return tuple(step for step in request.steps if isinstance(step, Step) and _is_answer(step))


def arbitration(request: Request) -> Arbitration:
    """The turn of `request`, its states worked out from the prompt backwards."""
    runs: list[PassRun] = []
    states = request.tools
    end: PassEnd | None = None
    visits: list[Step] = []
    after = states
    late: list[Step] = []
    rendered, after_late = 0, states
    for step in reversed(request.steps):
        if isinstance(step, Step) and not step.by_pass:
            if step.actor != "late":
                break
            if end is not None:
                runs.append(PassRun(end, tuple(reversed(visits)), states, after))
                end, visits = None, []
            if not late:
                rendered, after_late = len(runs), states
            late.append(step)
            states = _undone(states, step)
            continue
        if isinstance(step, PassEnd):
            if end is not None:
                runs.append(PassRun(end, tuple(reversed(visits)), states, after))
            end, visits, after = step, [], states
        else:
            visits.append(step)
            states = _undone(states, step)
    if end is not None:
        runs.append(PassRun(end, tuple(reversed(visits)), states, after))
    happened = tuple(
        step
        for step in request.steps
        if isinstance(step, Step) and not step.by_pass and not _is_answer(step) and step.actor != "late"
    )
    passes = tuple(reversed(runs))
    return Arbitration(happened, states, passes, tuple(reversed(late)), len(passes) - rendered, after_late)


def left_by(trace: Trace, tool: int) -> Step | None:
    """The step of the last turn since which `tool` breaks the property, or None: the turn began like that."""
    violated = PROPERTIES[trace.judged].violated
    request = trace.requests[-1]
    state: Mapping[str, bool | int] = request.tools[tool]
    for step in reversed(request.steps):
        if isinstance(step, PassEnd) or step.tool != tool:
            continue
        if not step.by_pass and _is_answer(step):
            return None
        state = {**state, **step.before}
        if not violated(Tool(state)):
            return step
    return None


def last_visit(trace: Trace, tool: int) -> Step | None:
    """The last change that a pass made to `tool` in the whole session."""
    steps = [step for request in trace.requests for step in request.steps if isinstance(step, Step)]
    return next((step for step in reversed(steps) if step.tool == tool and step.by_pass), None)


def _is_answer(step: Step) -> bool:
    return step.actor in ("response", "execution") and not step.by_pass


def _undone(states: States, step: Step) -> States:
    return tuple({**state, **step.before} if place == step.tool else state for place, state in enumerate(states))
