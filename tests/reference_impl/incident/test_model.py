"""The scripted model is moved by what stands in the request, and by nothing else."""

from __future__ import annotations

import json
from typing import Any

from ghostproof_reference.gate import tombstone_line
from ghostproof_reference.incident.model import FailsOpen
from ghostproof_reference.incident.script import SCRIPT
from ghostproof_reference.incident.tools import SCHEMAS, declarations
from reference_impl.incident.playing import request_of


def calls(request: dict[str, Any]) -> list[tuple[str, dict[str, object]]]:
    return [(tool, dict(arguments)) for tool, arguments in FailsOpen(dict(SCRIPT)).answer(request).calls]


def ghostly() -> dict[str, Any]:
    """The first request of turn 9 without the gate."""
    return request_of(9, gate=False)


def emptied(request: dict[str, Any], tool: str) -> dict[str, Any]:
    for message in request["messages"]:
        for call in message.get("tool_calls", []):
            if call["function"]["name"] == tool:
                call["function"]["arguments"] = "{}"
    return request


def test_a_ghost_is_rebuilt() -> None:
    assert calls(ghostly()) == [
        ("update_incident", {"incident_id": "INC-1", "severity": "SEV-1", "assignee_id": "u-117"})
    ]


def test_rebuilt_from_the_arguments_that_stand_there() -> None:
    request = ghostly()
    text = json.dumps(request["messages"]).replace("u-117", "u-999")
    [(_, arguments)] = calls({**request, "messages": json.loads(text)})
    assert arguments["assignee_id"] == "u-999"


def test_with_the_schema_back_the_call_is_whole() -> None:
    request = ghostly()
    request["tools"] = declarations(SCHEMAS)
    [(tool, arguments)] = calls(request)
    assert (tool, arguments["notify"], arguments["assignee_id"]) == ("update_incident", True, "u-117")


def test_a_tombstone_leads_to_the_request_tool() -> None:
    request = ghostly()
    line = tombstone_line("update_incident", "request_tool_schema")
    request["messages"].append({"role": "system", "content": line})
    assert calls(request) == [("request_tool_schema", {"tool_name": "update_incident"})]


def test_a_tombstone_without_the_tool_it_names_leads_nowhere() -> None:
    request = ghostly()
    line = tombstone_line("update_incident", "request_tool_schema")
    request["messages"].append({"role": "system", "content": line})
    request["tools"] = [entry for entry in request["tools"] if entry["function"]["name"] != "request_tool_schema"]
    assert [tool for tool, _ in calls(request)] == ["update_incident"]


def test_a_tombstone_of_another_tool_does_not_help() -> None:
    request = ghostly()
    request["messages"].append({"role": "system", "content": tombstone_line("page_person", "request_tool_schema")})
    assert [tool for tool, _ in calls(request)] == ["update_incident"]


def test_without_arguments_it_asks() -> None:
    request = ghostly()
    request["messages"] = [
        message for message in request["messages"] if not message.get("tool_calls") and message["role"] != "tool"
    ]
    assert calls(request) == []
    assert "update_incident" in FailsOpen(dict(SCRIPT)).answer(request).text


def test_emptied_arguments_give_nothing_to_rebuild_from() -> None:
    assert calls(emptied(ghostly(), "update_incident")) == []


def test_a_sentence_that_it_does_not_understand_moves_nothing() -> None:
    request = ghostly()
    request["messages"][-1]["content"] = "Bump it."
    assert calls(request) == []
