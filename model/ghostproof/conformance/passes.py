"""The pruner whose decisions the suite expects: `variants.arbitration.argument_first`, told as the protocol tells it.

What differs from that variant, and why, is in docs/decisions/what-the-suite-expects.md: trimming goes through the
groups of the history by age and leaves tombstones alone, requested tools give way last, a schema stays where pruning
saves nothing, and the cascade clears a tombstone at once. Each pass is an ordinary visit of one tool.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ghostproof.turn.budget import Turn, arguments_fit, prompt_fits, prompt_fits_as_it_stands, schemas_fit
from ghostproof.turn.pruner import (
    Condition,
    Key,
    Pass,
    declared_order,
    largest_schema_first,
    least_frequently_called,
    least_recently_called,
)
from ghostproof.turn.tool import Tool
from ghostproof.variants.arbitration import expand, gate

ORDERS: dict[str, Key] = {
    "declared": declared_order,
    "least-recently-called": least_recently_called,
    "least-frequently-called": least_frequently_called,
    "largest-schema-first": largest_schema_first,
}
EVICT = "evict group "


def sweep(tool: Tool, turn: Turn) -> None:
    """A tombstone over nothing is owed to nobody and does not count."""
    if not tool.arguments_resident:
        tool.tombstoned = False


def evict_group(number: int, fits: Condition, *, spare: bool) -> tuple[Pass, Pass]:
    """Evict a group while the budget does not fit: first each of its tools sees whether, then each does it."""
    holds, fixed, spared = f"holds_{number}", f"fixed_{number}", f"spared_{number}"

    def decide(tool: Any, turn: Turn) -> None:
        stays = getattr(tool, fixed) or (spare and getattr(tool, spared))
        tool.going = getattr(tool, holds) and not stays and not fits(turn)

    def go(tool: Any, turn: Turn) -> None:
        if tool.going:
            tool.going = False
            setattr(tool, holds, False)
            tool.evict_call()
            sweep(tool, turn)

    return Pass(decide, name="decide"), Pass(go, name=f"{EVICT}{number}")


def _prunable(tool: Tool) -> bool:
    return tool.schema_shown and not tool.pinned and not (tool.requested and tool.registered)


def prune_where_it_saves(tool: Tool, turn: Turn) -> None:
    """Drop a schema, unless the tombstone that would have to stand for it is as dear."""
    owed_after = tool.arguments_resident and tool.schema_resident
    reserve = tool.tombstone_tokens if owed_after else 0
    if _prunable(tool) and tool.schema_tokens > reserve:
        tool.hide_schema()


def prune(tool: Tool, turn: Turn) -> None:
    """Drop a schema."""
    if _prunable(tool):
        tool.hide_schema()


def prune_without_arguments(tool: Tool, turn: Turn) -> None:
    """Drop a schema whose tool has no arguments."""
    if _prunable(tool) and not tool.arguments_resident:
        tool.hide_schema()


def evict_all(tool: Any, groups: int) -> None:
    """Every group of the tool leaves."""
    tool.evict_all_calls()
    for number in range(groups):
        setattr(tool, f"holds_{number}", False)


def prune_with_arguments(groups: int) -> Callable[[Tool, Turn], None]:
    """Drop a schema, and the arguments along with it."""

    def visit(tool: Tool, turn: Turn) -> None:
        if _prunable(tool):
            evict_all(tool, groups)
            tool.hide_schema()

    return visit


def evict_gate(groups: int) -> Callable[[Tool, Turn], None]:
    """Evict what has no schema; pinned arguments may not go."""

    def visit(tool: Tool, turn: Turn) -> None:
        if tool.arguments_resident and not tool.schema_resident and not tool.pinned:
            evict_all(tool, groups)

    return visit


def hide_for_reserve(tool: Any, turn: Turn) -> None:
    """Count as if every schema were withheld: a tombstone is reserved wherever there are arguments."""
    tool.was_shown, tool.was_lossy = tool.schema_shown, tool.schema_lossy
    tool.schema_shown = tool.schema_lossy = False


def end_reserve(tool: Any, turn: Turn) -> None:
    """Count as things stand."""
    tool.schema_shown, tool.schema_lossy = tool.was_shown, tool.was_lossy


def _reserve_fits(turn: Turn) -> bool:
    return turn.argument_tokens + turn.tombstone_demand_tokens <= turn.argument_budget


class Plan:
    """The passes of one turn in stages: `opening`, then `trimming` and `pruning` in turns, then `closing`."""

    def __init__(self, budgets: str, order: str, mode: str, groups: int) -> None:
        joint, tombstones = budgets == "joint", mode == "tombstone"
        if joint:
            fits = prompt_fits if tombstones else prompt_fits_as_it_stands
            schemas = fits
        else:
            fits, schemas = (_reserve_fits if tombstones else arguments_fit), schemas_fit
        self.reserves = tombstones and not joint
        self.argument_fits, self.schemas_fit = fits, schemas
        visit = {
            "tombstone": prune_where_it_saves if joint else prune,
            "evict": prune_with_arguments(groups),
            "strict": prune_without_arguments,
        }[mode]
        self.opening = (Pass(expand),)
        self.pruning = (Pass(visit, ORDERS[order], schemas, name="prune"),)
        self.trim_others = self._trim(groups, spare=True)
        self.trim_all = self._trim(groups, spare=False)
        self.closing: Sequence[Pass] = {
            "tombstone": (Pass(gate, name="gate"),),
            "evict": (Pass(evict_gate(groups), name="gate"),),
            "strict": (),
        }[mode]

    def _trim(self, groups: int, *, spare: bool) -> tuple[Pass, ...]:
        pairs = (evict_group(number, self.argument_fits, spare=spare) for number in range(groups))
        return tuple(item for pair in pairs for item in pair)
