"""A pruner that never leaves a ghost, for any number of tools, turns, budgets and sizes.

    ghostproof check docs/examples/proved.py:PRUNER

How to write your own: a pass is a function of one tool and the turn's token numbers. It may read the tool's fields,
compare and add integers, branch, call helpers, and change the tool by its methods (`show_schema`, `hide_schema`,
`evict_call`, `tombstoned = True`, ...). It sees the other tools only through the numbers of the turn. A `Pass` adds in
which order the tools are visited and until when; a `Pruner` is passes in the order in which they run.
"""

from __future__ import annotations

from ghostproof.turn.budget import Turn
from ghostproof.turn.pruner import Pass, Pruner, largest_schema_first, least_recently_called
from ghostproof.turn.tool import Tool

RECENT_TURNS = 2


def fits(turn: Turn) -> bool:
    """Read before each visit of a pass that has it as `until`: the pass ends as soon as it holds."""
    return turn.demand_tokens <= turn.total_budget


def reopen(tool: Tool, turn: Turn) -> None:
    """Show again what the model asked for, if the tool is still there."""
    if tool.requested and tool.registered:
        tool.show_schema()


def forget(tool: Tool, turn: Turn) -> None:
    """Arguments first: evict the oldest call of a tool that was not used lately."""
    if tool.idle_turns >= RECENT_TURNS and not tool.pinned:
        tool.evict_call()


def withhold(tool: Tool, turn: Turn) -> None:
    """Then schemas, except those just asked for."""
    if tool.schema_shown and not (tool.pinned or tool.requested):
        tool.hide_schema()


def evict_or_tombstone(tool: Tool, turn: Turn) -> None:
    """The gate: every tool, every turn, and nothing behind it. A call that is cheaper than its tombstone goes."""
    if not tool.arguments_resident:
        tool.tombstoned = False
    elif not tool.schema_resident:
        if tool.calls_resident == 1 and tool.argument_tokens < tool.tombstone_tokens:
            tool.evict_all_calls()
        else:
            tool.tombstoned = True


PRUNER = Pruner(
    Pass(reopen),
    Pass(forget, order=least_recently_called, until=fits),
    Pass(withhold, order=largest_schema_first, until=fits),
    Pass(evict_or_tombstone),
    name="arguments first, then schemas, then the gate",
)
