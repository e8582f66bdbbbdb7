"""Anthropic's `tool_removal` blocks: the only tombstone that a provider knows natively (beta).

A block in a system message withdraws a tool from that point on; earlier calls stay. While the block stays, it is a
tombstone. Trimming can take it like any other item. What then happens depends on who reads the history:
`available_tool_names` of the SDK (anthropic 2.15.0, `anthropic/lib/tools/_beta_runner.py`) folds over it and brings
the tool back (reproduced); a client that sends its own shortened list of tools leaves a ghost. Compaction blocks
carry `tool_changes`, which keeps the removal.
"""

from __future__ import annotations

from ghostproof.turn.budget import Turn, prompt_fits
from ghostproof.turn.pruner import Pass, Pruner, least_recently_called
from ghostproof.turn.tool import Tool


def add_on_request(tool: Tool, turn: Turn) -> None:
    """`tool_addition`: the tool is available from here on."""
    if tool.requested and tool.registered:
        tool.show_schema()


def remove_with_block(tool: Tool, turn: Turn) -> None:
    """`tool_removal`: schema and notice in one step."""
    if tool.schema_shown and not tool.pinned and not tool.requested:
        tool.hide_schema()
        tool.tombstoned = True


def trim_oldest_item(tool: Tool, turn: Turn) -> None:
    """The client cuts its history from the front; the block is an item like any other."""
    if tool.tombstone_is_oldest:
        tool.tombstoned = False
    else:
        tool.evict_call()


def trim_and_fold(tool: Tool, turn: Turn) -> None:
    """As above, and the fold over what is left finds no removal: the tool is offered again."""
    if tool.tombstone_is_oldest and tool.registered:
        tool.show_schema()
    elif not tool.tombstone_is_oldest:
        tool.evict_call()


def compact_with_changes(tool: Tool, turn: Turn) -> None:
    """Calls go into the summary, `tool_changes` stays beside it."""
    tool.evict_call()


adding = Pass(add_on_request)
removing = Pass(remove_with_block, order=least_recently_called, until=prompt_fits)

removal_blocks = Pruner(adding, removing, name="tool_removal")
removal_blocks_trimmed = Pruner(
    adding,
    removing,
    Pass(trim_oldest_item, order=least_recently_called, until=prompt_fits),
    name="tool_removal, trimmed by the client",
)
removal_blocks_folded = Pruner(
    adding,
    removing,
    Pass(trim_and_fold, order=least_recently_called, until=prompt_fits),
    name="tool_removal, trimmed and folded",
)
removal_blocks_carried = Pruner(
    adding,
    removing,
    Pass(compact_with_changes, order=least_recently_called, until=prompt_fits),
    name="tool_removal, carried through compaction",
)
