"""Exactly one or two tools as guarded commands: every session is their run, and nothing else can happen in a turn."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.corpus import CORPUS, SCENARIOS
from ghostproof.lift import exact
from ghostproof.lift.exact import HELD, REST, exact_system
from ghostproof.lift.plain import LiftedPruner, lift_pruner
from ghostproof.lift.system import System
from ghostproof.lift.term import evaluate
from ghostproof.turn.budget import BUDGETS
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.session import new_tool, play
from ghostproof.turn.tool import Tool
from ghostproof.turn.trace import Script
from lift.sessions import random_script, starts_within_budget
from lift.watching import watch

Values = dict[str, bool | int]
STAGES = ("environment", "response", "execution")


@cache
def lifted(name: str) -> LiftedPruner:
    return lift_pruner(CORPUS[name])


@cache
def system_of(name: str, scenario: int, tools: int) -> System:
    system = exact_system(lifted(name), SCENARIOS[scenario], NO_GHOST, tools)
    assert system is not None
    return system


class Run:
    """A run of the exact system, driven by a script; its passes run by themselves."""

    def __init__(self, name: str, scenario: int, script: Script) -> None:
        self.system = system_of(name, scenario, len(script.tools))
        self.tools = len(script.tools)
        self.location = self.system.start
        fields: Values = {name: False if sort == "Bool" else 0 for name, sort in self.system.variables.items()}
        for index, fixed in enumerate(script.tools):
            start = new_tool(fixed, CORPUS[name].memory).__dict__
            fields.update({f"tool {index + 1} {field}": value for field, value in start.items()})
        fields[REST] = script.rest_tokens
        fields.update(script.turns[0].budgets)
        self.fields: Values = fields

    def enabled(self, inputs: Values) -> list[str]:
        return [
            command.name
            for command in self.system.commands
            if command.source == self.location and evaluate(command.guard, {**self.fields, **inputs})
        ]

    def take(self, name: str, inputs: Values) -> None:
        found = [c for c in self.system.commands if (c.name, c.source) == (name, self.location)]
        assert len(found) == 1, (name, self.location)
        here = {**self.fields, **inputs}
        assert evaluate(found[0].guard, here), f"{name} is not enabled at {self.location}"
        self.fields.update({field: evaluate(value, here) for field, value in found[0].updates.items()})
        self.location = found[0].target

    def arbitrate(self) -> None:
        """To the request; at every step there is exactly one thing to do."""
        steps = 0
        while self.location != "prompt":
            enabled = self.enabled({})
            assert len(enabled) == 1, (self.location, enabled)
            self.take(enabled[0], {})
            steps += 1
            assert steps < 500


def follow(name: str, scenario: int, script: Script) -> None:
    """Assert that the session of `script` is a run of the exact system with the same requests."""
    run = Run(name, scenario, script)
    within = starts_within_budget(lifted(name), script) or not SCENARIOS[scenario].starts_within_budget
    assert bool(evaluate(run.system.initial, run.fields)) == within
    number = 0
    for note in watch(CORPUS[name], script):
        if note.what in STAGES:
            assert note.others is not None
            inputs: Values = {
                f"others.rejected {note.what}": note.others.rejected,
                f"others.rebuilt {note.what}": note.others.rebuilt,
            }
            run.take(f"{note.name} ({note.tool + 1})", inputs)
        elif note.what == "prompt":
            run.arbitrate()
            for index, shown in enumerate(note.after):
                assert {field: run.fields[f"tool {index + 1} {field}"] for field in shown} == shown
                held = shown["calls_resident"] * shown["argument_tokens"]
                assert run.fields[f"tool {index + 1} {HELD}"] == held
            violated = any(NO_GHOST.violated(Tool(shown)) for shown in note.after)
            assert bool(evaluate(run.system.bad, run.fields)) == violated
            number += 1
        elif note.what == "open":
            run.take("request is sent", {})
        elif note.what == "settle":
            fresh = {f"next {budget}": value for budget, value in script.turns[number].budgets.items()}
            run.take("last response settles", dict(fresh))
    assert number == len(script.turns) == len(play(CORPUS[name], script, NO_GHOST).requests)


def session(choose: Callable[..., object], name: str, scenario: int, tools: int, turns: int) -> Script | None:
    return random_script(choose, CORPUS[name], SCENARIOS[scenario], lifted(name).budget_names, tools, turns)


@settings(max_examples=100)
@given(
    st.sampled_from(sorted(CORPUS)), st.integers(0, len(SCENARIOS) - 1), st.integers(1, 2), st.integers(1, 3), st.data()
)
def test_every_session_of_one_or_two_tools_is_a_run_of_the_exact_system(
    name: str, scenario: int, tools: int, turns: int, data: st.DataObject
) -> None:
    script = session(lambda options: data.draw(st.sampled_from(options)), name, scenario, tools, turns)
    if script is not None:
        follow(name, scenario, script)


def test_three_hundred_seeded_sessions_are_runs_of_the_exact_system() -> None:
    chance = random.Random(5)
    followed = 0
    while followed < 300:
        name, scenario = chance.choice(sorted(CORPUS)), chance.randrange(len(SCENARIOS))
        script = session(chance.choice, name, scenario, chance.randint(1, 2), 3)
        if script is not None:
            follow(name, scenario, script)
            followed += 1


def test_a_budget_that_nobody_reads_is_no_variable() -> None:
    for name in CORPUS:
        system = system_of(name, 0, 1)
        assert [budget for budget in BUDGETS if budget in system.variables] == list(lifted(name).budget_names)


def keep_one_call(tool: Tool, turn: object) -> None:
    if tool.calls_resident > 1:
        tool.calls_resident = 1


def keep_half_of_what_was_called(tool: Tool, turn: object) -> None:
    if tool.calls_resident > tool.calls:
        tool.calls_resident = tool.calls


def test_a_visit_to_a_known_number_of_calls_stays_linear() -> None:
    assert exact_system(lift_pruner(Pruner(Pass(keep_one_call))), SCENARIOS[0], NO_GHOST, 2) is not None


def test_a_visit_to_an_unknown_number_of_calls_has_no_exact_system() -> None:
    pruner = lift_pruner(Pruner(Pass(keep_half_of_what_was_called)))
    assert exact_system(pruner, SCENARIOS[0], NO_GHOST, 1) is None


def test_canary_a_ledger_that_is_not_kept_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact.Exact, "_ledger", lambda self, calls, index: self._var(self._name(index, HELD)))
    system_of.cache_clear()
    try:
        with pytest.raises(AssertionError):
            test_three_hundred_seeded_sessions_are_runs_of_the_exact_system()
    finally:
        system_of.cache_clear()
