"""Bounded model checking and explicit search, on the same pruners in the same scenarios: the same answer, as short.

bmc covers every size and budget, explicit search a small grid of them. So where bmc holds, explicit search must hold;
where explicit search refutes, bmc must refute in as many requests; and the grid is large enough for each refutation.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache
from typing import Any

import pytest

from engines.corpus import CORPUS, HANDED_OVER, ORDINARY_UNPINNED
from ghostproof.engines.bmc import bmc
from ghostproof.engines.explicit import NOT_ASKED, explicit
from ghostproof.engines.induction import induction
from ghostproof.engines.problem import Bounds
from ghostproof.host.host import LocalHost
from ghostproof.host.problem import PrunerProblem
from ghostproof.lift.limits import Limits
from ghostproof.turn.explore import Grid
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.trace import Trace
from ghostproof.turn.verdict import HoldsTo, Proved, Refuted, Undetermined, Verdict
from lift.sessions import cost_of

BOUNDS = Bounds(turns=3, tools=2, limits=Limits(rlimit=20_000_000))
SCENARIOS = {"ordinary": ORDINARY_UNPINNED, "handed over": HANDED_OVER}

# Requests, tools and tokens of a minimal refutation in at most 3 requests and 2 tools; None where there is none.
MINIMAL: dict[tuple[str, str], tuple[int, int, int] | None] = {
    ("argument-first", "ordinary"): None,
    ("argument-first", "handed over"): None,
    ("schema-first", "ordinary"): (2, 2, 8),
    ("schema-first", "handed over"): (1, 2, 8),
    ("argument-first without a gate", "ordinary"): None,
    ("argument-first without a gate", "handed over"): (2, 1, 5),
    ("schema-first without a gate", "ordinary"): (2, 1, 6),
    ("schema-first without a gate", "handed over"): (1, 1, 6),
    ("separate budgets", "ordinary"): None,
    ("separate budgets", "handed over"): None,
    ("separate budgets without a gate", "ordinary"): None,
    ("separate budgets without a gate", "handed over"): (1, 1, 4),
    ("evict only", "ordinary"): None,
    ("evict only", "handed over"): None,
    ("eviction planned", "ordinary"): (2, 1, 4),
    ("eviction planned", "handed over"): (1, 1, 4),
    ("stale view", "ordinary"): None,
    ("stale view", "handed over"): (2, 1, 3),
    ("gate on pruned tools", "ordinary"): None,
    ("gate on pruned tools", "handed over"): (2, 1, 3),
    ("hollow", "ordinary"): (3, 1, 4),
    ("hollow", "handed over"): (2, 1, 4),
    ("by idle turns", "ordinary"): None,
    ("by idle turns", "handed over"): None,
    ("watered down", "ordinary"): None,
    ("watered down", "handed over"): (2, 1, 5),
    ("oldest item first", "ordinary"): (3, 2, 11),
    ("oldest item first", "handed over"): (2, 2, 8),
}


def problem(name: str, scenario: str) -> PrunerProblem:
    host = LocalHost(CORPUS[name])
    pair = len(host.lifted.budget_names) > 1
    sizes = (1, 2) if (name, scenario) == ("oldest item first", "ordinary") else (1,)
    grid = Grid(tools=2, sizes=sizes, budgets=(0, 1, 2, 3) if pair else (0, 1, 2, 3, 4, 5))
    return PrunerProblem(host, SCENARIOS[scenario], NO_GHOST, grid, BOUNDS.limits)


@cache
def answer(engine: str, name: str, scenario: str) -> Verdict:
    run = {"bmc": bmc, "explicit": explicit, "induction": induction}[engine]
    return run(problem(name, scenario), BOUNDS).verdict


cases = pytest.mark.parametrize(("name", "scenario"), MINIMAL)


def test_every_pruner_of_the_corpus_has_its_answer_in_every_scenario() -> None:
    assert set(MINIMAL) == {(name, scenario) for name in CORPUS for scenario in SCENARIOS}
    assert len(CORPUS) >= 12


@cases
def test_bmc_finds_the_minimal_session_by_requests_then_tools_then_tokens(name: str, scenario: str) -> None:
    found, expected = answer("bmc", name, scenario), MINIMAL[name, scenario]
    if expected is None:
        assert isinstance(found, HoldsTo)
        assert (found.turns, found.tools, found.sizes) == (3, 2, "every size and budget")
    else:
        assert isinstance(found, Refuted)
        assert isinstance(found.trace, Trace)
        assert cost_of(found.trace, SCENARIOS[scenario]) == expected


@cases
def test_explicit_search_agrees_in_verdict_and_length(name: str, scenario: str) -> None:
    found, expected = answer("explicit", name, scenario), MINIMAL[name, scenario]
    if expected is None:
        assert isinstance(found, HoldsTo)
        assert (found.turns, found.tools) == (3, 2)
    else:
        assert isinstance(found, Refuted)
        assert isinstance(found.trace, Trace)
        assert found.trace.size[0] == expected[0]
        assert cost_of(found.trace, SCENARIOS[scenario]) >= expected


@cases
def test_induction_never_proves_what_is_refuted_nor_gives_up_in_a_pass(name: str, scenario: str) -> None:
    found = answer("induction", name, scenario)
    assert isinstance(found, (Proved, Undetermined))
    if isinstance(found, Proved):
        assert MINIMAL[name, scenario] is None


@pytest.mark.parametrize(
    ("name", "scenario"), [case for case, minimal in MINIMAL.items() if minimal is not None and minimal[:2] != (1, 1)]
)
def test_one_request_or_one_tool_less_holds(name: str, scenario: str) -> None:
    minimal = MINIMAL[name, scenario]
    assert minimal is not None
    requests, tools, _ = minimal
    for fewer_requests, fewer_tools in ((requests - 1, 2), (requests, tools - 1)):
        if fewer_requests and fewer_tools:
            bounds = Bounds(turns=fewer_requests, tools=fewer_tools, limits=BOUNDS.limits)
            assert isinstance(bmc(problem(name, scenario), bounds).verdict, HoldsTo)


class Cheaper(PrunerProblem):
    """Only the starts whose sizes and budgets sum to less than `tokens`."""

    tokens = 0

    def states(self) -> list[Hashable]:
        return [start for start in super().states() if self.cost(start) < self.tokens]

    def cost(self, start: Any) -> int:
        _, tools, budgets = start
        return int(sum(sum(fixed[2:]) for fixed in tools) + sum(value for _, value in budgets))


@pytest.mark.parametrize(
    ("name", "scenario"), [case for case, minimal in MINIMAL.items() if minimal is not None and minimal[2] <= 8]
)
def test_no_smaller_sizes_and_budgets_exist_by_enumeration(name: str, scenario: str) -> None:
    minimal = MINIMAL[name, scenario]
    assert minimal is not None
    requests, tools, tokens = minimal
    # Every size is at least 1, so that what is left of a smaller sum bounds each size and budget.
    left = tokens - 1 - 3 * tools
    grid = Grid(tools=tools, sizes=tuple(range(1, left + 2)) or (1,), budgets=tuple(range(left + 1)) or (0,))
    cheaper = Cheaper(LocalHost(CORPUS[name]), SCENARIOS[scenario], NO_GHOST, grid, BOUNDS.limits)
    cheaper.tokens = tokens
    found = explicit(cheaper, Bounds(turns=requests, tools=tools)).verdict
    assert isinstance(found, HoldsTo)
    assert (found.explored > 0) == (left >= 0)  # the starts that there are; some exceed the budget at once


def test_fewer_requests_are_excluded_for_every_number_of_tools_where_induction_can() -> None:
    found = answer("bmc", "schema-first", "ordinary")
    assert isinstance(found, Refuted)
    assert found.minimality[0] == (
        "fewer than 2 requests: excluded for every number of tools, by induction on one tool"
    )
    assert "fewer than 2 tools at 2 requests" in found.minimality[1]
    assert "fewer than 8 tokens" in found.minimality[2]


def test_explicit_search_says_within_what_fewer_requests_are_excluded() -> None:
    found = answer("explicit", "schema-first", "ordinary")
    assert isinstance(found, Refuted)
    scope = "sizes {1}, budgets 0 to 5, pinned False, mutation True, rest 0"
    assert found.minimality == (f"fewer than 2 requests: excluded up to N = 2 tools of {scope}", NOT_ASKED)
