"""Sessions as they run: the order of a turn, what is judged when, and that a script is all there is to a session."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.corpus import CORPUS, SCENARIOS
from ghostproof.host.data import script_of, trace_of
from ghostproof.lift.plain import lift_pruner
from ghostproof.turn.budget import Turn, prompt_fits
from ghostproof.turn.errors import InternalError
from ghostproof.turn.property import NO_GHOST, NO_MUTATION_GHOST
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.session import play
from ghostproof.turn.tool import FIXED, INITIAL, Tool, Value
from ghostproof.turn.trace import PassEnd, Request, Script, ScriptTurn, Step, Trace
from ghostproof.variants.arbitration import argument_first, gate, prune_schema, schema_first
from lift.sessions import random_script

FIELDS: dict[str, Value] = {
    "mutation": True,
    "pinned": False,
    "schema_tokens": 10,
    "argument_tokens": 3,
    "tombstone_tokens": 1,
}
READS_ONLY = {**FIELDS, "mutation": False}
NOTHING = Pruner(name="nothing")
NO_GATE = Pruner(Pass(prune_schema, until=prompt_fits), name="no gate")


def turn(
    budget: int = 99,
    environment: Sequence[str] = ("idle",),
    response: Sequence[str] = (),
    execution: Sequence[str] = (),
) -> ScriptTurn:
    return ScriptTurn({"total_budget": budget}, tuple(environment), tuple(response), tuple(execution))


def script(*turns: ScriptTurn, tools: Sequence[dict[str, Value]] = (FIELDS,)) -> Script:
    return Script(tuple(tools), 0, turns)


def told(request: Request) -> list[tuple[str, str, int]]:
    """Who did what to which tool, in order; of passes their ends."""
    return [
        ("pass", step.name, -1) if isinstance(step, PassEnd) else (step.actor, step.action, step.tool)
        for step in request.steps
    ]


def test_a_session_starts_with_schemas_shown_and_an_empty_history() -> None:
    trace = play(NOTHING, script(turn()), NO_GHOST)
    assert trace.requests[0].tools == ({**FIELDS, **INITIAL},)
    assert set(trace.requests[0].tools[0]) == set(FIXED) | set(INITIAL)


def test_the_first_turn_settles_nothing() -> None:
    trace = play(NOTHING, script(turn()), NO_GHOST)
    assert trace.requests[0].tools[0]["idle_turns"] == 0


def test_a_turn_runs_environment_then_passes_and_then_the_request_is_sent() -> None:
    noted: list[bool] = []

    def note(tool: Tool, turn: Turn) -> None:
        noted.append(tool.schema_shown)
        tool.hide_schema()

    trace = play(Pruner(Pass(note)), script(turn(environment=["tool vanishes"])), NO_GHOST)
    assert noted == [False]
    assert told(trace.requests[0]) == [("environment", "tool vanishes", 0), ("pass", "note", -1)]
    assert trace.requests[0].numbers["schema_tokens"] == 0


def test_response_and_execution_are_told_with_the_request_that_follows_them() -> None:
    trace = play(NOTHING, script(turn(response=["call"], execution=["accept"]), turn()), NO_GHOST)
    assert told(trace.requests[0]) == [("environment", "idle", 0)]
    assert told(trace.requests[1]) == [
        ("response", "call", 0),
        ("execution", "accept", 0),
        ("environment", "idle", 0),
    ]


def test_a_call_is_resident_in_the_next_request_and_not_before() -> None:
    trace = play(NOTHING, script(turn(response=["call"], execution=["accept"]), turn()), NO_GHOST)
    assert [request.tools[0]["calls_resident"] for request in trace.requests] == [0, 1]
    assert [request.tools[0]["calls"] for request in trace.requests] == [0, 1]
    assert [request.tools[0]["idle_turns"] for request in trace.requests] == [0, 0]


def test_arguments_settle_before_the_environment_acts() -> None:
    # What is called is resident first, and then its schema migrates: the arguments are stale in the same turn.
    calls = turn(response=["call"], execution=["accept"])
    trace = play(NOTHING, script(calls, turn(environment=["schema migrates"])), NO_GHOST)
    assert trace.requests[1].tools[0]["calls_resident"] == 1
    assert trace.requests[1].tools[0]["arguments_current"] is False


def test_several_tools_are_called_in_one_response() -> None:
    both = turn(environment=["idle"] * 2, response=["call"] * 2, execution=["accept", "accept"])
    trace = play(NOTHING, script(both, turn(environment=["idle"] * 2), tools=(FIELDS, READS_ONLY)), NO_GHOST)
    assert [tool["calls_resident"] for tool in trace.requests[1].tools] == [1, 1]


def test_all_tools_act_on_what_was_known_before_any_of_them_acts() -> None:
    # The second tool recovers from the first one's rejection although the first, acting first, falls silent meanwhile.
    stale = turn(
        environment=["schema migrates behind a cache", "idle"],
        response=["call", "silent"],
        execution=["reject", "no execution"],
    )
    recovers = turn(
        environment=["idle", "idle"], response=["silent", "recover by sibling"], execution=["no execution", "accept"]
    )
    last = turn(environment=["idle", "idle"])
    trace = play(NOTHING, script(stale, recovers, last, tools=(FIELDS, FIELDS)), NO_GHOST)
    assert [tool["rejected"] for tool in trace.requests[1].tools] == [True, False]
    assert [tool["duplicated"] for tool in trace.requests[2].tools] == [False, True]
    # Nobody recovers from a rejection that is two responses old.
    with pytest.raises(InternalError, match="'recover by sibling' is not enabled for tool 0"):
        play(
            NOTHING,
            script(
                stale,
                recovers,
                replace(recovers, response=("recover by sibling", "silent")),
                last,
                tools=(FIELDS, FIELDS),
            ),
            NO_GHOST,
        )


REBUILT_AND_REJECTED = (
    turn(environment=["arguments appear", "idle"], response=["silent", "silent"], execution=["no execution"] * 2),
    turn(
        environment=["tool vanishes", "idle"],
        response=["rebuild a call from a ghost", "silent"],
        execution=["reject", "no execution"],
    ),
)


def test_a_call_that_stands_beside_a_recovery_does_not_hide_what_it_recovers_from() -> None:
    # The first tool's new call is no rebuilt one. Yet the second, at the same moment, recovers from the rebuilt one.
    both = turn(environment=["tool returns", "idle"], response=["call", "recover by sibling"], execution=["accept"] * 2)
    last = turn(environment=["idle", "idle"])
    trace = play(NOTHING, script(*REBUILT_AND_REJECTED, both, last, tools=(FIELDS, FIELDS)), NO_GHOST)
    assert [tool["rebuilt"] for tool in trace.requests[3].tools] == [False, True]


def test_the_last_turn_ends_at_its_request() -> None:
    trace = play(NOTHING, script(turn(response=["call"], execution=["accept"])), NO_GHOST)
    assert trace.requests[0].tools[0]["called"] is False


def test_a_ghost_is_judged_where_the_request_is_sent() -> None:
    # After the environment and before the gate this is a ghost; in the request it is none.
    appears = script(turn(budget=3, environment=["arguments appear"]))
    gated = Pruner(*NO_GATE.passes, Pass(gate))
    assert play(gated, appears, NO_GHOST).requests[0].violations == ()
    assert play(NO_GATE, appears, NO_GHOST).requests[0].violations == (0,)


def test_every_violating_tool_is_named_and_only_those_the_property_speaks_of() -> None:
    appear = script(turn(budget=0, environment=["arguments appear"] * 2), tools=(READS_ONLY, FIELDS))
    assert play(NO_GATE, appear, NO_GHOST).requests[0].violations == (0, 1)
    assert play(NO_GATE, appear, NO_MUTATION_GHOST).requests[0].violations == (1,)


def test_a_request_that_was_asked_for_is_honoured_in_the_next_turn_and_then_forgotten() -> None:
    hidden = turn(budget=4, environment=["arguments appear"], response=["request schema"], execution=["no execution"])
    shown = turn(budget=50, response=["silent"], execution=["no execution"])
    tight = turn(budget=4)
    trace = play(schema_first, script(hidden, shown, tight), NO_GHOST)
    assert [request.tools[0]["schema_shown"] for request in trace.requests] == [False, True, False]
    assert [request.tools[0]["requested"] for request in trace.requests] == [False, True, False]


def test_memory_lasts_from_turn_to_turn() -> None:
    def count(tool: Tool, turn: Turn) -> None:
        tool.seen = tool.seen + 1  # type: ignore[attr-defined]

    silent = turn(response=["silent"], execution=["no execution"])
    trace = play(Pruner(Pass(count), memory={"seen": 5}), script(silent, silent, turn()), NO_GHOST)
    assert [request.tools[0]["seen"] for request in trace.requests] == [6, 7, 8]


@pytest.mark.parametrize(
    ("first", "said"),
    [
        (turn(environment=["tool returns"]), "environment action 'tool returns' is not enabled for tool 0"),
        (turn(response=["call blind"], execution=["no execution"]), "response action 'call blind' is not enabled"),
        (turn(response=["call"], execution=["no execution"]), "execution action 'no execution' is not enabled"),
        (turn(response=["silent"], execution=["accept"]), "execution action 'accept' is not enabled"),
    ],
)
def test_a_script_that_takes_an_action_where_it_is_not_enabled_is_ours_to_answer_for(
    first: ScriptTurn, said: str
) -> None:
    with pytest.raises(InternalError, match=said):
        play(NOTHING, script(first, turn()), NO_GHOST)


def test_an_action_left_open_is_the_first_that_is_enabled() -> None:
    open_ends = turn(environment=[""], response=["call"], execution=[""])
    trace = play(NOTHING, script(open_ends, turn()), NO_GHOST)
    assert told(trace.requests[1])[1] == ("execution", "accept", 0)
    assert told(trace.requests[0])[0] == ("environment", "idle", 0)


def test_each_step_tells_what_changed_and_nothing_else() -> None:
    trace = play(argument_first, script(turn(budget=4, environment=["arguments appear"])), NO_GHOST)
    state: dict[str, Any] = {**FIELDS, **INITIAL}
    for step in trace.requests[0].steps:
        if isinstance(step, Step):
            assert {name: state[name] for name in step.before} == step.before
            assert step.before.keys() == step.after.keys()
            assert all(step.before[name] != step.after[name] for name in step.after)
            state.update(step.after)
    assert state == trace.requests[0].tools[0]


def test_the_size_of_a_trace() -> None:
    silent = turn(budget=7, response=["silent"] * 2, execution=["no execution"] * 2, environment=["idle"] * 2)
    constant = play(NOTHING, script(silent, silent, tools=(FIELDS, FIELDS)), NO_GHOST, budgets=("total_budget",))
    assert constant.size == (2, 2)
    unread = play(NOTHING, script(silent, tools=(FIELDS, FIELDS)), NO_GHOST, budgets=())
    assert unread.size == (1, 2)
    assert unread.names == ("tool_1", "tool_2")


sessions = st.tuples(st.sampled_from(sorted(CORPUS)), st.sampled_from(SCENARIOS), st.integers(1, 3), st.integers(1, 3))


@settings(max_examples=60)
@given(sessions, st.data())
def test_the_script_of_a_trace_plays_to_the_same_trace(session: tuple[str, Any, int, int], data: st.DataObject) -> None:
    name, scenario, tools, turns = session
    budgets = lift_pruner(CORPUS[name]).budget_names
    drawn = random_script(
        lambda options: data.draw(st.sampled_from(options)), CORPUS[name], scenario, budgets, tools, turns
    )
    if drawn is None:
        return
    trace: Trace = play(CORPUS[name], drawn, NO_GHOST, budgets=budgets)
    assert trace.script == drawn
    assert play(CORPUS[name], trace.script, NO_GHOST, budgets=budgets) == trace
    # And it survives the way through JSON-able data, as it crosses to the child and back.
    assert script_of(asdict(drawn)) == drawn
    assert trace_of(asdict(trace)) == trace


@settings(max_examples=40)
@given(sessions, st.data())
def test_tampering_with_a_script_changes_the_trace_or_does_not_replay(
    session: tuple[str, Any, int, int], data: st.DataObject
) -> None:
    name, scenario, tools, turns = session
    budgets = lift_pruner(CORPUS[name]).budget_names
    drawn = random_script(
        lambda options: data.draw(st.sampled_from(options)), CORPUS[name], scenario, budgets, tools, turns
    )
    if drawn is None:
        return
    trace = play(CORPUS[name], drawn, NO_GHOST, budgets=budgets)
    fewer = replace(drawn, turns=drawn.turns[:-1])
    grown = replace(drawn, tools=({**drawn.tools[0], "schema_tokens": 77}, *drawn.tools[1:]))
    assert play(CORPUS[name], fewer, NO_GHOST, budgets=budgets) != trace
    try:
        changed = play(CORPUS[name], grown, NO_GHOST, budgets=budgets)
    except InternalError:
        return  # the larger schema was hidden, and what followed is not enabled any more
    assert changed != trace
