"""What a pass may know of the whole prompt: token totals and budgets, as exact integers.

A pass sees other tools only through these numbers. The budget of a prompt counts everything that is sent: schemas,
arguments, tombstones, and a fixed rest. A pruner uses the pair (`schema_budget`, `argument_budget`) or the joint
`total_budget`; a budget that no pass and no condition reads does not exist for that pruner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ghostproof.turn.tool import Tool

BUDGETS = ("schema_budget", "argument_budget", "total_budget")


def schema_cost(tool: Tool) -> int:
    """Tokens of the schema in the prompt; a lossy one is counted in full, which is what a cautious runtime does."""
    return tool.schema_tokens if tool.schema_shown else 0


def argument_cost(tool: Tool) -> int:
    """Tokens of the resident call groups, each of the tool's argument size."""
    return tool.calls_resident * tool.argument_tokens


def tombstone_cost(tool: Tool) -> int:
    """Tokens of the tombstone in the history."""
    return tool.tombstone_tokens if tool.tombstone_resident else 0


def tombstone_demand(tool: Tool) -> int:
    """Tokens of the tombstone that is there or that the gate would have to write as things stand."""
    owed = tool.tombstone_resident or (tool.calls_resident > 0 and not (tool.schema_shown and not tool.schema_lossy))
    return tool.tombstone_tokens if owed else 0


# The sums that a Turn offers, each over all tools.
TOTALS: dict[str, Callable[[Tool], int]] = {
    "schema_tokens": schema_cost,
    "argument_tokens": argument_cost,
    "tombstone_tokens": tombstone_cost,
    "tombstone_demand_tokens": tombstone_demand,
}


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn's numbers, in tokens, as they stand at this visit."""

    schema_tokens: int
    argument_tokens: int
    tombstone_tokens: int
    tombstone_demand_tokens: int
    rest_tokens: int
    schema_budget: int
    argument_budget: int
    total_budget: int

    @property
    def history_tokens(self) -> int:
        """Arguments and tombstones: what stands in the history."""
        return self.argument_tokens + self.tombstone_tokens

    @property
    def prompt_tokens(self) -> int:
        """Everything that is sent."""
        return self.schema_tokens + self.argument_tokens + self.tombstone_tokens + self.rest_tokens

    @property
    def demand_tokens(self) -> int:
        """Everything that is sent, with a tombstone reserved wherever arguments are resident without a schema."""
        return self.schema_tokens + self.argument_tokens + self.tombstone_demand_tokens + self.rest_tokens


def totals(tools: Iterable[Tool]) -> dict[str, int]:
    """The sums of `TOTALS` over `tools`."""
    listed = list(tools)
    return {name: sum(map(cost, listed)) for name, cost in TOTALS.items()}


def prompt_fits(turn: Turn) -> bool:
    """The joint budget holds, tombstones that are still owed included."""
    return turn.demand_tokens <= turn.total_budget


def prompt_fits_as_it_stands(turn: Turn) -> bool:
    """The joint budget holds for what is in the prompt now; tombstones still to be written are not reserved."""
    return turn.prompt_tokens <= turn.total_budget


def schemas_fit(turn: Turn) -> bool:
    """The schema budget of a pair holds."""
    return turn.schema_tokens <= turn.schema_budget


def arguments_fit(turn: Turn) -> bool:
    """The argument budget of a pair holds: it pays for all that stands in the history."""
    return turn.history_tokens <= turn.argument_budget


# What it means to be within a budget, whatever conditions a pruner tests.
FITS: dict[str, Callable[[Turn], bool]] = {
    "schema_budget": schemas_fit,
    "argument_budget": arguments_fit,
    "total_budget": prompt_fits,
}
