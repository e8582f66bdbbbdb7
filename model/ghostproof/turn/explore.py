"""Every session of a small grid of sizes and budgets, request by request, by running the plain functions.

A state is what was just sent: the budgets if they are constant, and every field of every tool. A transition is all that
lies between two requests. Solver-free and lifting-free: this is the model's meaning, enumerated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from operator import itemgetter
from typing import Any

from ghostproof.turn.action import Action, Others
from ghostproof.turn.budget import BUDGETS, FITS, Turn, totals
from ghostproof.turn.environment import settle
from ghostproof.turn.property import Property
from ghostproof.turn.pruner import Pass, Pruner, rendering
from ghostproof.turn.response import open_response
from ghostproof.turn.scenario import Scenario
from ghostproof.turn.session import Arbitration, new_tool, others_of
from ghostproof.turn.tool import INITIAL, Tool, Value
from ghostproof.turn.trace import Script, ScriptTurn

Key = tuple[Any, ...]
# The late events, the tools as the request shows them, and whether one of them violates the property.
Sent = tuple[tuple[str, ...], Key, bool]
START = "start"


@dataclass(frozen=True, slots=True)
class Grid:
    """What is enumerated: up to how many tools, which token sizes, which budgets, which fixed flags."""

    tools: int = 2
    sizes: tuple[int, ...] = (1,)
    budgets: tuple[int, ...] = (0, 1, 2, 3, 4)
    pinned: tuple[bool, ...] = (False,)
    mutation: tuple[bool, ...] = (True,)

    def values(self, name: str) -> tuple[Value, ...]:
        """The values of a fixed field that are enumerated."""
        return {"mutation": self.mutation, "pinned": self.pinned}.get(name, self.sizes)

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
    late: tuple[str, ...] = ()


class Stage:
    """One moment of a turn at which every tool acts. What an action makes of a tool is computed once and kept."""

    def __init__(self, explorer: Explorer, actions: Sequence[Action]) -> None:
        self._explorer, self._actions = explorer, actions
        self._known: dict[Key, tuple[tuple[str, Key], ...]] = {}

    def act(self, tools: Key) -> Iterator[tuple[tuple[str, ...], Key]]:
        """Every choice of an enabled action for each tool, by name, and the tools after it."""
        present = [self._explorer.tool(values) for values in tools]
        options = [self._options(values, others_of(present, index)) for index, values in enumerate(tools)]
        for chosen in product(*options):
            names, after = zip(*chosen, strict=True)
            yield names, after

    def _options(self, values: Key, others: Others) -> tuple[tuple[str, Key], ...]:
        key = (values, others)
        if key not in self._known:
            make = self._explorer.changed
            tool = self._explorer.tool(values)
            self._known[key] = tuple(
                (action.name, make(values, partial(_take, action, others)))
                for action in self._actions
                if action.guard(tool, others)
            )
        return self._known[key]


def _take(action: Action, others: Others, tool: Tool) -> None:
    action.effect(tool, others)


class Explorer:
    """Enumerates `pruner` in `scenario` over `grid`.

    `budget_names` are the budgets that exist for this pruner, `tested` those that its passes' conditions read.
    """

    def __init__(
        self,
        pruner: Pruner,
        scenario: Scenario,
        judged: Property,
        grid: Grid,
        budget_names: Sequence[str],
        tested: Sequence[str],
    ) -> None:
        self.pruner, self.scenario, self.judged, self.grid = pruner, scenario, judged, grid
        self.budget_names, self._tested = tuple(budget_names), tuple(tested)
        self._names = ("mutation", "pinned", "schema_tokens", "argument_tokens", "tombstone_tokens", *INITIAL)
        self._names += tuple(pruner.memory)
        self._read: Callable[[Mapping[str, Value]], Key] = itemgetter(*self._names)
        stages = (
            scenario.environment_actions,
            scenario.late_actions,
            scenario.response_actions,
            scenario.execution_actions,
        )
        self._environment, self._late, self._response, self._execution = (Stage(self, actions) for actions in stages)
        self._opened: dict[Key, Key] = {}
        self._settled: dict[Key, Key] = {}
        self._sent: dict[Key, list[Sent]] = {}
        self._following: dict[Key, list[tuple[tuple[tuple[str, int], ...], tuple[str, ...], Sent]]] = {}

    def starts(self) -> Iterator[Key]:
        """Every initial state: the fixed fields of each tool, and the budgets if they stay."""
        grid, fixed = self.grid, self.scenario.fixed
        options: list[tuple[Value, ...]] = [
            (fixed[name],) if name in fixed else grid.values(name) for name in self._names[:5]
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
            names = self._names[:5]
            tools = [new_tool(dict(zip(names, fixed, strict=True)), self.pruner.memory) for fixed in values]
            started = tuple(self._read(tool.__dict__) for tool in tools)
            for budgets, environment, (late, sent, violates) in self._send(started, constant, first=True):
                yield Move(budgets, (), (), environment, late), ("sent", sent, constant), violates
            return
        opened = self._each(values, open_response, self._opened)
        for response, answered in self._response.act(opened):
            for execution, executed in self._execution.act(answered):
                settled = self._each(executed, settle, self._settled)
                key = (settled, constant)
                if key not in self._following:
                    self._following[key] = list(self._send(settled, constant, first=False))
                for budgets, environment, (late, sent, violates) in self._following[key]:
                    yield Move(budgets, response, execution, environment, late), ("sent", sent, constant), violates

    def tool(self, values: Key) -> Tool:
        """A tool with these values."""
        return Tool(dict(zip(self._names, values, strict=True)))

    def changed(self, values: Key, change: Callable[[Tool], None]) -> Key:
        """What `change` makes of a tool with these values."""
        tool = self.tool(values)
        change(tool)
        return self._read(tool.__dict__)

    def _each(self, tools: Key, change: Callable[[Tool], None], known: dict[Key, Key]) -> Key:
        for values in tools:
            if values not in known:
                known[values] = self.changed(values, change)
        return tuple(known[values] for values in tools)

    def _send(
        self, tools: Key, constant: tuple[tuple[str, int], ...], first: bool
    ) -> Iterator[tuple[tuple[tuple[str, int], ...], tuple[str, ...], Sent]]:
        """Budgets, what the environment does, and what is sent then."""
        choices = [constant] if self.scenario.constant_budgets else list(self._budget_choices())
        acted = list(self._environment.act(tools))
        for budgets in choices:
            if first and self.scenario.starts_within_budget and not self._fits(tools, dict(budgets)):
                continue
            for environment, after in acted:
                for sent in self._arbitrated(after, budgets):
                    yield budgets, environment, sent

    def _arbitrated(self, values: Key, budgets: tuple[tuple[str, int], ...]) -> list[Sent]:
        """What is sent when arbitration starts with tools of these values. Many moves meet there, so it is kept."""
        start = (budgets, values)
        if start not in self._sent:
            passes = self.pruner.passes
            split = rendering(passes) if self.scenario.late else len(passes)
            sent, violates = self._passed(values, budgets, passes[:split])
            self._sent[start] = [((), sent, violates)]
            if self.scenario.late:
                happened = self._late.act(sent)
                self._sent[start] = [(late, *self._passed(after, budgets, passes[split:])) for late, after in happened]
        return self._sent[start]

    def _passed(self, values: Key, budgets: tuple[tuple[str, int], ...], passes: Sequence[Pass]) -> tuple[Key, bool]:
        """The tools after these passes, and whether one of them violates the property."""
        tools = [self.tool(each) for each in values]
        Arbitration(self.pruner, tools, dict(budgets), 0).run(passes)
        return tuple(self._read(tool.__dict__) for tool in tools), any(self.judged.violated(tool) for tool in tools)

    def _fits(self, tools: Key, budgets: Mapping[str, int]) -> bool:
        turn = Turn(**totals(map(self.tool, tools)), rest_tokens=0, **{**dict.fromkeys(BUDGETS, 0), **budgets})
        return all(FITS[name](turn) for name in self._tested)

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
                    move.late,
                )
            )
        return Script(fixed, 0, tuple(turns))


class Explorers:
    """The explorer of one pruner that was asked for last: a search goes level by level, and what it kept helps on."""

    def __init__(self, pruner: Pruner, budget_names: Sequence[str], tested: Sequence[str]) -> None:
        self._pruner, self._budget_names, self._tested = pruner, budget_names, tested
        self._last: Explorer | None = None

    def of(self, scenario: Scenario, judged: Property, grid: Grid) -> Explorer:
        """The explorer for this question."""
        last = self._last
        if last is None or (last.scenario, last.judged, last.grid) != (scenario, judged, grid):
            last = self._last = Explorer(self._pruner, scenario, judged, grid, self._budget_names, self._tested)
        return last
