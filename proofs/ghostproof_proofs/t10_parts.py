"""What T10 asks: its properties, its pruners, and how its arguments are settled."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ghostproof.turn.budget import arguments_fit, prompt_fits, schemas_fit
from ghostproof.turn.property import Property
from ghostproof.turn.pruner import Condition, Pass, Pruner, Visit, least_recently_called
from ghostproof.turn.scenario import ANYTHING
from ghostproof.turn.tool import Tool
from ghostproof.variants.arbitration import expand, gate, prune_schema, trim_history
from ghostproof_proofs.broken.lines import expand_and_leave, gate_that_appends
from ghostproof_proofs.t10_passes import (
    ITEMS,
    NOTED,
    OUTCOME,
    expand_and_clear,
    gate_items,
    has_something_left,
    note_shown,
    prune_where_it_saves,
    read_history,
    say_budget_exceeded,
    say_nothing_yet,
    trim_items,
)


def under_pressure(visit: Visit, until: Condition = prompt_fits) -> Pass:
    """A pass that visits least recently called first, until a budget holds."""
    return Pass(visit, least_recently_called, until)


# What doubles a tombstone needs few actions; with fewer the shortest session is found sooner.
FEW = replace(
    ANYTHING,
    name="arguments appear, tools vanish and return, tombstones are lost; calls and requests; nothing is pinned",
    environment=("idle", "tool vanishes", "tool returns", "arguments appear", "tombstone is lost"),
    responses=("silent", "call", "request schema"),
    fixed={"pinned": False},
)

# ---- only where arguments are resident and the schema is not


def _needless(tool: Tool) -> bool:
    return tool.tombstoned and (not tool.arguments_resident or tool.schema_resident)


ECONOMY = Property(
    "economy",
    "a tombstone stands in a sent request only for a tool whose arguments are resident and whose schema is not",
    _needless,
    lambda tool: tool.tombstoned,
)

# ---- at most one


def _doubled(tool: Any) -> bool:
    lines: int = tool.lines
    return lines > 1 or tool.tombstoned != tool.standing


def _has_line(tool: Any) -> bool:
    lines: int = tool.lines
    return lines > 0


AT_MOST_ONE = Property(
    "at_most_one",
    "no tool has more than one tombstone in a sent request, and one stands exactly if the tool is tombstoned",
    _doubled,
    _has_line,
    ITEMS,
)


def _in_items(name: str, expansion: Visit = expand_and_clear, last: Visit = gate_items) -> Pruner:
    return Pruner(
        Pass(read_history),
        Pass(expansion),
        under_pressure(trim_items),
        under_pressure(prune_schema),
        Pass(last),
        memory=ITEMS,
        name=name,
    )


items = _in_items("argument-first, tombstones as items")
appending = _in_items("argument-first, a gate that appends", last=gate_that_appends)
leaving = _in_items("argument-first, old tombstones left behind", expansion=expand_and_leave)

# ---- pruning is refused where it saves nothing


def _at_a_loss(tool: Any) -> bool:
    hidden = tool.was_shown and not tool.schema_shown
    return hidden and tool.tombstoned and tool.schema_tokens <= tool.tombstone_tokens


def _hidden_with_arguments(tool: Any) -> bool:
    return tool.was_shown and not tool.schema_shown and tool.arguments_resident


NO_LOSS = Property(
    "no_loss",
    "no schema is hidden in a turn that leaves a tombstone at least as dear in its place",
    _at_a_loss,
    _hidden_with_arguments,
    NOTED,
)


def _noting(name: str, *passes: Pass) -> Pruner:
    return Pruner(Pass(expand), Pass(note_shown), *passes, memory=NOTED, name=name)


def schema_first_noting(visit: Visit, what: str) -> Pruner:
    """Schema-first on a joint budget with this pruning."""
    return _noting(f"schema-first, {what}", under_pressure(visit), Pass(gate), under_pressure(trim_history))


def separate_noting(visit: Visit, what: str) -> Pruner:
    """Argument-first on separate budgets with this pruning."""
    trim = under_pressure(trim_history, arguments_fit)
    return _noting(f"argument-first, separate budgets, {what}", trim, under_pressure(visit, schemas_fit), Pass(gate))


# ---- within budget, or BudgetExceeded


def _keeps_something(tool: Any) -> bool:
    exceeded: bool = tool.budget_exceeded
    return exceeded and has_something_left(tool)


def _exceeded(tool: Any) -> bool:
    exceeded: bool = tool.budget_exceeded
    return exceeded


GIVES_ALL = Property(
    "gives_all",
    "BudgetExceeded is said only where no tool has anything left that may go",
    _keeps_something,
    _exceeded,
    OUTCOME,
)
NEVER_EXCEEDED = Property("never_exceeded", "BudgetExceeded is never said", _exceeded, lambda tool: True, OUTCOME)


def with_outcome(*passes: Pass, name: str) -> Pruner:
    """`passes` between a clean slate and the last word."""
    last = Pass(say_budget_exceeded, until=prompt_fits)
    return Pruner(Pass(say_nothing_yet), *passes, last, memory=OUTCOME, name=name)


def argument_first_telling(visit: Visit = prune_schema, what: str = "says BudgetExceeded") -> Pruner:
    """Argument-first with an outcome."""
    passes = (Pass(expand), under_pressure(trim_history), under_pressure(visit), Pass(gate))
    return with_outcome(*passes, name=f"argument-first, {what}")


def schema_first_telling(visit: Visit = prune_schema, what: str = "says BudgetExceeded") -> Pruner:
    """Schema-first with an outcome."""
    passes = (Pass(expand), under_pressure(visit), under_pressure(trim_history), Pass(gate))
    return with_outcome(*passes, name=f"schema-first, {what}")


telling = argument_first_telling()
refusing = argument_first_telling(prune_where_it_saves, "refuses to prune at a loss")
