"""T13: the order is read off played sessions, each break has its own cause, and the proof can fail."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest

from ghostproof.engines.problem import Bounds
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.scenario import ORDINARY_SESSION, Scenario
from ghostproof.turn.session import play
from ghostproof.turn.tool import Tool
from ghostproof.turn.trace import Script, ScriptTurn, Trace
from ghostproof.turn.verdict import HoldsTo, Refuted, Undetermined, Vacuous
from ghostproof_proofs.absences import NO_TOMBSTONES
from ghostproof_proofs.frequency import ungated
from ghostproof_proofs.sessions import observed
from ghostproof_proofs.t2_parts import ANY_BUDGETS, BLIND, ordinary_and
from ghostproof_proofs.t13_arguments import in_order, out_of_order
from ghostproof_proofs.t13_order import APPEARING, BY_RECENCY, BY_SIZE, T13


def twice_the_calls_less_the_last_turn(tool: Tool) -> int:
    """By number of calls; of equal ones the tool that was not called in the last response comes first."""
    return tool.calls + tool.calls - (1 if tool.idle_turns > 0 else 0)


def trace_of(question: str) -> Trace:
    found = next(item for item in T13.questions if item.label == question)
    verdict = found.discharge()  # type: ignore[union-attr]  # T13 has obligations only
    assert isinstance(verdict, Refuted)
    assert isinstance(verdict.trace, Trace)
    return verdict.trace


def survivors(trace: Trace) -> list[tuple[Tool, Tool]]:
    """The tools with arguments that come before a ghost in the last request and are none, each with that ghost."""
    tools = [Tool(tool) for tool in trace.requests[-1].tools]
    return [
        (tools[a], tools[b])
        for a, b in permutations(range(len(tools)), 2)
        if tools[b].ghost and tools[a].arguments_resident and not tools[a].ghost
        if (tools[a].calls, a) < (tools[b].calls, b)
    ]


@pytest.mark.parametrize(
    "question", ["by recency", "by size", "pins", "tool vanishes", "lossy schema", "blind call", "arguments appear"]
)
def test_each_break_is_in_the_first_request_with_a_ghost(question: str) -> None:
    trace = trace_of(question)
    assert survivors(trace)
    assert not any(request.violations for request in trace.requests[:-1])


def test_the_causes_are_those_that_the_claim_names() -> None:
    ((kept, lost),) = survivors(trace_of("by size"))
    assert lost.schema_tokens > kept.schema_tokens
    ((kept, lost),) = survivors(trace_of("by recency"))
    assert lost.idle_turns > kept.idle_turns
    ((kept, lost),) = survivors(trace_of("pins"))
    assert kept.pinned
    ((kept, lost),) = survivors(trace_of("tool vanishes"))
    assert not lost.registered
    ((kept, lost),) = survivors(trace_of("lossy schema"))
    assert lost.schema_lossy


def session(schemas: tuple[int, int], *turns: tuple[int, str, str]) -> Script:
    """Two tools with schemas of these sizes: budget and both responses of each turn; every call is accepted."""
    sizes = {"mutation": True, "pinned": False, "argument_tokens": 1, "tombstone_tokens": 1}
    told = []
    for budget, *said in turns:
        done = tuple("no execution" if word == "silent" else "accept" for word in said)
        told.append(ScriptTurn({"total_budget": budget}, ("idle", "idle"), tuple(said), done))
    return Script(tuple({**sizes, "schema_tokens": size} for size in schemas), 0, tuple(told))


def test_a_strictly_less_called_tool_can_survive_in_another_order() -> None:
    script = session((9, 1), (99, "call", "silent"), (99, "call", "call"), (9, "silent", "silent"))
    ((kept, lost),) = survivors(play(BY_SIZE, script, NO_GHOST))
    assert (kept.calls, lost.calls) == (1, 2)
    assert out_of_order().seen(play(BY_SIZE, script, NO_GHOST))
    assert not out_of_order().seen(play(ungated, script, NO_GHOST))


def test_only_the_first_ghosts_are_in_order() -> None:
    rebuilt = "rebuild a call from a ghost"
    script = session(
        (1, 1), (99, "call", "silent"), (99, "call", "call"), (4, "silent", rebuilt), (99, "silent", "silent")
    )
    trace = play(ungated, script, NO_GHOST)
    assert [request.violations for request in trace.requests] == [(), (), (1,), (1,)]
    # Being called is what puts the ghost behind the other: it is no longer the least called.
    ((kept, lost),) = survivors(trace)
    assert kept.calls == lost.calls == 2
    assert not out_of_order().seen(trace)


@pytest.mark.parametrize(
    ("pruner", "scenario"),
    [
        pytest.param(BY_SIZE, ORDINARY_SESSION, id="by size"),
        pytest.param(BY_RECENCY, ANY_BUDGETS, id="by recency"),
        pytest.param(ungated, BLIND, id="blind call"),
        pytest.param(ungated, APPEARING, id="arguments appear"),
    ],
)
def test_what_breaks_it_is_not_proved(pruner: Pruner, scenario: Scenario) -> None:
    assert isinstance(in_order(pruner, scenario, NO_TOMBSTONES), Undetermined)


def test_the_order_is_strict_where_calls_differ_and_by_index_where_they_do_not() -> None:
    by_index_from_behind = Pruner(
        ungated.passes[0],
        replace(ungated.passes[1], order=twice_the_calls_less_the_last_turn),
        name="ties by recency",
    )
    assert isinstance(in_order(by_index_from_behind, ANY_BUDGETS, NO_TOMBSTONES), Undetermined)
    trace = observed(by_index_from_behind, ORDINARY_SESSION, out_of_order())
    assert isinstance(trace, Refuted)
    assert isinstance(trace.trace, Trace)
    ((kept, lost),) = survivors(trace.trace)
    assert kept.calls == lost.calls


def test_where_no_tool_becomes_a_ghost_there_is_nothing_to_order() -> None:
    uncalled = replace(ANY_BUDGETS, name="no calls", responses=("silent", "ask"))
    verdict = in_order(ungated, uncalled, frozenset())
    assert isinstance(verdict, Vacuous)
    assert "a request carries arguments" in verdict.which


def test_the_bounded_search_would_find_it() -> None:
    bounds = Bounds(turns=3, tools=3)
    assert isinstance(observed(ungated, ORDINARY_SESSION, out_of_order(), bounds), HoldsTo)
    assert isinstance(observed(BY_RECENCY, ORDINARY_SESSION, out_of_order(), bounds), Refuted)
    assert isinstance(observed(ungated, ordinary_and("tool vanishes"), out_of_order(), bounds), Refuted)
