"""T9: the incident has the seed's events in order, descent is what it says, and the proofs can fail."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from ghostproof.engines.problem import Bounds
from ghostproof.lift.plain import OTHERS, lift_pruner
from ghostproof.lift.single import RESPONSE, single_tool
from ghostproof.lift.term import variables_of
from ghostproof.turn.action import Others
from ghostproof.turn.environment import ENVIRONMENT, settle
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.response import EXECUTION, open_response
from ghostproof.turn.scenario import ANYTHING, ORDINARY_SESSION, Scenario
from ghostproof.turn.session import Arbitration, new_tool, others_of
from ghostproof.turn.tool import Tool
from ghostproof.turn.trace import Trace
from ghostproof.turn.verdict import HoldsTo, Proved, Refuted, Undetermined, Vacuous
from ghostproof.variants.arbitration import argument_first
from ghostproof_proofs.absences import NO_GHOST_TO_ANSWER
from ghostproof_proofs.ancestry import ANYTHING_R2, MEEK, NO_DESCENDANT, NO_DUPLICATING_DESCENDANT, NO_HARM, ORDINARY_R2
from ghostproof_proofs.frequency import gated, ungated
from ghostproof_proofs.sessions import breach, observed
from ghostproof_proofs.t9_arguments import (
    KINDS,
    KNOWN,
    among_unbroken,
    events,
    incident,
    incidents,
    never,
    one_response,
    responding,
)

NOBODY = Others(rejected=False, rebuilt=False)


def trace_of(verdict: object) -> Trace:
    assert isinstance(verdict, Refuted)
    assert isinstance(verdict.trace, Trace)
    return verdict.trace


def test_the_incident_is_the_seeds_events_in_order_and_nothing_else() -> None:
    trace = trace_of(observed(ungated, MEEK, incident()))
    told = events(trace)
    assert [kind for kind, _ in told] == list(KINDS)
    ((lost, sibling),) = incidents(trace)
    assert [tool for _, tool in told] == [lost] * 4 + [sibling] * 2
    assert trace.size == (5, 2)


def test_the_incident_needs_every_one_of_its_events() -> None:
    # Without a migration a duplicate is reached one request sooner, and it is not the incident.
    sooner = trace_of(observed(ungated, MEEK, breach(NO_DUPLICATING_DESCENDANT)))
    assert sooner.size == (4, 2)
    assert not incidents(sooner)
    assert set(KINDS) - {kind for kind, _ in events(sooner)} == {"the schema migrates"}


def test_with_the_gate_and_r2_no_session_shows_the_incident() -> None:
    assert isinstance(observed(gated, ANYTHING_R2, incident()), HoldsTo)


@pytest.mark.parametrize(
    ("pruner", "scenario"),
    [(ungated, ANYTHING_R2), (gated, ANYTHING), (argument_first, ANYTHING)],
    ids=["no gate", "no R2", "argument-first, no R2"],
)
def test_descent_is_not_proved_away_where_it_happens(pruner: Pruner, scenario: Scenario) -> None:
    verdict = never(pruner, scenario, NO_DESCENDANT, frozenset())
    assert isinstance(verdict, Undetermined)


def test_one_response_is_not_enough_without_r2() -> None:
    assert isinstance(one_response(ANYTHING_R2), Proved)
    assert isinstance(one_response(ANYTHING), Undetermined)


def test_harm_is_not_proved_away_in_sessions_with_blind_calls() -> None:
    assert isinstance(never(gated, ANYTHING_R2, NO_HARM, frozenset()), Undetermined)


def test_what_is_said_to_be_absent_is_missed_when_it_is_asked_for() -> None:
    verdict = never(gated, ORDINARY_R2, NO_HARM, NO_GHOST_TO_ANSWER)
    assert isinstance(verdict, Vacuous)
    # A recovery needs another tool's rejection, of which one tool alone knows nothing: its absence is not shown.
    assert set(verdict.which) == {"execution: reject", "execution: execute unvalidated"}


def test_only_what_breaks_the_property_is_assumed_of_others() -> None:
    rejected, rebuilt = KNOWN
    assert set(among_unbroken(NO_DESCENDANT)) == {rebuilt}
    assert set(among_unbroken(NO_HARM)) == {rejected, rebuilt}
    assert not among_unbroken(NO_GHOST)


@pytest.mark.parametrize("states", [(a, b, c, d) for a in (0, 1) for b in (0, 1) for c in (0, 1) for d in (0, 1)])
def test_what_is_known_of_others_comes_from_one_of_them(states: Sequence[int]) -> None:
    fixed = {"mutation": True, "pinned": False, "schema_tokens": 1, "argument_tokens": 1, "tombstone_tokens": 1}
    tools = [new_tool(fixed, {}) for _ in range(3)]
    for tool, rejected, rebuilt in zip(tools[1:], states[::2], states[1::2], strict=True):
        tool.rejected, tool.rebuilt = bool(rejected), bool(rebuilt)
    known = others_of(tools, 0)
    assert known.rejected == any(tool.rejected for tool in tools[1:])
    assert known.rebuilt == any(tool.rejected and tool.rebuilt for tool in tools[1:])


def test_only_responses_know_of_other_tools() -> None:
    system = responding(single_tool(lift_pruner(gated), ANYTHING, NO_DESCENDANT), NO_DESCENDANT)
    for command in system.commands:
        knows = [n for n in variables_of(command.guard, *command.updates.values()) if n.startswith(OTHERS)]
        assert not knows or (command.source == RESPONSE and OTHERS + "rebuilt" not in knows)


def ancestry(choices: Sequence[str], before: Sequence[tuple[bool, bool]]) -> list[bool | None]:
    """For each tool whether its new call descends from a ghost, None without a new call; told by the answers alone."""
    made: list[bool | None] = []
    for tool, name in enumerate(choices):
        others = [rejected and descends for place, (rejected, descends) in enumerate(before) if place != tool]
        rebuilt = name in ("rebuild a call from a ghost", "call despite the tombstone")
        called = rebuilt or name in ("call", "call blind", "recover by sibling")
        made.append((rebuilt or (name == "recover by sibling" and any(others))) if called else None)
    return made


def test_the_mark_of_descent_is_descent() -> None:
    # Rebuilt calls, and workarounds of both kinds: the comparison is about all of them.
    found: set[tuple[str, bool | None]] = set()
    for seed in range(20):
        found |= compared(random.Random(seed))
    assert found >= {
        ("call", False),
        ("rebuild a call from a ghost", True),
        ("recover by sibling", True),
        ("recover by sibling", False),
    }


def compared(dice: random.Random) -> set[tuple[str, bool | None]]:
    """One random session, in which the mark is compared with descent; what was called and whether it descends."""
    fixed = {"mutation": True, "pinned": False, "schema_tokens": 1, "argument_tokens": 1, "tombstone_tokens": 1}
    tools: list[Tool] = [new_tool(fixed, {}) for _ in range(3)]
    known = [(False, False)] * 3
    found: set[tuple[str, bool | None]] = set()
    for _ in range(30):
        for tool in tools:
            settle(tool)
            dice.choice([a for a in ENVIRONMENT if a.guard(tool, NOBODY)]).effect(tool, NOBODY)
        Arbitration(ungated, tools, {"total_budget": dice.randint(0, 12)}, 0).run()
        for tool in tools:
            open_response(tool)
        seen = [others_of(tools, place) for place in range(3)]
        taken = [
            dice.choice([a for a in ANYTHING.response_actions if a.guard(tool, others)])
            for tool, others in zip(tools, seen, strict=True)
        ]
        for tool, action, others in zip(tools, taken, seen, strict=True):
            action.effect(tool, others)
        made = ancestry([action.name for action in taken], known)
        found |= {(action.name, new) for action, new in zip(taken, made, strict=True)}
        for tool in tools:
            dice.choice([a for a in EXECUTION if a.guard(tool, NOBODY)]).effect(tool, NOBODY)
        known = [
            (tool.rejected, old if new is None else new) for tool, new, (_, old) in zip(tools, made, known, strict=True)
        ]
        assert [tool.rebuilt for tool in tools] == [descends for _, descends in known]
    return found


def test_a_duplicate_may_follow_without_a_ghost_but_not_in_an_ordinary_obedient_session() -> None:
    assert isinstance(observed(gated, ORDINARY_R2, breach(NO_HARM), Bounds(turns=4, tools=2)), HoldsTo)
    assert isinstance(observed(gated, ORDINARY_SESSION, breach(NO_HARM), Bounds(turns=4, tools=2)), Refuted)
