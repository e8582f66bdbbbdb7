"""Items of the history: what reveals a schema, and calls that are emptied or cut, for every reader of a session."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ghostproof.engines.induction import prove_system
from ghostproof.engines.problem import Bounds, Certificate
from ghostproof.engines.table import engine
from ghostproof.host.host import LocalHost
from ghostproof.host.problem import PrunerProblem
from ghostproof.lift.limits import Limits
from ghostproof.report.changes import described
from ghostproof.report.html_session import lanes, prompts
from ghostproof.report.story import seen, tell
from ghostproof.turn.budget import Turn
from ghostproof.turn.environment import EVERYTHING, HISTORY, LATE, settle
from ghostproof.turn.errors import PrunerError
from ghostproof.turn.explore import Grid
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.scenario import ANYTHING, HISTORY_EVENTS, LATE_EVENTS
from ghostproof.turn.session import Arbitration, changes, play, snapshot
from ghostproof.turn.tool import Tool
from ghostproof.turn.trace import Script, ScriptTurn
from ghostproof.turn.verdict import HoldsTo, Proved, Refuted
from ghostproof_proofs.history import deferred_at_render, deferred_gated
from ghostproof_proofs.projected import steps_projected
from ghostproof_proofs.quantified import session_of, settled
from turn.states import FIXED, tool

LOST = "discovery evidence is lost"
NAMES = {action.name for action in HISTORY}


def test_only_scenarios_that_name_them_admit_events_inside_the_history() -> None:
    assert NAMES.isdisjoint(EVERYTHING)
    assert NAMES.isdisjoint(action.name for action in (*ANYTHING.environment_actions, *LATE_EVENTS.late_actions))
    assert set(LATE_EVENTS.late) == {action.name for action in LATE}
    assert {action.name for action in HISTORY_EVENTS.environment_actions} == {*EVERYTHING, *NAMES}


def test_a_revealed_schema_goes_with_what_revealed_it() -> None:
    state = tool(schema_shown=False, tombstone_resident=True, calls_resident=1)
    state.reveal_schema()
    assert (state.schema_resident, state.evidence_resident, state.tombstoned) == (True, True, False)
    state.evict_evidence()
    assert (state.schema_shown, state.evidence_resident, state.ghost) == (False, False, True)
    state.evict_evidence()
    assert state.ghost


def test_a_declared_schema_needs_no_evidence() -> None:
    state = tool()
    state.reveal_schema()
    state.show_schema()
    state.evict_evidence()
    assert state.schema_resident


def test_hiding_a_schema_leaves_the_item_that_revealed_it() -> None:
    state = tool()
    state.reveal_schema()
    state.hide_schema()
    assert (state.schema_shown, state.evidence_resident) == (False, True)


def test_an_emptied_call_is_evicted_and_remembered() -> None:
    state = tool(calls_resident=2, tombstone_resident=True, calls_before_tombstone=1)
    state.empty_call()
    assert (state.calls_resident, state.calls_before_tombstone, state.emptied) == (1, 0, True)
    state.empty_call()
    assert not state.arguments_resident
    nothing = tool()
    nothing.empty_call()
    assert not nothing.emptied


def test_truncated_arguments_are_arguments_until_a_whole_call_joins_them() -> None:
    state = tool(schema_shown=False, calls_resident=1)
    state.truncate_calls()
    assert (state.truncated, state.ghost) == (True, True)
    settle(state)
    assert state.truncated
    state.called = True
    settle(state)
    assert (state.truncated, state.calls_resident) == (False, 2)
    nothing = tool()
    nothing.truncate_calls()
    assert not nothing.truncated


def session(*environment: str, late: tuple[str, ...] = ()) -> Script:
    budgets = {"total_budget": 99, "schema_budget": 99, "argument_budget": 99}
    turns = [ScriptTurn(budgets, (name,), ("silent",), ("no execution",), late) for name in environment]
    return Script(({**FIXED},), 0, tuple(turns))


def test_what_is_lost_late_is_lost_behind_the_gate() -> None:
    without_late = ("arguments appear", "schema is revealed")
    trace = play(deferred_gated, session(*without_late), NO_GHOST)
    assert [request.violations for request in trace.requests] == [(), ()]
    script = session(*without_late)
    lost = replace(script.turns[1], late=(LOST,))
    script = replace(script, turns=(replace(script.turns[0], late=("idle",)), lost))
    assert play(deferred_gated, script, NO_GHOST).requests[1].violations == (0,)
    assert play(deferred_at_render, script, NO_GHOST).requests[1].violations == ()


REVEALED = replace(
    HISTORY_EVENTS,
    name="revealed, called, lost",
    environment=("idle", "arguments appear", "schema is revealed", LOST),
    responses=("silent",),
)
UNGATED = Pruner(Pass(lambda tool, turn: None, name="nothing"), name="nothing at all")


@pytest.mark.parametrize("name", ["bmc", "explicit"])
def test_engines_agree_on_what_is_revealed_and_lost(name: str) -> None:
    for pruner, wanted in ((Pruner(*deferred_gated.passes[:-1], name="no gate"), Refuted), (deferred_gated, HoldsTo)):
        grid, bounds = Grid(tools=1, budgets=(0, 9)), Bounds(turns=2, tools=1)
        verdict = engine(name)(PrunerProblem(LocalHost(pruner), REVEALED, NO_GHOST, grid, Limits()), bounds).verdict
        assert isinstance(verdict, wanted)
        assert not isinstance(verdict, Refuted) or verdict.trace.size == (1, 1)


def test_exact_tools_know_events_inside_the_history() -> None:
    problem = PrunerProblem(LocalHost(deferred_gated), HISTORY_EVENTS, NO_GHOST, Grid(), Limits())
    system = problem.exactly(1)
    assert system is not None
    assert {f"{name} (1)" for name in NAMES} <= {command.name for command in system.commands}
    assert isinstance(prove_system(system, Bounds()), Certificate)


def test_all_tools_at_once_know_them() -> None:
    assert isinstance(settled(session_of(deferred_gated, HISTORY_EVENTS)), Proved)
    assert not isinstance(settled(session_of(Pruner(*deferred_gated.passes[:-1]), HISTORY_EVENTS)), Proved)


@pytest.mark.slow
def test_the_projection_knows_them() -> None:
    assert isinstance(steps_projected(deferred_gated, (HISTORY_EVENTS,)), Proved)


def said(change: str, state: Tool) -> list[str]:
    before = snapshot(state)
    getattr(state, change)()
    after = changes(before, snapshot(state))
    return described({name: before[name] for name in after}, after, "a")


def test_people_are_told_what_happens_inside_the_history() -> None:
    hidden, called = tool(schema_shown=False), tool(calls_resident=2)
    assert said("reveal_schema", hidden) == ["reveals the schema of a by an item of the history"]
    assert seen(snapshot(hidden)) == "schema shown by an item of the history, no calls"
    assert said("evict_evidence", hidden) == ["evicts the item that revealed a, and the schema with it"]
    assert said("show_schema", tool(schema_shown=False, evidence_resident=True)) == [
        "shows the schema of a, whatever reveals it"
    ]
    assert said("evict_evidence", tool(schema_shown=False, evidence_resident=True)) == [
        "lets nothing in the history show the schema of a"
    ]
    assert said("empty_call", called) == ["empties 1 call of a (1 left)"]
    assert said("truncate_calls", called) == ["truncates the arguments of a"]
    assert described({"truncated": True}, {"truncated": False}, "a") == ["not all arguments of a are cut now"]
    taken = described({"calls_resident": 3, "emptied": False}, {"calls_resident": 0, "emptied": True}, "a")
    assert taken == ["empties or evicts 3 calls of a (none left)"]
    assert described({"calls_resident": 1}, {"calls_resident": 2}, "a") == ["adds 1 call of a (2 left)"]
    assert seen(snapshot(called)) == "schema shown, 1 call with truncated arguments, an emptied call"


def test_a_pass_may_not_unmark_an_emptied_call() -> None:
    def unmark(tool: Tool, turn: Turn) -> None:
        tool.emptied = False

    before = tool(emptied=True)
    with pytest.raises(PrunerError, match="unmarks an emptied call"):
        Arbitration(Pruner(Pass(unmark)), [before], {}, 0).run()


def test_a_page_shows_what_the_history_holds() -> None:
    trace = play(
        UNGATED,
        session("arguments appear", "arguments appear", "arguments are emptied", "arguments are truncated"),
        NO_GHOST,
    )
    page = str(lanes(trace)) + str(prompts(trace))
    for words in ("1 call, truncated, stale, an emptied call", "emptied: {}", "what is left of its arguments"):
        assert words in page
    assert "  the arguments of tool_1 are cut in place" in tell(trace)
