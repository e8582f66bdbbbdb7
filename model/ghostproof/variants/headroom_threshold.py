"""headroom-ai 0.42.0 `proxy/helpers.py::inject_tool_search_deferral`: above a threshold all tools are deferred.

Deferral starts only above a number of tools; here, above a number of schema tokens, as is reported of Claude Code.
Inside one session with constant tools it is on from the beginning or never. One more server that connects in the
middle withdraws schemas that were used, with nothing in the history that could reveal them again. What a search tool
reveals afterwards is shown by the history: see `pydantic_ai_deferred.py`.
"""

from __future__ import annotations

from typing import Any

from ghostproof.turn.budget import Turn
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.variants.query_selector import offer_all


def compare_with_threshold(tool: Any, turn: Turn) -> None:
    """The whole list decides, before anything is deferred."""
    tool.deferring = turn.schema_tokens > turn.schema_budget


def defer(tool: Any, turn: Turn) -> None:
    """All or nothing; a pin marks the tools that are never deferred."""
    if tool.deferring and not tool.pinned:
        tool.hide_schema()


deferral = Pruner(
    Pass(offer_all), Pass(compare_with_threshold), Pass(defer), memory={"deferring": False}, name="headroom's deferral"
)
