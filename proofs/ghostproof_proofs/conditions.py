"""What T8 asks outside the seed's conditions of validity: pruners that keep no arguments or no less than the schema.

A visit that uses memory takes the tool as `Any`, since memory fields are no attributes of every tool; the pruner
declares them with `COPY`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ghostproof.turn.budget import Turn
from ghostproof.turn.environment import EVERYTHING
from ghostproof.turn.property import Property
from ghostproof.turn.pruner import Pass, Pruner, Visit
from ghostproof.turn.response import CALL_DESPITE_TOMBSTONE, REBUILD_ANY, RESPONSE
from ghostproof.turn.scenario import ANYTHING
from ghostproof.turn.tool import Tool, Value
from ghostproof.variants.arbitration import prune_schema
from ghostproof_proofs.free_pruning import SETTLED, by_frequency

# Whether the schema stands in the prompt as a compressed copy.
COPY: Mapping[str, Value] = {"compressed": False}

R1 = replace(
    ANYTHING,
    name=f"{ANYTHING.name}, R1: a reading tool's ghost is asked for",
    responses=tuple(action.name for action in RESPONSE if action is not REBUILD_ANY),
)
R1_R2 = replace(
    R1,
    name=f"{R1.name}, R2: tombstones are obeyed",
    responses=tuple(name for name in R1.responses if name != CALL_DESPITE_TOMBSTONE.name),
)
SETTLED_R1_R2 = replace(
    SETTLED,
    name=f"{SETTLED.name}, R1 and R2",
    responses=tuple(name for name in R1_R2.responses if name != "call blind"),
)
NOTHING_APPEARS = replace(
    ANYTHING,
    name=f"{ANYTHING.name}, but no arguments from elsewhere",
    environment=tuple(name for name in EVERYTHING if name != "arguments appear"),
)


def _reading_ghost(tool: Tool) -> bool:
    return tool.ghost and not tool.mutation


def _reads_at_risk(tool: Tool) -> bool:
    return tool.arguments_resident and not tool.schema_resident and not tool.mutation


def _just_rebuilt(tool: Tool) -> bool:
    # A workaround of a rebuilt call bears the same mark, and is none.
    return tool.rebuilt and not tool.recovering and tool.idle_turns == 0


def _reading_rebuilt(tool: Tool) -> bool:
    return _just_rebuilt(tool) and not tool.mutation


def _just_called(tool: Tool) -> bool:
    return tool.calls > 0 and tool.idle_turns == 0


def _reading_just_called(tool: Tool) -> bool:
    return _just_called(tool) and not tool.mutation


def _arguments(tool: Tool) -> bool:
    return tool.arguments_resident


def _never_called_ghost(tool: Tool) -> bool:
    return tool.ghost and tool.calls == 0


def _never_called(tool: Tool) -> bool:
    return tool.calls == 0 and not tool.schema_resident


def _ghost_of_failure(tool: Tool) -> bool:
    return tool.ghost and tool.calls == 1 and tool.rejected


def _failed(tool: Tool) -> bool:
    return tool.calls == 1 and tool.rejected


NO_ARGUMENTS = Property("no_arguments", "no request carries arguments of an earlier call", _arguments, _arguments)
NO_READING_GHOST = Property(
    "no_reading_ghost", "no tool that only reads is sent as a ghost", _reading_ghost, _reads_at_risk
)
NO_REBUILT_CALL = Property(
    "no_rebuilt_call", "the last response rebuilt no call from stale arguments", _just_rebuilt, _just_called
)
NO_REBUILT_READING = Property(
    "no_rebuilt_reading",
    "the last response rebuilt no call of a tool that only reads",
    _reading_rebuilt,
    _reading_just_called,
)
NO_UNCALLED_GHOST = Property(
    "no_uncalled_ghost", "no tool that was never called is sent as a ghost", _never_called_ghost, _never_called
)
NO_GHOST_OF_FAILURE = Property(
    "no_ghost_of_failure", "no tool whose only call was rejected is sent as a ghost", _ghost_of_failure, _failed
)


def strip(tool: Tool, turn: Turn) -> None:
    """Drops the schema and strips the arguments of the tool from the history: no retention, as the seed words it."""
    if tool.schema_shown and not tool.pinned and not tool.requested:
        tool.hide_schema()
        tool.evict_all_calls()


def evict_everything(tool: Tool, turn: Turn) -> None:
    """Strips all arguments, of every tool, in every turn: no retention at all."""
    tool.evict_all_calls()


def compress(tool: Any, turn: Turn) -> None:
    """Shows a copy without its descriptions, which was made once and is kept."""
    if tool.schema_shown:
        tool.compressed = True


def compress_afresh(tool: Any, turn: Turn) -> None:
    """Shows a copy without its descriptions, made of the live schema in every turn."""
    if tool.schema_shown:
        tool.show_schema()
        tool.compressed = True


def compressing(visit: Visit, name: str) -> Pruner:
    """Compresses every schema in every turn and hides none."""
    return Pruner(Pass(visit), memory=COPY, name=name)


retaining = by_frequency(prune_schema, "arguments stay")
stripping = by_frequency(strip, "arguments go with the schema")
kept_copy = compressing(compress, "a compressed copy that is kept")
fresh_copy = compressing(compress_afresh, "a compressed copy made afresh in every turn")
