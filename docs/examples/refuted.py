"""A pruner with the same gate, in the common order: schemas first, because they are cheap to drop. It leaves ghosts.

    ghostproof check docs/examples/refuted.py:PRUNER

The gate runs before the history is trimmed, and to the trimming a tombstone is a note like any other, which goes before
calls do. The answer shows the shortest session in which that leaves arguments alone. Put `Pass(trim, ...)` in front of
`Pass(withhold, ...)`, and the answer is a proof; `proved.py` says how to write your own.
"""

from __future__ import annotations

from ghostproof.turn.budget import Turn, prompt_fits
from ghostproof.turn.pruner import Pass, Pruner, least_recently_called
from ghostproof.turn.tool import Tool


def withhold(tool: Tool, turn: Turn) -> None:
    """Drop the schema, unless the tool is pinned."""
    if tool.schema_shown and not tool.pinned:
        tool.hide_schema()


def gate(tool: Tool, turn: Turn) -> None:
    """Every tool, every turn: where arguments stand without a schema, a tombstone must stand too."""
    if tool.arguments_resident and not tool.schema_resident:
        tool.tombstoned = True


def trim(tool: Tool, turn: Turn) -> None:
    """Shorten the history, notes before calls."""
    if tool.tombstoned:
        tool.tombstoned = False
    else:
        tool.evict_call()


PRUNER = Pruner(
    Pass(withhold, order=least_recently_called, until=prompt_fits),
    Pass(gate),
    Pass(trim, order=least_recently_called, until=prompt_fits),
    name="schemas first",
)
