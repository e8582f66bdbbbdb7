"""Each action: where it can be taken, and what it leaves behind."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from ghostproof.turn.action import Action, Kind, Others
from ghostproof.turn.environment import ENVIRONMENT, ENVIRONMENT_BY_NAME, HISTORY, ORDINARY, settle
from ghostproof.turn.response import EXECUTION, EXECUTION_BY_NAME, RESPONSE, RESPONSE_BY_NAME, open_response
from ghostproof.turn.session import changes, snapshot
from ghostproof.turn.tool import Tool, Value
from turn.states import ghost, tool

ALONE = Others(rejected=False, rebuilt=False)
BESIDE_A_REJECTION = Others(rejected=True, rebuilt=False)
BESIDE_A_REBUILT_ONE = Others(rejected=True, rebuilt=True)
TABLE = {**ENVIRONMENT_BY_NAME, **RESPONSE_BY_NAME, **EXECUTION_BY_NAME}

SHOWN = tool()
CALLED_BEFORE = tool(calls_resident=1, calls=1)
LOSSY = tool(schema_lossy=True, calls_resident=1)
UNSEEN = tool(schema_shown=False)
GHOST = ghost()
READING_GHOST = ghost(mutation=False)
TOMBSTONED = ghost(tombstone_resident=True, calls_before_tombstone=1)
LONELY_TOMBSTONE = tool(schema_shown=False, tombstone_resident=True)
GONE = tool(schema_shown=False, registered=False)
REVEALED = tool(evidence_resident=True, calls_resident=1)
TRUNCATED = tool(truncated=True, calls_resident=1)
ALL = {
    "shown": SHOWN,
    "called before": CALLED_BEFORE,
    "lossy": LOSSY,
    "unseen": UNSEEN,
    "ghost": GHOST,
    "reading ghost": READING_GHOST,
    "tombstoned": TOMBSTONED,
    "lonely tombstone": LONELY_TOMBSTONE,
    "gone": GONE,
    "revealed": REVEALED,
    "truncated": TRUNCATED,
}
EVERYWHERE = set(ALL)
CALLED = {"called before", "lossy", "ghost", "reading ghost", "tombstoned", "revealed"}
IN_VIEW = {"shown", "called before", "revealed", "truncated"}


@dataclass(frozen=True)
class Expected:
    """Where an action is enabled, and what it changes in a given state."""

    enabled: set[str]
    start: Tool
    changed: dict[str, Value]
    others: Others = ALONE
    fields: dict[str, Value] = field(default_factory=dict)


EXPECTED: dict[str, Expected] = {
    # environment
    "idle": Expected(EVERYWHERE, SHOWN, {}),
    "schema migrates": Expected(EVERYWHERE - {"gone"}, CALLED_BEFORE, {"arguments_current": False}),
    "schema migrates behind a cache": Expected(
        EVERYWHERE - {"gone"}, CALLED_BEFORE, {"arguments_current": False, "schema_current": False}
    ),
    "tool vanishes": Expected(
        EVERYWHERE - {"gone"}, LOSSY, {"registered": False, "schema_shown": False, "schema_lossy": False}
    ),
    "tool returns": Expected(
        {"gone"},
        tool(
            schema_shown=False,
            registered=False,
            schema_current=False,
            tombstone_resident=True,
            calls_before_tombstone=2,
            calls_resident=3,
        ),
        {
            "registered": True,
            "schema_shown": True,
            "schema_current": True,
            "tombstone_resident": False,
            "calls_before_tombstone": 0,
        },
    ),
    "arguments appear": Expected(EVERYWHERE, SHOWN, {"calls_resident": 1, "arguments_current": False}),
    "tombstone is lost": Expected(
        {"tombstoned", "lonely tombstone"}, TOMBSTONED, {"tombstone_resident": False, "calls_before_tombstone": 0}
    ),
    "schema is shown lossily": Expected(
        EVERYWHERE - {"gone"},
        TOMBSTONED,
        {"schema_shown": True, "schema_lossy": True, "tombstone_resident": False, "calls_before_tombstone": 0},
    ),
    # inside the history
    "schema is revealed": Expected(
        {"unseen", "ghost", "reading ghost", "tombstoned", "lonely tombstone"},
        TOMBSTONED,
        {"schema_shown": True, "evidence_resident": True, "tombstone_resident": False, "calls_before_tombstone": 0},
    ),
    "discovery evidence is lost": Expected({"revealed"}, REVEALED, {"schema_shown": False, "evidence_resident": False}),
    "arguments are emptied": Expected(
        CALLED | {"truncated"}, TOMBSTONED, {"calls_resident": 0, "calls_before_tombstone": 0, "emptied": True}
    ),
    "arguments are truncated": Expected(CALLED, CALLED_BEFORE, {"truncated": True}),
    # response
    "silent": Expected(EVERYWHERE, GHOST, {}),
    "call": Expected(IN_VIEW, tool(rebuilt=True), {"called": True, "rebuilt": False}),
    "request schema": Expected({"tombstoned", "lonely tombstone"}, TOMBSTONED, {"requested": True}),
    "rebuild a call from a ghost": Expected(
        {"lossy", "ghost", "reading ghost"}, READING_GHOST, {"called": True, "rebuilt": True}
    ),
    "rebuild a call from a mutation ghost": Expected({"lossy", "ghost"}, GHOST, {"called": True, "rebuilt": True}),
    "ask for a ghost": Expected({"lossy", "ghost", "reading ghost"}, GHOST, {"requested": True}),
    "ask": Expected({"unseen", "gone"}, UNSEEN, {"requested": True}),
    "call blind": Expected({"unseen", "gone"}, UNSEEN, {"called": True}),
    "recover by sibling": Expected(
        IN_VIEW,
        SHOWN,
        {"called": True, "recovering": True, "rebuilt": True},
        BESIDE_A_REBUILT_ONE,
    ),
    "call despite the tombstone": Expected({"tombstoned"}, TOMBSTONED, {"called": True, "rebuilt": True}),
    # execution
    "no execution": Expected(EVERYWHERE, tool(rejected=True), {"rejected": False}),
    "accept": Expected(
        EVERYWHERE - {"gone"},
        tool(called=True, recovering=True, rejected=True),
        {"rejected": False, "duplicated": True},
        fields={"called": True},
    ),
    "reject": Expected(EVERYWHERE - IN_VIEW, ghost(called=True), {"rejected": True}, fields={"called": True}),
    "execute unvalidated": Expected(
        EVERYWHERE - IN_VIEW - {"gone"},
        ghost(called=True, recovering=True, mutation=False, duplicated=True),
        {"duplicated": False},
        fields={"called": True},
    ),
}


def copied(state: Tool, **fields: Value) -> Tool:
    return Tool({**state.__dict__, **fields})


def test_every_action_has_its_expectation() -> None:
    assert set(EXPECTED) == {action.name for action in (*ENVIRONMENT, *HISTORY, *RESPONSE, *EXECUTION)}


@pytest.mark.parametrize("name", EXPECTED)
def test_an_action_is_enabled_exactly_where_it_should_be(name: str) -> None:
    expected = EXPECTED[name]
    enabled = {
        label for label, state in ALL.items() if TABLE[name].guard(copied(state, **expected.fields), expected.others)
    }
    assert enabled == expected.enabled


@pytest.mark.parametrize("name", EXPECTED)
def test_an_action_changes_exactly_what_it_should(name: str) -> None:
    expected = EXPECTED[name]
    state = copied(expected.start)
    assert TABLE[name].guard(state, expected.others)
    before = snapshot(state)
    TABLE[name].effect(state, expected.others)
    assert changes(before, snapshot(state)) == expected.changed


@pytest.mark.parametrize("action", [*ENVIRONMENT, *HISTORY, *RESPONSE, *EXECUTION], ids=lambda action: action.name)
def test_an_action_never_touches_a_fixed_field_nor_adds_one(action: Action) -> None:
    for state in ALL.values():
        for called in (False, True):
            acted = copied(state, called=called)
            before = snapshot(acted)
            if action.guard(acted, BESIDE_A_REJECTION):
                action.effect(acted, BESIDE_A_REJECTION)
            assert set(changes(before, snapshot(acted))).isdisjoint(
                {"mutation", "pinned", "schema_tokens", "argument_tokens", "tombstone_tokens"}
            )
            assert acted.__dict__.keys() == before.keys()


def test_a_sibling_recovers_only_after_a_rejection_elsewhere() -> None:
    recover = TABLE["recover by sibling"]
    assert not recover.guard(tool(), ALONE)
    assert recover.guard(tool(), BESIDE_A_REJECTION)
    state = tool()
    recover.effect(state, BESIDE_A_REJECTION)
    assert (state.called, state.recovering, state.rebuilt) == (True, True, False)


@pytest.mark.parametrize(
    ("fields", "accepted", "rejected", "unvalidated"),
    [
        # With the schema in view a call fails only where the view is stale; without it, it may always fail.
        ({"called": True}, True, False, False),
        ({"called": True, "schema_current": False}, False, True, False),
        ({"called": True, "schema_shown": False}, True, True, True),
        ({"called": True, "schema_shown": False, "arguments_current": False}, False, True, True),
        ({"called": True, "schema_lossy": True}, True, True, True),
        ({"called": True, "schema_lossy": True, "arguments_current": False}, False, True, True),
        ({"called": True, "registered": False}, False, True, False),
        ({"called": True, "registered": False, "schema_shown": False}, False, True, False),
        ({"called": False, "schema_shown": False}, False, False, False),
    ],
)
def test_what_the_executor_may_do(fields: dict[str, Value], accepted: bool, rejected: bool, unvalidated: bool) -> None:
    state = tool(**fields)
    answers = {name: EXECUTION_BY_NAME[name].guard(state, ALONE) for name in EXECUTION_BY_NAME}
    assert answers == {
        "no execution": not fields["called"],
        "accept": accepted,
        "reject": rejected,
        "execute unvalidated": unvalidated,
    }


@pytest.mark.parametrize("called", [False, True])
@pytest.mark.parametrize("label", ALL)
def test_the_executor_can_always_do_something(label: str, called: bool) -> None:
    state = copied(ALL[label], called=called)
    assert any(action.guard(state, ALONE) for action in EXECUTION)


def test_a_call_that_settles_becomes_resident() -> None:
    state = tool(called=True, idle_turns=4, calls=2, calls_resident=1)
    settle(state)
    assert (state.called, state.calls_resident, state.calls, state.idle_turns) == (False, 2, 3, 0)
    assert state.arguments_current


def test_a_rejected_call_leaves_arguments_that_do_not_match() -> None:
    state = tool(called=True, rejected=True)
    settle(state)
    assert not state.arguments_current


def test_a_turn_without_a_call_is_one_more_idle_turn_and_nothing_else() -> None:
    state = ghost(idle_turns=4)
    before = snapshot(state)
    settle(state)
    assert changes(before, snapshot(state)) == {"idle_turns": 5}


def test_opening_a_response_forgets_the_pending_request_and_the_recovery() -> None:
    state = tool(requested=True, recovering=True, rejected=True)
    before = snapshot(state)
    open_response(state)
    assert changes(before, snapshot(state)) == {"requested": False, "recovering": False}


def test_ordinary_are_idling_and_migration() -> None:
    assert ORDINARY == ("idle", "schema migrates")
    assert {a.kind for a in ENVIRONMENT} == {Kind.ORDINARY, Kind.DISRUPTIVE}
    assert {a.kind for a in RESPONSE} == {Kind.RESPONSE}
    assert {a.kind for a in EXECUTION} == {Kind.EXECUTION}
