"""The refinement map: a case of the protocol as tool states of the model, and what the passes left as an answer.

A call group of one tool is one of its `calls_resident`; a group that calls several tools is one of each. Which group of
the history a resident call stands for is the pruner's memory: `holds_3` says that the tool's arguments are in group 3,
`fixed_3` that the group calls a pinned tool, `spared_3` that it calls a tool whose request is honoured. A tombstone in
the history is `tombstone_resident`. The place of items is read off the history, since the model counts only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ghostproof.turn.session import new_tool
from ghostproof.turn.tool import Tool, Value

Json = Any
"""A value of JSON text; cases are checked by `case.check` before they get here."""


def groups_of(case: Mapping[str, Json]) -> list[Mapping[str, Json]]:
    """The call groups of the history, oldest first."""
    return [item for item in case["history"] if item["kind"] == "calls"]


def called(group: Mapping[str, Json]) -> list[str]:
    """The tools that a group calls."""
    return [call["tool"] for call in group["calls"]]


def honoured(tool: Mapping[str, Json]) -> bool:
    """The schema is requested and can be shown."""
    return bool(tool["requested"] and tool["registered"])


def memory_of(case: Mapping[str, Json]) -> dict[str, Value]:
    """The memory that the passes need for this history; every entry starts as False."""
    numbers = range(len(groups_of(case)))
    names = [f"{what}_{number}" for number in numbers for what in ("holds", "fixed", "spared")]
    return dict.fromkeys([*names, "going", "was_shown", "was_lossy"], False)


def tools_of(case: Mapping[str, Json]) -> list[Tool]:
    """The tool states that stand for a case."""
    groups = groups_of(case)
    by_name = {tool["name"]: tool for tool in case["tools"]}
    memory = memory_of(case)
    for number, group in enumerate(groups):
        members = [by_name[name] for name in called(group)]
        memory[f"fixed_{number}"] = any(tool["pinned"] for tool in members)
        memory[f"spared_{number}"] = any(honoured(tool) for tool in members)
    return [_tool(case["history"], groups, tool, memory) for tool in case["tools"]]


def _tool(
    history: Sequence[Mapping[str, Json]],
    groups: Sequence[Mapping[str, Json]],
    given: Mapping[str, Json],
    memory: Mapping[str, Value],
) -> Tool:
    name = given["name"]
    fixed: dict[str, Value] = {
        "mutation": given["effect"] != "reading",
        "pinned": given["pinned"],
        "schema_tokens": given["schema_tokens"],
        "argument_tokens": argument_tokens(groups, name),
        "tombstone_tokens": given["tombstone_tokens"],
    }
    holds = {f"holds_{number}": name in called(group) for number, group in enumerate(groups)}
    tool = new_tool(fixed, {**memory, **holds})
    tool.schema_shown = given["schema"] != "withheld"
    tool.schema_lossy = given["schema"] == "lossy"
    tool.registered = given["registered"]
    tool.requested = given["requested"]
    tool.idle_turns, tool.calls = given["idle_turns"], given["calls"]
    for item in history:
        if item["kind"] == "tombstone" and item["tool"] == name:
            tool.tombstoned = True
        elif item["kind"] == "calls" and name in called(item):
            tool.calls_resident = tool.calls_resident + 1
    return tool


def argument_tokens(groups: Sequence[Mapping[str, Json]], name: str) -> int:
    """What each call group of a tool costs it; the model knows one size a tool. Raises ValueError for several."""
    sizes = {call["tokens"] for group in groups for call in group["calls"] if call["tool"] == name}
    if len(sizes) > 1:
        raise ValueError(f"the groups of tool {name!r} have several sizes, and the model knows one a tool")
    return int(next(iter(sizes), 1))


def schema_word(tool: Tool) -> str:
    """The schema's state in the word of the protocol."""
    if not tool.schema_shown:
        return "withheld"
    return "lossy" if tool.schema_lossy else "shown"
