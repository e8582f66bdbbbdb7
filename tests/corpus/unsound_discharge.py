"""Gates that look at every tool every turn, and then do too little, too late, or undo it."""

from __future__ import annotations

from typing import Any

from corpus.parts import expansion, hide, hiding, tombstone_gate
from ghostproof.turn.budget import Turn, prompt_fits_as_it_stands
from ghostproof.turn.pruner import Pass, Pruner, largest_arguments_first, least_recently_called
from ghostproof.turn.tool import Tool


def evict_one(tool: Tool, turn: Turn) -> None:
    """Evicts a call where it should evict the tool's calls."""
    if tool.arguments_resident and not tool.schema_resident:
        tool.evict_call()


def evict_two(tool: Tool, turn: Turn) -> None:
    """Evicts at most two calls."""
    if not tool.schema_resident:
        for _ in range(2):
            tool.evict_call()


def plan_eviction(tool: Any, turn: Turn) -> None:
    """Leaves the eviction to the trimming that follows."""
    tool.planned = tool.arguments_resident and not tool.schema_resident


def evict_as_planned(tool: Any, turn: Turn) -> None:
    """Trimming, which is not reached where hiding has made room."""
    if tool.planned:
        tool.evict_all_calls()


def plan_for_next_turn(tool: Any, turn: Turn) -> None:
    """Evicts what it decided on in the last turn, and decides for the next."""
    if tool.planned:
        tool.evict_all_calls()
    tool.planned = tool.arguments_resident and not tool.schema_resident


def flip(tool: Tool, turn: Turn) -> None:
    """Flips the tombstone where it should set it."""
    if tool.arguments_resident and not tool.schema_resident:
        tool.tombstoned = not tool.tombstoned


def expire(tool: Tool, turn: Turn) -> None:
    """Takes a tombstone that is three turns old for outdated."""
    if tool.arguments_resident and not tool.schema_resident:
        tool.tombstoned = tool.idle_turns < 3


def whichever_is_cheaper(tool: Tool, turn: Turn) -> None:
    """Evicts or tombstones, whichever costs less, and has no opinion where both cost the same."""
    if not tool.arguments_resident or tool.schema_resident:
        return
    if tool.argument_tokens < tool.tombstone_tokens:
        tool.evict_all_calls()
    elif tool.argument_tokens > tool.tombstone_tokens:
        tool.tombstoned = True


def two_names_at_most(tool: Tool, turn: Turn) -> None:
    """Keeps all tombstones in one line, which holds two names of one token each."""
    if tool.arguments_resident and not tool.schema_resident and turn.tombstone_tokens < 2:
        tool.tombstoned = True


def one_at_a_time(turn: Turn) -> bool:
    """A tombstone stands: enough for this turn."""
    return turn.tombstone_tokens > 0


def only_expensive_calls(tool: Tool, turn: Turn) -> None:
    """Takes a call of one token for harmless: it can carry no values."""
    if tool.argument_tokens > 1:
        tombstone_gate(tool, turn)


evicts_one = Pruner(hiding, Pass(evict_one), name="evicts one call")
evicts_two = Pruner(hiding, Pass(evict_two), name="evicts two calls")
plans = Pruner(
    Pass(hide, order=least_recently_called, until=prompt_fits_as_it_stands),
    Pass(plan_eviction),
    Pass(evict_as_planned, order=largest_arguments_first, until=prompt_fits_as_it_stands),
    memory={"planned": False},
    name="plans an eviction",
)
plans_for_next_turn = Pruner(
    hiding, Pass(plan_for_next_turn), memory={"planned": False}, name="plans an eviction for the next turn"
)
flips = Pruner(hiding, Pass(flip), name="flips tombstones")
expires = Pruner(hiding, Pass(expire), name="tombstones expire")
indifferent = Pruner(expansion, hiding, Pass(whichever_is_cheaper), name="does nothing at equal costs")
two_names = Pruner(hiding, Pass(two_names_at_most), name="two tombstones at most")
one_name = Pruner(hiding, Pass(tombstone_gate, until=one_at_a_time), name="one tombstone a turn")
small_calls = Pruner(hiding, Pass(only_expensive_calls), name="small calls are harmless")
