"""Pruning that is free wherever a guard holds: pruners that only the guard binds, and the sessions it is meant for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ghostproof.turn.budget import Turn, arguments_fit, schemas_fit
from ghostproof.turn.environment import ORDINARY
from ghostproof.turn.pruner import Pass, Pruner, Visit, least_frequently_called, least_recently_called
from ghostproof.turn.scenario import UNCONSTRAINED, Scenario
from ghostproof.turn.tool import Tool
from ghostproof.variants.arbitration import expand
from ghostproof.variants.trims import trim_calls

Guard = Callable[[Tool], bool]

# Neither arguments come nor schemas go without the pruner. Migrations, ignored tombstones and rebuilt calls may be.
SETTLED = Scenario(
    "no arguments from elsewhere, no schema or tombstone lost, no blind calls, budgets free each turn",
    environment=(*ORDINARY, "schema migrates behind a cache"),
    responses=tuple(name for name in UNCONSTRAINED if name != "call blind"),
)
BLIND = replace(SETTLED, name="a settled session with blind calls", responses=UNCONSTRAINED)


def admitting(*actions: str) -> Scenario:
    """Settled sessions, but for these actions of the environment."""
    name = f"a settled session, but for: {', '.join(actions)}"
    return replace(SETTLED, name=name, environment=(*SETTLED.environment, *actions))


def no_arguments(tool: Tool) -> bool:
    """The seed's safe case."""
    return not tool.arguments_resident


def no_arguments_or_tombstoned(tool: Tool) -> bool:
    """The safe case where tombstones exist."""
    return not tool.arguments_resident or tool.tombstoned


def hiding_where(guard: Guard) -> Visit:
    """Hides a schema that nobody asked for, where `guard` allows it."""

    def hide(tool: Tool, turn: Turn) -> None:
        if tool.schema_shown and not tool.requested and guard(tool):
            tool.hide_schema()

    return hide


def hide_behind_tombstone(tool: Tool, turn: Turn) -> None:
    """Hides a schema that nobody asked for, and where arguments are says so first."""
    if tool.schema_shown and not tool.requested:
        if tool.arguments_resident:
            tool.tombstoned = True
        tool.hide_schema()


TRIM = Pass(trim_calls, least_recently_called, arguments_fit)


def by_frequency(visit: Visit, name: str, *before: Pass) -> Pruner:
    """Expands, and after `before` visits the least frequently called first until the schemas fit; no gate.

    Schemas have a budget of their own: on a joint one order alone would do much of a guard's work (T2d).
    """
    return Pruner(
        Pass(expand),
        *before,
        Pass(visit, least_frequently_called, schemas_fit),
        name=f"least frequently called first, {name}",
    )


def change_without_tombstones(tool: Tool, choice: int) -> None:
    """Whatever a pruner can do that knows no tombstones, as `choice` names it; it hides where no arguments are."""
    if choice == 1 and no_arguments(tool):
        tool.hide_schema()
    elif choice == 2:
        tool.show_schema()
    elif choice == 3:
        tool.evict_call()
    elif choice == 4:
        tool.evict_all_calls()


def change_with_tombstones(tool: Tool, choice: int) -> None:
    """Whatever a pruner can do that takes no tombstone which is needed; it hides where one stands or no arguments."""
    if choice == 1 and no_arguments_or_tombstoned(tool):
        tool.hide_schema()
    elif choice == 2:
        tool.show_schema()
    elif choice == 3:
        tool.evict_call()
    elif choice == 4:
        tool.evict_all_calls()
    elif choice == 5:
        tool.tombstoned = True
    elif choice == 6 and (tool.schema_resident or not tool.arguments_resident):
        tool.tombstoned = False


def freely(change: Callable[[Tool, int], None], name: str, *after: Pass) -> Pruner:
    """Two changes to each tool in each turn, chosen by numbers that are free at every visit; then `after`."""

    def first(tool: Tool, turn: Turn) -> None:
        change(tool, turn.schema_budget)

    def second(tool: Tool, turn: Turn) -> None:
        change(tool, turn.argument_budget)

    return Pruner(Pass(first), Pass(second), *after, name=f"whatever it likes, {name}")
