"""Coding agents that filter tools by mode: Roo Code, Cline's plan and act presets, opencode's agents, Gemini CLI.

Roo: `src/core/prompts/tools/filter-tools-for-mode.ts`; Cline: `sdk/packages/core/src/.../tools/presets.ts`. In a
planning mode the tools that change state are not offered; their calls stay in the history until the window is nearly
full. A user who has not made the agent act in the last turn is planning. What stands for Roo's un-hiding of calls
when a summary is rewound is "arguments appear". Roo's path for Gemini sends all schemas and restricts by allowed
names: it prunes nothing.
"""

from __future__ import annotations

from ghostproof.turn.budget import Turn, prompt_fits_as_it_stands
from ghostproof.turn.pruner import Pass, Pruner, least_recently_called
from ghostproof.turn.tool import Tool


def offer_by_mode(tool: Tool, turn: Turn) -> None:
    """Acting tools while acting, and when the model asks for the mode; reading tools always."""
    planning = tool.idle_turns >= 1 and not tool.requested
    if tool.mutation and planning:
        tool.hide_schema()
    elif tool.registered and not tool.schema_shown:
        tool.show_schema()


def truncate(tool: Tool, turn: Turn) -> None:
    """A part of the oldest messages goes when the window is full."""
    tool.evict_call()


mode_switch = Pruner(
    Pass(offer_by_mode),
    Pass(truncate, order=least_recently_called, until=prompt_fits_as_it_stands),
    name="tools by mode",
)
