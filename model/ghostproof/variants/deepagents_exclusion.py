"""deepagents 0.7.32 `middleware/_tool_exclusion.py`: tools that a model's profile excludes, from first to last.

The one middleware found that both hides a tool and refuses its execution. The list is fixed for the model, so inside
one session no call of an excluded tool ever enters the history. A handoff, or a resumed session of another model,
brings calls along. Skill tools, which appear and disappear with reads of skill files, are in `deepagents_skills.py`.
"""

from __future__ import annotations

from ghostproof.turn.budget import Turn
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.tool import Tool


def exclude(tool: Tool, turn: Turn) -> None:
    """Not on the profile's list, which a pin marks: never offered."""
    if not tool.pinned:
        tool.hide_schema()


def truncate_arguments(tool: Tool, turn: Turn) -> None:
    """Long arguments of file tools are cut to twenty characters: they stay resident, with fewer values."""
    tool.truncate_calls()


static_exclusion = Pruner(Pass(truncate_arguments), Pass(exclude), name="deepagents' static exclusion")
