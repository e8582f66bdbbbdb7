"""Sessions by chance: played, the same each time, inside the scenario, and each with something that is new."""

from __future__ import annotations

import pytest

from ghostproof.host.foreign import ForeignHost
from ghostproof.host.host import LocalHost
from ghostproof.turn.budget import FITS, Turn, totals
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.scenario import ANYTHING, LATE_EVENTS, ORDINARY_SESSION, Scenario
from ghostproof.turn.session import new_tool, play
from ghostproof.turn.tool import Tool
from ghostproof.turn.trace import Step
from ghostproof.turn.wander import TOOLS, TURNS
from ghostproof.variants.arbitration import argument_first, schema_first

SCENARIOS = [ANYTHING, LATE_EVENTS, ORDINARY_SESSION]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_a_session_replays_and_stays_in_its_scenario(scenario: Scenario) -> None:
    traces = LocalHost(argument_first).wander(scenario, NO_GHOST)
    assert traces
    assert traces == LocalHost(argument_first).wander(scenario, NO_GHOST)
    admitted = {
        "environment": {action.name for action in scenario.environment_actions},
        "late": {action.name for action in scenario.late_actions},
        "response": {action.name for action in scenario.response_actions},
        "execution": {action.name for action in scenario.execution_actions},
    }
    for trace in traces:
        assert trace.size == (TURNS, TOOLS)
        assert play(argument_first, trace.script, NO_GHOST, budgets=trace.budgets) == trace
        steps = [step for request in trace.requests for step in request.steps if isinstance(step, Step)]
        assert all(step.action in admitted[step.actor] for step in steps if step.actor in admitted)


def test_each_session_shows_an_action_that_none_before_it_shows_or_a_pass_at_other_work() -> None:
    kept = LocalHost(argument_first).wander(ANYTHING, NO_GHOST)
    assert 1 < len(kept) < 20
    taken = {s.action for t in kept for r in t.requests for s in r.steps if isinstance(s, Step) and s.actor != s.action}
    assert taken >= {*ANYTHING.environment, "call", "request schema", "accept", "reject"}


def test_budgets_stay_and_fit_at_the_start_where_the_scenario_says_so() -> None:
    host = LocalHost(argument_first)
    for trace in host.wander(ORDINARY_SESSION, NO_GHOST):
        first, *later = (turn.budgets for turn in trace.script.turns)
        assert all(budgets == first for budgets in later)
        tools = [new_tool(fixed, {}) for fixed in trace.script.tools]
        others = dict.fromkeys(("schema_budget", "argument_budget", "total_budget"), 0)
        turn = Turn(**totals(tools), rest_tokens=0, **{**others, **first})
        assert all(FITS[name](turn) for name in host.lifted.tested_budgets)


def test_fixed_fields_are_as_the_scenario_fixes_them() -> None:
    pinned = Scenario("pinned", fixed={"pinned": True, "schema_tokens": 7})
    tools = [tool for trace in LocalHost(argument_first).wander(pinned, NO_GHOST) for tool in trace.script.tools]
    assert {(tool["pinned"], tool["schema_tokens"]) for tool in tools} == {(True, 7)}


def test_where_a_tool_may_have_nothing_to_do_only_whole_sessions_are_kept() -> None:
    gap = Scenario("gap", environment=("tool vanishes", "tombstone is lost"))
    for trace in LocalHost(argument_first).wander(gap, NO_GHOST):
        assert all(len(turn.environment) in (0, TOOLS) for turn in trace.script.turns)


def test_an_unsafe_pruner_is_judged_on_the_way() -> None:
    traces = LocalHost(schema_first).wander(ANYTHING, NO_GHOST)
    assert any(request.violations for trace in traces for request in trace.requests)


def test_a_foreign_pruner_wanders_as_one_of_ours() -> None:
    target = "ghostproof.variants.arbitration:argument_first"
    with ForeignHost(target, seconds=20, megabytes=1024) as host:
        assert host.wander(ANYTHING, NO_GHOST) == LocalHost(argument_first).wander(ANYTHING, NO_GHOST)


def hide_what_is_called_often(tool: Tool, turn: Turn) -> None:
    if tool.calls > 40:
        tool.hide_schema()


def test_a_pruner_that_waits_for_many_calls_is_given_them() -> None:
    traces = LocalHost(Pruner(Pass(hide_what_is_called_often))).wander(ORDINARY_SESSION, NO_GHOST)
    hidden = [
        tool for trace in traces for request in trace.requests for tool in request.tools if not tool["schema_shown"]
    ]
    assert hidden
    assert all(tool["calls"] > 40 for tool in hidden)
