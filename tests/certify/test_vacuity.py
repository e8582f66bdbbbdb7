"""Witnesses against vacuous proofs: each is found where it should be, and each goes red when its cause is deleted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ghostproof.certify.reach import Reach
from ghostproof.certify.vacuity import (
    Unsettled,
    Witness,
    action_taken,
    admitted_actions,
    arguments_kept,
    evicted,
    expanded,
    pass_acts,
    schema_pruned,
    search,
    tombstoned,
)
from ghostproof.host.host import LocalHost
from ghostproof.host.problem import PrunerProblem, Sessions
from ghostproof.lift.limits import Limits
from ghostproof.lift.term import TRUE
from ghostproof.turn.budget import Turn
from ghostproof.turn.errors import InternalError
from ghostproof.turn.explore import Grid
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.response import EXECUTION, REBUILD_MUTATION
from ghostproof.turn.scenario import ANYTHING, Scenario
from ghostproof.turn.session import play
from ghostproof.turn.tool import Tool
from ghostproof.turn.trace import Script, ScriptTurn, Step, Trace
from ghostproof.variants.arbitration import argument_first, expand, gate, prune, trim

LIMITS = Limits(rlimit=20_000_000)
# Everything here is witnessed in three requests or never; unrolling the fourth is what takes time.
REQUESTS = 3


class Played:
    """Plays what is found in unrolled sessions."""

    def __init__(self, pruner: Pruner, scenario: Scenario) -> None:
        self.problem = PrunerProblem(LocalHost(pruner), scenario, NO_GHOST, Grid(), LIMITS)
        self.asked = 0

    def unrolling(self, tools: int, whole: bool = False) -> Sessions:
        self.asked += 1
        return self.problem.unrolling(tools, whole)

    def play(self, script: Script) -> Trace:
        return self.problem.host.play(script, NO_GHOST)


def witnessed(witness: Witness, pruner: Pruner, scenario: Scenario = ANYTHING) -> Trace | None:
    return search([witness], Played(pruner, scenario), LIMITS, whole=True, within=Reach(REQUESTS))[witness.name]


ACTIONS = [
    *(("environment", name) for name in ANYTHING.environment if name != "idle"),
    # What is possible only after a ghost cannot be asked of a safe pruner.
    ("response", "call"),
    ("response", "request schema"),
    ("response", "ask"),
    ("response", "call blind"),
    ("response", "recover by sibling"),
    ("response", "call despite the tombstone"),
    ("execution", "accept"),
    ("execution", "reject"),
    ("execution", "execute unvalidated"),
]


def test_a_safe_pruner_is_asked_for_every_action_that_can_be_taken_without_a_ghost() -> None:
    asked = [witness.name for witness in admitted_actions(ANYTHING, NO_GHOST, LIMITS)]
    assert asked == [f"{actor}: {name}" for actor, name in ACTIONS]
    assert REBUILD_MUTATION.name not in ANYTHING.responses


def test_one_search_finds_every_witness_of_argument_first() -> None:
    asked = [
        schema_pruned(),
        arguments_kept(),
        evicted(),
        expanded(),
        tombstoned(),
        *(pass_acts(item.name) for item in argument_first.passes),
        *admitted_actions(ANYTHING, NO_GHOST, LIMITS),
    ]
    player = Played(argument_first, ANYTHING)
    found = search(asked, player, LIMITS, whole=True, within=Reach(REQUESTS))
    assert [name for name, trace in found.items() if trace is None] == []
    assert set(found) == {witness.name for witness in asked}
    for witness in asked:
        trace = found[witness.name]
        assert trace is not None
        assert witness.seen(trace)
        assert not any(request.violations for request in trace.requests)
        assert play(argument_first, trace.script, NO_GHOST, budgets=trace.budgets) == trace


def without(scenario: Scenario, actor: str, name: str) -> Scenario:
    if actor == "environment":
        return replace(scenario, environment=tuple(other for other in scenario.environment if other != name))
    return replace(scenario, responses=tuple(other for other in scenario.responses if other != name))


@pytest.mark.parametrize(("actor", "name"), ACTIONS)
def test_a_witness_goes_red_when_its_action_is_deleted(actor: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = ANYTHING
    if actor == "execution":
        left = tuple(action for action in EXECUTION if action.name != name)
        monkeypatch.setattr("ghostproof.turn.scenario.EXECUTION", left)
    else:
        scenario = without(ANYTHING, actor, name)
    assert witnessed(action_taken(actor, name), argument_first, scenario) is None


TAKEN_AWAY: dict[str, tuple[Witness, Pruner, Pruner]] = {
    "prune_schema": (schema_pruned(), argument_first, Pruner(Pass(expand), *trim, Pass(gate))),
    "trim_history": (evicted(), argument_first, Pruner(Pass(expand), *prune)),
    "gate": (tombstoned(), argument_first, Pruner(Pass(expand), *trim, prune[0])),
    "expand": (expanded(), argument_first, Pruner(*trim, *prune)),
}


@pytest.mark.parametrize("name", TAKEN_AWAY)
def test_a_witness_goes_red_when_its_pass_is_deleted(name: str) -> None:
    witness, whole, lacking = TAKEN_AWAY[name]
    assert witnessed(witness, whole) is not None
    assert witnessed(witness, lacking) is None
    assert witnessed(pass_acts(name), whole) is not None
    assert witnessed(pass_acts(name), lacking) is None


def test_arguments_are_not_kept_where_nothing_brings_any() -> None:
    nothing = replace(
        ANYTHING, environment=("idle", "schema migrates", "tool vanishes"), responses=("silent", "request schema")
    )
    assert witnessed(arguments_kept(), argument_first, nothing) is None
    assert witnessed(arguments_kept(), argument_first) is not None


def test_a_pass_that_never_changes_anything_is_noticed() -> None:
    def idle(tool: Tool, turn: Turn) -> None:
        if tool.calls_resident < 0:
            tool.hide_schema()

    assert witnessed(pass_acts("idle"), Pruner(Pass(idle), *argument_first.passes)) is None


def test_the_shortest_witness_is_found_first() -> None:
    trace = witnessed(schema_pruned(), argument_first)
    assert trace is not None
    assert trace.size == (1, 1)
    recovered = witnessed(action_taken("response", "recover by sibling"), argument_first)
    assert recovered is not None
    assert recovered.size == (3, 2)


def test_a_witness_observes_what_was_done_and_not_what_was_possible() -> None:
    fields = {"mutation": True, "pinned": False, "schema_tokens": 1, "argument_tokens": 1, "tombstone_tokens": 1}
    quiet = Script((fields,), 0, (ScriptTurn({"total_budget": 9}, ("idle",), (), ()),))
    trace = play(argument_first, quiet, NO_GHOST)
    for witness in (schema_pruned(), arguments_kept(), evicted(), expanded(), tombstoned(), pass_acts("gate")):
        assert not witness.seen(trace)
    assert not action_taken("environment", "tool vanishes").seen(trace)
    vanished = Script((fields,), 0, (ScriptTurn({"total_budget": 9}, ("tool vanishes",), (), ()),))
    seen = play(argument_first, vanished, NO_GHOST)
    # The environment hid the schema, no pass did.
    assert not schema_pruned().seen(seen)
    assert action_taken("environment", "tool vanishes").seen(seen)
    assert any(isinstance(step, Step) and step.before.get("schema_shown") for step in seen.requests[0].steps)


def test_a_witness_that_does_not_show_itself_when_played_is_ours_to_answer_for() -> None:
    liar = Witness("anything", lambda sessions: TRUE, lambda trace: False)
    with pytest.raises(InternalError, match="does not show it when played"):
        witnessed(liar, argument_first)


def test_a_search_without_an_answer_is_no_absence() -> None:
    with pytest.raises(Unsettled, match="the limit of 1 solver steps ran out"):
        search([schema_pruned()], Played(argument_first, ANYTHING), Limits(rlimit=1), whole=False)
