"""Goose's tool router (`crates/goose/src/agents/router_tool_selector.rs`, an older commit): pinned by recency.

Offered are the search tool, what it found, and every tool among the last twenty recorded calls: the only coupling by
call recency that was found. It holds while fewer than twenty calls separate use from reuse. Here recency is counted
in turns, and scaled down; the shortest ghost grows with it, one request a turn. The history is hidden behind a
summary at 80 % of the window (`context_mgmt/mod.rs`), whatever the router does.
"""

from __future__ import annotations

from typing import Any

from ghostproof.turn.budget import Turn
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.tool import Tool

RECENT_TURNS = 2


def route(tool: Tool, turn: Turn) -> None:
    """What was called lately or just found is offered, and nothing else."""
    recent = tool.calls > 0 and tool.idle_turns < RECENT_TURNS
    if tool.registered and (recent or tool.requested):
        tool.show_schema()
    else:
        tool.hide_schema()


def measure(tool: Any, turn: Turn) -> None:
    """The window is looked at once."""
    tool.window_is_full = turn.prompt_tokens > turn.total_budget


def hide_behind_summary(tool: Any, turn: Turn) -> None:
    """The whole history goes at once."""
    if tool.window_is_full:
        tool.evict_all_calls()


goose_router = Pruner(
    Pass(measure),
    Pass(hide_behind_summary),
    Pass(route),
    memory={"window_is_full": False},
    name="Goose's router",
)
