"""deepagents 0.7.32 `middleware/_skill_tools.py::_find_skill_reads` behind LangChain's `ClearToolUsesEdit`.

Skill tools are shown while a successful `read_file` of their skill stands in the messages. The edit
(`keep=1, clear_tool_inputs=True`) empties the arguments of old calls in place, those of the read among them: the path
is gone, the read counts no more, and the schemas go while the last call of the skill's tool stays whole. Reproduced on
the parser of the evidence.
"""

from __future__ import annotations

from typing import Any

from ghostproof.turn.budget import Turn
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.tool import Tool

KEEP = 1


def read_skill(tool: Tool, turn: Turn) -> None:
    """The model reads the skill's file, which stands in the history from now on."""
    if tool.requested and tool.registered:
        tool.reveal_schema()


def count_messages(tool: Any, turn: Turn) -> None:
    """The edit looks at its trigger once."""
    tool.triggered = turn.prompt_tokens > turn.total_budget


def clear_inputs(tool: Any, turn: Turn) -> None:
    """Old calls are emptied, and with its path the read is no evidence any more."""
    if tool.triggered:
        tool.evict_evidence()
        if tool.calls_resident > KEEP:
            tool.empty_call()


def disclose(tool: Tool, turn: Turn) -> None:
    """Recomputed for each request from the reads that are left."""
    if not tool.evidence_resident:
        tool.hide_schema()


skill_tools = Pruner(
    Pass(read_skill),
    Pass(count_messages),
    Pass(clear_inputs),
    Pass(disclose),
    memory={"triggered": False},
    name="deepagents' skill tools",
)
