"""langgraph-bigtool 0.0.3 `langgraph_bigtool/graph.py`: the list of selected tools only grows.

The retrieval tool appends to `selected_tool_ids`; its reducer never removes. Inside one thread that is the safe side
of the rule. Messages that are copied to a thread without that key are ghosts at once (reproduced): "arguments
appear".
"""

from __future__ import annotations

from typing import Any

from ghostproof.turn.budget import Turn
from ghostproof.turn.pruner import Pass, Pruner


def retrieve(tool: Any, turn: Turn) -> None:
    """What was retrieved once stays selected."""
    tool.selected = tool.selected or tool.requested


def offer_selected(tool: Any, turn: Turn) -> None:
    """The request has the selected tools; a pin marks those that the agent always has."""
    if (tool.selected or tool.pinned) and tool.registered:
        tool.show_schema()
    else:
        tool.hide_schema()


bigtool = Pruner(Pass(retrieve), Pass(offer_selected), memory={"selected": False}, name="langgraph-bigtool")
