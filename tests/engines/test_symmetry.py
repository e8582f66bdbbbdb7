"""Why explicit search keeps equal tools apart: merged with their mirror image, states hide a violation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ghostproof.engines.explicit import explicit
from ghostproof.engines.problem import Bounds
from ghostproof.host.host import LocalHost
from ghostproof.host.problem import PrunerProblem
from ghostproof.lift.limits import Limits
from ghostproof.turn.budget import Turn, prompt_fits_as_it_stands
from ghostproof.turn.explore import Explorer, Grid
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.scenario import ORDINARY_SESSION
from ghostproof.turn.tool import Tool
from ghostproof.turn.verdict import HoldsTo, Refuted

TURNS = 3
GRID = Grid(tools=2, budgets=(2,))
BUDGETS = ("total_budget",)


def hide_one_turn_after_a_lone_call(tool: Tool, turn: Turn) -> None:
    """Either tool will do, and the one that was declared first is asked first."""
    called = tool.calls == 1 and tool.idle_turns == 1
    never_called = tool.calls == 0 and tool.idle_turns == 2
    if turn.argument_tokens == 1 and (called or never_called):
        tool.hide_schema()


DECLARED = Pruner(Pass(hide_one_turn_after_a_lone_call, until=prompt_fits_as_it_stands), name="in declared order")


def merged(pruner: Pruner, representative: Callable[[Any], Any]) -> bool:
    """Whether a search that keeps one state of each set of mirror images finds a violation within TURNS requests."""
    explorer = Explorer(pruner, ORDINARY_SESSION, NO_GHOST, GRID, BUDGETS, BUDGETS)
    level, seen = set(explorer.starts()), set[Any]()
    for _ in range(TURNS):
        following = set[Any]()
        for state in level:
            for _, (kind, tools, constant), violates in explorer.moves(state):
                if violates:
                    return True
                following.add((kind, tuple(representative(tools)), constant))
        level = following - seen
        seen |= level
    return False


def test_the_search_finds_what_the_order_of_equal_tools_does() -> None:
    problem = PrunerProblem(LocalHost(DECLARED), ORDINARY_SESSION, NO_GHOST, GRID, Limits())
    verdict = explicit(problem, Bounds(turns=TURNS, tools=2)).verdict
    assert isinstance(verdict, Refuted)
    assert verdict.trace.size == (TURNS, 2)
    assert isinstance(explicit(problem, Bounds(turns=TURNS - 1, tools=2)).verdict, HoldsTo)


def test_keeping_every_state_apart_finds_it_too() -> None:
    assert merged(DECLARED, tuple)


@pytest.mark.parametrize(("descending", "found"), [(False, False), (True, True)])
def test_merging_equal_tools_finds_it_or_not_by_which_state_is_kept(descending: bool, found: bool) -> None:
    assert merged(DECLARED, lambda tools: sorted(tools, reverse=descending)) is found
