"""What may happen in a session besides the pruner: what the user asks, what the model answers, what the history is.

One turn is one request. It opens with a user who asks for one of the tools, or, after calls, with nothing but their
results, as the loop of an agent goes on. The model answers with text or calls up to two tools whose schema it was
shown. The runtime keeps the whole history: what is pruned is pruned from one request only. A session starts empty.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any

from ghostproof.drive.catalogue import TOOLS, Size

PARALLEL = 2
"""Most calls in one response."""

MODEL = "scripted-model"


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn that is over. `opening` is the tool the user asked for, None when the loop went on."""

    opening: int | None
    called: tuple[int, ...]


Past = tuple[Turn, ...]


def openings(past: Past, tools: int) -> Iterator[int | None]:
    """How the next turn may open."""
    if past and past[-1].called:
        yield None
    yield from range(tools)


def responses(resident: Collection[int]) -> Iterator[tuple[int, ...]]:
    """What the model may answer when it sees the schemas of `resident`: text, or calls of one or more of them."""
    yield ()
    for count in range(1, PARALLEL + 1):
        yield from combinations(sorted(resident), count)


def offered(past: Past, opening: int | None, tools: int, size: Size) -> dict[str, Any]:
    """The request that a runtime offers to the pruner: everything declared, and the whole history."""
    messages = [*_history(past, size), *_opened(opening)]
    return {"model": MODEL, "messages": messages, "tools": [tool.declaration() for tool in TOOLS[:tools]]}


def response(called: tuple[int, ...], number: int, size: Size) -> dict[str, Any]:
    """The model's message; `number` is the number of its first call within the session."""
    if not called:
        return {"role": "assistant", "content": "That is settled."}
    calls = [
        {
            "id": f"call_{number + place}",
            "type": "function",
            "function": {
                "name": TOOLS[tool].name,
                "arguments": json.dumps(TOOLS[tool].arguments(number + place, size)),
            },
        }
        for place, tool in enumerate(called)
    ]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def calls_before(past: Past) -> int:
    """How many calls a history holds."""
    return sum(len(turn.called) for turn in past)


@lru_cache(maxsize=4096)
def marks(past: Past) -> dict[str, frozenset[str]]:
    """By tool name, the argument values that only its calls in this history can have brought."""
    known: dict[str, frozenset[str]] = {}
    for number, tool in enumerate(tool for turn in past for tool in turn.called):
        name = TOOLS[tool].name
        known[name] = known.get(name, frozenset()) | TOOLS[tool].marks(number)
    return known


@lru_cache(maxsize=4096)
def _history(past: Past, size: Size) -> tuple[dict[str, Any], ...]:
    """The messages of the turns that are over. Shared between requests, so nobody may change them."""
    if not past:
        return ()
    before, last = past[:-1], past[-1]
    number = calls_before(before)
    results = (
        {"role": "tool", "tool_call_id": f"call_{number + place}", "content": TOOLS[tool].result(size)}
        for place, tool in enumerate(last.called)
    )
    return (*_history(before, size), *_opened(last.opening), response(last.called, number, size), *results)


def _opened(opening: int | None) -> list[dict[str, Any]]:
    return [] if opening is None else [{"role": "user", "content": TOOLS[opening].wish}]
