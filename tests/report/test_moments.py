"""States between the steps of a session, worked out backwards, are those that the steps themselves lead to."""

from __future__ import annotations

import pytest

from ghostproof.report.moments import answered, arbitration, last_visit, left_by
from ghostproof.turn.budget import totals
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.tool import Tool
from ghostproof.turn.trace import PassEnd, Step, Trace
from report import samples, sessions

TRACES = {
    "refuted": samples.session(),
    "two ghosts": sessions.two_ghosts(),
    "lost tombstone": sessions.lost_tombstone(),
    "joined": sessions.joined(),
    "hollow": sessions.hollow(),
    "named like actors": sessions.like_actors(),
}


@pytest.mark.parametrize("name", TRACES)
def test_tokens_before_and_after_each_pass_are_those_of_the_trace(name: str) -> None:
    trace = TRACES[name]
    for request in trace.requests:
        turn = arbitration(request)
        ends = [step for step in request.steps if isinstance(step, PassEnd)]
        assert [run.end for run in turn.passes] == ends
        for run in turn.passes:
            assert (_tokens(run.before), _tokens(run.after)) == (run.end.tokens_before, run.end.tokens_after)
        assert turn.passes[-1].after == request.tools


def _tokens(states: tuple[object, ...]) -> int:
    sums = totals(Tool(state) for state in states)  # type: ignore[arg-type]  # snapshots
    return sums["schema_tokens"] + sums["argument_tokens"] + sums["tombstone_tokens"]


@pytest.mark.parametrize("name", TRACES)
def test_every_step_belongs_to_exactly_one_part_of_a_turn(name: str) -> None:
    for request in TRACES[name].requests:
        turn = arbitration(request)
        visits = [visit for run in turn.passes for visit in run.visits]
        steps = [step for step in request.steps if isinstance(step, Step)]
        assert [*answered(request), *turn.happened, *visits] == steps


def test_who_left_a_ghost() -> None:
    step = left_by(TRACES["refuted"], 0)
    assert step is not None
    assert (step.actor, step.after["tombstone_resident"]) == ("trim", False)
    lost = left_by(TRACES["lost tombstone"], 0)
    assert lost is not None
    assert lost.action == "tombstone is lost"
    assert left_by(TRACES["joined"], 0) is None


def test_the_last_pass_that_changed_a_tool() -> None:
    step = last_visit(TRACES["lost tombstone"], 0)
    assert step is not None
    assert step.by_pass
    assert step.actor == "gate_once"
    assert last_visit(_without_passes(), 0) is None


def _without_passes() -> Trace:
    idle = Pruner(Pass(sessions.withhold_idle))
    return sessions.played(idle, sessions.turn(["arguments appear"]), names=("send",))


def test_the_samples_are_what_they_say() -> None:
    assert TRACES["two ghosts"].requests[-1].violations == (0, 1)
    for name in ("lost tombstone", "joined", "hollow"):
        assert TRACES[name].requests[-1].violations == (0,), name
    assert TRACES["hollow"].requests[-1].tools[0]["schema_shown"]
