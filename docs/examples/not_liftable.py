"""A pruner that cannot be checked as a model: it looks at the clock, which is no part of the turn.

    ghostproof check docs/examples/not_liftable.py:PRUNER

The answer names file, line and what to write instead. Everything a pass decides by has to be a field of the tool, a
number of the turn, or an own value declared in the pruner's `memory`. Here `tool.idle_turns` says the same as the
clock and can be checked. Code that has to stay as it is can be driven as a callable (`ghostproof check --callable`).
"""

from __future__ import annotations

import time

from ghostproof.turn.budget import Turn
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.tool import Tool

STARTED = time.monotonic()
WARM_UP_SECONDS = 60


def withhold_when_warm(tool: Tool, turn: Turn) -> None:
    """Drop schemas once the process has been up for a minute."""
    if tool.schema_shown and time.monotonic() - STARTED > WARM_UP_SECONDS:
        tool.hide_schema()


def gate(tool: Tool, turn: Turn) -> None:
    """Every tool, every turn: where arguments stand without a schema, a tombstone must stand too."""
    if tool.arguments_resident and not tool.schema_resident:
        tool.tombstoned = True


PRUNER = Pruner(Pass(withhold_when_warm), Pass(gate), name="schemas by the clock")
