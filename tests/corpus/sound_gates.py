"""Pruners with a gate that is right, whatever the gate does and however ugly it looks."""

from __future__ import annotations

from typing import Any

from corpus.parts import (
    evict,
    evict_gate,
    eviction,
    expansion,
    gating,
    hide,
    hide_idle,
    hiding,
    hiding_by_schemas,
    show_registered,
    tombstone_gate,
)
from ghostproof.turn.budget import Turn, arguments_fit, prompt_fits
from ghostproof.turn.pruner import Pass, Pruner, largest_schema_first, least_frequently_called, least_recently_called
from ghostproof.turn.tool import Tool


def discharge_by_effect(tool: Tool, turn: Turn) -> None:
    """A tombstone for what changes state, eviction for what only reads."""
    if tool.arguments_resident and not tool.schema_resident:
        if tool.mutation:
            tool.tombstoned = True
        else:
            tool.evict_all_calls()


def whichever_is_cheaper(tool: Tool, turn: Turn) -> None:
    """Evicts where a call costs no more than a tombstone; ties included."""
    if tool.arguments_resident and not tool.schema_resident:
        if tool.argument_tokens <= tool.tombstone_tokens:
            tool.evict_all_calls()
        else:
            tool.tombstoned = True


def restore(tool: Tool, turn: Turn) -> None:
    """Brings the schema back for arguments that need it; where the tool is gone, the arguments go too."""
    if tool.arguments_resident and not tool.schema_resident:
        if tool.registered:
            tool.show_schema()
        else:
            tool.evict_all_calls()


def warn_whoever_is_hidden(tool: Tool, turn: Turn) -> None:
    """Tombstones every tool without a schema, whether or not there are arguments: wasteful, and right."""
    if not tool.schema_resident:
        tool.tombstoned = True


def warn_everybody(tool: Tool, turn: Turn) -> None:
    """Tombstones every tool, shown or not."""
    tool.tombstoned = True


def rewrite_notices(tool: Tool, turn: Turn) -> None:
    """Takes every tombstone away and writes those anew that are owed."""
    tool.tombstoned = False
    tool.tombstoned = tool.arguments_resident and not tool.schema_resident


def show_and_hide(tool: Tool, turn: Turn) -> None:
    """Shows, hides, shows lossily and hides again, to no end."""
    tool.show_schema()
    tool.hide_schema()
    tool.show_schema_lossily()
    tool.hide_schema()


def one_long_condition(tool: Tool, turn: Turn) -> None:
    """The gate as one expression of conditional expressions."""
    owed = (tool.schema_lossy if tool.schema_shown else True) if tool.calls_resident >= 1 else False
    tool.tombstoned = True if owed else (tool.tombstoned if tool.calls_resident > 0 else False)


def compress_idle(tool: Tool, turn: Turn) -> None:
    """Compresses the schema of what was not called in the last response."""
    if tool.schema_resident and tool.idle_turns >= 1 and not tool.requested:
        tool.show_schema_lossily()


def plan(tool: Any, turn: Turn) -> None:
    """Notes what has to be evicted."""
    tool.noted = tool.arguments_resident and not tool.schema_resident


def carry_out(tool: Any, turn: Turn) -> None:
    """Evicts what was noted, whether or not the prompt fits."""
    if tool.noted:
        tool.evict_all_calls()
    tool.noted = False


by_tombstone = Pruner(expansion, eviction, hiding, gating, name="arguments first, tombstones")
by_eviction = Pruner(expansion, hiding, Pass(evict_gate), name="evict only")
by_effect = Pruner(expansion, hiding, Pass(discharge_by_effect), name="by effect")
by_cost = Pruner(expansion, hiding, Pass(whichever_is_cheaper), name="by cost")
by_restoring = Pruner(hiding, Pass(restore), name="the schema comes back")
for_whoever_is_hidden = Pruner(expansion, hiding, Pass(warn_whoever_is_hidden), name="tombstones without arguments")
for_everybody = Pruner(hiding, Pass(warn_everybody), name="tombstones for everybody")
rewritten = Pruner(Pass(hide_idle), Pass(rewrite_notices), name="notices are rewritten each turn")
twice = Pruner(
    Pass(tombstone_gate, name="first gate"),
    expansion,
    hiding,
    Pass(tombstone_gate, name="second gate"),
    Pass(evict_gate, name="third gate"),
    eviction,
    name="three gates",
)
to_no_end = Pruner(
    Pass(show_and_hide, name="once"),
    Pass(show_and_hide, name="again"),
    Pass(show_registered),
    hiding,
    gating,
    name="redundant passes",
)
in_one_expression = Pruner(hiding, Pass(one_long_condition), name="a gate in one expression")
hollow_and_gated = Pruner(Pass(compress_idle), hiding, gating, name="compressed and gated")
planned_and_done = Pruner(hiding, Pass(plan), Pass(carry_out), memory={"noted": False}, name="planned and carried out")
pair_of_budgets = Pruner(
    expansion,
    Pass(evict, order=least_frequently_called, until=arguments_fit),
    hiding_by_schemas,
    gating,
    name="a pair of budgets",
)
several_orders = Pruner(
    Pass(evict, order=least_frequently_called, until=prompt_fits),
    Pass(hide, order=largest_schema_first, until=prompt_fits, name="hide the largest"),
    Pass(hide, order=least_recently_called, until=prompt_fits, name="hide the oldest"),
    gating,
    name="three orders",
)
