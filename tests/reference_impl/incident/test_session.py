"""The seed's session goes as the seed tells it, and otherwise with the gate."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator

from ghostproof_reference.incident.session import play
from ghostproof_reference.incident.tools import EFFECTS, MIGRATED, SCHEMAS, declarations, migrated
from ghostproof_reference.request import Effect
from reference_impl.incident.playing import of_kind, played, request_of


def test_fourteen_tools_with_real_schemas() -> None:
    assert len(SCHEMAS) == 14
    for schema in (*SCHEMAS.values(), *migrated(SCHEMAS).values()):
        Draft202012Validator.check_schema(schema)
        assert schema["required"]
    assert EFFECTS[MIGRATED] is Effect.MUTATION


def test_the_migration_changes_one_field_of_one_tool() -> None:
    after = migrated(SCHEMAS)
    assert [name for name in SCHEMAS if SCHEMAS[name] != after[name]] == ["update_incident"]
    before, now = SCHEMAS[MIGRATED]["properties"], after[MIGRATED]["properties"]
    assert isinstance(before, dict)
    assert isinstance(now, dict)
    assert [name for name in before if before[name] != now[name]] == ["assignee_id"]
    assert declarations(after) != declarations(SCHEMAS)


def test_both_sessions_are_the_same_until_the_schema_is_pruned() -> None:
    bare, gated = ([e for e in played(gate) if e.turn < 7] for gate in (False, True))
    assert bare == gated
    assert {e.subject for e in bare if e.kind == "call" and e.turn == 2} == {"update_incident"}
    assert not [e for e in bare if e.kind == "rejected"]


def test_it_is_pruned_after_turn_6_in_both() -> None:
    for gate in (False, True):
        turns = [e.turn for e in played(gate) if e.kind == "pruned" and e.subject == "update_incident"]
        assert turns == [7]
        never_called = [e.subject for e in played(gate) if e.kind == "pruned"][:4]
        assert never_called == ["get_incident", "page_person", "create_ticket", "schedule_review"]


def test_without_the_gate_the_triad_and_a_duplicate() -> None:
    first = json.loads(of_kind("call", False, 2)[0][1])
    rebuilt, workaround = of_kind("call", False, 9)
    assert rebuilt[0] == "update_incident"
    assert json.loads(rebuilt[1]).keys() == first.keys() - {"notify"}
    assert json.loads(rebuilt[1])["assignee_id"] == first["assignee_id"]
    [(tool, error)] = of_kind("rejected", False)
    assert tool == "update_incident"
    assert "'notify' is a required property" in error
    assert "assignee_id: 'u-117' is not of type 'object'" in error
    assert workaround[0] == "create_incident"
    assert of_kind("duplicate", False) == [("INC-3", "INC-1")]
    assert of_kind("signal", False) == []


def test_with_the_gate_it_asks_and_calls_once() -> None:
    calls = of_kind("call", True, 9)
    assert [tool for tool, _ in calls] == ["request_tool_schema", "update_incident"]
    assert json.loads(calls[1][1]) == {
        "incident_id": "INC-1",
        "severity": "SEV-1",
        "assignee_id": {"kind": "user", "id": "u-117"},
        "notify": True,
    }
    assert of_kind("signal", True) == [("update_incident", "model requested re-expansion of tombstoned tool")]
    assert of_kind("rejected", True) == of_kind("duplicate", True) == []


def test_the_validator_decides_not_the_script() -> None:
    """With a validator that accepts everything the rebuilt call goes through, and nobody works around it."""
    events = play(lambda schema, arguments: (), gate=False)
    last = [(e.kind, e.subject) for e in events if e.turn == 9 and e.kind in ("call", "rejected", "duplicate")]
    assert last == [("call", "update_incident")]


@pytest.mark.parametrize("gate", [False, True])
def test_the_tools_are_declared_alike_in_both(gate: bool) -> None:
    """The request tool too: what is missing without the gate is the tombstone that leads to it."""
    declared = request_of(1, gate)["tools"]
    assert [entry["function"]["name"] for entry in declared] == [*SCHEMAS, "request_tool_schema"]
