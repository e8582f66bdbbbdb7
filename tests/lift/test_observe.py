"""Watching a system for a step: what never happens is shown never to, and what was seen to happen is not."""

from __future__ import annotations

import pytest

from ghostproof.certify.vacuity import (
    Witness,
    admitted_actions,
    arguments_kept,
    evicted,
    expanded,
    pass_acts,
    schema_pruned,
    tombstoned,
)
from ghostproof.engines.induction import prove_system
from ghostproof.engines.problem import Bounds, Certificate
from ghostproof.host.host import LocalHost
from ghostproof.host.problem import PrunerProblem
from ghostproof.lift.observe import observed
from ghostproof.lift.system import System
from ghostproof.turn.budget import Turn, prompt_fits
from ghostproof.turn.explore import Grid
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.scenario import ANYTHING
from ghostproof.turn.tool import Tool
from ghostproof.variants.arbitration import argument_first

BOUNDS = Bounds()
# What tests/certify/test_vacuity.py finds in played sessions of argument-first.
HAPPENS = [
    *(schema_pruned(), arguments_kept(), evicted(), expanded(), tombstoned()),
    *(pass_acts(item.name) for item in argument_first.passes),
    *admitted_actions(ANYTHING, NO_GHOST, BOUNDS.limits),
]


def nothing(tool: Tool, turn: Turn) -> None:
    return None


def systems(pruner: Pruner) -> list[System]:
    problem = PrunerProblem(LocalHost(pruner), ANYTHING, NO_GHOST, Grid(), BOUNDS.limits)
    exact = problem.exactly(1)
    assert exact is not None
    return [problem.system, exact]


def never(system: System, witness: Witness) -> bool:
    assert witness.taken
    return any(isinstance(prove_system(observed(system, taken), BOUNDS), Certificate) for taken in witness.taken)


ONE_AMONG_MANY, EXACTLY_ONE = systems(argument_first)


@pytest.mark.parametrize("witness", HAPPENS, ids=lambda witness: witness.name)
def test_what_happens_is_not_shown_never_to(witness: Witness) -> None:
    assert not never(ONE_AMONG_MANY, witness)


def test_a_tool_alone_recovers_from_nobodys_rejection() -> None:
    (recovery,) = (witness for witness in HAPPENS if witness.name == "response: recover by sibling")
    assert not never(ONE_AMONG_MANY, recovery)
    assert never(EXACTLY_ONE, recovery)


@pytest.mark.parametrize("until", [None, prompt_fits])
def test_a_pass_that_does_nothing_is_shown_never_to_act(until: object) -> None:
    idle = Pass(nothing, until=prompt_fits if until else None)
    for system in systems(Pruner(*argument_first.passes, idle, name="idle")):
        assert never(system, pass_acts("nothing"))


def test_a_pruner_that_shows_everything_never_hides() -> None:
    for system in systems(Pruner(argument_first.passes[0], argument_first.passes[1])):
        assert never(system, schema_pruned())
        assert not never(system, arguments_kept())
