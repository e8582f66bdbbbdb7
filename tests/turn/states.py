"""Tools in given states, and what changed in them."""

from __future__ import annotations

from ghostproof.turn.session import new_tool
from ghostproof.turn.tool import Tool, Value

FIXED: dict[str, Value] = {
    "mutation": True,
    "pinned": False,
    "schema_tokens": 10,
    "argument_tokens": 3,
    "tombstone_tokens": 1,
}


def tool(**fields: Value) -> Tool:
    """A tool as a session starts, but for `fields`."""
    made = new_tool(FIXED, {})
    for name in fields:
        assert name in made.__dict__, name
    return Tool({**made.__dict__, **fields})


def ghost(**fields: Value) -> Tool:
    """A tool that is one."""
    return tool(**{"schema_shown": False, "calls_resident": 1, "calls": 1, **fields})
