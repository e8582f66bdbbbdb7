"""Schemas that stand as JSON inside a text: a system prompt that lists tools, a result that reveals one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from ghostproof.wire.request import Schema

SCHEMA_KEYS = ("parameters", "input_schema", "inputSchema", "parametersJsonSchema", "schema")
"""The names under which providers and MCP keep a tool's schema beside its `name`."""


def schemas(text: str) -> Iterator[tuple[str, Schema]]:
    """Each (tool, schema) pair that is written out in `text`."""
    if '"properties"' not in text:
        return
    decoder = json.JSONDecoder()
    start = 0
    while (start := text.find("{", start)) >= 0:
        try:
            value, start = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            start += 1
            continue
        yield from _tools(value)


def _tools(value: object) -> Iterator[tuple[str, Schema]]:
    if isinstance(value, list):
        for part in value:
            yield from _tools(part)
    if not isinstance(value, Mapping):
        return
    name = value.get("name")
    for key in SCHEMA_KEYS:
        if isinstance(name, str) and isinstance(schema := value.get(key), Mapping):
            yield name, schema
            return
    for part in value.values():
        yield from _tools(part)
