"""What a model finds in an OpenAI chat request. Nothing else reaches the scripted model."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ghostproof_reference.incident.desk import REJECTED
from ghostproof_reference.request import Schema

Arguments = Mapping[str, object]

_INVITATION = re.compile(r'(\w+)\((\w+)="([^"]+)"\)')
"""A call that a text proposes, such as request_tool_schema(tool_name="update_incident")."""


@dataclass(frozen=True, slots=True)
class Seen:
    """An earlier call with its result, as it stands in the prompt."""

    tool: str
    arguments: Arguments
    result: str

    @property
    def rejected(self) -> bool:
        """Whether the result says that it was not executed."""
        return self.result.startswith(REJECTED)


@dataclass(frozen=True, slots=True)
class Invitation:
    """A text says: before calling `about`, call `tool` with `arguments`."""

    about: str
    tool: str
    arguments: Arguments


@dataclass(frozen=True, slots=True)
class Prompt:
    """`before` and `since` are the calls before and after the user's last sentence."""

    schemas: Mapping[str, Schema]
    sentence: str
    before: Sequence[Seen]
    since: Sequence[Seen]
    invitations: Sequence[Invitation]

    def earlier(self, tool: str) -> Arguments | None:
        """The arguments of the last accepted call of a tool."""
        calls = [call for call in (*self.before, *self.since) if call.tool == tool and not call.rejected]
        return calls[-1].arguments if calls else None

    def invitation(self, about: str) -> Invitation | None:
        """The last invitation that is about a tool, if the tool that it proposes is there."""
        found = [one for one in self.invitations if one.about == about and one.tool in self.schemas]
        return found[-1] if found else None


def read(request: Mapping[str, object]) -> Prompt:
    """The prompt of a request."""
    messages = _objects(request["messages"])
    results = {message["tool_call_id"]: str(message["content"]) for message in messages if message["role"] == "tool"}
    before: list[Seen] = []
    since: list[Seen] = []
    invitations: list[Invitation] = []
    sentence = ""
    for message in messages:
        if message["role"] == "user":
            sentence = str(message["content"])
            before += since
            since.clear()
        elif message["role"] == "system":
            invitations += _invitations(str(message["content"]))
        for call in _objects(message.get("tool_calls") or []):
            made = _object(call["function"])
            arguments = _object(json.loads(str(made["arguments"])))
            since.append(Seen(str(made["name"]), arguments, results.get(call["id"], "")))
    functions = [_object(entry["function"]) for entry in _objects(request.get("tools") or [])]
    schemas = {str(function["name"]): _object(function["parameters"]) for function in functions}
    return Prompt(schemas, sentence, before, since, invitations)


def _invitations(text: str) -> list[Invitation]:
    return [Invitation(about, tool, {name: about}) for tool, name, about in _INVITATION.findall(text)]


def _objects(found: object) -> list[dict[str, object]]:
    assert isinstance(found, list | tuple)
    return [_object(one) for one in found]


def _object(found: object) -> dict[str, object]:
    assert isinstance(found, dict)
    return found
