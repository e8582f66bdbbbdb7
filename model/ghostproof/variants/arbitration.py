"""The two arbitration orders of the seed, made of the same passes. They differ only in where trimming stands.

Seed: "Argument-level context budgeting must be applied before schema pruning, not after."
"""

from __future__ import annotations

from ghostproof.turn.budget import Turn, prompt_fits
from ghostproof.turn.pruner import Pass, Pruner, least_recently_called
from ghostproof.turn.tool import Tool


def expand(tool: Tool, turn: Turn) -> None:
    """Honour a request for the schema before anything is pruned."""
    if tool.requested and tool.registered:
        tool.show_schema()


def trim_history(tool: Tool, turn: Turn) -> None:
    """Whatever stands in the history may go, tombstones too, and the tombstone is what stands nearest to hand."""
    if tool.pinned:
        return
    if tool.tombstoned:
        tool.tombstoned = False
    else:
        tool.evict_call()


def prune_schema(tool: Tool, turn: Turn) -> None:
    """Drop a schema that nobody asked for in this turn."""
    if tool.schema_shown and not tool.pinned and not tool.requested:
        tool.hide_schema()


def gate(tool: Tool, turn: Turn) -> None:
    """Evict-or-tombstone: every tool, every turn; pinned ones included. A tombstone over nothing goes."""
    if tool.arguments_resident and not tool.schema_resident:
        tool.tombstoned = True
    elif not tool.arguments_resident:
        tool.tombstoned = False


prune = (Pass(prune_schema, order=least_recently_called, until=prompt_fits), Pass(gate))
trim = (Pass(trim_history, order=least_recently_called, until=prompt_fits),)

argument_first = Pruner(Pass(expand), *trim, *prune, name="argument-first")
schema_first = Pruner(Pass(expand), *prune, *trim, name="schema-first")
