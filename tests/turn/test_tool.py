"""What a tool's methods mean."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ghostproof.turn.budget import (
    Turn,
    argument_cost,
    arguments_fit,
    prompt_fits,
    prompt_fits_as_it_stands,
    schema_cost,
    schemas_fit,
    tombstone_cost,
    tombstone_demand,
    totals,
)
from ghostproof.turn.property import NO_GHOST, NO_MUTATION_GHOST
from ghostproof.turn.session import changes, snapshot
from ghostproof.turn.tool import Tool
from turn.states import ghost, tool

states = st.builds(
    lambda shown, lossy, calls, tombstone, before, mutation, registered: tool(
        schema_shown=shown,
        schema_lossy=shown and lossy,
        calls_resident=calls,
        tombstone_resident=tombstone,
        calls_before_tombstone=min(before, calls) if tombstone else 0,
        mutation=mutation,
        registered=registered,
    ),
    st.booleans(),
    st.booleans(),
    st.integers(0, 4),
    st.booleans(),
    st.integers(0, 4),
    st.booleans(),
    st.booleans(),
)


@given(states)
def test_a_ghost_is_arguments_without_schema_and_without_tombstone(state: Tool) -> None:
    shown_in_full = state.schema_shown and not state.schema_lossy
    expected = state.calls_resident > 0 and not shown_in_full and not state.tombstone_resident
    assert state.ghost is expected
    assert NO_GHOST.violated(state) is expected
    assert NO_MUTATION_GHOST.violated(state) is (expected and state.mutation)
    assert NO_GHOST.antecedent(state) is (state.calls_resident > 0)
    assert NO_MUTATION_GHOST.antecedent(state) is (state.calls_resident > 0 and state.mutation)


@given(states)
def test_showing_a_schema_clears_lossiness_staleness_and_the_tombstone(state: Tool) -> None:
    state.schema_current = False
    state.show_schema()
    assert state.schema_resident
    assert state.schema_current
    assert not state.tombstoned
    assert state.calls_before_tombstone == 0
    assert not state.ghost


@given(states)
def test_a_schema_shown_lossily_is_shown_and_not_resident(state: Tool) -> None:
    state.show_schema_lossily()
    assert state.schema_shown
    assert not state.schema_resident
    assert not state.tombstoned


@given(states)
def test_a_hidden_schema_is_neither_shown_nor_lossy(state: Tool) -> None:
    before = snapshot(state)
    state.hide_schema()
    assert set(changes(before, snapshot(state))) <= {"schema_shown", "schema_lossy"}
    assert not state.schema_shown
    assert not state.schema_lossy


@given(states)
def test_evicting_takes_the_oldest_call_and_the_tombstone_grows_older(state: Tool) -> None:
    calls, before = state.calls_resident, state.calls_before_tombstone
    state.evict_call()
    assert state.calls_resident == max(0, calls - 1)
    assert state.calls_before_tombstone == max(0, before - 1)
    assert state.calls_before_tombstone <= state.calls_resident


@given(states)
def test_evicting_all_calls_is_evicting_until_none_is_left(state: Tool) -> None:
    other = Tool(snapshot(state))
    for _ in range(state.calls_resident):
        state.evict_call()
    other.evict_all_calls()
    assert snapshot(state) == snapshot(other)


@given(states)
def test_a_tombstone_stands_after_the_calls_of_its_time(state: Tool) -> None:
    had_one, stood = state.tombstone_resident, state.calls_before_tombstone
    state.tombstoned = True
    assert state.tombstoned
    assert state.calls_before_tombstone == (stood if had_one else state.calls_resident)
    state.tombstoned = False
    assert (state.tombstone_resident, state.calls_before_tombstone) == (False, 0)


def test_a_tombstone_is_oldest_once_the_calls_before_it_are_gone() -> None:
    state = ghost(calls_resident=2)
    state.tombstoned = True
    state.calls_resident = 3
    for oldest in (False, True):
        state.evict_call()
        assert state.tombstone_is_oldest is oldest


def at_risk(tool: Tool) -> bool:
    return tool.arguments_resident and not tool.schema_resident


@given(st.lists(states, min_size=1, max_size=3))
def test_totals_are_sums_over_all_tools(tools: list[Tool]) -> None:
    assert totals(tools) == {
        "schema_tokens": sum(10 for item in tools if item.schema_shown),
        "argument_tokens": sum(3 * item.calls_resident for item in tools),
        "tombstone_tokens": sum(1 for item in tools if item.tombstone_resident),
        "tombstone_demand_tokens": sum(1 for item in tools if item.tombstone_resident or at_risk(item)),
    }


@given(states)
def test_demand_is_never_less_than_what_stands_there(state: Tool) -> None:
    assert tombstone_demand(state) >= tombstone_cost(state)
    assert min(schema_cost(state), argument_cost(state), tombstone_cost(state)) >= 0


def turn(**numbers: int) -> Turn:
    return Turn(**{**dict.fromkeys(Turn.__slots__, 0), **numbers})


def test_prompt_and_demand_count_everything_that_is_sent() -> None:
    numbers = turn(
        schema_tokens=1, argument_tokens=10, tombstone_tokens=100, tombstone_demand_tokens=200, rest_tokens=1000
    )
    assert numbers.history_tokens == 110
    assert numbers.prompt_tokens == 1111
    assert numbers.demand_tokens == 1211


@pytest.mark.parametrize(("spare", "fits"), [(-1, False), (0, True), (1, True)])
def test_a_budget_holds_up_to_and_including_its_last_token(spare: int, fits: bool) -> None:
    assert prompt_fits(turn(tombstone_demand_tokens=5, rest_tokens=2, total_budget=7 + spare)) is fits
    assert prompt_fits_as_it_stands(turn(tombstone_tokens=5, rest_tokens=2, total_budget=7 + spare)) is fits
    assert schemas_fit(turn(schema_tokens=7, argument_tokens=99, schema_budget=7 + spare)) is fits
    assert arguments_fit(turn(argument_tokens=3, tombstone_tokens=4, argument_budget=7 + spare)) is fits
