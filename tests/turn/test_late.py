"""Late events: where they stand in a turn, for every reader of a session."""

from __future__ import annotations

from dataclasses import asdict, replace

import pytest

from ghostproof.engines.induction import prove_system
from ghostproof.engines.problem import Bounds, Certificate
from ghostproof.engines.table import engine
from ghostproof.examine import examine
from ghostproof.host.data import move_data, move_of, script_of, trace_of
from ghostproof.host.host import LocalHost
from ghostproof.host.problem import PrunerProblem
from ghostproof.lift.limits import Limits
from ghostproof.lift.plain import lift_pruner
from ghostproof.lift.single import ENVIRONMENT, LATE, PROMPT, route, single_tool
from ghostproof.lift.transport import pack_pruner, unpack_pruner
from ghostproof.report.html_session import lanes
from ghostproof.report.moments import arbitration, left_by
from ghostproof.report.story import tell
from ghostproof.turn.errors import InternalError
from ghostproof.turn.explore import Explorer, Grid
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.pruner import Pass, Pruner, rendering
from ghostproof.turn.scenario import ANYTHING, LATE_EVENTS, Scenario
from ghostproof.turn.session import play
from ghostproof.turn.trace import PassEnd, Script, ScriptTurn, Step
from ghostproof.turn.verdict import HoldsTo, Proved, Refuted
from ghostproof.variants.arbitration import argument_first, gate
from ghostproof_proofs.projected import steps_projected
from ghostproof_proofs.quantified import session_of, settled
from ghostproof_proofs.t14_late import AT_RENDER, rendered, rendered_again, shielded_at_render

FIXED = {"mutation": True, "pinned": False, "schema_tokens": 1, "argument_tokens": 1, "tombstone_tokens": 1}
BUDGETS = {"total_budget": 0, "schema_budget": 0, "argument_budget": 0}
ONLY_GATE = Pruner(Pass(gate), name="a gate")
TWICE = Pruner(Pass(gate), AT_RENDER, name="a gate twice")


def session(*late: str, turns: int = 1) -> Script:
    turn = ScriptTurn(BUDGETS, ("arguments appear",), ("silent",), ("no execution",), late)
    return Script((FIXED,), 0, (turn,) * turns)


def test_a_late_event_comes_after_the_passes_and_before_those_at_render() -> None:
    trace = play(TWICE, session("schema is hidden"), NO_GHOST)
    told = [(s.actor, s.action) if isinstance(s, Step) else s.name for s in trace.requests[0].steps]
    assert told == [
        ("environment", "arguments appear"),
        "gate",
        ("late", "schema is hidden"),
        ("gate at render", "gate at render"),
        "gate at render",
    ]
    assert not trace.requests[0].violations
    assert play(ONLY_GATE, session("schema is hidden"), NO_GHOST).requests[0].violations == (0,)


def test_the_numbers_at_render_count_what_came_late() -> None:
    end = play(TWICE, session("schema is hidden"), NO_GHOST).requests[0].steps[-1]
    assert isinstance(end, PassEnd)
    # One call, and no schema any more.
    assert end.tokens_before == 1


def test_a_late_event_that_cannot_happen_is_refused() -> None:
    with pytest.raises(InternalError, match="late action 'tool returns' is not enabled"):
        play(ONLY_GATE, session("tool returns"), NO_GHOST)


@pytest.mark.parametrize(
    ("pruner", "entry", "ends", "after"),
    [
        (ONLY_GATE, "pass 1 gate", [("pass 1 gate", LATE)], PROMPT),
        (Pruner(AT_RENDER), LATE, [("pass 1 gate at render", PROMPT)], "pass 1 gate at render"),
        (Pruner(), LATE, [], PROMPT),
    ],
)
def test_the_route_of_a_turn(pruner: Pruner, entry: str, ends: list[tuple[str, str]], after: str) -> None:
    passes = lift_pruner(pruner).passes
    way = route(passes, LATE_EVENTS)
    assert (way.entry, list(way.ends), way.after_late) == (entry, ends, after)
    without = route(passes, ANYTHING)
    assert LATE not in (without.entry, *(place for pair in without.ends for place in pair))


def test_without_late_events_a_pass_at_render_is_one_like_any_other() -> None:
    marked = lift_pruner(rendered_again)
    plain = lift_pruner(Pruner(*(replace(item, at_render=False) for item in rendered_again.passes)))
    one, other = (single_tool(item, ANYTHING, NO_GHOST) for item in (marked, plain))
    assert one.commands == other.commands
    assert ENVIRONMENT in one.locations
    assert LATE not in one.locations


