"""Every path merged into one relation means what the plain function does, from any state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.corpus import CORPUS
from ghostproof.host.admit import admit
from ghostproof.lift import relation as relation_module
from ghostproof.lift.limits import Limits
from ghostproof.lift.plain import (
    OTHERS,
    TURN,
    judgement,
    lift_action,
    lift_condition,
    lift_costs,
    lift_open_response,
    lift_order,
    lift_pruner,
    lift_settle,
    lift_visit,
    tool_sorts,
)
from ghostproof.lift.relation import Relation, explore, merge
from ghostproof.lift.smtlib import script
from ghostproof.lift.solver import Satisfiable, ask
from ghostproof.lift.symbol import Fork, SymbolicInt, Unsupported
from ghostproof.lift.term import Sort, Term, at_most, boolean, disjunction, equal, evaluate, integer, negate, variable
from ghostproof.turn.action import Action, Others
from ghostproof.turn.budget import TOTALS, Turn
from ghostproof.turn.environment import ENVIRONMENT, HISTORY, settle
from ghostproof.turn.errors import PrunerError
from ghostproof.turn.property import PROPERTIES
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.response import EXECUTION, RESPONSE, open_response
from ghostproof.turn.session import changes, snapshot
from ghostproof.turn.tool import AT_LEAST, Tool, Value

BASE = tool_sorts({})
PASSES = {f"{name}: {item.name}": (pruner, item) for name, pruner in CORPUS.items() for item in pruner.passes}
small = st.integers(0, 4)


def fields_of(memory: Mapping[str, Value]) -> st.SearchStrategy[dict[str, Value]]:
    """Any state at all: reachable or not."""
    kinds: dict[str, st.SearchStrategy[Value]] = {
        name: st.booleans() if sort == "Bool" else small for name, sort in tool_sorts(memory).items()
    }
    return st.fixed_dictionaries(kinds)


turns = st.builds(lambda *numbers: Turn(*numbers), *[st.integers(0, 9) for _ in Turn.__slots__])


def at(fields: Mapping[str, Value], turn: Turn | None = None, others: Others | None = None) -> dict[str, bool | int]:
    values: dict[str, bool | int] = dict(fields)
    if turn is not None:
        values.update({TURN + name: getattr(turn, name) for name in Turn.__slots__})
    if others is not None:
        values.update({OTHERS + "rejected": others.rejected, OTHERS + "rebuilt": others.rebuilt})
    return values


def updated(updates: Mapping[str, Term], fields: Mapping[str, Value], values: Mapping[str, bool | int]) -> Any:
    return {**fields, **{name: evaluate(term, values) for name, term in updates.items()}}


@pytest.mark.parametrize("action", [*ENVIRONMENT, *HISTORY, *RESPONSE, *EXECUTION], ids=lambda action: action.name)
@settings(max_examples=40)
@given(fields=fields_of({}), rejected=st.booleans(), rebuilt=st.booleans())
def test_an_action_lifted_is_the_action(
    action: Action, fields: dict[str, Value], rejected: bool, rebuilt: bool
) -> None:
    others = Others(rejected, rebuilt)
    lifted = lift_action(action)
    values = at(fields, others=others)
    tool = Tool(fields)
    assert evaluate(lifted.guard, values) == action.guard(tool, others)
    action.effect(tool, others)
    assert updated(lifted.updates, fields, values) == snapshot(tool)


@given(fields_of({}))
def test_settling_and_opening_lifted_are_what_they_are(fields: dict[str, Value]) -> None:
    for function, updates in ((settle, lift_settle()), (open_response, lift_open_response())):
        tool = Tool(fields)
        function(tool)
        assert updated(updates, fields, at(fields)) == snapshot(tool)


@given(fields_of({}))
def test_properties_and_costs_lifted_are_what_they_are(fields: dict[str, Value]) -> None:
    tool = Tool(fields)
    for judged in PROPERTIES.values():
        assert evaluate(judgement(judged), at(fields)) == judged.violated(tool)
    for name, term in lift_costs().items():
        assert evaluate(term, at(fields)) == TOTALS[name](tool)
    assert set(TOTALS) - set(lift_costs()) == {"argument_tokens"}


@pytest.mark.parametrize("name", PASSES)
@settings(max_examples=40)
@given(data=st.data(), turn=turns)
def test_a_pass_lifted_is_the_pass(name: str, data: st.DataObject, turn: Turn) -> None:
    pruner, item = PASSES[name]
    fields = data.draw(fields_of(pruner.memory))
    lifted = next(one for one in lift_pruner(pruner).passes if one.name == item.name)
    values = at(fields, turn)
    tool = Tool(fields)
    assert evaluate(lifted.order, values) == item.order(tool)
    if item.until is not None:
        assert lifted.condition is not None
        assert evaluate(lifted.condition, values) == item.until(turn)
    item.visit(tool, turn)
    after = snapshot(tool)
    assert updated(lifted.visit.updates, fields, values) == after
    assert evaluate(lifted.visit.changed, values) == bool(changes(fields, after))


@pytest.mark.parametrize("name", PASSES)
@settings(max_examples=20)
@given(data=st.data(), turn=turns)
def test_exactly_one_path_is_taken_and_it_agrees_with_the_merged_relation(
    name: str, data: st.DataObject, turn: Turn
) -> None:
    pruner, item = PASSES[name]
    fields = data.draw(fields_of(pruner.memory))
    relation = lift_visit(item, tool_sorts(pruner.memory))
    values = at(fields, turn)
    taken = [path for path in relation.paths if evaluate(path.condition, values)]
    assert len(taken) == 1
    assert updated(taken[0].assigned, fields, values) == updated(relation.updates, fields, values)


# ---- frames --------------------------------------------------------------------------------------------------------


def test_what_no_path_assigns_has_no_update() -> None:
    def visit(tool: Tool, turn: Turn) -> None:
        if tool.calls > 3:
            tool.schema_shown = False

    relation = lift_visit(Pass(visit), BASE)
    assert set(relation.updates) == {"schema_shown"}
    assert relation.updates["schema_shown"] is not variable("schema_shown", "Bool")


def test_writing_back_what_was_read_is_no_update() -> None:
    def visit(tool: Tool, turn: Turn) -> None:
        kept = tool.calls_resident
        tool.calls_resident = 7
        tool.calls_resident = kept

    assert lift_visit(Pass(visit), BASE).updates == {}


def test_there_is_one_update_a_field_however_many_paths_write_it() -> None:
    def visit(tool: Tool, turn: Turn) -> None:
        if tool.pinned:
            tool.calls_resident = 0
        elif tool.mutation:
            tool.calls_resident = 1
        else:
            tool.schema_shown = False

    relation = lift_visit(Pass(visit), BASE)
    assert len(relation.paths) == 3
    assert set(relation.updates) == {"calls_resident", "schema_shown"}
    kept = evaluate(relation.updates["calls_resident"], {"pinned": False, "mutation": False, "calls_resident": 9})
    assert kept == 9


def test_a_relation_reads_what_it_tests_what_it_writes_from_and_what_it_may_keep() -> None:
    def visit(tool: Tool, turn: Turn) -> None:
        if tool.pinned and turn.total_budget < 3:
            tool.calls_resident = tool.calls

    assert set(lift_visit(Pass(visit), BASE).reads) == {"pinned", "turn.total_budget", "calls_resident", "calls"}


def test_a_value_that_repeats_a_test_is_known_on_its_path() -> None:
    def visit(tool: Tool, turn: Turn) -> None:
        if tool.pinned:
            tool.schema_lossy = tool.pinned

    relation = lift_visit(Pass(visit), BASE)
    assert relation.updates == {
        "schema_lossy": disjunction(variable("pinned", "Bool"), variable("schema_lossy", "Bool"))
    }


def test_a_field_that_is_assigned_the_wrong_kind_is_refused() -> None:
    values: list[Any] = ["text", None, 0.5, [], 3]
    for value in values:

        def visit(tool: Tool, turn: Turn, value: Any = value) -> None:
            tool.schema_shown = value

        with pytest.raises(Unsupported, match="schema_shown is assigned a"):
            lift_visit(Pass(visit), BASE)


def test_too_many_paths_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relation_module, "PATHS_MAX", 10)

    def visit(tool: Tool, turn: Turn) -> None:
        flags = [tool.pinned, tool.mutation, tool.schema_shown, tool.requested]
        for flag in flags:
            if flag:
                tool.calls_resident = tool.calls_resident + 1

    with pytest.raises(Unsupported, match="more than 10 paths"):
        lift_visit(Pass(visit), BASE)


# ---- orders and conditions -----------------------------------------------------------------------------------------


@given(fields_of({}))
def test_a_flag_as_a_key_sorts_as_zero_or_one(fields: dict[str, Value]) -> None:
    keys: list[Any] = [
        lambda tool: tool.pinned,
        lambda tool: tool.calls > 2,
        lambda tool: not tool.pinned,
        lambda tool: tool.pinned if tool.mutation else tool.calls,
        lambda tool: True,
    ]
    for key in keys:
        term = lift_order(Pass(lambda tool, turn: None, order=key), BASE).returned
        assert term is not None
        assert term.sort == "Int"
        assert evaluate(term, at(fields)) == key(Tool(fields))


@given(turns)
def test_a_condition_that_is_a_number_is_tested_for_truth(turn: Turn) -> None:
    conditions: list[Any] = [
        lambda turn: turn.total_budget,
        lambda turn: turn.total_budget - turn.schema_tokens,
        lambda turn: turn.total_budget and turn.rest_tokens,
        lambda turn: 3,
        lambda turn: None,
    ]
    for condition in conditions:
        term = lift_condition(condition).returned
        assert term is not None
        assert term.sort == "Bool"
        assert evaluate(term, at({}, turn)) == bool(condition(turn))


# ---- canaries of the second net --------------------------------------------------------------------------------


def differ_somewhere(one: Relation, two: Relation, fields: Mapping[str, Sort]) -> bool:
    """Whether the relations differ in some state of the model, reachable or not."""
    sorts = {**fields, **{name: term.sort for name, term in {**one.reads, **two.reads}.items()}}
    least = {name: AT_LEAST.get(name, 0) for name, sort in sorts.items() if sort == "Int"}
    domain = [at_most(integer(value), variable(name, "Int")) for name, value in least.items()]
    wrong = [
        negate(equal(left, right))
        for name in {**one.updates, **two.updates}
        for left in [one.updates.get(name, variable(name, sorts[name]))]
        for right in [two.updates.get(name, variable(name, sorts[name]))]
    ]
    return isinstance(ask(script([*domain, disjunction(*wrong)]), Limits()), Satisfiable)


@pytest.mark.parametrize("name", PASSES)
def test_canary_every_lifting_that_drops_a_path_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pruner, item = PASSES[name]
    sorts = tool_sorts(pruner.memory)
    whole = lift_visit(item, sorts)
    caught = 0
    for dropped in whole.paths:
        lacking = merge(tuple(path for path in whole.paths if path is not dropped), sorts)
        if not differ_somewhere(whole, lacking, sorts):
            continue
        caught += 1
        monkeypatch.setattr("ghostproof.lift.plain.lift_visit", lambda item, sorts, left=lacking: left)
        with pytest.raises(PrunerError, match=r"when lifted but does .* when run at"):
            admit(Pruner(item, memory=pruner.memory))
    assert caught


def test_canary_a_lifting_that_flips_a_test_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Fork.truth
    monkeypatch.setattr(Fork, "truth", lambda fork, term: not real(fork, term))
    with pytest.raises(PrunerError, match="when lifted but does"):
        admit(CORPUS["argument-first"])


def test_canary_a_lifting_that_is_off_by_one_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    real = SymbolicInt.__le__
    monkeypatch.setattr(SymbolicInt, "__le__", lambda one, two: real(one, two + 1))
    with pytest.raises(PrunerError, match=r"the condition of pass \w+: means .* when lifted but does"):
        admit(CORPUS["argument-first"])


def test_canary_a_lifting_that_forgets_an_update_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    real = merge

    def forgetful(paths: Any, sorts: Any) -> Relation:
        whole = real(paths, sorts)
        updates = {field: term for field, term in whole.updates.items() if field != "tombstone_resident"}
        return replace(whole, updates=updates)

    monkeypatch.setattr(relation_module, "merge", forgetful)
    with pytest.raises(PrunerError, match="for tombstone_resident when lifted"):
        admit(CORPUS["argument-first"])


def test_exploring_takes_every_combination_of_independent_tests() -> None:
    flags = [variable(f"f{index}", "Bool") for index in range(4)]

    def run(fork: Fork) -> tuple[dict[str, object], object]:
        return {}, sum(1 << place for place, flag in enumerate(flags) if fork.truth(flag))

    relation = explore(run, {})
    assert len(relation.paths) == 16
    assert relation.returned is not None
    for number in range(16):
        point = {f"f{place}": bool(number >> place & 1) for place in range(4)}
        assert evaluate(relation.returned, point) == number


def test_a_path_condition_is_the_conjunction_of_its_tests() -> None:
    flag = variable("flag", "Bool")
    relation = explore(lambda fork: ({}, fork.truth(flag)), {})
    assert [path.condition for path in relation.paths] == [flag, negate(flag)]
    assert [path.returned for path in relation.paths] == [boolean(True), boolean(False)]
