"""Pruners that show a schema without its required fields, types or enums, and count it as shown."""

from __future__ import annotations

from corpus.parts import expansion, gating, hiding
from ghostproof.turn.budget import Turn, prompt_fits
from ghostproof.turn.pruner import Pass, Pruner, largest_schema_first
from ghostproof.turn.tool import Tool


def compress_idle(tool: Tool, turn: Turn) -> None:
    """Compresses what was not called in the last response."""
    if tool.schema_resident and tool.idle_turns >= 1 and not tool.requested:
        tool.show_schema_lossily()


def compress_large(tool: Tool, turn: Turn) -> None:
    """Compresses what costs more than a tombstone, while the prompt is too large."""
    if tool.schema_resident and tool.schema_tokens > tool.tombstone_tokens:
        tool.show_schema_lossily()


def gate_on_shown(tool: Tool, turn: Turn) -> None:
    """Asks whether a schema is shown."""
    if tool.arguments_resident and not tool.schema_shown:
        tool.tombstoned = True


def restore_lossily(tool: Tool, turn: Turn) -> None:
    """Brings a schema back for arguments that need it, in its short form, over the tombstone."""
    if tool.arguments_resident and not tool.schema_shown and tool.registered and tool.idle_turns >= 2:
        tool.show_schema_lossily()


idle_compressed = Pruner(Pass(compress_idle), hiding, Pass(gate_on_shown), name="idle schemas are compressed")
compressed_behind_gate = Pruner(
    expansion,
    gating,
    Pass(compress_large, order=largest_schema_first, until=prompt_fits),
    hiding,
    Pass(gate_on_shown),
    name="compression behind the gate",
)
short_form = Pruner(hiding, gating, Pass(restore_lossily), name="the short form takes the tombstone's place")
