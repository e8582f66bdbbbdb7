"""At which budgets there is a ghost, compared with the explicit search of every session at every budget."""

from __future__ import annotations

from dataclasses import replace

import pytest

from explain.pruners import no_gate
from ghostproof.engines.bmc import bmc
from ghostproof.engines.explicit import explicit
from ghostproof.engines.problem import Bounds
from ghostproof.examine import quiet
from ghostproof.explain.thresholds import thresholds
from ghostproof.host.host import LocalHost
from ghostproof.host.problem import PrunerProblem
from ghostproof.turn.budget import Turn
from ghostproof.turn.explanation import Thresholds
from ghostproof.turn.explore import Grid
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.scenario import ANYTHING, ORDINARY_SESSION, Scenario
from ghostproof.turn.trace import Trace
from ghostproof.turn.verdict import HoldsTo, Refuted
from ghostproof.variants.arbitration import prune_schema, schema_first
from ghostproof_proofs.t2_parts import NEW_BUDGETS, alone, separate


def found(pruner: Pruner, scenario: Scenario) -> tuple[LocalHost, Trace, tuple[Thresholds, ...]]:
    host = LocalHost(pruner)
    verdict = bmc(PrunerProblem(host, scenario, NO_GHOST, Grid(), Bounds().limits), Bounds()).verdict
    assert isinstance(verdict, Refuted)
    assert isinstance(verdict.trace, Trace)
    return host, verdict.trace, thresholds(host, scenario, NO_GHOST, verdict.trace, Bounds(), quiet)


def ranges(threshold: Thresholds) -> list[tuple[str, int, int | None]]:
    return [(item.outcome, item.first, item.last) for item in threshold.ranges]


@pytest.mark.parametrize(
    "pruner", [pytest.param(schema_first, id="two tools"), pytest.param(alone.schema_first, id="one tool")]
)
def test_each_budget_agrees_with_the_explicit_search(pruner: Pruner) -> None:
    host, trace, (threshold,) = found(pruner, ORDINARY_SESSION)
    for value in range(7):
        outcome = next(r.outcome for r in threshold.ranges if r.first <= value and (r.last is None or value <= r.last))
        grid = Grid(tools=len(trace.names), sizes=(1,), budgets=(value,))
        problem = PrunerProblem(host, ORDINARY_SESSION, NO_GHOST, grid, Bounds().limits)
        verdict = explicit(problem, Bounds(turns=len(trace.requests), tools=len(trace.names))).verdict
        assert isinstance(verdict, Refuted if outcome == "ghost" else HoldsTo), (value, outcome)


def test_both_sides_of_schema_first() -> None:
    _, _, (threshold,) = found(schema_first, ORDINARY_SESSION)
    assert ranges(threshold) == [("no session", 0, 1), ("ghost", 2, 3), ("none", 4, None)]
    assert threshold.replayed == 2
    assert threshold.witness is not None
    assert threshold.witness.script.turns[-1].budgets["total_budget"] == 3
    assert threshold.witness.requests[-1].violations


def test_each_of_a_pair_of_budgets() -> None:
    _, _, (schemas, arguments) = found(separate.schema_first, NEW_BUDGETS)
    assert ranges(schemas) == [("ghost", 0, 0), ("none", 1, None)]
    assert ranges(arguments) == [("none", 0, 0), ("ghost", 1, None)]


def test_a_ghost_that_no_budget_prevents() -> None:
    _, _, (threshold,) = found(no_gate, ANYTHING)
    assert ranges(threshold) == [("ghost", 0, None)]


def between(turn: Turn) -> bool:
    """Odd on purpose: the pass acts for some budgets between others."""
    return turn.total_budget < 3 or (turn.total_budget > 4 and turn.total_budget != 6)


def test_ghosts_that_come_and_go_with_the_budget() -> None:
    odd = Pruner(Pass(prune_schema, until=between), name="odd")
    quiet_sessions = replace(ANYTHING, environment=("idle",), responses=("silent", "call"))
    _, _, (threshold,) = found(odd, quiet_sessions)
    assert ranges(threshold) == [("none", 0, 2), ("ghost", 3, 4), ("none", 5, 5), ("ghost", 6, 6), ("none", 7, None)]
