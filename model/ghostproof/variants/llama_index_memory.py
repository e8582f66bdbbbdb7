"""LlamaIndex 0.14.25: a memory budget that does not see arguments, beside a retriever of tools.

`memory/chat_memory_buffer.py` counts the content of messages; the arguments of calls are no content (reproduced: a
history with an argument of 5,000 characters counted 5 tokens). `agent/workflow/base_agent.py::get_tools` asks the
retriever anew with each user message. So schemas change by the query, and no amount of arguments makes the memory
trim.
"""

from __future__ import annotations

from ghostproof.turn.budget import Turn
from ghostproof.turn.pruner import Pass, Pruner, least_recently_called
from ghostproof.turn.tool import Tool
from ghostproof.variants.query_selector import offer_all, select


def content_fits(turn: Turn) -> bool:
    """What the buffer counts: all that is no schema and no argument."""
    return turn.rest_tokens + turn.tombstone_tokens <= turn.argument_budget


def drop_message(tool: Tool, turn: Turn) -> None:
    """Whole messages go, calls with them, oldest first."""
    tool.evict_call()


retriever_and_memory = Pruner(
    Pass(offer_all),
    select,
    Pass(drop_message, order=least_recently_called, until=content_fits),
    name="LlamaIndex's retriever and memory",
)
