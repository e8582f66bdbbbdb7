"""The seed's listing as the gate of a pruner, by what its caller does when it raises.

The listing decides as it stands. That a plan is aborted for all its tools is not in these: a visit sees one tool.
"""

from __future__ import annotations

from ghostproof.turn.budget import Turn
from ghostproof.turn.tool import Tool
from ghostproof_proofs.seed_listing import GhostToolInvariantError, ToolContextState, enforce_evict_or_tombstone


def _decided(tool: Tool) -> str | None:
    state = ToolContextState("tool", tool.schema_resident, tool.arguments_resident, tool.tombstoned, tool.mutation)
    return enforce_evict_or_tombstone(state)


def listing_ignored(tool: Tool, turn: Turn) -> None:
    """The error is logged, and the request is sent."""
    try:
        if _decided(tool):
            tool.tombstoned = True
    except GhostToolInvariantError:
        return


def listing_then_tombstone(tool: Tool, turn: Turn) -> None:
    """The error is answered as the prose prefers for tools that change state: by a tombstone."""
    try:
        if _decided(tool):
            tool.tombstoned = True
    except GhostToolInvariantError:
        tool.tombstoned = True


def listing_then_evict(tool: Tool, turn: Turn) -> None:
    """The error is answered as its own text asks first: by evicting the arguments."""
    try:
        if _decided(tool):
            tool.tombstoned = True
    except GhostToolInvariantError:
        tool.evict_all_calls()
