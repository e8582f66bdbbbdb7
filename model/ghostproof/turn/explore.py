"""Every session of a small grid of sizes and budgets, request by request, by running the plain functions.

A state is what was just sent: the budgets if they are constant, and every field of every tool. A transition is all that
lies between two requests. Solver-free and lifting-free: this is the model's meaning, enumerated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from ghostproof.turn.action import Action
from ghostproof.turn.budget import BUDGETS, FITS, Turn, totals
from ghostproof.turn.environment import settle
from ghostproof.turn.property import Property
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.response import open_response
from ghostproof.turn.scenario import Scenario
from ghostproof.turn.session import Arbitration, new_tool, others_of
from ghostproof.turn.tool import INITIAL, Tool, Value
from ghostproof.turn.trace import Script, ScriptTurn

Key = tuple[Any, ...]
START = "start"


@dataclass(frozen=True, slots=True)
class Grid:
    """What is enumerated: up to how many tools, which token sizes, which budgets, which fixed flags."""

    tools: int = 2
    sizes: tuple[int, ...] = (1,)
    budgets: tuple[int, ...] = (0, 1, 2, 3, 4)
    pinned: tuple[bool, ...] = (False,)
    mutation: tuple[bool, ...] = (True,)

    def __str__(self) -> str:
        flags = [f"{name} {' or '.join(map(str, getattr(self, name)))}" for name in ("pinned", "mutation")]
        budgets = f"budgets {min(self.budgets)} to {max(self.budgets)}"
        return f"sizes {set(self.sizes)}, {budgets}, {', '.join(flags)}, rest 0"


@dataclass(frozen=True, slots=True)
class Move:
    """What happened between two requests: the next turn's budgets, and the actions tool by tool."""

    budgets: tuple[tuple[str, int], ...]
    response: tuple[str, ...]
    execution: tuple[str, ...]
    environment: tuple[str, ...]


class Explorer:
    """Enumerates `pruner` in `scenario` over `grid`. `budget_names` are the budgets that exist for this pruner."""

    def __init__(
        self, pruner: Pruner, scenario: Scenario, judged: Property, grid: Grid, budget_names: Sequence[str]
    ) -> None:
        self.pruner, self.scenario, self.judged, self.grid = pruner, scenario, judged, grid
        self.budget_names = tuple(budget_names)
        self._names = ("mutation", "pinned", "schema_tokens", "argument_tokens", "tombstone_tokens", *INITIAL)
        self._names += tuple(pruner.memory)
        self._sent: dict[Key, tuple[Key, bool]] = {}

    def starts(self) -> Iterator[Key]:
        """Every initial state: the fixed fields of each tool, and the budgets if they stay."""
        grid, fixed = self.grid, self.scenario.fixed
        flags = {"mutation": grid.mutation, "pinned": grid.pinned}
        options: list[tuple[Value, ...]] = [
            (fixed[name],) if name in fixed else flags.get(name, grid.sizes) for name in self._names[:5]
        ]
        budgets = list(self._budget_choices()) if self.scenario.constant_budgets else [()]
        for count in range(1, grid.tools + 1):
            for tools in product(product(*options), repeat=count):
                for chosen in budgets:
                    yield (START, tools, chosen)

    def _budget_choices(self) -> Iterator[tuple[tuple[str, int], ...]]:
        for values in product(self.grid.budgets, repeat=len(self.budget_names)):
            yield tuple(zip(self.budget_names, values, strict=True))

    def moves(self, state: Key) -> Iterator[tuple[Move, Key, bool]]:
        """Every move from `state`, the state it leads to, and whether the request sent there violates the property."""
        kind, values, constant = state
        if kind == START:
            tools = [new_tool(dict(zip(self._names[:5], fixed, strict=True)), self.pruner.memory) for fixed in values]
            yield from self._send(tools, (), (), constant, first=True)
            return
        for response, answered in self._act(self._tools(values), self.scenario.response_actions, open_response):
            for execution, executed in self._act(answered, self.scenario.execution_actions):
                for tool in executed:
                    settle(tool)
                yield from self._send(executed, response, execution, constant, first=False)

    def _tools(self, values: Sequence[Sequence[Value]]) -> list[Tool]:
        return [Tool(dict(zip(self._names, fields, strict=True))) for fields in values]

    def _copy(self, tools: Sequence[Tool]) -> list[Tool]:
        return [Tool(tool.__dict__) for tool in tools]

    def _act(
        self, tools: Sequence[Tool], actions: Sequence[Action], opening: Any = None
    ) -> Iterator[tuple[tuple[str, ...], list[Tool]]]:
        base = self._copy(tools)
        if opening is not None:
            for tool in base:
                opening(tool)
        known = [others_of(base, index) for index in range(len(base))]
        enabled = [
            [action for action in actions if action.guard(tool, others)]
            for tool, others in zip(base, known, strict=True)
        ]
        for chosen in product(*enabled):
            after = self._copy(base)
            for tool, action, others in zip(after, chosen, known, strict=True):
                action.effect(tool, others)
            yield tuple(action.name for action in chosen), after

    def _send(
        self,
        tools: Sequence[Tool],
        response: tuple[str, ...],
        execution: tuple[str, ...],
        constant: tuple[tuple[str, int], ...],
        first: bool,
    ) -> Iterator[tuple[Move, Key, bool]]:
        choices = [constant] if self.scenario.constant_budgets else list(self._budget_choices())
        for budgets in choices:
            if first and self.scenario.starts_within_budget and not self._fits(tools, dict(budgets)):
                continue
            for environment, acted in self._act(tools, self.scenario.environment_actions):
                sent, violates = self._arbitrated(acted, budgets)
                yield Move(budgets, response, execution, environment), ("sent", sent, constant), violates

    def _values(self, tools: Sequence[Tool]) -> Key:
        return tuple(tuple(tool.__dict__[name] for name in self._names) for tool in tools)

    def _arbitrated(self, tools: Sequence[Tool], budgets: tuple[tuple[str, int], ...]) -> tuple[Key, bool]:
        """What is sent when arbitration starts with `tools`. Many moves meet in the same start, so it is kept."""
        start = (budgets, self._values(tools))
        if start not in self._sent:
            Arbitration(self.pruner, tools, dict(budgets), 0).run()
            self._sent[start] = (self._values(tools), any(self.judged.violated(tool) for tool in tools))
        return self._sent[start]

    def _fits(self, tools: Sequence[Tool], budgets: Mapping[str, int]) -> bool:
        turn = Turn(**totals(tools), rest_tokens=0, **{**dict.fromkeys(BUDGETS, 0), **budgets})
        return all(FITS[name](turn) for name in budgets)

    def script(self, start: Key, moves: Sequence[Move]) -> Script:
        """The session from `start` along `moves`, to be played again."""
        fixed = tuple(dict(zip(self._names[:5], values, strict=True)) for values in start[1])
        turns = []
        for index, move in enumerate(moves):
            following = moves[index + 1] if index + 1 < len(moves) else None
            turns.append(
                ScriptTurn(
                    dict(move.budgets),
                    move.environment,
                    following.response if following else (),
                    following.execution if following else (),
                )
            )
        return Script(fixed, 0, tuple(turns))
