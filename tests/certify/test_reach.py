"""A witness counts as far as a verdict reaches: in its requests, with its tools, on the grid that was enumerated."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ghostproof.certify.reach import Reach
from ghostproof.certify.vacuity import arguments_kept, schema_pruned, search, tombstoned
from ghostproof.engines.problem import Bounds
from ghostproof.examine import examine
from ghostproof.host.host import LocalHost
from ghostproof.host.problem import PrunerProblem
from ghostproof.lift.limits import Limits
from ghostproof.turn.budget import Turn, prompt_fits
from ghostproof.turn.explore import Grid
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.scenario import ANYTHING, ORDINARY_SESSION
from ghostproof.turn.tool import FIXED, Tool
from ghostproof.turn.verdict import HoldsTo, ProvedUpTo, Refuted, Undetermined
from ghostproof.variants.arbitration import argument_first, expand, gate, prune, prune_schema, trim
from ghostproof.witnessing import reach, with_witnesses

LIMITS = Limits(rlimit=20_000_000)
BOUNDS = Bounds(turns=2, tools=2, limits=LIMITS)
UNGATED = Pruner(Pass(expand), prune[0], name="no gate")
IN_VIEW = replace(ANYTHING, environment=("idle", "arguments appear"), responses=("silent", "call"))


@pytest.mark.parametrize("engine", ["bmc", "explicit"])
def test_what_happens_beyond_a_bound_does_not_fill_a_bounded_answer(engine: str) -> None:
    # The first request of an ordinary session carries no arguments: about one request there is nothing to say.
    verdict = examine(LocalHost(UNGATED), ORDINARY_SESSION, NO_GHOST, replace(BOUNDS, turns=1), engine)
    assert isinstance(verdict, Undetermined)
    assert verdict.reason.startswith("in up to 1 request with up to 2 tools")
    assert "no session was found in which a pass" in verdict.reason
    assert isinstance(examine(LocalHost(UNGATED), ORDINARY_SESSION, NO_GHOST, BOUNDS, engine), Refuted)


def test_sessions_by_chance_count_as_far_as_a_verdict_reaches() -> None:
    problem = PrunerProblem(LocalHost(argument_first), ANYTHING, NO_GHOST, Grid(), LIMITS)
    bounded = HoldsTo("bmc", 1, 2, "all", 1)
    verdict, notes = with_witnesses(bounded, problem, BOUNDS)
    assert verdict == bounded  # no witness confirms a bound
    assert "in up to 1 request with up to 2 tools" in notes[0]
    assert "response: call;" in notes[0]
    assert Reach(3).first(problem.wandered)[0].requests == problem.wandered[0].requests[:3]
    assert reach(ProvedUpTo("induction", 1), problem).first(problem.wandered) == []


def large_only(tool: Tool, turn: Turn) -> None:
    if tool.schema_tokens > 1:
        prune_schema(tool, turn)


def test_what_lies_off_its_grid_does_not_fill_an_answer_of_the_explicit_engine() -> None:
    # By chance schemas have up to three tokens, and on the grid each has one.
    cautious = Pruner(Pass(expand), *trim, Pass(large_only, until=prompt_fits), Pass(gate), name="large ones only")
    verdict = examine(LocalHost(cautious), IN_VIEW, NO_GHOST, BOUNDS, "explicit")
    assert isinstance(verdict, Undetermined)
    assert verdict.reason.startswith(
        "in up to 2 requests with up to 2 tools of sizes {1}, budgets 0 to 4, pinned False, mutation True, rest 0"
        " no session was found in which a pass hides a schema"
    )
    assert isinstance(examine(LocalHost(cautious), IN_VIEW, NO_GHOST, BOUNDS, "bmc"), HoldsTo)


def test_witnesses_of_the_explicit_engine_lie_on_its_grid() -> None:
    problem = PrunerProblem(LocalHost(argument_first), ANYTHING, NO_GHOST, Grid(), LIMITS)
    bounded = HoldsTo("explicit", 2, 2, problem.scope(), 1)
    within = reach(bounded, problem)
    asked = [schema_pruned(), arguments_kept(), tombstoned()]
    found = search(asked, problem, LIMITS, whole=False, within=within, played=within.first(problem.wandered))
    played = [trace for trace in found.values() if trace is not None]
    assert len(played) == len(asked)
    for trace in played:
        assert within.first([trace]) == [trace]
        assert {tool[name] for tool in trace.script.tools for name in FIXED} == {True, False}
        assert not any(tool["pinned"] or not tool["mutation"] for tool in trace.script.tools)
        assert {turn.budgets["total_budget"] for turn in trace.script.turns} <= set(Grid().budgets)
        dear = replace(trace.script, turns=(replace(trace.script.turns[0], budgets={"total_budget": 5}),))
        large = replace(trace.script, tools=({**trace.script.tools[0], "schema_tokens": 2},))
        rest = replace(trace.script, rest_tokens=1)
        assert within.first([replace(trace, script=script) for script in (dear, large, rest)]) == []
    # What the scenario fixes is no matter of the grid, and bmc has no grid.
    pinned = PrunerProblem(
        LocalHost(argument_first), replace(ANYTHING, fixed={"pinned": True}), NO_GHOST, Grid(), LIMITS
    )
    of_pinned = replace(
        played[0], script=replace(played[0].script, tools=({**played[0].script.tools[0], "pinned": True},))
    )
    assert within.first([of_pinned]) == []
    assert reach(bounded, pinned).first([of_pinned]) == [of_pinned]
    assert reach(HoldsTo("bmc", 2, 2, "every size and budget", 1), problem).first([of_pinned]) == [of_pinned]
