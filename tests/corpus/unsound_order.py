"""Right passes in a wrong order, or orders that only seem to agree."""

from __future__ import annotations

from corpus.parts import evict, eviction, expand, expansion, gating, hide_idle, hiding
from ghostproof.turn.budget import Turn, prompt_fits
from ghostproof.turn.pruner import Pass, Pruner, least_recently_called
from ghostproof.turn.tool import Tool


def trim_notices_first(tool: Tool, turn: Turn) -> None:
    """Shortens the history, notices before calls."""
    if tool.tombstoned:
        tool.tombstoned = False
    else:
        evict(tool, turn)


def trim_oldest_item(tool: Tool, turn: Turn) -> None:
    """Shortens the history, the oldest item first, be it a call or a tombstone."""
    if tool.tombstone_is_oldest:
        tool.tombstoned = False
    else:
        evict(tool, turn)


def cascade_at_once(tool: Tool, turn: Turn) -> None:
    """Takes the tombstone with the first call, not with the last."""
    tool.evict_call()
    tool.tombstoned = False


def unless_history_is_pinned(tool: Tool, turn: Turn) -> None:
    """A pin keeps the calls; hiding knows nothing of it."""
    if tool.schema_shown and not tool.requested:
        tool.hide_schema()


def expand_what_is_there(tool: Tool, turn: Turn) -> None:
    """Answers a request by taking the tombstone away, and then looks whether the tool still exists."""
    if tool.requested:
        tool.tombstoned = False
    expand(tool, turn)


def warn_the_next_victim(tool: Tool, turn: Turn) -> None:
    """Tombstones the tool that hiding will take, where its schema alone is enough."""
    over = turn.schema_tokens + turn.argument_tokens - turn.total_budget
    if turn.tombstone_tokens == 0 and 0 < over <= tool.schema_tokens and tool.arguments_resident:
        tool.tombstoned = True


def hide_the_victim(tool: Tool, turn: Turn) -> None:
    """Hides one schema, where it alone is enough."""
    over = turn.schema_tokens + turn.argument_tokens - turn.total_budget
    if 0 < over <= tool.schema_tokens:
        tool.hide_schema()


def least_recently_called_readers_first(tool: Tool) -> int:
    """The tool with the most idle turns first; among equals those that only read."""
    return -tool.idle_turns - tool.idle_turns + (1 if tool.mutation else 0)


no_gate = Pruner(expansion, hiding, eviction, name="schemas first, no gate")
notices_first = Pruner(
    expansion,
    hiding,
    gating,
    Pass(trim_notices_first, order=least_recently_called, until=prompt_fits),
    name="schemas first, notices go first",
)
oldest_first = Pruner(
    hiding,
    gating,
    Pass(trim_oldest_item, order=least_recently_called, until=prompt_fits),
    name="schemas first, the oldest item goes first",
)
early_cascade = Pruner(
    hiding,
    gating,
    Pass(cascade_at_once, order=least_recently_called, until=prompt_fits),
    name="the tombstone goes with the first call",
)
pinned_history = Pruner(
    expansion,
    eviction,
    Pass(unless_history_is_pinned, order=least_recently_called, until=prompt_fits),
    name="arguments first, a pin keeps calls only",
)
gate_before_expansion = Pruner(hiding, gating, Pass(expand_what_is_there), name="the gate before the expansion")
hide_after_gate = Pruner(eviction, gating, Pass(hide_idle), name="the gate before hiding by age")
ties = Pruner(
    Pass(warn_the_next_victim, order=least_recently_called),
    Pass(hide_the_victim, order=least_recently_called_readers_first),
    name="two orders that differ in ties",
)
