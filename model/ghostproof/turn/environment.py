"""What happens to a tool before arbitration.

One action a tool a turn; a server that vanishes takes several tools at once.
"""

from __future__ import annotations

from ghostproof.turn.action import Action, Kind, Others, named
from ghostproof.turn.tool import Tool


def settle(tool: Tool) -> None:
    """The last response's call becomes resident; without one the tool has been idle for one more turn."""
    if tool.called:
        tool.calls_resident = tool.calls_resident + 1
        tool.calls = tool.calls + 1
        tool.idle_turns = 0
        tool.arguments_current = not tool.rejected
        tool.truncated = False
        tool.called = False
    else:
        tool.idle_turns = tool.idle_turns + 1


def _always(tool: Tool, others: Others) -> bool:
    return True


def _registered(tool: Tool, others: Others) -> bool:
    return tool.registered


def _vanished(tool: Tool, others: Others) -> bool:
    return not tool.registered


def _tombstoned(tool: Tool, others: Others) -> bool:
    return tool.tombstoned


def _nothing(tool: Tool, others: Others) -> None:
    return None


def _migrate(tool: Tool, others: Others) -> None:
    tool.arguments_current = False


def _migrate_behind_cache(tool: Tool, others: Others) -> None:
    tool.arguments_current = False
    tool.schema_current = False


def _vanish(tool: Tool, others: Others) -> None:
    tool.registered = False
    tool.hide_schema()


def _return(tool: Tool, others: Others) -> None:
    tool.registered = True
    tool.show_schema()


def _appear(tool: Tool, others: Others) -> None:
    tool.calls_resident = tool.calls_resident + 1
    tool.arguments_current = False
    tool.truncated = False


def _lose_tombstone(tool: Tool, others: Others) -> None:
    tool.tombstoned = False


def _show_lossily(tool: Tool, others: Others) -> None:
    tool.show_schema_lossily()


def _hide(tool: Tool, others: Others) -> None:
    tool.hide_schema()


def _unrevealed(tool: Tool, others: Others) -> bool:
    return tool.registered and not tool.schema_shown


def _revealed(tool: Tool, others: Others) -> bool:
    return tool.evidence_resident


def _called_before(tool: Tool, others: Others) -> bool:
    return tool.arguments_resident


def _whole(tool: Tool, others: Others) -> bool:
    return tool.arguments_resident and not tool.truncated


def _reveal(tool: Tool, others: Others) -> None:
    tool.reveal_schema()


def _lose_evidence(tool: Tool, others: Others) -> None:
    tool.evict_evidence()


def _empty(tool: Tool, others: Others) -> None:
    tool.empty_call()


def _truncate(tool: Tool, others: Others) -> None:
    tool.truncate_calls()


IDLE = Action("idle", Kind.ORDINARY, "nothing happens to {tool}", _always, _nothing)

ENVIRONMENT: tuple[Action, ...] = (
    IDLE,
    Action(
        "schema migrates",
        Kind.ORDINARY,
        "the live schema of {tool} changes; earlier arguments no longer match it",
        _registered,
        _migrate,
    ),
    Action(
        "schema migrates behind a cache",
        Kind.DISRUPTIVE,
        "the live schema of {tool} changes, and the prompt keeps showing a cached copy",
        _registered,
        _migrate_behind_cache,
    ),
    Action(
        "tool vanishes", Kind.DISRUPTIVE, "{tool} or its server goes away, its schema with it", _registered, _vanish
    ),
    Action("tool returns", Kind.DISRUPTIVE, "{tool} or its server comes back, its schema is shown", _vanished, _return),
    Action(
        "arguments appear",
        Kind.DISRUPTIVE,
        "arguments of {tool} enter the history from elsewhere (handoff, resume, rewind, memory, an inner call)",
        _always,
        _appear,
    ),
    Action(
        "tombstone is lost",
        Kind.DISRUPTIVE,
        "compaction drops the tombstone of {tool}",
        _tombstoned,
        _lose_tombstone,
    ),
    Action(
        "schema is shown lossily",
        Kind.DISRUPTIVE,
        "{tool} is shown without its required fields, types or enums",
        _registered,
        _show_lossily,
    ),
)

# What happens inside the items of a history, where schemas are discovered in it or calls are edited in place. Only a
# scenario that names these admits them; `EVERYTHING` is what can happen to a runtime that does neither.
HISTORY: tuple[Action, ...] = (
    Action(
        "schema is revealed",
        Kind.ORDINARY,
        "a search result or a file that was read reveals the schema of {tool}",
        _unrevealed,
        _reveal,
    ),
    Action(
        "discovery evidence is lost",
        Kind.DISRUPTIVE,
        "compaction drops the item that revealed the schema of {tool}",
        _revealed,
        _lose_evidence,
    ),
    Action(
        "arguments are emptied",
        Kind.DISRUPTIVE,
        "a call of {tool} is emptied in place: its name stays, its values do not",
        _called_before,
        _empty,
    ),
    Action(
        "arguments are truncated",
        Kind.DISRUPTIVE,
        "the arguments of {tool} are cut in place",
        _whole,
        _truncate,
    ),
)

ENVIRONMENT_BY_NAME = named((*ENVIRONMENT, *HISTORY))

# What a tools-changed notice, a compaction or an inner call may still do between arbitration and the request.
LATE: tuple[Action, ...] = (
    IDLE,
    Action(
        "schema is hidden",
        Kind.DISRUPTIVE,
        "a notice takes the schema of {tool} off the list, though the tool is still there",
        _registered,
        _hide,
    ),
    *(action for action in ENVIRONMENT if action.kind is Kind.DISRUPTIVE and "cache" not in action.name),
)
LATE_BY_NAME = named((*LATE, *HISTORY))
ORDINARY = tuple(action.name for action in ENVIRONMENT if action.kind is Kind.ORDINARY)
EVERYTHING = tuple(action.name for action in ENVIRONMENT)
