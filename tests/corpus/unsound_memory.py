"""Pruners that trust what they noted instead of the prompt that is about to be sent."""

from __future__ import annotations

from typing import Any

from corpus.parts import clear_notes, expansion, gating, hide, hide_idle, hiding, tombstone_gate
from ghostproof.turn.budget import Turn, prompt_fits
from ghostproof.turn.pruner import Pass, Pruner, least_recently_called


def warn_once(tool: Any, turn: Turn) -> None:
    """Tells the model once in a session, and takes it to remember."""
    if tool.arguments_resident and not tool.schema_resident and not tool.warned:
        tool.tombstoned = True
        tool.warned = True


def warn_until_shown(tool: Any, turn: Turn) -> None:
    """Forgets its warning when the schema is shown again, but takes a tombstone that it wrote to be there still."""
    if tool.schema_resident:
        tool.warned = False
    warn_once(tool, turn)


def expand_from_cache(tool: Any, turn: Turn) -> None:
    """Takes the second request for a schema to be answered by the first: the cache says that it was sent."""
    if tool.requested and tool.registered:
        if tool.expansions < 1:
            tool.show_schema()
        else:
            tool.tombstoned = False
        tool.expansions = tool.expansions + 1


def warn_at_hiding(tool: Any, turn: Turn) -> None:
    """Writes the tombstone when it hides the schema, and never again."""
    if tool.idle_turns >= 1 and tool.schema_shown and not tool.requested:
        tool.hide_schema()
        tool.tombstoned = tool.arguments_resident


def hide_and_note(tool: Any, turn: Turn) -> None:
    """Notes whose schema it took."""
    if tool.schema_shown and not tool.pinned and not tool.requested:
        tool.hide_schema()
        tool.noted = True


def warn_where_noted(tool: Any, turn: Turn) -> None:
    """Knows of the tools that this turn's pruning took, and of no others."""
    if tool.noted:
        tombstone_gate(tool, turn)


def warn_by_last_view(tool: Any, turn: Turn) -> None:
    """Decides on what was shown in the last request, and takes a look for the next turn."""
    if tool.arguments_resident and tool.was_hidden:
        tool.tombstoned = True
    tool.was_hidden = not tool.schema_resident


def warn_unless_once_gone(tool: Any, turn: Turn) -> None:
    """Keeps a record of tools that went away, does not see them return, and takes them to be dealt with."""
    if tool.gone:
        return
    tool.gone = not tool.registered
    if not tool.schema_resident:
        tool.tombstoned = True


def note_pressure(tool: Any, turn: Turn) -> None:
    """Keeps two turns of pressure: this one's and the last one's."""
    tool.pressed_before = tool.pressed
    tool.pressed = turn.demand_tokens > turn.total_budget


def warn_at_onset(tool: Any, turn: Turn) -> None:
    """Runs the gate when pressure begins, as if it could not last."""
    if not tool.pressed_before:
        tombstone_gate(tool, turn)


def warn_unless_budget_grew(tool: Any, turn: Turn) -> None:
    """Writes tombstones anew, none where the budget grew: there is room, so nothing can be missing."""
    grew = turn.total_budget > tool.last_budget
    tool.last_budget = turn.total_budget
    tool.tombstoned = tool.arguments_resident and not tool.schema_resident and not grew


warns_once = Pruner(expansion, hiding, Pass(warn_once), memory={"warned": False}, name="warns once in a session")
warns_until_shown = Pruner(
    expansion, hiding, Pass(warn_until_shown), memory={"warned": False}, name="warns once until shown"
)
second_expansion = Pruner(
    hiding,
    gating,
    Pass(expand_from_cache),
    memory={"expansions": 0},
    name="the second re-expansion comes from a cache",
)
at_hiding = Pruner(expansion, Pass(warn_at_hiding), name="warns when it hides")
pruned_only = Pruner(
    Pass(clear_notes),
    expansion,
    Pass(hide_and_note, order=least_recently_called, until=prompt_fits),
    Pass(warn_where_noted),
    memory={"noted": False},
    name="warns of what this turn pruned",
)
last_view = Pruner(Pass(hide_idle), Pass(warn_by_last_view), memory={"was_hidden": False}, name="the last turn's view")
gone_once = Pruner(hiding, Pass(warn_unless_once_gone), memory={"gone": False}, name="once gone, dealt with for good")
onset_only = Pruner(
    Pass(note_pressure),
    Pass(hide, order=least_recently_called, until=prompt_fits),
    Pass(warn_at_onset),
    memory={"pressed": False, "pressed_before": False},
    name="the gate runs when pressure begins",
)
budget_grew = Pruner(
    hiding, Pass(warn_unless_budget_grew), memory={"last_budget": 0}, name="no gate when the budget grows"
)
