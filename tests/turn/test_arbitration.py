"""The two orders of the seed are made of the same passes and differ in where trimming stands, and in nothing else."""

from __future__ import annotations

import pytest

from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.session import Arbitration
from ghostproof.variants.arbitration import argument_first, gate, prune, schema_first, trim
from turn.states import ghost, tool


def without_trimming(passes: tuple[Pass, ...]) -> tuple[Pass, ...]:
    return tuple(item for item in passes if item not in trim)


def test_both_orders_are_made_of_the_same_passes() -> None:
    assert len(argument_first.passes) == len(schema_first.passes)
    for item in argument_first.passes:
        assert sum(other == item for other in schema_first.passes) == 1
    assert argument_first.memory == schema_first.memory == {}


def test_both_orders_differ_only_in_where_trimming_stands() -> None:
    assert without_trimming(argument_first.passes) == without_trimming(schema_first.passes)
    places = [[order.passes.index(item) for item in trim] for order in (argument_first, schema_first)]
    assert places == [[1], [3]]


def test_in_argument_first_the_gate_is_the_last_pass_and_in_schema_first_it_is_not() -> None:
    assert argument_first.passes[-1].visit is gate
    assert schema_first.passes[-1].visit is not gate
    assert prune[-1].visit is gate


def test_argument_first_frees_room_by_arguments_before_it_touches_a_schema() -> None:
    tools = [tool(calls_resident=2)]  # schema 10, two calls of 3
    Arbitration(argument_first, tools, {"total_budget": 12}, 0).run()
    assert (tools[0].schema_shown, tools[0].calls_resident) == (True, 0)


def test_schema_first_hides_the_schema_and_keeps_the_arguments() -> None:
    tools = [tool(calls_resident=2)]
    Arbitration(schema_first, tools, {"total_budget": 12}, 0).run()
    assert (tools[0].schema_shown, tools[0].calls_resident, tools[0].tombstoned) == (False, 2, True)


def test_schema_first_trims_the_tombstone_it_has_just_written() -> None:
    tools = [tool(calls_resident=1)]  # with one token less than arguments and tombstone need
    Arbitration(schema_first, tools, {"total_budget": 3}, 0).run()
    assert not tools[0].tombstoned
    assert not tools[0].ghost  # the demand stays above the budget, and the call goes as well

    two = [tool(calls_resident=1), tool(calls_resident=1)]
    Arbitration(schema_first, two, {"total_budget": 4}, 0).run()
    assert [item.ghost for item in two] == [False, True]


@pytest.mark.parametrize("order", [argument_first, schema_first])
def test_a_request_is_honoured_before_anything_is_pruned(order: Pruner) -> None:
    tools = [ghost(requested=True, tombstone_resident=True, calls_before_tombstone=1)]
    Arbitration(order, tools, {"total_budget": 0}, 0).run()
    assert tools[0].schema_shown  # and what was asked for is not pruned in the same turn


@pytest.mark.parametrize("order", [argument_first, schema_first])
def test_a_tool_that_is_gone_is_not_shown_however_it_is_asked_for(order: Pruner) -> None:
    tools = [ghost(requested=True, registered=False, tombstone_resident=True, calls_before_tombstone=1)]
    Arbitration(order, tools, {"total_budget": 100}, 0).run()
    assert not tools[0].schema_shown
    assert tools[0].tombstoned


def test_the_gate_tombstones_pinned_tools_too_and_clears_tombstones_over_nothing() -> None:
    pinned, empty = ghost(pinned=True), tool(schema_shown=False, tombstone_resident=True)
    for item in (pinned, empty):
        gate(item, Arbitration(argument_first, [item], {}, 0).turn())
    assert pinned.tombstoned
    assert not empty.tombstoned
