"""T12's observer sees what the plain functions did, each wrong log fails for its own reason, and the proof can fail."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ghostproof.engines.problem import Bounds
from ghostproof.turn.action import Others
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.response import RESPONSE
from ghostproof.turn.scenario import ANYTHING
from ghostproof.turn.session import new_tool, play
from ghostproof.turn.trace import Script, ScriptTurn, Step, Trace
from ghostproof.turn.verdict import Refuted, Undetermined, Vacuous
from ghostproof.variants.arbitration import argument_first
from ghostproof_proofs import t12_arguments
from ghostproof_proofs.broken.signals import BROKEN
from ghostproof_proofs.sessions import observed
from ghostproof_proofs.signals import log_request, logged, logging
from ghostproof_proofs.t12_arguments import ASKING, counts, logged_exactly, miscounted

TOOL = {"mutation": True, "pinned": False, "schema_tokens": 1, "argument_tokens": 1, "tombstone_tokens": 1}


def script(*turns: tuple[str, str]) -> Script:
    """One tool on a budget that always suffices: environment and response of each turn."""
    told = [
        ScriptTurn({"total_budget": 99}, (happens,), (said,), ("accept" if said == "call" else "no execution",))
        for happens, said in turns
    ]
    return Script((TOOL,), 0, tuple(told))


# Called, gone and requested in view of the tombstone; back and called, gone and requested again; then silence.
TWICE = script(
    ("idle", "call"),
    ("tool vanishes", "request schema"),
    ("tool returns", "call"),
    ("tool vanishes", "request schema"),
    ("idle", "silent"),
    ("idle", "silent"),
)


def test_the_log_is_read_off_the_played_session() -> None:
    trace = play(logged, TWICE, NO_GHOST)
    assert counts(trace, 0) == [0, 0, 1, 1, 2, 2]
    assert [request.tools[0]["signals_logged"] for request in trace.requests] == [0, 0, 1, 1, 2, 2]


def trace_of(name: str) -> Trace:
    verdict = observed(BROKEN[name], ANYTHING, miscounted())
    assert isinstance(verdict, Refuted)
    assert isinstance(verdict.trace, Trace)
    return verdict.trace


@pytest.mark.parametrize(
    ("name", "logs", "sees"),
    [
        ("logged twice", 2, 1),
        ("logged late", 0, 1),
        ("present tombstone", 0, 1),
        ("expansions", 0, 1),
        ("any request", 1, 0),
        ("visible tools", 1, 0),
    ],
)
def test_each_wrong_log_differs_in_its_own_way(name: str, logs: int, sees: int) -> None:
    trace = trace_of(name)
    assert trace.requests[-1].tools[0]["signals_logged"] == logs
    assert counts(trace, 0)[-1] == sees
    happened = [s.action for r in trace.requests for s in r.steps if isinstance(s, Step) and s.actor == "environment"]
    reason = {"present tombstone": {"tombstone is lost", "tool returns", "schema is shown lossily"}}
    reason["expansions"] = {"tool vanishes"}
    assert not reason.get(name) or reason[name] & set(happened)


@pytest.mark.parametrize("name", ["present tombstone", "any request"])
def test_no_wrong_log_is_proved(name: str) -> None:
    assert isinstance(logged_exactly(BROKEN[name], ANYTHING), Undetermined)


def test_an_observer_that_misses_a_request_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(t12_arguments, "ASKING", ())
    assert isinstance(logged_exactly(logged, ANYTHING), Undetermined)


def test_a_log_of_nothing_is_vacuous_where_nothing_can_be_requested() -> None:
    silent = replace(ANYTHING, name="no requests", responses=("silent", "call"))
    verdict = logged_exactly(logged, silent)
    assert isinstance(verdict, Vacuous)
    assert "pass log_request changes something" in verdict.which


def test_a_session_that_does_not_show_the_difference_is_no_counterexample() -> None:
    trace = play(logged, TWICE, NO_GHOST)
    assert not miscounted().seen(trace)
    never = logging((), "no log at all")
    assert miscounted().seen(play(never, TWICE, NO_GHOST))
    assert isinstance(observed(never, ANYTHING, miscounted(), Bounds(turns=3, tools=1)), Refuted)


def test_what_asks_is_every_response_that_leaves_a_request() -> None:
    asking = []
    for action in RESPONSE:
        tool = new_tool(TOOL, {})
        action.effect(tool, Others(rejected=True, rebuilt=True))
        if tool.requested:
            asking.append(action.name)
    assert sorted(asking) == sorted(ASKING)


def test_the_log_stands_first_and_the_note_last() -> None:
    assert logged.passes == (Pass(log_request), *argument_first.passes, logged.passes[-1])
    swapped = Pruner(*argument_first.passes, logged.passes[-1], Pass(log_request), memory=logged.memory, name="swapped")
    assert isinstance(logged_exactly(swapped, ANYTHING), Undetermined)
