"""Selectors that see the query and not the history, and offer the tools that score best.

LangChain's `LLMToolSelectorMiddleware` (`langchain/agents/middleware/tool_selection.py`, 1.5.2: it reads the last
human message only), toolpicker 1.0.0, tool-prune 0.2.0, tool-rot 0.1.0, smart-tool-select 0.1.0, graph-tool-call
0.47.0, langchain-dynamic-tools-middleware 0.2.2 and LiteLLM's semantic MCP filter share this shape: `(query, tools)
-> subset`, made anew for each request. The calls stay, and mostly the tool can still be executed.
"""

from __future__ import annotations

from ghostproof.turn.budget import Turn
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.tool import Tool


def offer_all(tool: Tool, turn: Turn) -> None:
    """Each request starts from all registered tools."""
    if tool.registered and not tool.schema_shown:
        tool.show_schema()


def drop_beyond_limit(tool: Tool, turn: Turn) -> None:
    """Drop while more is offered than the limit allows; a pin is `always_include`."""
    if turn.schema_tokens > turn.schema_budget and not tool.pinned:
        tool.hide_schema()


def as_the_query_scores(tool: Tool) -> int:
    """The worst first. Any order may come of a query; with "do it again" the tool just used scores worst."""
    return tool.idle_turns


select = Pass(drop_beyond_limit, order=as_the_query_scores)

query_selector = Pruner(Pass(offer_all), select, name="query-only selector")
