"""Exploration of a tiny grid, with every number counted by hand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from ghostproof.turn.budget import schemas_fit
from ghostproof.turn.explore import START, Explorer, Grid, Key, Move
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.scenario import ANYTHING, Scenario
from ghostproof.turn.session import play
from ghostproof.variants.arbitration import prune_schema

FREE = {"mutation": True, "pinned": False}
QUIET = Scenario("quiet", environment=("idle",), responses=("silent",), fixed=FREE)
CALLS = Scenario("calls", environment=("idle",), responses=("silent", "call"), constant_budgets=True, fixed=FREE)
ONE = Grid(tools=1, sizes=(1,), budgets=(0, 1))
NOTHING = Pruner(name="nothing")
PRUNES = Pruner(Pass(prune_schema, until=schemas_fit), name="prunes")


def explorer(pruner: Pruner, scenario: Scenario, grid: Grid, *budgets: str) -> Explorer:
    return Explorer(pruner, scenario, NO_GHOST, grid, budgets, budgets)


def reached(found: Iterable[tuple[Move, Key, bool]]) -> list[tuple[Move, Key, bool]]:
    return list(found)


@pytest.mark.parametrize(
    ("grid", "starts"),
    [
        (ONE, 1),
        (replace(ONE, sizes=(1, 2)), 8),  # three sizes of two values
        (replace(ONE, tools=2), 1 + 1),
        (replace(ONE, tools=2, sizes=(1, 2)), 8 + 64),
        (replace(ONE, tools=3, sizes=(1, 2)), 8 + 64 + 512),
    ],
)
def test_there_is_one_start_for_each_choice_of_sizes_of_each_tool(grid: Grid, starts: int) -> None:
    assert len(list(explorer(NOTHING, QUIET, grid).starts())) == starts


def test_flags_that_the_scenario_leaves_free_are_chosen_from_the_grid() -> None:
    free = replace(QUIET, fixed={})
    grid = replace(ONE, pinned=(False, True), mutation=(False, True))
    assert len(list(explorer(NOTHING, free, grid).starts())) == 4
    assert len(list(explorer(NOTHING, QUIET, grid).starts())) == 1


def test_constant_budgets_are_chosen_at_the_start_and_others_at_each_request() -> None:
    constant = replace(QUIET, constant_budgets=True)
    assert len(list(explorer(NOTHING, constant, ONE, "total_budget").starts())) == 2
    assert len(list(explorer(NOTHING, constant, ONE, "schema_budget", "argument_budget").starts())) == 4
    changing = explorer(NOTHING, QUIET, ONE, "total_budget")
    (start,) = changing.starts()
    assert [move.budgets for move, _, _ in changing.moves(start)] == [(("total_budget", 0),), (("total_budget", 1),)]


def test_starts_of_fewer_tools_come_first() -> None:
    counts = [len(tools) for kind, tools, _ in explorer(NOTHING, QUIET, replace(ONE, tools=3)).starts()]
    assert counts == [1, 2, 3]


def test_a_session_that_must_start_within_its_budget_has_no_first_request_otherwise() -> None:
    within = replace(QUIET, starts_within_budget=True, constant_budgets=True)
    search = explorer(PRUNES, within, ONE, "schema_budget")
    assert [len(reached(search.moves(start))) for start in search.starts()] == [0, 1]
    free = explorer(PRUNES, replace(within, starts_within_budget=False), ONE, "schema_budget")
    assert [len(reached(free.moves(start))) for start in free.starts()] == [1, 1]


def test_the_first_request_is_followed_by_every_response_execution_and_environment() -> None:
    search = explorer(NOTHING, CALLS, ONE)
    (start,) = search.starts()
    ((first, state, ghost),) = reached(search.moves(start))
    assert (first.response, first.execution, first.environment, ghost) == ((), (), ("idle",), False)
    # Silent leads to no execution; a call with a current schema in view is accepted and nothing else.
    assert [(move.response, move.execution) for move, _, _ in search.moves(state)] == [
        (("silent",), ("no execution",)),
        (("call",), ("accept",)),
    ]


def test_several_tools_act_in_every_combination() -> None:
    search = explorer(NOTHING, CALLS, replace(ONE, tools=2))
    start = list(search.starts())[1]
    ((_, state, _),) = reached(search.moves(start))
    assert len(reached(search.moves(state))) == 4


def test_every_environment_action_that_is_enabled_is_taken() -> None:
    search = explorer(NOTHING, replace(ANYTHING, fixed=FREE), ONE)
    (start,) = search.starts()
    # Not enabled at first: the return of a tool that is there, the loss of a tombstone that is not.
    assert [move.environment[0] for move, _, _ in search.moves(start)] == [
        "idle",
        "schema migrates",
        "schema migrates behind a cache",
        "tool vanishes",
        "arguments appear",
        "schema is shown lossily",
    ]


def levels(search: Explorer, depth: int) -> tuple[int, int, list[int]]:
    """States seen, moves taken, and new states of each level."""
    seen: dict[Key, None] = dict.fromkeys(search.starts())
    level, moves, sizes = list(seen), 0, []
    for _ in range(depth):
        following: dict[Key, None] = {}
        for state in level:
            for _, key, _ in search.moves(state):
                moves += 1
                if key not in seen:
                    following[key] = None
        seen.update(following)
        sizes.append(len(following))
        level = list(following)
    return len(seen), moves, sizes


def test_states_and_moves_of_three_requests_counted_by_hand() -> None:
    # A state is what was sent, and what tells states apart is the number of calls and the turns since the last one.
    # Request 2: (0 calls, idle 1) and (1 call, idle 0). Request 3: (0, 2), (1, 1), (2, 0), and (1, 0) once more.
    assert levels(explorer(NOTHING, CALLS, ONE), 3) == (1 + 1 + 2 + 3, 1 + 2 + 4, [1, 2, 3])


def test_a_pruner_that_hides_the_schema_leaves_nothing_to_call() -> None:
    search = explorer(PRUNES, replace(CALLS, constant_budgets=True), ONE, "schema_budget")
    # Budget 0: hidden, and only silence is possible: one state a request. Budget 1: as without a pruner.
    assert levels(search, 3) == (2 + 2 + 3 + 4, 2 + 3 + 5, [2, 3, 4])


def test_a_ghost_is_reported_with_the_move_that_leads_to_it() -> None:
    appears = replace(CALLS, environment=("arguments appear",))
    search = explorer(PRUNES, appears, ONE, "schema_budget")
    tight, loose = search.starts()
    assert [ghost for _, _, ghost in search.moves(tight)] == [True]
    assert [ghost for _, _, ghost in search.moves(loose)] == [False]


def test_what_is_sent_depends_on_the_budget_of_the_turn() -> None:
    search = explorer(PRUNES, QUIET, ONE, "schema_budget")
    (start,) = search.starts()
    sent = {move.budgets: state for move, state, _ in search.moves(start)}
    assert len(sent) == 2
    assert sent[("schema_budget", 0),] != sent[("schema_budget", 1),]


def test_a_budget_that_stays_is_the_budget_of_every_move() -> None:
    search = explorer(NOTHING, CALLS, ONE, "total_budget")
    for start in search.starts():
        for first, state, _ in search.moves(start):
            assert first.budgets == start[2]
            assert {move.budgets for move, _, _ in search.moves(state)} == {start[2]}


def test_a_scenario_whose_actions_are_never_enabled_leads_nowhere() -> None:
    stuck = replace(QUIET, environment=("tool returns",))
    search = explorer(NOTHING, stuck, ONE)
    (start,) = search.starts()
    assert reached(search.moves(start)) == []


def test_the_moves_of_a_search_are_a_script_that_plays_to_the_same_states() -> None:
    search = explorer(PRUNES, CALLS, replace(ONE, tools=2, budgets=(1,)), "schema_budget")
    start = list(search.starts())[-1]
    walks: list[tuple[Key, list[Key], Key, list[Move]]] = [
        (start, [], state, [move]) for move, state, _ in search.moves(start)
    ]
    longer = [
        (start, [*before, state], following, [*moves, move])
        for start, before, state, moves in walks
        for move, following, _ in search.moves(state)
    ]
    assert len(longer) == 2  # one of the two schemas is hidden in the first request
    for start, _, state, moves in longer:
        script = search.script(start, moves)
        trace = play(PRUNES, script, NO_GHOST)
        assert len(trace.requests) == 2
        names = list(trace.requests[-1].tools[0])
        kind, values, _ = state
        assert kind == "sent"
        for fields, shown in zip(values, trace.requests[-1].tools, strict=True):
            assert sorted(map(repr, fields)) == sorted(repr(shown[name]) for name in names)


def test_a_start_is_no_state_that_was_sent() -> None:
    search = explorer(NOTHING, QUIET, ONE)
    (start,) = search.starts()
    ((_, state, _),) = reached(search.moves(start))
    assert (start[0], state[0]) == (START, "sent")
