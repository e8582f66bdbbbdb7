"""Anthropic's context editing `clear_tool_uses_20250919`, and LiteLLM 1.110.2's polyfill of it.

Above a trigger the inputs of all but the last uses are cleared (`clear_tool_inputs`, opt-in); schemas are not
touched. It runs on the server and is stateless: the client keeps everything, so what was cleared can come back when
the edit is not sent. That is "arguments appear" in the model. What is kept is counted here per tool, one call each,
where the real `keep` counts over all tools. Reproduced through the polyfill, with a selector in front.
"""

from __future__ import annotations

from typing import Any

from ghostproof.turn.budget import Turn
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.tool import Value
from ghostproof.variants.query_selector import offer_all, select

MEMORY: dict[str, Value] = {"triggered": False}
KEEP = 1


def count_input(tool: Any, turn: Turn) -> None:
    """The trigger looks at the request once."""
    tool.triggered = turn.prompt_tokens > turn.total_budget


def clear_all_but_last(tool: Any, turn: Turn) -> None:
    """Clear the oldest use in each turn; a response adds one use at most, so no more than those to keep remain."""
    if tool.triggered and tool.calls_resident > KEEP:
        tool.empty_call()


clearing = (Pass(count_input), Pass(clear_all_but_last))

context_editing = Pruner(*clearing, memory=MEMORY, name="context editing")
editing_behind_selector = Pruner(
    Pass(offer_all), select, *clearing, memory=MEMORY, name="context editing behind a selector"
)
