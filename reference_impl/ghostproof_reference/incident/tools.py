"""The fourteen tools, their schemas before and after the migration, and what they do."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files

from ghostproof_reference.request import Effect, Schema

_DECLARED = json.loads(files(__package__).joinpath("tools.json").read_text(encoding="utf-8"))

SCHEMAS: Mapping[str, Schema] = {tool["name"]: tool["parameters"] for tool in _DECLARED}
"""The schema of each tool when the session begins."""

EFFECTS: Mapping[str, Effect] = {tool["name"]: Effect(tool["effect"]) for tool in _DECLARED}

MIGRATED = "update_incident"

_ASSIGNEE = {
    "type": "object",
    "properties": {"kind": {"type": "string", "enum": ["user", "team"]}, "id": {"type": "string"}},
    "required": ["kind", "id"],
    "additionalProperties": False,
}


def migrated(schemas: Mapping[str, Schema]) -> dict[str, Schema]:
    """The same schemas after the migration: `assignee_id` of `update_incident` is an object, no longer a string."""
    before = schemas[MIGRATED]
    properties = before["properties"]
    assert isinstance(properties, dict)
    return {**schemas, MIGRATED: {**before, "properties": {**properties, "assignee_id": _ASSIGNEE}}}


def declarations(schemas: Mapping[str, Schema]) -> list[dict[str, object]]:
    """The tools field of an OpenAI chat request."""
    return [
        {
            "type": "function",
            "function": {
                "name": tool["name"],
                "description": tool["description"],
                "parameters": schemas[tool["name"]],
            },
        }
        for tool in _DECLARED
    ]
