"""Microsoft Agent Framework 1.23.0 `_middleware.py::FunctionInvocationContext.remove_tools`: removed by a call.

Application code may remove a tool while a call runs; the removal holds from the next request on, and calls of the
same batch still run. Reproduced: a call, a removal, a ghost. Every filter by a predicate over the state of the
session has this shape: pydantic-ai 2.68.0 `prepare_tools` and `FilteredToolset`, openai-agents 0.24.0 `is_enabled`
and MCP `tool_filter`, Semantic Kernel 1.45.0 function-choice filters. Here the predicate is "may be called once".
"""

from __future__ import annotations

from ghostproof.turn.budget import Turn
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.tool import Tool


def remove_after_call(tool: Tool, turn: Turn) -> None:
    """A tool that was called removes itself."""
    if tool.calls > 0:
        tool.hide_schema()


remove_tools = Pruner(Pass(remove_after_call), name="remove_tools")
