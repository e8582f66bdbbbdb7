"""The incident played with a real validator, as `ghostproof demo` plays it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

from ghostproof.demonstrating import json_schema_validator
from ghostproof_reference.incident.session import Event, play


@cache
def played(gate: bool) -> Sequence[Event]:
    return play(json_schema_validator(), gate)


def of_kind(kind: str, gate: bool, turn: int | None = None) -> list[tuple[str, str]]:
    """Subject and text of each event of a kind."""
    return [(e.subject, e.text) for e in played(gate) if e.kind == kind and turn in (None, e.turn)]


def request_of(turn: int, gate: bool) -> dict[str, Any]:
    """The first request of a turn, as a copy to change."""
    found: dict[str, Any] = json.loads(
        json.dumps(next(e.data for e in played(gate) if e.kind == "request" and e.turn == turn))
    )
    return found
