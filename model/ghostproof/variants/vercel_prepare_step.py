"""Vercel AI SDK 6.0.326: `prepareStep` may choose `activeTools` and call `pruneMessages` in the same step.

The coupling is the user's to make. With `activeTools` alone, calls of inactive tools stay (vercel/ai #3322 asks for a
filter). `pruneMessages` removes call and result of named tools; whoever names all inactive tools in every step has an
evicting gate. It goes by the list of active tools, so a tool that is active with a lossy schema is not its business.
"""

from __future__ import annotations

from ghostproof.turn.budget import Turn
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.tool import Tool


def choose_active_tools(tool: Tool, turn: Turn) -> None:
    """Active is what was called in the last step or asked for."""
    if tool.registered and (tool.idle_turns == 0 or tool.requested):
        if not tool.schema_shown:
            tool.show_schema()
    else:
        tool.hide_schema()


def prune_messages(tool: Tool, turn: Turn) -> None:
    """`pruneMessages` for every tool that is not active."""
    if not tool.schema_shown:
        tool.evict_all_calls()


active_tools = Pruner(Pass(choose_active_tools), name="activeTools")
active_tools_with_messages = Pruner(
    Pass(choose_active_tools), Pass(prune_messages), name="activeTools with pruneMessages"
)
