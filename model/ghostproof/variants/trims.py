"""What trimming takes from the history, and in which order: visits to stand where `arbitration.trim_history` stands.

Each is a habit of runtimes. Compaction that keeps the newest messages (LangChain's `trim_messages`, AutoGen's buffered
context) takes the oldest item first. Clearing of tool inputs (LangChain's `ClearToolUsesEdit`) takes arguments and
leaves every notice. A runtime that keeps notices apart from the messages can drop them first: `trim_history`.
"""

from __future__ import annotations

from ghostproof.turn.budget import Turn
from ghostproof.turn.tool import Tool


def trim_oldest_item(tool: Tool, turn: Turn) -> None:
    """The oldest item of the tool goes, be it a call or the tombstone."""
    if tool.pinned:
        return
    if tool.tombstone_is_oldest:
        tool.tombstoned = False
    else:
        tool.evict_call()


def trim_arguments_first(tool: Tool, turn: Turn) -> None:
    """The oldest call goes, and the tombstone only when no call is left."""
    if tool.pinned:
        return
    if tool.arguments_resident:
        tool.evict_call()
    else:
        tool.tombstoned = False


def trim_calls(tool: Tool, turn: Turn) -> None:
    """The oldest call goes; the tombstone is not trimming's to take."""
    if not tool.pinned:
        tool.evict_call()
