"""pydantic-ai 2.68.0, deferred tools and tool search: a schema is shown while the history says that it was found.

`search_tools` and `load_capability` reveal a deferred tool; `_agent_graph.py::_with_outgoing_reveal_state` recomputes
what is revealed from the messages that go out, after the history processors. So a cut of the history withdraws the
schema in the same turn, and what it leaves of the calls stays: the item that reveals a tool is older than every call
that it made possible. After a second search it need not be older than the calls before; the model drops it first all
the same, which is the worse case. Reproduced with a processor that drops the first messages. The same evidence
carries the schemas of Codex's and OpenAI's `tool_search_output` and of Anthropic's `tool_reference`; a compaction
that drops it is what Claude Code #84189 reports.
"""

from __future__ import annotations

from ghostproof.turn.budget import Turn, prompt_fits_as_it_stands
from ghostproof.turn.pruner import Pass, Pruner, least_recently_called
from ghostproof.turn.tool import Tool


def search(tool: Tool, turn: Turn) -> None:
    """The result of a search joins the history and reveals the schema."""
    if tool.requested and tool.registered:
        tool.reveal_schema()


def drop_first_message(tool: Tool, turn: Turn) -> None:
    """A history processor cuts from the front: what revealed the tool, then its calls."""
    if tool.evidence_resident:
        tool.evict_evidence()
    else:
        tool.evict_call()


def defer(tool: Tool, turn: Turn) -> None:
    """What no outgoing message reveals is not shown."""
    if not tool.evidence_resident:
        tool.hide_schema()


searching, deferring = Pass(search), Pass(defer)
dropping = Pass(drop_first_message, order=least_recently_called, until=prompt_fits_as_it_stands)

deferred_tools = Pruner(searching, dropping, deferring, name="pydantic-ai's deferred tools")
