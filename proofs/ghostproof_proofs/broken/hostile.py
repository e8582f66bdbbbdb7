"""A pruner that does to each tool whatever a pruner can do, as free numbers choose: the adversary of the shield."""

from __future__ import annotations

from ghostproof.turn.budget import Turn
from ghostproof.turn.pruner import Pass
from ghostproof.turn.tool import Tool


def do_anything(tool: Tool, choice: int) -> None:
    """The change that `choice` names; there is one for every field that a pass may write."""
    if choice == 1:
        tool.hide_schema()
    elif choice == 2:
        tool.show_schema()
    elif choice == 3:
        tool.show_schema_lossily()
    elif choice == 4:
        tool.evict_call()
    elif choice == 5:
        tool.evict_all_calls()
    elif choice == 6:
        tool.tombstoned = True
    elif choice == 7:
        tool.tombstoned = False
    elif choice == 8:
        tool.schema_current = not tool.schema_current
    elif choice == 9:
        tool.reveal_schema()
    elif choice == 10:
        tool.evict_evidence()
    elif choice == 11:
        tool.empty_call()
    elif choice == 12:
        tool.truncate_calls()


def by_schema_budget(tool: Tool, turn: Turn) -> None:
    """One change, chosen by a number that is free in every turn and, for one tool among many, at every visit."""
    do_anything(tool, turn.schema_budget)


def by_argument_budget(tool: Tool, turn: Turn) -> None:
    """A second change, chosen apart from the first."""
    do_anything(tool, turn.argument_budget)


hostile = (Pass(by_schema_budget), Pass(by_argument_budget))
