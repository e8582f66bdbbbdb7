"""Pruners that keep notes and are right all the same: what is noted steers hiding, or is set and used in one turn."""

from __future__ import annotations

from typing import Any

from corpus.parts import clear_notes, evict, expansion, gating, hide, hide_idle, hiding, tombstone_gate
from ghostproof.turn.budget import Turn, prompt_fits
from ghostproof.turn.pruner import Pass, Pruner, least_recently_called

ROOM = 2


def note_high_water(tool: Any, turn: Turn) -> None:
    """Above the high mark trimming starts, at the low mark it ends."""
    tool.pressed = turn.demand_tokens > turn.total_budget or (
        tool.pressed and turn.demand_tokens + ROOM > turn.total_budget
    )


def evict_under_pressure(tool: Any, turn: Turn) -> None:
    """Evicts while pressure lasts."""
    if tool.pressed:
        evict(tool, turn)


def hide_under_pressure(tool: Any, turn: Turn) -> None:
    """Hides while pressure lasts."""
    if tool.pressed:
        hide(tool, turn)


def low_water(turn: Turn) -> bool:
    """Some room is left."""
    return turn.demand_tokens + ROOM <= turn.total_budget


def keep_what_was_asked_for(tool: Any, turn: Turn) -> None:
    """A tool that was asked for is kept for two turns."""
    if tool.requested and tool.registered:
        tool.show_schema()
        tool.kept = 2
    elif tool.kept > 0:
        tool.kept = tool.kept - 1


def hide_what_is_not_kept(tool: Any, turn: Turn) -> None:
    """Hides the rest."""
    if tool.kept == 0:
        hide(tool, turn)


def note_hidden(tool: Any, turn: Turn) -> None:
    """Notes what is hidden, after hiding and in the same turn."""
    tool.noted = not tool.schema_resident


def warn_where_noted(tool: Any, turn: Turn) -> None:
    """A gate on this turn's notes, which cover every tool."""
    if tool.noted:
        tombstone_gate(tool, turn)


def stick(tool: Any, turn: Turn) -> None:
    """Once called, shown for ever."""
    tool.stuck = tool.stuck or tool.calls > 0


def hide_unless_stuck(tool: Any, turn: Turn) -> None:
    """Hides what never was of use."""
    if not tool.stuck:
        hide(tool, turn)


def count_warnings(tool: Any, turn: Turn) -> None:
    """Counts how often it warned, for the log, and warns every time."""
    if tool.arguments_resident and not tool.schema_resident:
        tool.warnings = tool.warnings + 1
        tool.tombstoned = True


watermarks = Pruner(
    Pass(note_high_water),
    Pass(evict_under_pressure, order=least_recently_called, until=low_water),
    Pass(hide_under_pressure, order=least_recently_called, until=prompt_fits),
    gating,
    memory={"pressed": False},
    name="two watermarks",
)
kept_open = Pruner(
    Pass(keep_what_was_asked_for),
    Pass(hide_what_is_not_kept, until=prompt_fits),
    gating,
    memory={"kept": 0},
    name="kept open for two turns",
)
noted_afresh = Pruner(
    Pass(clear_notes),
    expansion,
    hiding,
    Pass(note_hidden),
    Pass(warn_where_noted),
    memory={"noted": False},
    name="a gate on this turn's notes",
)
sticky = Pruner(Pass(stick), Pass(hide_unless_stuck, until=prompt_fits), memory={"stuck": False}, name="sticky tools")
counted = Pruner(Pass(hide_idle), Pass(count_warnings), memory={"warnings": 0}, name="warnings are counted")
