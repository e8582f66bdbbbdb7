"""T3 against enumeration: every cell of the matrix by the plain functions, without a solver and without a lifting."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ghostproof.engines.explicit import explicit
from ghostproof.engines.problem import Bounds
from ghostproof.host.host import LocalHost
from ghostproof.host.problem import PrunerProblem
from ghostproof.turn.environment import EVERYTHING, ORDINARY
from ghostproof.turn.explore import Grid
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.scenario import ANYTHING, ORDINARY_SESSION, Scenario
from ghostproof.turn.trace import Trace
from ghostproof.turn.verdict import HoldsTo, Proved, Refuted, Verdict
from ghostproof_proofs.t3_cells import Cell, cells, pruner_of
from ghostproof_proofs.t3_matrix import TABLE, expected, lawful, scenarios

# A schema of two tokens makes room even for the tombstone that takes its place.
ORDINARY_GRID = Grid(sizes=(1, 2), budgets=(0, 1, 2, 3, 4), tools=1)
ANY_GRID = Grid(sizes=(1,), budgets=(0, 1, 2), tools=1)


ASKED = [
    pytest.param(cell, scenario, id=f"{cell.label}, {scenario.name}")
    for cell in cells()
    for scenario in scenarios(cell)
]


def enumerated(cell: Cell, scenario: Scenario, tools: int, requests: int) -> Verdict:
    ordinary = scenario is ORDINARY_SESSION
    grid = replace(ORDINARY_GRID if ordinary else ANY_GRID, tools=tools)
    if tools > 1:
        grid = replace(grid, sizes=(1,))
    # Pins and effects only add tools on which less can happen; fixed, they halve the space twice.
    fixed = replace(scenario, fixed={"pinned": False, "mutation": True})
    problem = PrunerProblem(LocalHost(pruner_of(cell)), fixed, NO_GHOST, grid, Bounds().limits)
    return explicit(problem, Bounds(turns=requests, states=60_000)).verdict


@pytest.mark.parametrize(("cell", "scenario"), ASKED)
def test_enumeration_agrees_on_verdict_and_length(cell: Cell, scenario: Scenario) -> None:
    wanted = expected(cell, scenario)
    if wanted.verdict is Proved:
        assert isinstance(enumerated(cell, scenario, 1, 3 if scenario is ORDINARY_SESSION else 2), HoldsTo)
        return
    assert wanted.requests is not None
    assert wanted.tools is not None
    found = enumerated(cell, scenario, wanted.tools, wanted.requests)
    assert isinstance(found, Refuted)
    assert isinstance(found.trace, Trace)
    assert found.trace.size == (wanted.requests, wanted.tools)
    if wanted.tools > 1:
        assert isinstance(enumerated(cell, scenario, wanted.tools - 1, wanted.requests), HoldsTo)


def test_an_ordinary_session_is_a_session_under_every_action() -> None:
    """Why a cell is asked about in one scenario where that decides the other."""
    assert set(ORDINARY) <= set(EVERYTHING) == set(ANYTHING.environment)
    assert set(ORDINARY_SESSION.environment) <= set(ANYTHING.environment)
    assert set(ORDINARY_SESSION.responses) <= set(ANYTHING.responses)
    assert not ANYTHING.constant_budgets
    assert not ANYTHING.starts_within_budget
    assert not ANYTHING.fixed
    for cell in cells():
        if expected(cell, ANYTHING).verdict is Proved:
            assert expected(cell, ORDINARY_SESSION).verdict is Proved


def test_every_row_of_the_table_is_used() -> None:
    silent = [cell for cell in cells() if not lawful(cell)]
    used = {next(row for row in TABLE if row.matches(cell)) for cell in silent}
    assert used == set(TABLE)


def test_the_matrix_has_each_combination_once() -> None:
    every = list(cells())
    assert len(every) == len(set(every)) == 74
    assert sum(len(scenarios(cell)) for cell in every) == 107
    # The numbers of the claim's statement.
    safe = [cell for cell in every if expected(cell, ANYTHING).verdict is Proved]
    assert sum(lawful(cell) for cell in safe) == sum(lawful(cell) for cell in every) == 8
    assert len(safe) == 8 + 5
