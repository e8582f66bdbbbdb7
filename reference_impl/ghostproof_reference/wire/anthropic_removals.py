"""Blocks that withdraw a tool in mid-conversation or bring it back: somebody else's, and those of our tombstones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ghostproof_reference.gate import TOMBSTONE_MARK, marked_tool
from ghostproof_reference.request import Tombstone
from ghostproof_reference.wire.shape import Fields, Payload, fields, listed

Place = tuple[int, int]
"""A content block: the number of its message, and its own."""


def removals(payload: Payload) -> dict[str, Place]:
    """The last of somebody else's removal blocks for each tool; ours stand beside a tombstone, which says the same."""
    return {name: place for kind, name, place in _changes(payload) if kind == "tool_removal"}


def _changes(payload: Payload) -> Iterable[tuple[str, str, Place]]:
    for number, message in enumerate(listed(payload.get("messages"), "messages")):
        blocks = content_blocks(fields(message, f"messages[{number}]"))
        for place, block in enumerate(() if is_ours(blocks) else blocks):
            if block.get("type") in ("tool_removal", "tool_addition"):
                yield str(block["type"]), changed_tool(block), (number, place)


def last_changes(payload: Payload) -> dict[str, str]:
    """What somebody else's blocks last did with each tool that they name."""
    return {name: kind for kind, name, _ in _changes(payload)}


def withdrawn_tools(payload: Payload) -> set[str]:
    """Tools that somebody else's removal blocks withdraw and no later addition brings back."""
    return {name for name, kind in last_changes(payload).items() if kind == "tool_removal"}


def changed_tool(block: Fields) -> str:
    """The name of the tool that a block withdraws or brings back, by reference or by definition; empty for none."""
    tool = block.get("tool")
    named = fields(tool, "tool") if tool is not None else {}
    definition = named.get("definition")
    return str((fields(definition, "definition") if definition is not None else named).get("name", ""))


def content_blocks(message: Fields) -> list[Fields]:
    """The blocks of a message; a text has none. Raises MalformedRequestError for what are no blocks."""
    content = message.get("content")
    return [] if isinstance(content, str) else [fields(block, "content") for block in listed(content, "content")]


def is_ours(blocks: Sequence[Fields]) -> bool:
    """Whether a message is tombstones of ours and the blocks that go with them: all lines, then a block for each."""
    lines = len(blocks) // 2
    told = [marked_tool(str(block.get("text", "")), TOMBSTONE_MARK) for block in blocks[:lines]]
    removed = [changed_tool(block) if block.get("type") == "tool_removal" else "" for block in blocks[lines:]]
    return bool(told) and told == removed


def removal_messages(stones: Sequence[Tombstone]) -> list[object]:
    """Tombstones that stand together, as one message with the provider's blocks; no message for no tombstone."""
    lines = [{"type": "text", "text": stone.line} for stone in stones]
    named = [{"type": "tool_reference", "name": stone.tool} for stone in stones]
    content = [*lines, *({"type": "tool_removal", "tool": tool} for tool in named)]
    return [{"role": "system", "content": content}] if content else []
