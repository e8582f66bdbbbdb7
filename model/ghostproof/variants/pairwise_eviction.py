"""Histories that are trimmed call by call or message by message, beside a list of tools that never changes.

openai-agents-context-compaction 0.3.0 (pairs, newest first kept), Agno 3.1.10 `filter_tool_calls` (the last N calls),
Strands 1.62.0 and Semantic Kernel 1.45.0 (pair-safe windows), AutoGen 0.7.5 and AG2 1.2.1 contexts, LangChain's
`trim_messages`, crewAI's summary. Alone they prune no schema, and a proof would say nothing. Behind a selector the
eviction stops where the dropped schemas have made room. Strands lets the application pin messages: such a call
outlives the trimming, and its schema, if something else prunes schemas on the same budget, does not.
"""

from __future__ import annotations

from ghostproof.turn.budget import Turn, prompt_fits, prompt_fits_as_it_stands
from ghostproof.turn.pruner import Pass, Pruner, least_recently_called
from ghostproof.turn.tool import Tool
from ghostproof.variants.query_selector import offer_all, select


def drop_pair(tool: Tool, turn: Turn) -> None:
    """Call and result go together."""
    tool.evict_call()


def drop_unpinned_pair(tool: Tool, turn: Turn) -> None:
    """Pinned messages survive any trim."""
    if not tool.pinned:
        tool.evict_call()


def hide_unless_requested(tool: Tool, turn: Turn) -> None:
    """Something that prunes schemas, and knows nothing of pinned messages."""
    if tool.schema_shown and not tool.requested:
        tool.hide_schema()


dropping = Pass(drop_pair, order=least_recently_called, until=prompt_fits_as_it_stands)

pairwise = Pruner(dropping, name="pairs of call and result")
pairwise_behind_selector = Pruner(Pass(offer_all), select, dropping, name="pairs behind a selector")
pinned_messages = Pruner(
    Pass(drop_unpinned_pair, order=least_recently_called, until=prompt_fits),
    Pass(hide_unless_requested, order=least_recently_called, until=prompt_fits),
    name="pinned messages, schemas by the same budget",
)
