"""Pruners that are right because of what stands where: without a gate, or with one that is not last."""

from __future__ import annotations

from corpus.parts import evict_gate, eviction, expand, expansion, gating, hide_idle, hiding, tombstone_gate
from ghostproof.turn.budget import Turn, prompt_fits
from ghostproof.turn.pruner import Pass, Pruner, largest_arguments_first, least_recently_called
from ghostproof.turn.tool import Tool


def hide_without_arguments(tool: Tool, turn: Turn) -> None:
    """Hides only what has no arguments in the prompt: the safe case."""
    if not tool.arguments_resident and not tool.requested:
        tool.hide_schema()


def hide_uncalled(tool: Tool, turn: Turn) -> None:
    """Hides only what was never called in this session."""
    if tool.calls == 0 and not tool.requested:
        tool.hide_schema()


def hide_with_calls(tool: Tool, turn: Turn) -> None:
    """Takes schema and arguments in one step."""
    if tool.schema_shown and not tool.requested:
        tool.hide_schema()
        tool.evict_all_calls()


def hide_with_notice(tool: Tool, turn: Turn) -> None:
    """Takes the schema and writes the tombstone in one step."""
    if tool.schema_shown and not tool.pinned and not tool.requested:
        tool.hide_schema()
        tool.tombstoned = tool.arguments_resident


def evict_by_age(tool: Tool, turn: Turn) -> None:
    """Calls go one idle turn before schemas do."""
    if tool.idle_turns >= 1:
        tool.evict_all_calls()


def hide_by_age(tool: Tool, turn: Turn) -> None:
    """Schemas go after two idle turns."""
    if tool.idle_turns >= 2:
        tool.hide_schema()


def trim_oldest_item(tool: Tool, turn: Turn) -> None:
    """Shortens the history, the oldest item first."""
    if tool.tombstone_is_oldest:
        tool.tombstoned = False
    else:
        tool.evict_call()


def trim_calls_then_notice(tool: Tool, turn: Turn) -> None:
    """The tombstone goes when there is nothing left for it to speak of."""
    if tool.arguments_resident:
        tool.evict_call()
    else:
        tool.tombstoned = False


def never(turn: Turn) -> bool:
    """No prompt has less than no tokens: a condition that goes on until nothing changes."""
    return turn.total_budget < 0


def evict_one_unshown(tool: Tool, turn: Turn) -> None:
    """Evicts one call a round."""
    if tool.arguments_resident and not tool.schema_resident:
        tool.evict_call()


def expand_all_called(tool: Tool, turn: Turn) -> None:
    """Shows what was asked for, and whatever still has arguments."""
    expand(tool, turn)
    if tool.arguments_resident and tool.registered and not tool.schema_shown:
        tool.show_schema()


order_alone = Pruner(expansion, eviction, hiding, name="order alone")
without_arguments = Pruner(expansion, Pass(hide_without_arguments, until=prompt_fits), name="hides without arguments")
uncalled_only = Pruner(expansion, Pass(hide_uncalled), name="hides what was never called")
both_at_once = Pruner(expansion, Pass(hide_with_calls, until=prompt_fits), name="schema and calls in one step")
notice_at_once = Pruner(
    Pass(evict_gate), expansion, Pass(hide_with_notice, until=prompt_fits), name="schema and tombstone in one step"
)
by_age = Pruner(Pass(evict_by_age), Pass(hide_by_age), name="calls go before schemas, by age")
gate_first = Pruner(gating, eviction, Pass(hide_with_notice, until=prompt_fits), name="the gate stands first")
gate_before_hiding = Pruner(eviction, gating, hiding, name="the gate before hiding by the same budget")
calls_only_after = Pruner(expansion, hiding, gating, eviction, name="schemas first, tombstones stay")
notice_last = Pruner(
    expansion,
    hiding,
    gating,
    Pass(trim_calls_then_notice, order=least_recently_called, until=prompt_fits),
    name="schemas first, the tombstone goes last",
)
gate_again = Pruner(
    hiding,
    gating,
    Pass(trim_oldest_item, order=largest_arguments_first, until=prompt_fits),
    Pass(tombstone_gate, name="gate again"),
    name="trimming takes tombstones, the gate returns",
)
round_by_round = Pruner(hiding, Pass(evict_one_unshown, until=never), name="one call a round, until nothing changes")
held_open = Pruner(Pass(hide_idle), Pass(expand_all_called), name="whatever has arguments is shown")
