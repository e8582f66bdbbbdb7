"""A pruner that does nothing of what its property is about is not proved: whatever engine is asked, it is vacuous."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from engines.corpus import CORPUS
from ghostproof.certify.vacuity import pass_acts, schema_pruned, stuck
from ghostproof.engines.problem import Bounds
from ghostproof.examine import examine, examine_problem
from ghostproof.host.host import LocalHost
from ghostproof.host.problem import PrunerProblem
from ghostproof.lift.limits import Limits
from ghostproof.settle import settle
from ghostproof.turn.budget import Turn, prompt_fits
from ghostproof.turn.claim import Claim, Question
from ghostproof.turn.explore import Grid
from ghostproof.turn.property import NO_GHOST, NO_MUTATION_GHOST, PROPERTIES, Property
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.scenario import ANYTHING, LATE_EVENTS, ORDINARY_SESSION, Scenario
from ghostproof.turn.tool import Tool
from ghostproof.turn.verdict import Checked, HoldsTo, Proved, Undetermined, Vacuous, exit_code
from ghostproof.variants.arbitration import argument_first, expand, gate, prune_schema
from ghostproof.witnessing import VIOLABLE, needed, with_witnesses
from ghostproof_proofs.history import NO_BARE_CALL

LIMITS = Limits(rlimit=20_000_000)
argument_first_at_render = Pruner(*argument_first.passes[:-1], Pass(gate, at_render=True), name="gate at render")
BOUNDS = Bounds(turns=2, tools=2, limits=LIMITS)


def never(tool: Tool, turn: Turn) -> None:
    return None


def only_gates(tool: Tool, turn: Turn) -> None:
    gate(tool, turn)


def evict_everything(tool: Tool, turn: Turn) -> None:
    tool.evict_all_calls()
    if tool.schema_shown:
        tool.hide_schema()


@pytest.mark.parametrize("strategy", ["auto", "induction", "bmc", "all"])
@pytest.mark.parametrize("visit", [never, only_gates])
def test_a_pruner_that_never_prunes_is_vacuous(visit: Callable[[Tool, Turn], None], strategy: str) -> None:
    scenario = replace(ANYTHING, environment=("idle", "arguments appear"))
    verdict = examine(LocalHost(Pruner(Pass(visit))), scenario, NO_GHOST, BOUNDS, strategy)
    assert isinstance(verdict, Vacuous)
    assert verdict.which == ("a pass hides a schema",)


def show_again(tool: Tool, turn: Turn) -> None:
    if tool.registered:
        tool.show_schema()


def show_lossily_what_is_hidden(tool: Tool, turn: Turn) -> None:
    if not tool.schema_shown:
        tool.show_schema_lossily()


hides_and_shows = Pruner(Pass(prune_schema), Pass(show_again), Pass(gate), name="hides and shows again")
only_shows = Pruner(Pass(show_lossily_what_is_hidden), Pass(gate), name="takes nothing that was there")


@pytest.mark.parametrize("strategy", ["auto", "bmc"])
@pytest.mark.parametrize("pruner", [hides_and_shows, only_shows], ids=lambda pruner: pruner.name)
def test_what_no_request_is_sent_without_was_not_pruned(pruner: Pruner, strategy: str) -> None:
    ordinary = replace(ANYTHING, environment=("idle", "schema migrates"), responses=("silent", "call"))
    verdict = examine(LocalHost(pruner), ordinary, NO_GHOST, BOUNDS, strategy)
    assert isinstance(verdict, Vacuous)
    assert verdict.which == ("a pass hides a schema",)
    # Where the environment hides schemas too, no single step tells them apart: no answer, which is no proof either.
    assert isinstance(examine(LocalHost(pruner), ANYTHING, NO_GHOST, BOUNDS, strategy), Vacuous | Undetermined)


def test_a_pruner_that_leaves_no_arguments_is_vacuous() -> None:
    verdict = examine(LocalHost(Pruner(Pass(evict_everything))), ANYTHING, NO_GHOST, BOUNDS)
    assert isinstance(verdict, Vacuous)
    assert verdict.which == ("a request carries arguments",)


def test_a_pruner_that_prunes_is_proved_and_not_vacuous() -> None:
    assert isinstance(examine(LocalHost(argument_first), ANYTHING, NO_GHOST, BOUNDS), Proved)


def test_a_pruner_whose_rounds_have_no_known_bound_is_undetermined_and_not_vacuous() -> None:
    def patient(tool: Tool, turn: Turn) -> None:
        if tool.patience < 9:  # type: ignore[attr-defined]
            tool.patience = tool.patience + 1  # type: ignore[attr-defined]
        elif not tool.requested and tool.schema_tokens > 1000:  # too large to come up by chance
            tool.hide_schema()

    pruner = Pruner(Pass(patient, until=prompt_fits), Pass(gate), memory={"patience": 0})
    verdict = examine(LocalHost(pruner), ANYTHING, NO_GHOST, BOUNDS)
    assert isinstance(verdict, Undetermined)
    assert "no bound is known for the rounds of pass patient" in verdict.reason


def test_a_property_that_is_true_in_all_states_is_vacuous() -> None:
    judged = Property(
        "nothing", "a sentence", lambda tool: tool.schema_shown and not tool.schema_shown, lambda tool: True
    )
    verdict = examine(LocalHost(argument_first), ANYTHING, judged, BOUNDS)
    assert isinstance(verdict, Vacuous)
    assert verdict.which == (VIOLABLE,)


def test_a_property_that_a_fixed_field_makes_true_is_vacuous() -> None:
    reading = replace(ANYTHING, fixed={"mutation": False})
    verdict = examine(LocalHost(Pruner(Pass(expand), Pass(prune_schema))), reading, NO_MUTATION_GHOST, BOUNDS)
    assert isinstance(verdict, Vacuous)
    assert verdict.which == (VIOLABLE,)


@pytest.mark.parametrize(
    ("scenario", "place"),
    [
        (replace(ANYTHING, environment=("tombstone is lost",)), "environment"),
        (replace(ANYTHING, responses=("call",)), "response"),
        (replace(ANYTHING, late=("tombstone is lost",)), "late"),
    ],
)
def test_a_session_that_may_have_no_next_step_proves_nothing(scenario: Scenario, place: str) -> None:
    verdict = examine(LocalHost(argument_first_at_render), scenario, NO_GHOST, BOUNDS)
    assert isinstance(verdict, Undetermined)
    assert verdict.reason == f"a session may have no next step, at: {place}"


def test_every_state_of_the_model_has_a_next_step() -> None:
    for scenario in (ANYTHING, LATE_EVENTS, ORDINARY_SESSION):
        problem = PrunerProblem(LocalHost(argument_first_at_render), scenario, NO_GHOST, Grid(), LIMITS)
        assert stuck(problem.system, LIMITS) == []


def test_a_property_needs_what_it_is_about() -> None:
    assert [witness.name for witness in needed(NO_BARE_CALL)] == ["a pass hides a schema", NO_BARE_CALL.premise]
    assert [witness.name for witness in needed(NO_GHOST)] == ["a pass hides a schema", "a request carries arguments"]


OF_THE_VANISHED = Property(
    "no_vanished_schema",
    "no tool that is gone has its schema in a sent request",
    lambda tool: not tool.registered and tool.schema_shown,
    lambda tool: not tool.registered,
    premise="a tool is gone",
)


@pytest.mark.parametrize("strategy", ["auto", "bmc"])
def test_a_property_that_nothing_falls_under_is_vacuous(strategy: str) -> None:
    # Violable, and true: in an ordinary session no tool goes away.
    verdict = examine(LocalHost(argument_first), ORDINARY_SESSION, OF_THE_VANISHED, BOUNDS, strategy)
    assert isinstance(verdict, Vacuous)
    assert verdict.which == ("a tool is gone",)
    vanishing = replace(ORDINARY_SESSION, environment=("idle", "tool vanishes"))
    found = examine(LocalHost(argument_first), vanishing, OF_THE_VANISHED, BOUNDS, strategy)
    assert isinstance(found, Proved | HoldsTo)


def evict_of_mutations(tool: Tool, turn: Turn) -> None:
    if tool.mutation:
        tool.evict_all_calls()


def test_a_claim_made_vacuous_on_purpose_is_not_proved() -> None:
    # Arguments of reading tools are sent, and no_mutation_ghost says nothing about those.
    pruner = Pruner(*argument_first.passes, Pass(evict_of_mutations), name="mutations leave no arguments")
    assert isinstance(examine(LocalHost(pruner), ANYTHING, NO_MUTATION_GHOST, BOUNDS), Vacuous)
    questions = tuple(Question(judged.name, "so", pruner, ANYTHING, judged=judged) for judged in PROPERTIES.values())
    every, mutations = settle(Claim("T0", "so", "so", "so", "so", questions), BOUNDS).answers
    assert isinstance(every.verdict, Proved)
    assert isinstance(mutations.verdict, Vacuous)
    assert mutations.verdict.which == ("a request carries arguments of a tool that changes state",)
    assert exit_code(mutations.verdict) == 4


def never_needed(tool: Tool, turn: Turn) -> None:
    if tool.ghost and not tool.ghost:
        tool.evict_all_calls()


def test_a_pass_that_never_acts_is_noted_and_the_proof_stands() -> None:
    idle = Pruner(*argument_first.passes, Pass(never_needed), name="one pass too many")
    problem = PrunerProblem(LocalHost(idle), ANYTHING, NO_GHOST, Grid(), LIMITS)
    verdict = examine(problem.host, ANYTHING, NO_GHOST, BOUNDS)
    assert isinstance(verdict, Proved)
    noted, notes = with_witnesses(verdict, problem, BOUNDS)
    assert isinstance(noted, Proved)
    assert noted.checked[-1] == Checked("replay", "witnesses played", 22)
    assert notes == (
        "not seen to happen in any session in up to 4 requests with up to 2 tools: pass never_needed changes something",
    )


def prune_after_forty_turns(tool: Tool, turn: Turn) -> None:
    if tool.schema_shown and tool.idle_turns > 40:
        tool.hide_schema()


def test_a_pruner_that_waits_for_many_turns_is_proved_with_its_witnesses() -> None:
    patient = Pruner(Pass(prune_after_forty_turns), Pass(gate), name="patient")
    problem = PrunerProblem(LocalHost(patient), ANYTHING, NO_GHOST, Grid(), LIMITS)
    verdict = examine_problem(problem, BOUNDS)
    assert isinstance(verdict, Proved)
    assert with_witnesses(verdict, problem, BOUNDS)[1] == ()


@pytest.mark.parametrize("name", ["environment", "late", "response", "execution"])
def test_a_pass_that_is_named_as_another_actor_is_no_other(name: str) -> None:
    # It leaves every tool as it is, while the actor of that name acts in each session.
    pruner = Pruner(*argument_first.passes, Pass(never_needed, name=name), name="named as another")
    scenario = replace(ANYTHING, late=("idle", "tombstone is lost"))
    traces = LocalHost(pruner).wander(scenario, NO_GHOST)
    assert not any(pass_acts(name).seen(trace) for trace in traces)
    hiding = Pruner(Pass(prune_schema, name=name), Pass(gate))
    assert any(schema_pruned().seen(trace) for trace in LocalHost(hiding).wander(scenario, NO_GHOST))


def test_a_bounded_answer_about_nothing_is_vacuous_as_well() -> None:
    scenario = replace(ANYTHING, environment=("idle",), responses=("silent",))
    verdict = examine(LocalHost(CORPUS["schema-first"]), scenario, NO_GHOST, BOUNDS, "bmc")
    assert isinstance(verdict, Vacuous)
    assert verdict.which == ("a request carries arguments",)


def test_a_pruner_that_may_not_touch_any_tool_is_vacuous() -> None:
    pinned = replace(ANYTHING, environment=("idle",), responses=("silent", "call"), fixed={"pinned": True})
    verdict = examine(LocalHost(Pruner(Pass(prune_schema), Pass(gate))), pinned, NO_GHOST, BOUNDS, "bmc")
    assert isinstance(verdict, Vacuous)
    assert verdict.which == ("a pass hides a schema",)
