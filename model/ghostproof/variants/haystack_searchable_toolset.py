"""Haystack 3.4.1 `tools/searchable_toolset.py`: what was discovered is remembered for one run.

`search_tools` finds tools by BM25 and keeps them in the memory of the run. The messages of the first run are the
beginning of the second, whose memory is empty: a ghost at every follow-up (reproduced). A run ends with an answer,
that is, with a response that calls nothing. Refused calls name the tools that exist.
"""

from __future__ import annotations

from typing import Any

from ghostproof.turn.budget import Turn
from ghostproof.turn.pruner import Pass, Pruner


def start_run(tool: Any, turn: Turn) -> None:
    """A new run has discovered nothing; a search of the last response was in this run."""
    if tool.idle_turns >= 1 and not tool.requested:
        tool.discovered = False


def search_tools(tool: Any, turn: Turn) -> None:
    """What was searched for is discovered."""
    if tool.requested and tool.registered:
        tool.discovered = True


def offer_discovered(tool: Any, turn: Turn) -> None:
    """The request has the discovered tools."""
    if tool.discovered and tool.registered:
        tool.show_schema()
    else:
        tool.hide_schema()


searchable_toolset = Pruner(
    Pass(start_run),
    Pass(search_tools),
    Pass(offer_discovered),
    memory={"discovered": False},
    name="Haystack's SearchableToolset",
)
