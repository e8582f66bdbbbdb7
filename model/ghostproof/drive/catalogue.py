"""The tools that sessions are made of: real-looking schemas, arguments and requests of users.

The first n tools of one list are the tools of a session of n tools; mutations and readings alternate, so that a ghost
of a mutation needs one tool only. Argument values carry the number of their call, which makes them recognisable in any
text that a pruner turns them into.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any


class Size(Enum):
    """How long the arguments and results of a session are."""

    SHORT = "short"
    LONG = "long"


FILLER = "The quarterly figures were read by everyone and nobody asked for a second copy. " * 16
"""About 1,300 characters, some 300 tokens, for the texts of a session whose values are long."""


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool: `fields` are its properties, `free` the field that takes long text, `wish` what a user says for it."""

    name: str
    mutation: bool
    description: str
    wish: str
    fields: dict[str, Any]
    required: tuple[str, ...]
    values: dict[str, Any]
    free: str

    def schema(self) -> dict[str, Any]:
        return {"type": "object", "properties": self.fields, "required": list(self.required)}

    def declaration(self) -> dict[str, Any]:
        """The entry of `tools` in an OpenAI chat request."""
        body = {"name": self.name, "description": self.description, "parameters": self.schema()}
        return {"type": "function", "function": body}

    def arguments(self, number: int, size: Size) -> dict[str, Any]:
        """The arguments of the session's call `number`."""
        filled = {key: _stamped(value, number) for key, value in self.values.items()}
        if size is Size.LONG:
            filled[self.free] = f"{filled[self.free]} {FILLER}"
        return filled

    def marks(self, number: int) -> frozenset[str]:
        """Values that only the call `number` of this session can have brought."""
        return frozenset(_texts({key: _stamped(value, number) for key, value in self.values.items()}))

    def result(self, size: Size) -> str:
        """What the executor returns; it repeats no argument."""
        body = "done" if self.mutation else "3 entries found"
        return f"{body}. {FILLER}" if size is Size.LONG else body


def _stamped(value: Any, number: int) -> Any:
    if isinstance(value, dict):
        return {key: _stamped(held, number) for key, held in value.items()}
    return value.replace("#", f"{number:03d}") if isinstance(value, str) else value


def _texts(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for held in value.values() for text in _texts(held)]
    return [value] if isinstance(value, str) and any(letter.isdigit() for letter in value) else []


def _text(description: str) -> dict[str, str]:
    return {"type": "string", "description": description}


def _one_of(*values: str) -> dict[str, Any]:
    return {"type": "string", "enum": list(values)}


TOOLS: tuple[Tool, ...] = (
    Tool(
        "send_email",
        True,
        "Send an email. This cannot be undone.",
        "Please email the customer about it.",
        {
            "to": _text("address of the recipient"),
            "subject": _text("subject line"),
            "body": _text("text of the message"),
            "priority": _one_of("low", "normal", "high"),
        },
        ("to", "subject", "body", "priority"),
        {"to": "ana#@example.org", "subject": "Order A#", "body": "It ships on day D#.", "priority": "high"},
        "body",
    ),
    Tool(
        "search_orders",
        False,
        "Find orders of a customer.",
        "Which orders are still open?",
        {
            "query": _text("words to look for"),
            "status": _one_of("open", "shipped", "returned"),
            "limit": {"type": "integer", "description": "most orders to return"},
        },
        ("query", "status"),
        {"query": "blue lamp Q#", "status": "open", "limit": 5},
        "query",
    ),
    Tool(
        "update_incident",
        True,
        "Change an incident and tell the people assigned to it.",
        "Raise the incident and notify everyone.",
        {
            "incident": _text("identifier of the incident"),
            "severity": _one_of("SEV-1", "SEV-2", "SEV-3"),
            "assignee": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]},
            "notify": {"type": "boolean"},
            "note": _text("what has changed"),
        },
        ("incident", "severity", "assignee", "notify"),
        {"incident": "INC-#", "severity": "SEV-2", "assignee": {"id": "U-#"}, "notify": True, "note": "see N#"},
        "note",
    ),
    Tool(
        "read_calendar",
        False,
        "List the events of one day.",
        "What is on the calendar?",
        {"day": _text("the day, as YYYY-MM-DD"), "owner": _text("whose calendar")},
        ("day", "owner"),
        {"day": "2031-01-09", "owner": "room R#"},
        "owner",
    ),
    Tool(
        "issue_refund",
        True,
        "Pay money back to a customer.",
        "Refund the broken one.",
        {
            "order": _text("identifier of the order"),
            "cents": {"type": "integer"},
            "reason": _text("why the money is paid back"),
        },
        ("order", "cents"),
        {"order": "ORD-#", "cents": 1250, "reason": "damaged, ticket T#"},
        "reason",
    ),
    Tool(
        "list_files",
        False,
        "List the files in a folder.",
        "Which files do we have on that?",
        {"folder": _text("path of the folder"), "recursive": {"type": "boolean"}},
        ("folder",),
        {"folder": "/shared/F#", "recursive": False},
        "folder",
    ),
)
