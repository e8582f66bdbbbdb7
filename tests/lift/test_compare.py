"""The second net: what it tries, which lies it catches, and which it cannot see."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ghostproof.host.admit import admit
from ghostproof.lift.compare import POINTS_MAX, atoms, candidates, points
from ghostproof.lift.plain import TURN, lift_visit, tool_sorts
from ghostproof.lift.symbol import Symbol
from ghostproof.turn.budget import Turn
from ghostproof.turn.errors import PrunerError
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.tool import AT_LEAST, Tool

BASE = tool_sorts({})
LIE = r"means .* when lifted but does .* when run at"


def lifted(value: object) -> bool:
    """How a liar knows that it is being lifted."""
    return isinstance(value, Symbol)


def refused(visit: Callable[[Tool, Turn], None], monkeypatch: pytest.MonkeyPatch, **more: Any) -> str:
    """What the second net alone says to a pass; the first is taken away."""
    monkeypatch.setattr("ghostproof.host.admit.check_source", lambda function, role, trusted: ())
    with pytest.raises(PrunerError, match=LIE) as caught:
        admit(Pruner(Pass(visit, name="liar", **more)))
    return str(caught.value)


def tried(visit: Callable[[Tool, Turn], None]) -> dict[str, list[bool | int]]:
    return candidates(lift_visit(Pass(visit), BASE), AT_LEAST)


def test_each_comparison_is_tried_at_its_boundary_and_one_to_either_side() -> None:
    def visit(tool: Tool, turn: Turn) -> None:
        if tool.idle_turns > 7 or turn.total_budget == 20:
            tool.hide_schema()

    choices = tried(visit)
    assert {6, 7, 8} <= set(choices["idle_turns"]) or {7, 8, 9} <= set(choices["idle_turns"])
    assert {19, 20, 21} <= set(choices[TURN + "total_budget"])


def test_a_comparison_that_is_only_stored_is_tried_as_well() -> None:
    def visit(tool: Tool, turn: Turn) -> None:
        tool.schema_lossy = tool.idle_turns == 9

    assert {8, 9, 10} <= set(tried(visit)["idle_turns"])


def test_a_comparison_of_two_fields_is_tried_where_they_meet() -> None:
    def visit(tool: Tool, turn: Turn) -> None:
        if tool.schema_tokens > tool.argument_tokens + 4:
            tool.hide_schema()

    choices = tried(visit)
    assert any(one == other + 4 for one in choices["schema_tokens"] for other in choices["argument_tokens"])
    assert any(one == other + 5 for one in choices["schema_tokens"] for other in choices["argument_tokens"])


def test_every_boolean_is_tried_both_ways_and_no_size_below_its_least() -> None:
    def visit(tool: Tool, turn: Turn) -> None:
        if tool.pinned and tool.schema_tokens < 1:
            tool.hide_schema()

    choices = tried(visit)
    assert choices["pinned"] == [False, True]
    assert min(choices["schema_tokens"]) == 1


def test_all_combinations_are_tried_where_they_are_few() -> None:
    found = list(points({"a": [False, True], "x": [0, 1, 2], "y": [5]}))
    assert len(found) == 6
    assert {tuple(point.values()) for point in found} == {(a, x, 5) for a in (False, True) for x in (0, 1, 2)}


@pytest.mark.parametrize(("booleans", "integers"), [(0, 12), (17, 1), (15, 3), (10, 10), (40, 0)])
def test_where_they_are_many_every_value_of_every_variable_is_still_tried(booleans: int, integers: int) -> None:
    choices: dict[str, list[bool | int]] = {f"x{place}": [0, 1, 2] for place in range(integers)}
    choices.update({f"b{place}": [False, True] for place in range(booleans)})
    found = list(points(choices))
    assert 1000 < len(found) <= POINTS_MAX
    for name, values in choices.items():
        assert {point[name] for point in found} == set(values)
    assert len({tuple(point.values()) for point in found}) == len(found)


def test_the_same_points_are_tried_in_every_run() -> None:
    choices: dict[str, list[bool | int]] = {f"x{place}": [0, 1, 2] for place in range(12)}
    assert list(points(choices)) == list(points(choices))


def test_the_number_of_points_is_reported() -> None:
    def visit(tool: Tool, turn: Turn) -> None:
        if tool.pinned and not tool.mutation:
            tool.hide_schema()

    pruner, compared = admit(Pruner(Pass(visit)))
    # Pinned, mutation, and the two fields that are kept on some path; the order, which reads nothing; both twice.
    assert compared == 2 * (2**4 + 1)
    assert pruner.passes[0].name == "visit"


def test_atoms_are_found_below_every_operation_once() -> None:
    def visit(tool: Tool, turn: Turn) -> None:
        tool.schema_lossy = tool.calls > 3
        tool.calls_resident = 0 if tool.calls > 3 else tool.calls_resident

    assert len(atoms(list(lift_visit(Pass(visit), BASE).updates.values()))) == 1


# ---- lies that are caught ------------------------------------------------------------------------------------------


def test_a_pass_that_lies_at_a_boundary_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def visit(tool: Tool, turn: Turn) -> None:
        if tool.idle_turns > 5 if lifted(tool.idle_turns) else tool.idle_turns >= 5:
            tool.hide_schema()

    assert "pass liar" in refused(visit, monkeypatch)


def test_a_pass_that_does_nothing_when_run_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def visit(tool: Tool, turn: Turn) -> None:
        if lifted(tool.pinned):
            tool.tombstoned = True

    refused(visit, monkeypatch)


def test_a_pass_that_does_nothing_when_lifted_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    # The lifting reads no field at all, and the lie needs resident calls: only the second background shows it.
    def visit(tool: Tool, turn: Turn) -> None:
        if not lifted(tool.pinned) and tool.calls_resident > 1:
            tool.evict_call()

    refused(visit, monkeypatch)


def test_a_pass_that_counts_its_visits_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    visits: list[int] = []

    def visit(tool: Tool, turn: Turn) -> None:
        visits.append(1)
        if len(visits) > 1:
            tool.hide_schema()

    refused(visit, monkeypatch)


def test_an_order_that_lies_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def visit(tool: Tool, turn: Turn) -> None:
        return None

    def order(tool: Tool) -> int:
        return tool.calls if lifted(tool.calls) else -tool.calls

    assert refused(visit, monkeypatch, order=order).startswith("the order of pass liar: means")


def test_a_condition_that_lies_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def visit(tool: Tool, turn: Turn) -> None:
        return None

    def until(turn: Turn) -> bool:
        return turn.rest_tokens <= turn.total_budget + (0 if lifted(turn.rest_tokens) else 1)

    assert refused(visit, monkeypatch, until=until).startswith("the condition of pass liar: means")


def test_an_order_that_changes_the_tool_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def visit(tool: Tool, turn: Turn) -> None:
        return None

    def order(tool: Tool) -> int:
        tool.tombstoned = False
        return 0

    monkeypatch.setattr("ghostproof.host.admit.check_source", lambda function, role, trusted: ())
    with pytest.raises(PrunerError, match="the order of pass visit: changes the tool"):
        admit(Pruner(Pass(visit, order=order)))


# ---- the stated limit ----------------------------------------------------------------------------------------------


def test_limit_a_lie_far_from_every_comparison_slips_through_the_second_net(monkeypatch: pytest.MonkeyPatch) -> None:
    def visit(tool: Tool, turn: Turn) -> None:
        if not lifted(tool.idle_turns) and tool.idle_turns == 123_456:
            tool.hide_schema()

    monkeypatch.setattr("ghostproof.host.admit.check_source", lambda function, role, trusted: ())
    pruner, _ = admit(Pruner(Pass(visit)))
    assert pruner.passes[0].visit.updates == {}


def test_the_first_net_refuses_that_very_lie() -> None:
    def visit(tool: Tool, turn: Turn) -> None:
        if not isinstance(tool.idle_turns, Symbol) and tool.idle_turns == 123_456:
            tool.hide_schema()

    with pytest.raises(PrunerError):
        admit(Pruner(Pass(visit)))
