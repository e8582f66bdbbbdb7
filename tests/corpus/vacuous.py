"""Pruners about which a proof would say nothing: they never hide a schema, or never leave arguments in a prompt."""

from __future__ import annotations

from corpus.parts import eviction, gating, hide_idle
from ghostproof.turn.budget import Turn
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.tool import Tool


def evict_everything(tool: Tool, turn: Turn) -> None:
    """No retention at all: a request never carries an earlier call."""
    tool.evict_all_calls()


def hide_the_impossible(tool: Tool, turn: Turn) -> None:
    """Hides a schema that costs nothing, and there is none."""
    if tool.schema_tokens < 1:
        tool.hide_schema()


never_prunes = Pruner(eviction, gating, name="never prunes a schema")
no_retention = Pruner(Pass(hide_idle), Pass(evict_everything), name="no retention")
dead_pass = Pruner(Pass(hide_the_impossible), gating, name="a pass that cannot act")
