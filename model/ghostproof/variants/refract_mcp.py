"""refract-mcp 0.7.0: schemas are rewritten without constraints, the full one comes on request.

`compress_tool` (reproduced; it lists the constraints that it drops) shortens every schema, and a tool returns the
full one. The index of names that goes with it says nothing about a schema being withheld: no tombstone.
nikolai-vysotskyi/trace-mcp #500 reports tools that became uncallable for lack of required parameters.
"""

from __future__ import annotations

from ghostproof.turn.budget import Turn
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.tool import Tool


def compress_tool(tool: Tool, turn: Turn) -> None:
    """Short for everybody, full for whoever just asked."""
    if tool.registered and tool.requested:
        tool.show_schema()
    elif tool.schema_shown:
        tool.show_schema_lossily()


refract = Pruner(Pass(compress_tool), name="refract-mcp")
