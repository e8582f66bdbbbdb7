"""How passes run: in which order they visit, when they end, and what they may not do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ghostproof.turn.budget import BUDGETS, Turn, prompt_fits
from ghostproof.turn.errors import PrunerError
from ghostproof.turn.pruner import (
    Pass,
    Pruner,
    declared_order,
    largest_arguments_first,
    largest_schema_first,
    least_frequently_called,
    least_recently_called,
)
from ghostproof.turn.session import ROUNDS_MAX, Arbitration, check_visit, snapshot
from ghostproof.turn.tool import Tool
from ghostproof.turn.trace import PassEnd, Step
from ghostproof.turn.verdict import InvalidPruner
from turn.states import tool


def arbitrated(
    pruner: Pruner, tools: list[Tool], budget: int = 0, rest: int = 0, **budgets: int
) -> list[Step | PassEnd]:
    run = Arbitration(pruner, tools, {"total_budget": budget, **budgets}, rest)
    run.run()
    return run.steps


def ends(steps: list[Step | PassEnd]) -> list[tuple[str, str, int]]:
    return [(step.name, step.reason, step.visits) for step in steps if isinstance(step, PassEnd)]


def told(tools: list[Tool], visited: list[int], act: Callable[[Tool], None] = lambda tool: None) -> Any:
    """A visit that notes which tool it visits, and then acts."""

    def visit(tool: Tool, turn: Turn) -> None:
        visited.append(next(index for index, item in enumerate(tools) if item is tool))
        act(tool)

    return visit


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        (declared_order, [0, 1, 2]),
        (least_recently_called, [1, 2, 0]),
        (least_frequently_called, [1, 0, 2]),
        (largest_schema_first, [2, 0, 1]),
        (largest_arguments_first, [1, 2, 0]),
        (lambda tool: tool.calls_resident, [2, 0, 1]),
    ],
)
def test_a_pass_visits_in_ascending_order_of_its_key_and_ties_as_declared(
    order: Callable[[Tool], int], expected: list[int]
) -> None:
    tools = [
        tool(idle_turns=0, calls=3, schema_tokens=5, argument_tokens=1, calls_resident=1),
        tool(idle_turns=7, calls=1, schema_tokens=5, argument_tokens=4, calls_resident=1),
        tool(idle_turns=7, calls=3, schema_tokens=9, argument_tokens=4, calls_resident=0),
    ]
    visited: list[int] = []
    arbitrated(Pruner(Pass(told(tools, visited), order=order)), tools)
    assert visited == expected


def test_a_pass_without_a_condition_visits_every_tool_once_even_if_it_changes_them() -> None:
    tools = [tool(calls_resident=3) for _ in range(3)]
    visited: list[int] = []
    steps = arbitrated(Pruner(Pass(told(tools, visited, Tool.evict_call))), tools)
    assert visited == [0, 1, 2]
    assert ends(steps) == [("visit", "visited", 3)]


def test_the_condition_is_tested_before_each_visit() -> None:
    # Three schemas of 10; with 20 allowed, one visit is enough, and no second tool is visited.
    tools = [tool() for _ in range(3)]
    visited: list[int] = []
    steps = arbitrated(Pruner(Pass(told(tools, visited, Tool.hide_schema), until=prompt_fits)), tools, 20)
    assert visited == [0]
    assert ends(steps) == [("visit", "fits", 1)]


@pytest.mark.parametrize(("budget", "hidden"), [(30, 0), (29, 1), (20, 1), (19, 2), (10, 2), (9, 3), (0, 3)])
def test_a_pass_stops_at_the_exact_budget(budget: int, hidden: int) -> None:
    tools = [tool() for _ in range(3)]
    arbitrated(Pruner(Pass(lambda tool, turn: tool.hide_schema(), until=prompt_fits)), tools, budget)
    assert [item.schema_shown for item in tools] == [False] * hidden + [True] * (3 - hidden)


def test_the_rest_of_the_prompt_counts() -> None:
    tools = [tool()]
    arbitrated(Pruner(Pass(lambda tool, turn: tool.hide_schema(), until=prompt_fits)), tools, 10, rest=1)
    assert not tools[0].schema_shown


def test_a_condition_that_holds_at_once_ends_the_pass_without_a_visit() -> None:
    tools = [tool()]
    visited: list[int] = []
    steps = arbitrated(Pruner(Pass(told(tools, visited), until=prompt_fits)), tools, 10)
    assert visited == []
    assert ends(steps) == [("visit", "fits", 0)]


def test_a_pass_goes_round_again_while_something_changed() -> None:
    tools = [tool(schema_shown=False, calls_resident=2), tool(schema_shown=False, calls_resident=1)]
    visited: list[int] = []
    steps = arbitrated(Pruner(Pass(told(tools, visited, Tool.evict_call), until=lambda turn: False)), tools)
    # Rounds one and two change something; the third changes nothing and ends the pass.
    assert visited == [0, 1, 0, 1, 0, 1]
    assert ends(steps) == [("visit", "unchanged", 6)]


def test_each_round_takes_its_order_anew() -> None:
    tools = [tool(calls_resident=3), tool(calls_resident=2)]
    visited: list[int] = []
    pruner = Pruner(
        Pass(
            told(tools, visited, Tool.evict_call),
            order=lambda tool: -tool.calls_resident,
            until=lambda turn: turn.argument_tokens <= 6,
        )
    )
    arbitrated(pruner, tools)
    # 3, 2: then 2, 1: and 1, 1, where the order is as declared. In the middle of a round the order stands.
    assert visited == [0, 1, 0]


def test_a_visit_sees_the_numbers_as_the_visit_before_it_left_them() -> None:
    tools = [tool(), tool(calls_resident=2)]
    seen: list[Turn] = []

    def visit(tool: Tool, turn: Turn) -> None:
        seen.append(turn)
        tool.hide_schema()

    arbitrated(Pruner(Pass(visit)), tools, 7, rest=5, schema_budget=8, argument_budget=9)
    assert [turn.schema_tokens for turn in seen] == [20, 10]
    assert [turn.tombstone_demand_tokens for turn in seen] == [0, 0]
    first = seen[0]
    assert (first.argument_tokens, first.rest_tokens) == (6, 5)
    assert [getattr(first, name) for name in BUDGETS] == [8, 9, 7]


def test_passes_run_in_the_order_of_the_pruner() -> None:
    tools = [tool(calls_resident=1)]
    visited: list[str] = []
    names = ["third", "first", "second"]
    passes = [Pass(lambda tool, turn, n=name: visited.append(n), name=name) for name in names]  # type: ignore[misc]
    steps = arbitrated(Pruner(*passes), tools)
    assert visited == names
    assert [step.name for step in steps if isinstance(step, PassEnd)] == names


def test_only_visits_that_change_something_are_told_with_what_they_changed() -> None:
    tools = [tool(schema_shown=False), tool()]
    steps = arbitrated(Pruner(Pass(lambda tool, turn: tool.hide_schema(), name="hide")), tools, 3)
    assert [(s.actor, s.tool, s.before, s.after) for s in steps if isinstance(s, Step)] == [
        ("hide", 1, {"schema_shown": True}, {"schema_shown": False})
    ]
    step = steps[0]
    assert isinstance(step, Step)
    assert (step.numbers["schema_tokens"], step.numbers["total_budget"]) == (10, 3)
    end = steps[-1]
    assert isinstance(end, PassEnd)
    assert (end.tokens_before, end.tokens_after) == (10, 0)


def test_a_pass_that_never_settles_is_refused() -> None:
    def toggle(tool: Tool, turn: Turn) -> None:
        tool.schema_shown = not tool.schema_shown

    with pytest.raises(PrunerError, match=rf"pass toggle: never settles: after {ROUNDS_MAX} rounds"):
        arbitrated(Pruner(Pass(toggle, until=lambda turn: False)), [tool()])


def test_a_pass_is_named_after_its_function_or_as_said() -> None:
    class Visitor:
        def __call__(self, tool: Tool, turn: Turn) -> None:
            return None

    def visit(tool: Tool, turn: Turn) -> None:
        return None

    assert (Pass(visit).name, Pass(visit, name="other").name, Pass(Visitor()).name) == ("visit", "other", "Visitor")


def test_a_pruner_keeps_its_memory_to_itself() -> None:
    memory: dict[str, int | bool] = {"seen": 0}
    pruner = Pruner(memory=memory)
    memory["seen"] = 9
    assert pruner.memory == {"seen": 0}
    assert (pruner.name, Pruner(name="mine").name, Pruner().memory) == ("Pruner", "mine", {})


# ---- refusals ------------------------------------------------------------------------------------------------------


def refusal(act: Callable[[Any], object], memory: dict[str, int | bool] | None = None) -> InvalidPruner:
    state = tool(calls_resident=1, calls=1)
    state.__dict__.update(memory or {})
    before = snapshot(state)
    act(state)
    with pytest.raises(PrunerError) as caught:
        check_visit("pass visit", before, snapshot(state), memory or {})
    return caught.value.verdict


def set_field(name: str, value: object) -> Callable[[Any], None]:
    return lambda state: setattr(state, name, value)


@pytest.mark.parametrize(
    ("act", "found"),
    [
        (set_field("colour", 1), "sets the unknown attribute tool.colour"),
        (set_field("schema_shown", None), "leaves tool.schema_shown as NoneType 'None'"),
        (set_field("schema_shown", 1), "leaves tool.schema_shown as int '1'"),
        (set_field("calls_resident", True), "leaves tool.calls_resident as bool 'True'"),
        (set_field("calls_resident", 0.0), "leaves tool.calls_resident as float '0.0'"),
        (set_field("calls_resident", "none"), "leaves tool.calls_resident as str 'none'"),
        (set_field("calls_resident", -1), "leaves tool.calls_resident at -1"),
        (set_field("calls_before_tombstone", -1), "leaves tool.calls_before_tombstone at -1"),
        (set_field("calls_resident", 2), "adds resident calls"),
        (set_field("pinned", True), "changes tool.pinned, which is not the pruner's to change"),
        (set_field("schema_tokens", 1), "changes tool.schema_tokens, which is not the pruner's to change"),
        (set_field("requested", True), "changes tool.requested, which is not the pruner's to change"),
        (set_field("registered", False), "changes tool.registered, which is not the pruner's to change"),
        (set_field("calls", 0), "changes tool.calls, which is not the pruner's to change"),
        (set_field("memory", 7), "sets the unknown attribute tool.memory"),
    ],
)
def test_what_a_visit_may_not_do(act: Callable[[Any], None], found: str) -> None:
    verdict = refusal(act)
    assert (verdict.where, verdict.found) == ("pass visit", found)
    assert verdict.instead


def test_memory_keeps_its_type() -> None:
    assert "as bool" in refusal(set_field("seen", True), {"seen": 0}).found


def test_memory_may_be_written() -> None:
    before = {**snapshot(tool()), "seen": 0}
    check_visit("pass visit", before, {**before, "seen": -5}, {"seen": 0})


@pytest.mark.parametrize(
    ("returned", "what"),
    [(False, "a bool"), (0, "an int"), ("", "a str"), ([], "a list"), ("hidden", "a str")],
)
def test_a_visit_that_returns_a_value_returns_nonsense(returned: object, what: str) -> None:
    def visit(tool: Tool, turn: Turn) -> Any:
        return returned

    with pytest.raises(PrunerError) as caught:
        arbitrated(Pruner(Pass(visit)), [tool()])
    assert caught.value.verdict.found == f"returns nonsense: {what}"


@pytest.mark.parametrize("act", [Tool.show_schema, Tool.show_schema_lossily, Tool.hide_schema, Tool.evict_call])
def test_the_tools_own_methods_are_always_allowed(act: Callable[[Tool], None]) -> None:
    state = tool(calls_resident=2, tombstone_resident=True, calls_before_tombstone=1)
    before = snapshot(state)
    act(state)
    assert snapshot(state) != before
    check_visit("pass visit", before, snapshot(state), {})