def test_the_mark_crosses_to_another_process() -> None:
    there = unpack_pruner(pack_pruner(lift_pruner(rendered_again)))
    assert rendering(there.passes) == len(argument_first.passes)
    trace = play(TWICE, session("schema is hidden"), NO_GHOST)
    assert trace_of(asdict(trace)) == trace
    saved = asdict(trace.script)
    for turn in saved["turns"]:
        del turn["late"]
    assert script_of(saved).turns[0].late == ()


def moves(pruner: Pruner, scenario: Scenario) -> list[tuple[tuple[str, ...], bool]]:
    explorer = Explorer(pruner, scenario, NO_GHOST, Grid(tools=1, budgets=(0,)), (), ())
    start = next(iter(explorer.starts()))
    found = []
    for move, _, violates in explorer.moves(start):
        assert move_of(move_data(move)) == move
        if move.environment == ("arguments appear",):
            found.append((move.late, violates))
        played = play(pruner, explorer.script(start, [move]), NO_GHOST)
        assert bool(played.requests[0].violations) == violates
    return found


def test_explicit_search_takes_every_late_event() -> None:
    assert dict(moves(ONLY_GATE, LATE_EVENTS)) == {
        ("idle",): False,
        ("schema is hidden",): True,
        ("tool vanishes",): True,
        ("arguments appear",): False,  # its schema is shown
        ("schema is shown lossily",): True,
    }
    assert not any(violates for _, violates in moves(TWICE, LATE_EVENTS))
    assert moves(ONLY_GATE, ANYTHING) == [((), False)]


LATE_ONLY = replace(LATE_EVENTS, environment=("idle", "arguments appear"), responses=("silent",))


@pytest.mark.parametrize("name", ["bmc", "explicit"])
def test_engines_agree_on_late_events(name: str) -> None:
    grid, bounds = Grid(tools=1, budgets=(0, 1)), Bounds(turns=2, tools=1)
    for pruner, wanted in ((argument_first, Refuted), (rendered, HoldsTo)):
        problem = PrunerProblem(LocalHost(pruner), LATE_ONLY, NO_GHOST, grid, Limits())
        verdict = engine(name)(problem, bounds).verdict
        assert isinstance(verdict, wanted)
        assert not isinstance(verdict, Refuted) or verdict.trace.size == (1, 1)


def test_exact_tools_act_late_between_the_passes_and_those_at_render() -> None:
    problem = PrunerProblem(LocalHost(TWICE), LATE_EVENTS, NO_GHOST, Grid(), Limits())
    system = problem.exactly(1)
    assert system is not None
    late = [command for command in system.commands if command.source == LATE]
    assert {command.name for command in late} == {f"{name} (1)" for name in LATE_EVENTS.late}
    assert {command.target for command in late} == {"pass 2 gate at render"}
    assert {command.source for command in system.commands if command.target == LATE} == {"pass 1 gate, round done"}
    assert isinstance(prove_system(system, Bounds()), Certificate)


def test_all_tools_at_once_and_the_projection_know_late_events() -> None:
    assert isinstance(settled(session_of(rendered, LATE_EVENTS)), Proved)
    assert not isinstance(settled(session_of(argument_first, LATE_EVENTS)), Proved)
    assert isinstance(steps_projected(shielded_at_render, (LATE_EVENTS,)), Proved)
    assert isinstance(steps_projected(argument_first, (LATE_EVENTS,)), Proved)


def test_people_are_told_what_came_late() -> None:
    trace = play(TWICE, session("schema is hidden", turns=2), NO_GHOST)
    lines = tell(trace)
    notice = "a notice takes the schema of tool_1 off the list, though the tool is still there"
    late = f"  late, before the request is sent: {notice}"
    assert lines.count(late) == 2
    assert lines.index("  pass gate (every tool once): changes nothing") < lines.index(late)
    turn = arbitration(trace.requests[0])
    assert [run.end.name for run in turn.passes] == ["gate", "gate at render"]
    assert ([step.action for step in turn.late], turn.render) == (["schema is hidden"], 1)
    assert [state["schema_shown"] for state in (turn.passes[0].after[0], turn.after_late[0])] == [True, False]
    assert turn.arrived[0]["calls_resident"] == 1
    assert "late events" in str(lanes(trace))


def test_a_late_event_is_what_left_the_ghost() -> None:
    verdict = examine(LocalHost(ONLY_GATE), LATE_EVENTS, NO_GHOST, Bounds())
    assert isinstance(verdict, Refuted)
    trace = play(ONLY_GATE, session("schema is hidden"), NO_GHOST)
    step = left_by(trace, 0)
    assert step is not None
    assert (step.actor, step.action) == ("late", "schema is hidden")
