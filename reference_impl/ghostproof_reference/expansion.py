"""Re-expansion: how the model asks for a withheld schema, and what the asking says about the pruner."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field

from ghostproof_reference.request import Effect, Tool

REQUEST_TOOL = Tool(
    name="request_tool_schema",
    description=(
        "Request the schema of a tool that is withheld to save room. Call this before calling a tool that a"
        " [TOOL TOMBSTONE] line names; the schema is in the next request. An unknown name lists what is withheld."
    ),
    schema={
        "type": "object",
        "properties": {"tool_name": {"type": "string", "description": "The tool whose schema is needed."}},
        "required": ["tool_name"],
        "additionalProperties": False,
    },
    effect=Effect.READING,
    pinned=True,
)
"""The tool by which a model acts on a tombstone. `Arbiter.answer_request` is its handler."""


@dataclass(frozen=True, slots=True)
class ReexpansionRequested:
    """The model asked for a schema. `turn` is the last request sent; `tombstoned` says how the tool stood in it.

    Requests of tombstoned tools measure how aggressive the pruner is: many mean that the schema budget is too small.
    """

    turn: int
    tool: str
    tombstoned: bool


@dataclass(slots=True)
class RequestCounts:
    """How often the model asked for the schema of a tombstoned tool, in all, by tool, and by turn."""

    total: int = 0
    by_tool: Counter[str] = field(default_factory=Counter)
    by_turn: Counter[int] = field(default_factory=Counter)

    def add(self, event: ReexpansionRequested) -> None:
        """Count an event; one of a tool without a tombstone is not counted."""
        if event.tombstoned:
            self.total += 1
            self.by_tool[event.tool] += 1
            self.by_turn[event.turn] += 1


def requested_name(arguments: str) -> str | None:
    """The tool named in the arguments of a call of the request tool; None where a model wrote something else."""
    try:
        decoded = json.loads(arguments)
    except (TypeError, ValueError, RecursionError):
        return None
    name = decoded.get("tool_name") if isinstance(decoded, dict) else None
    return name if isinstance(name, str) else None
