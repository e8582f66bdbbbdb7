"""SPIN and explicit search agree: the verdict, the fewest requests of a violation, and the number of states."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpus.manifest import scenarios
from engines.corpus import CORPUS, HANDED_OVER, ORDINARY_UNPINNED
from export.spin import MISSING, WHY_NOT, Pan
from ghostproof.engines.explicit import explicit
from ghostproof.engines.problem import Bounds
from ghostproof.export.promela import STATES_MORE, Promela, promela
from ghostproof.host.host import LocalHost
from ghostproof.host.problem import PrunerProblem
from ghostproof.lift.limits import Limits
from ghostproof.turn.explore import Grid
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.scenario import ANYTHING, LATE_EVENTS, ORDINARY_SESSION, Scenario
from ghostproof.turn.tool import Tool
from ghostproof.turn.verdict import HoldsTo, Refuted, Verdict
from ghostproof.variants.arbitration import argument_first, gate

with_spin = pytest.mark.skipif(bool(MISSING), reason=WHY_NOT)

NO_FIRST_ACTION = Scenario(
    "a tool that is there has nothing to do",
    environment=("tool returns",),
    constant_budgets=True,
    starts_within_budget=True,
)


def by_explicit(pruner: Pruner, scenario: Scenario, grid: Grid, turns: int) -> Verdict:
    problem = PrunerProblem(LocalHost(pruner), scenario, NO_GHOST, grid, Limits())
    return explicit(problem, Bounds(turns=turns)).verdict


def exported(pruner: Pruner, scenario: Scenario, grid: Grid) -> Promela:
    return promela(LocalHost(pruner).lifted, scenario, NO_GHOST, grid)


@with_spin
@pytest.mark.parametrize(
    ("name", "scenario", "grid", "turns"),
    [
        pytest.param("argument-first", ORDINARY_SESSION, Grid(), 3, id="argument-first"),
        pytest.param(
            "argument-first", ANYTHING, Grid(tools=1, budgets=(0, 2, 3), pinned=(False, True)), 4, id="everything"
        ),
        pytest.param("separate budgets", HANDED_OVER, Grid(budgets=(0, 1, 3), sizes=(1, 2)), 1, id="two budgets"),
        pytest.param(
            "argument-first without a gate", ORDINARY_UNPINNED, Grid(tools=3, budgets=(3, 6)), 2, id="three tools"
        ),
        pytest.param("evict only", scenarios()["budgets change"], Grid(budgets=(0, 2, 4)), 2, id="budgets change"),
    ],
)
def test_states_are_as_many(name: str, scenario: Scenario, grid: Grid, turns: int, tmp_path: Path) -> None:
    made = exported(CORPUS[name], scenario, grid)
    pan = Pan(made.text, tmp_path)
    for requests in range(1, turns + 1):
        held = by_explicit(CORPUS[name], scenario, grid, requests)
        assert isinstance(held, HoldsTo)
        said = pan.search(made.depth(requests))
        assert (said.violated, said.states) == (False, held.explored + STATES_MORE)


@with_spin
@pytest.mark.parametrize(
    ("name", "scenario", "requests"),
    [
        pytest.param("schema-first", ORDINARY_UNPINNED, 2, id="schema-first"),
        pytest.param("argument-first without a gate", HANDED_OVER, 2, id="gate removed"),
    ],
)
def test_violations_are_found_in_as_few_requests(name: str, scenario: Scenario, requests: int, tmp_path: Path) -> None:
    grid = Grid(budgets=(0, 1, 2, 3, 4, 5))
    refuted = by_explicit(CORPUS[name], scenario, grid, requests)
    assert isinstance(refuted, Refuted)
    assert refuted.trace.size[0] == requests
    made = exported(CORPUS[name], scenario, grid)
    pan = Pan(made.text, tmp_path)
    assert pan.search(made.depth(requests)).violated
    before = by_explicit(CORPUS[name], scenario, grid, requests - 1)
    assert isinstance(before, HoldsTo)
    said = pan.search(made.depth(requests - 1))
    assert (said.violated, said.states) == (False, before.explored + STATES_MORE)


@with_spin
def test_late_events_stand_before_what_runs_at_render(tmp_path: Path) -> None:
    at_render = Pruner(*argument_first.passes[:-1], Pass(gate, at_render=True), name="gate at render")
    grid = Grid(tools=1, budgets=(0, 2))
    held = by_explicit(at_render, LATE_EVENTS, grid, 2)
    assert isinstance(held, HoldsTo)
    made = exported(at_render, LATE_EVENTS, grid)
    said = Pan(made.text, tmp_path).search(made.depth(2))
    assert (said.violated, said.states) == (False, held.explored + STATES_MORE)


@with_spin
def test_a_program_that_lost_an_action_has_other_states(tmp_path: Path) -> None:
    grid = Grid(tools=1)
    made = exported(CORPUS["argument-first"], ORDINARY_SESSION, grid)
    held = by_explicit(CORPUS["argument-first"], ORDINARY_SESSION, grid, 3)
    assert isinstance(held, HoldsTo)
    (migrates,) = [
        line for line in made.text.splitlines() if line.endswith("t1_registered -> t1_arguments_current = false; }")
    ]
    said = Pan(made.text.replace(migrates + "\n", ""), tmp_path).search(made.depth(3))
    assert said.states < held.explored + STATES_MORE


@with_spin
def test_a_session_in_which_nothing_can_happen_is_no_violation(tmp_path: Path) -> None:
    grid = Grid(tools=1, budgets=(4,))
    made = exported(CORPUS["argument-first"], NO_FIRST_ACTION, grid)
    held = by_explicit(CORPUS["argument-first"], NO_FIRST_ACTION, grid, 2)
    assert isinstance(held, HoldsTo)
    said = Pan(made.text, tmp_path).search(made.depth(2))
    # That nothing goes on is a state of its own for SPIN.
    assert (held.explored, said.states, said.violated) == (1, 1 + STATES_MORE + 1, False)


def test_names_and_words_of_a_pruner_cannot_leave_their_place() -> None:
    def note(tool: Tool, turn: object) -> None:
        setattr(tool, "naïve */ x", True)

    pruner = Pruner(Pass(note, name="*/ never"), memory={"naïve */ x": False}, name="*/ init { assert(0) }")
    text = exported(pruner, ORDINARY_SESSION, Grid()).text
    assert text.count("*/") == text.count("/*")
    assert text.count("\ninit {") == 1
    assert text.isascii()
