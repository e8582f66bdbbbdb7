"""The gate by itself, each mode of it in the arbiter, and the seed's own names."""

from __future__ import annotations

import itertools

import pytest

from ghostproof_reference.budget import JointBudget, SeparateBudgets
from ghostproof_reference.errors import GhostToolInvariantError
from ghostproof_reference.gate import (
    NOTICE_MARK,
    TOMBSTONE_MARK,
    GateMode,
    ToolContextState,
    enforce_evict_or_tombstone,
    marked_tool,
    notice_line,
    plan_turn_pruning,
    tombstone_line,
)
from ghostproof_reference.outcome import Action
from ghostproof_reference.request import Effect, Request
from reference_impl.building import bare, call, done, ghosts, group, shown, tombstones, tool


@pytest.mark.parametrize(
    ("schema", "arguments", "tombstoned", "mutation"), [*itertools.product([False, True], repeat=4)]
)
def test_each_state(schema: bool, arguments: bool, tombstoned: bool, mutation: bool) -> None:
    state = ToolContextState("t", schema, arguments, tombstoned, mutation)
    ghost = arguments and not schema and not tombstoned
    line = enforce_evict_or_tombstone(state, request_tool="request_tool_schema")
    assert (line is not None) == ghost
    if ghost:
        with pytest.raises(GhostToolInvariantError, match="'t'"):
            enforce_evict_or_tombstone(state, tombstone_accepted=False)
    else:
        assert enforce_evict_or_tombstone(state, tombstone_accepted=False) is None


def test_a_plan_covers_all_ghosts_mutation_tools_included_and_its_error_names_them() -> None:
    states = [ToolContextState(name, name == "c", True, False, name != "b") for name in "abcd"]
    assert [marked_tool(line, TOMBSTONE_MARK) for line in plan_turn_pruning(states)] == ["a", "b", "d"]
    with pytest.raises(GhostToolInvariantError) as caught:
        plan_turn_pruning(states, tombstone_accepted=False)
    assert caught.value.tools == ("a", "b", "d")


@pytest.mark.parametrize("name", ["update_incident", 'quo"te', "new\nline", "\\", "\u202e", "a: schema"])
def test_a_line_is_one_line_and_names_its_tool(name: str) -> None:
    for line, mark in ((tombstone_line(name, "request_tool_schema"), TOMBSTONE_MARK), (notice_line(name), NOTICE_MARK)):
        assert len(line.splitlines()) == 1
        assert marked_tool(line, mark) == name
    assert "request_tool_schema(tool_name=" in tombstone_line(name, "request_tool_schema")


@pytest.mark.parametrize(
    "line", ["", TOMBSTONE_MARK, f"{TOMBSTONE_MARK} a", f'{TOMBSTONE_MARK} "a', f'x {TOMBSTONE_MARK} "a"']
)
def test_other_text_is_no_line_of_ours(line: str) -> None:
    assert marked_tool(line, TOMBSTONE_MARK) is None


TOOLS = (tool("a"), tool("b"))
HISTORY = (group(call("a", "1")), group(call("b", "2")))


def test_evict_takes_the_arguments_along_with_the_schema() -> None:
    outcome = bare(gate=GateMode.EVICT).arbitrate(Request(TOOLS, HISTORY), SeparateBudgets(100, 10))
    assert (shown(outcome), outcome.request.history) == (["b"], HISTORY[1:])
    assert done(outcome, Action.PRUNED, Action.EVICTED) == [("evicted", "calls 1"), ("pruned", "a")]


def test_evict_reaches_what_vanished() -> None:
    outcome = bare(gate=GateMode.EVICT).arbitrate(Request(TOOLS[1:], HISTORY), SeparateBudgets(100, 100))
    assert outcome.request.history == HISTORY[1:]


def test_evict_never_parts_pinned_arguments_from_their_schema() -> None:
    history = (group(call("a", "1"), pinned=True), group(call("b", "2")))
    outcome = bare(gate=GateMode.EVICT).arbitrate(Request(TOOLS, history), SeparateBudgets(100, 10))
    assert (shown(outcome), outcome.request.history) == (["a"], history[:1])


def test_strict_prunes_only_what_is_free() -> None:
    tools = (*TOOLS, tool("c"))
    outcome = bare(gate=GateMode.STRICT).arbitrate(Request(tools, HISTORY), SeparateBudgets(100, 20))
    assert shown(outcome) == ["a", "b"]
    assert tombstones(outcome) == []


def test_off_lets_the_ghost_through_and_on_it_vanishes() -> None:
    request = Request(TOOLS, HISTORY)
    assert ghosts(bare(gate=GateMode.OFF).arbitrate(request, SeparateBudgets(100, 10))) == {"a"}
    assert not ghosts(bare().arbitrate(request, SeparateBudgets(100, 10)))


def test_without_a_gate_the_order_alone_is_enough_on_a_joint_budget() -> None:
    for limit in range(31):
        assert not ghosts(bare(gate=GateMode.OFF).arbitrate(Request(TOOLS, HISTORY), JointBudget(limit)))


@pytest.mark.parametrize(
    ("effect", "expected"), [(Effect.READING, []), (Effect.UNKNOWN, ["a"]), (Effect.MUTATION, ["a"])]
)
def test_tombstones_of_reading_tools_can_be_switched_off(effect: Effect, expected: list[str]) -> None:
    request = Request((tool("a", effect=effect), tool("b")), HISTORY)
    outcome = bare(reading_tools=False).arbitrate(request, SeparateBudgets(100, 10))
    assert tombstones(outcome) == expected
    assert tombstones(bare().arbitrate(request, SeparateBudgets(100, 10))) == ["a"]
