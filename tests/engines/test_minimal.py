"""What is said to be minimal was established."""

from __future__ import annotations

import pytest

from engines.corpus import CORPUS, ORDINARY_UNPINNED
from ghostproof.engines.bmc import least
from ghostproof.engines.induction import prove_system
from ghostproof.engines.problem import Bounds, Certificate
from ghostproof.host.host import LocalHost
from ghostproof.host.problem import PrunerProblem
from ghostproof.lift.limits import Limits
from ghostproof.lift.solver import Questions, Satisfiable, Unknown
from ghostproof.lift.term import at_most, integer, variable
from ghostproof.turn.explore import Grid
from ghostproof.turn.property import NO_GHOST

COST = variable("cost", "Int")
FIRST = Satisfiable({"cost": 9})
LIMITS = Limits(rlimit=20_000_000)


def test_the_least_is_found_and_established() -> None:
    questions = Questions([at_most(integer(4), COST)], LIMITS)
    found, established = least(questions, COST, FIRST)
    assert (found.values["cost"], established) == (4, True)


def test_a_minimum_that_was_not_established_is_not_claimed(monkeypatch: pytest.MonkeyPatch) -> None:
    questions = Questions([at_most(integer(4), COST)], LIMITS)
    monkeypatch.setattr(questions, "ask", lambda *extra: Unknown("tired"))
    assert least(questions, COST, FIRST) == (FIRST, False)


# Shortest in two requests where there is no gate; in one more there is nothing to exclude.
@pytest.mark.parametrize(("requests", "excluded"), [(2, True), (3, False), (4, False)])
def test_fewer_requests_are_excluded_only_where_there_are_none(requests: int, excluded: bool) -> None:
    host = LocalHost(CORPUS["schema-first without a gate"])
    problem = PrunerProblem(host, ORDINARY_UNPINNED, NO_GHOST, Grid(), LIMITS)
    system = problem.excludes_fewer(requests)
    assert system is not None
    found = prove_system(system, Bounds(limits=LIMITS))
    assert isinstance(found, Certificate) is excluded
