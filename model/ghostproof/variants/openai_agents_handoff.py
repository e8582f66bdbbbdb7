"""openai-agents 0.24.0: a handoff gives the conversation to an agent with other tools.

By default the full history goes along, and the first agent's tools are ghosts at once (reproduced), the transfer tool
included. `extensions/handoff_filters.py::remove_all_tools` removes calls, results and search items together: the one
stock policy that evicts. `nest_handoff_history` writes the calls as prose into one message, arguments included; the
model has no prose, and a prose ghost is a ghost, so that is the default here. smolagents 1.26.0 with other tools in
the next run and Google ADK 2.13.0 with its quotes of other agents' calls are the same. An agent whose tools were not
called in the last response has handed over; a request hands back.
"""

from __future__ import annotations

from ghostproof.turn.budget import Turn
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.tool import Tool


def hand_back(tool: Tool, turn: Turn) -> None:
    """The first agent is in charge again: its tools are shown."""
    if tool.requested and tool.registered:
        tool.show_schema()


def hand_over(tool: Tool, turn: Turn) -> None:
    """The second agent's request has the second agent's tools; a pin marks tools that both have."""
    if tool.idle_turns >= 1 and not tool.pinned and not tool.requested:
        tool.hide_schema()


def hand_over_without_tools(tool: Tool, turn: Turn) -> None:
    """`remove_all_tools`: calls go along with the tools, once, when the handoff happens."""
    if tool.schema_shown and tool.idle_turns >= 1 and not tool.pinned and not tool.requested:
        tool.hide_schema()
        tool.evict_all_calls()


full_history = Pruner(Pass(hand_back), Pass(hand_over), name="handoff with full history")
remove_all_tools = Pruner(Pass(hand_back), Pass(hand_over_without_tools), name="handoff with remove_all_tools")
