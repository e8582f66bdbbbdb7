"""The one-tool system: nothing is missing from it, and every session, seen from one tool, is a run of it.

The second is the bridge from one tool to any number: what no run of the one-tool system does, no tool of any session
does. It is tested here on random sessions, without a solver, pass by pass and visit by visit.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.corpus import CORPUS, SCENARIOS
from ghostproof.engines.induction import prove_system
from ghostproof.engines.problem import Bounds, Certificate
from ghostproof.lift import single
from ghostproof.lift.plain import OTHERS, TURN, LiftedPruner, lift_condition, lift_pruner
from ghostproof.lift.single import (
    ENVIRONMENT,
    EXECUTION,
    PROMPT,
    RESPONSE,
    SETTLE,
    Conditions,
    condition_implies,
    initial_condition,
    pass_location,
    single_tool,
)
from ghostproof.lift.solver import Reachable
from ghostproof.lift.system import Command, System
from ghostproof.lift.term import evaluate
from ghostproof.turn.action import Others
from ghostproof.turn.budget import Turn, arguments_fit, prompt_fits, prompt_fits_as_it_stands, schemas_fit
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.scenario import ANYTHING, Scenario
from ghostproof.turn.session import new_tool
from ghostproof.turn.tool import Tool
from ghostproof.turn.trace import Script
from ghostproof.variants.arbitration import gate, prune_schema, trim_history
from lift.sessions import random_script
from lift.watching import Noted, watch

Values = dict[str, bool | int]


@cache
def lifted(name: str) -> LiftedPruner:
    return lift_pruner(CORPUS[name])


@cache
def system_of(name: str, scenario: int) -> System:
    return single_tool(lifted(name), SCENARIOS[scenario], NO_GHOST)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
@pytest.mark.parametrize("name", CORPUS)
def test_every_location_and_every_admitted_action_is_there(name: str, scenario: Scenario) -> None:
    pruner = CORPUS[name]
    system = single_tool(lifted(name), scenario, NO_GHOST)
    passes = [pass_location(place, item.name) for place, item in enumerate(pruner.passes)]
    assert set(system.locations) == {SETTLE, ENVIRONMENT, *passes, PROMPT, RESPONSE, EXECUTION}
    assert (system.start, system.judged) == (ENVIRONMENT, PROMPT)

    def leading(source: str, target: str) -> list[str]:
        return [command.name for command in system.commands if (command.source, command.target) == (source, target)]

    assert leading(ENVIRONMENT, passes[0]) == [action.name for action in scenario.environment_actions]
    assert leading(RESPONSE, EXECUTION) == [action.name for action in scenario.response_actions]
    assert leading(EXECUTION, SETTLE) == [action.name for action in scenario.execution_actions]
    assert leading(SETTLE, ENVIRONMENT) == ["last response settles"]
    assert leading(PROMPT, RESPONSE) == ["request is sent"]
    for item, here, there in zip(pruner.passes, passes, [*passes[1:], PROMPT], strict=True):
        if item.until is None:
            assert leading(here, there) == [f"{item.name} visits"]
        else:
            assert leading(here, there) == [f"{item.name} ends: fits", f"{item.name} ends: a round changed nothing"]
            assert f"{item.name} visits" in leading(here, here)
    assert system.variables.keys() >= lifted(name).sorts.keys()


@pytest.mark.parametrize("name", CORPUS)
def test_there_is_one_writer_a_field_in_each_command_and_it_writes_fields_only(name: str) -> None:
    system = system_of(name, 0)
    for command in system.commands:
        assert command.updates.keys() <= system.variables.keys()
        for field, value in command.updates.items():
            assert value.sort == system.variables[field]
        assert command.guard.sort == "Bool"


def test_without_passes_the_environment_leads_to_the_request() -> None:
    system = single_tool(lift_pruner(Pruner()), ANYTHING, NO_GHOST)
    assert {command.target for command in system.commands if command.source == ENVIRONMENT} == {PROMPT}


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_a_run_starts_as_a_session_does(scenario: Scenario) -> None:
    fixed: Values = {
        "mutation": True,
        "pinned": False,
        "schema_tokens": 2,
        "argument_tokens": 3,
        "tombstone_tokens": 4,
        **scenario.fixed,
    }
    term = initial_condition(scenario, {"noted": False})
    start = new_tool(fixed, {"noted": False}).__dict__
    assert evaluate(term, start)
    for name, value in start.items():
        other = not value if isinstance(value, bool) else value - 5
        free = name in ("mutation", "pinned") and name not in scenario.fixed
        assert evaluate(term, {**start, name: other}) is free


# ---- the bridge ----------------------------------------------------------------------------------------------------


class Run:
    """A run of the one-tool system, driven by what happens in a session to tool `index`."""

    def __init__(self, name: str, scenario: int, index: int) -> None:
        self.pruner = lifted(name)
        self.system = system_of(name, scenario)
        self.index = index
        self.location = self.system.start
        self.conditions = Conditions(self.pruner)
        self.kept = {
            item.condition: holds.arguments[0]
            for item in self.pruner.passes
            if item.condition is not None and (holds := self.conditions.holds(item.condition)) is not None
        }
        self.places = [pass_location(place, item.name) for place, item in enumerate(self.pruner.passes)] + [PROMPT]
        self.fields: Values = {}

    def truths(self, turn: Turn) -> Values:
        """How the kept conditions really stand."""
        numbers: Values = {TURN + number: getattr(turn, number) for number in Turn.__slots__}
        return {name: bool(evaluate(term, numbers)) for term, name in self.kept.items()}

    def take(
        self, name: str, target: str, after: Noted, numbers: Turn | None = None, others: Others | None = None
    ) -> None:
        """Take the command of this name to `target`; it must be there, enabled, and lead to what really is."""
        found = [
            command
            for command in self.system.commands
            if (command.name, command.source, command.target) == (name, self.location, target)
        ]
        assert len(found) == 1, f"{len(found)} commands {name!r} from {self.location} to {target}"
        command: Command = found[0]
        truths = self.truths(after.turn)
        inputs: Values = {f"{condition} afterwards": truth for condition, truth in truths.items()}
        if numbers is not None:
            inputs.update({TURN + number: getattr(numbers, number) for number in Turn.__slots__})
        if others is not None:
            inputs.update({OTHERS + "rejected": others.rejected, OTHERS + "rebuilt": others.rebuilt})
        here = {**self.fields, **inputs}
        assert evaluate(command.guard, here), f"{name} is not enabled at {self.location}"
        self.fields.update({field: evaluate(value, here) for field, value in command.updates.items()})
        self.location = target
        real = {**after.after[self.index]}
        if self.location in self.places:  # elsewhere the conditions wait for the next turn's budgets
            real.update(truths)
        assert {field: self.fields[field] for field in real} == real, f"after {name}"

    def visit(self, note: Noted, mine: bool) -> None:
        """A visit of a pass with a condition; without one the pass is one step, taken at its end."""
        item, here = self.pruner.passes[note.place], self.places[note.place]
        if item.condition is not None and mine:
            self.take(f"{item.name} visits", here, note, numbers=note.numbers)
        elif item.condition is not None and self.conditions.holds(item.condition) is not None:
            self.take(f"{item.name} visits another tool", here, note)

    def end(self, note: Noted, last_visit: Noted | None) -> None:
        """The end of a pass; `last_visit` is the last one to this tool."""
        item, there = self.pruner.passes[note.place], self.places[note.place + 1]
        ended = {"fits": "ends: fits", "unchanged": "ends: a round changed nothing", "visited": "visits"}[note.name]
        self.take(f"{item.name} {ended}", there, note, numbers=None if last_visit is None else last_visit.numbers)


def follow(name: str, scenario: int, script: Script, index: int) -> None:
    """Assert that the session of `script`, seen from tool `index`, is a run of the one-tool system."""
    run = Run(name, scenario, index)
    notes = watch(CORPUS[name], script)
    run.fields = {**new_tool(script.tools[index], CORPUS[name].memory).__dict__, **run.truths(notes[0].turn)}
    last_visit: Noted | None = None
    for position, note in enumerate(notes):
        mine = note.tool == index
        match note.what:
            case "environment" if mine:
                # The run sees the environment's moment as a whole: how things stand when all tools have acted.
                standing = notes[position + len(script.tools) - 1 - index]
                run.take(note.name, run.places[0], standing, others=note.others)
            case "visit":
                if mine:
                    last_visit = note
                run.visit(note, mine)
            case "end":
                assert last_visit is not None or note.name == "fits"
                run.end(note, last_visit)
                last_visit = None
            case "prompt":
                assert run.location == PROMPT
                assert evaluate(run.system.bad, run.fields) == NO_GHOST.violated(Tool(note.after[index]))
            case "open":
                run.take("request is sent", RESPONSE, note)
            case "response" if mine:
                run.take(note.name, EXECUTION, note, others=note.others)
            case "execution" if mine:
                run.take(note.name, SETTLE, note, others=note.others)
            case "settle":
                run.take("last response settles", ENVIRONMENT, note)
    assert run.location == PROMPT


def session(choose: Callable[..., object], name: str, scenario: int, tools: int, turns: int) -> Script | None:
    return random_script(choose, CORPUS[name], SCENARIOS[scenario], lifted(name).budget_names, tools, turns)


@settings(max_examples=150)
@given(
    st.sampled_from(sorted(CORPUS)), st.integers(0, len(SCENARIOS) - 1), st.integers(1, 4), st.integers(1, 3), st.data()
)
def test_every_session_seen_from_one_tool_is_a_run_of_the_one_tool_system(
    name: str, scenario: int, tools: int, turns: int, data: st.DataObject
) -> None:
    script = session(lambda options: data.draw(st.sampled_from(options)), name, scenario, tools, turns)
    if script is not None:
        for index in range(tools):
            follow(name, scenario, script, index)


def test_five_hundred_seeded_sessions_are_runs_of_the_one_tool_system() -> None:
    chance = random.Random(7)
    followed = 0
    while followed < 500:
        name, scenario = chance.choice(sorted(CORPUS)), chance.randrange(len(SCENARIOS))
        script = session(chance.choice, name, scenario, chance.randint(1, 4), 3)
        if script is not None:
            follow(name, scenario, script, chance.randrange(len(script.tools)))
            followed += 1


def test_what_the_last_pass_does_is_judged() -> None:
    def hide(tool: Tool, turn: Turn) -> None:
        tool.hide_schema()

    safe = single_tool(lift_pruner(Pruner(Pass(hide), Pass(gate))), ANYTHING, NO_GHOST)
    unsafe = single_tool(lift_pruner(Pruner(Pass(gate), Pass(hide))), ANYTHING, NO_GHOST)
    assert isinstance(prove_system(unsafe, Bounds()), Reachable)
    assert isinstance(prove_system(safe, Bounds()), Certificate)


# ---- canaries and strength -----------------------------------------------------------------------------------------


def some_session_is_no_run(names: list[str]) -> bool:
    """Whether some seeded session is no run any more, with the system built anew."""
    chance = random.Random(11)
    system_of.cache_clear()
    try:
        for _ in range(300):
            name, scenario = chance.choice(names), chance.randrange(len(SCENARIOS))
            script = session(chance.choice, name, scenario, chance.randint(2, 3), 2)
            try:
                if script is not None:
                    follow(name, scenario, script, 0)
            except AssertionError:
                return True
        return False
    finally:
        system_of.cache_clear()


JOINT = ["argument-first", "schema-first", "oldest item first", "eviction planned"]


def test_canary_a_condition_that_is_not_freed_by_the_environment_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not some_session_is_no_run(JOINT)
    acting = single._acting
    monkeypatch.setattr(single, "_acting", lambda action, source, target, extra: acting(action, source, target, {}))
    assert some_session_is_no_run(JOINT)


def test_canary_a_condition_that_no_visit_frees_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Conditions, "after", lambda self, visit: {})
    assert some_session_is_no_run(JOINT)


def test_canary_a_condition_that_stays_true_whatever_is_visited_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(single, "truth_after", lambda condition, holds, freed, visit: holds)
    assert some_session_is_no_run(JOINT)


def test_canary_a_pass_that_is_left_out_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(single, "_pass_commands", lambda pruner, conditions, way: [])
    assert some_session_is_no_run(JOINT)


def test_conditions_of_one_name_are_kept_apart() -> None:
    one: Callable[[Turn], bool] = lambda turn: turn.demand_tokens <= turn.total_budget  # noqa: E731
    two: Callable[[Turn], bool] = lambda turn: turn.schema_tokens <= turn.schema_budget  # noqa: E731
    pruner = Pruner(
        *(
            Pass(visit, until=until, name=f"{visit.__name__} {number}")
            for number, (visit, until) in enumerate(
                [(prune_schema, one), (trim_history, two), (prune_schema, one), (trim_history, two)]
            )
        )
    )
    conditions = Conditions(lift_pruner(pruner))
    assert len(conditions.variables) == 2
    first, second = (lift_pruner(pruner).passes[place].condition for place in (0, 1))
    assert first is not None
    assert second is not None
    assert conditions.holds(first) is not conditions.holds(second)


numbers = st.integers(0, 6)


@given(st.lists(numbers, min_size=len(Turn.__slots__), max_size=len(Turn.__slots__)))
def test_a_condition_that_is_said_to_imply_another_does(values: list[int]) -> None:
    turn = Turn(*values)
    if turn.tombstone_demand_tokens < turn.tombstone_tokens:
        return  # what is owed comes on top of what is there
    conditions: list[Callable[[Turn], bool]] = [
        prompt_fits,
        prompt_fits_as_it_stands,
        schemas_fit,
        arguments_fit,
        lambda turn: turn.demand_tokens <= turn.total_budget + 3,
        lambda turn: turn.prompt_tokens < turn.total_budget,
        lambda turn: turn.schema_tokens <= turn.total_budget,
    ]
    implied = 0
    for strong in conditions:
        for weak in conditions:
            terms = [lift_condition(condition).returned for condition in (strong, weak)]
            assert terms[0] is not None
            assert terms[1] is not None
            if condition_implies(terms[0], terms[1]):
                implied += strong is not weak
                assert weak(turn) or not strong(turn)
    assert implied >= 5
