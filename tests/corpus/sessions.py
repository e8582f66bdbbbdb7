"""A second enumeration of sessions: it knows neither the explicit engine nor any solver.

By a token allowance every session of at most so many requests, tools and tokens is played, all flags, sizes, budgets
and rests included, and the least violation in (requests, tools, tokens) is found. On a grid it counts the states. It
shares the meaning with the engines, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from ghostproof.turn.action import Action
from ghostproof.turn.budget import BUDGETS, FITS, Turn, totals
from ghostproof.turn.environment import settle
from ghostproof.turn.explore import Grid
from ghostproof.turn.property import Property
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.response import open_response
from ghostproof.turn.scenario import Scenario
from ghostproof.turn.session import Arbitration, new_tool, others_of
from ghostproof.turn.tool import FIXED, Tool, Value

SIZES = [name for name, kind in FIXED.items() if kind is int]
FLAGS = [name for name, kind in FIXED.items() if kind is bool]
State = tuple[tuple[Value, ...], ...]
Spent = tuple[tuple[int, ...], ...]


def _distributed(tokens: int, places: int) -> Iterator[tuple[int, ...]]:
    """Every way to give at most `tokens` to `places`."""
    if places == 0:
        yield ()
        return
    for first in range(tokens + 1):
        for rest in _distributed(tokens - first, places - 1):
            yield (first, *rest)


def _combined(tools: Sequence[Tool], actions: Iterable[Action]) -> Iterator[list[Tool]]:
    """Every outcome of one enabled action a tool, all at the same moment."""
    known = [others_of(tools, index) for index in range(len(tools))]
    options = []
    for tool, others in zip(tools, known, strict=True):
        options.append([action for action in actions if action.guard(tool, others)])
    for chosen in product(*options):
        after = [Tool(tool.__dict__) for tool in tools]
        for action, tool, others in zip(chosen, after, known, strict=True):
            action.effect(tool, others)
        yield after


class Allowance:
    """Sessions of `pruner` in `scenario`; `budgets` are those that it reads, `tested` those that a condition reads."""

    def __init__(
        self, pruner: Pruner, scenario: Scenario, judged: Property, budgets: Sequence[str], tested: Sequence[str]
    ) -> None:
        self.pruner, self.scenario, self.judged = pruner, scenario, judged
        self.budgets, self.tested = tuple(budgets), tuple(tested)

    def first(self, requests: int, tools: int, tokens: int) -> tuple[int, int, int] | None:
        """The least violation (requests, tools, tokens) within these numbers, or None."""
        best: tuple[int, int, int] | None = None
        for count in range(1, tools + 1):
            for fixed, rest, left in self._sized(count, tokens):
                allowed = requests if best is None else best[0]
                for length, paid in self._violations(fixed, rest, left, allowed):
                    found = (length, count, tokens - left + paid)
                    best = found if best is None else min(best, found)
        return best

    def states(self, grid: Grid, requests: int) -> int:
        """How many states the sessions on `grid` have within so many requests: those to start from and those sent."""
        flags = {"pinned": grid.pinned, "mutation": grid.mutation}
        choices = [flags.get(name, grid.sizes) for name in FIXED]
        tool_kinds = [
            dict(zip(FIXED, values, strict=True))
            for values in product(*choices)
            if all(dict(zip(FIXED, values, strict=True)).get(n, v) == v for n, v in self.scenario.fixed.items())
        ]
        every = [dict(zip(self.budgets, v, strict=True)) for v in product(grid.budgets, repeat=len(self.budgets))]
        found = 0
        for count in range(1, grid.tools + 1):
            for fixed in product(tool_kinds, repeat=count):
                for allowed in [[one] for one in every] if self.scenario.constant_budgets else [every]:
                    found += 1 + self._reached(fixed, allowed, requests)
        return found

    def _reached(self, fixed: Sequence[Mapping[str, Value]], allowed: list[dict[str, int]], requests: int) -> int:
        start = [new_tool(tool, self.pruner.memory) for tool in fixed]
        names = tuple(start[0].__dict__)
        seen: set[State] = set()
        level = [start]
        for number in range(1, requests + 1):
            following: dict[State, None] = {}
            for tools in level:
                for budgets in allowed:
                    if number == 1 and not self._starts(tools, budgets, 0):
                        continue
                    for sent in self._sent(tools, budgets, 0, first=number == 1):
                        following[self._state(sent)] = None
            fresh = [state for state in following if state not in seen]
            seen.update(fresh)
            level = [[Tool(dict(zip(names, values, strict=True))) for values in state] for state in fresh]
        return len(seen)

    def _sized(self, count: int, tokens: int) -> Iterator[tuple[list[dict[str, Value]], int, int]]:
        """Fixed fields of `count` tools, the rest, and the tokens that are left for budgets."""
        least = count * len(SIZES)
        if tokens < least:
            return
        for amounts in _distributed(tokens - least, least + 1):
            sizes, rest = [1 + amount for amount in amounts[:-1]], amounts[-1]
            for flags in product((False, True), repeat=count * len(FLAGS)):
                fixed: list[dict[str, Value]] = [
                    dict(zip(SIZES, sizes[n * len(SIZES) :], strict=False))
                    | dict(zip(FLAGS, flags[n * len(FLAGS) :], strict=False))
                    for n in range(count)
                ]
                if all(tool[name] == value for tool in fixed for name, value in self.scenario.fixed.items()):
                    yield fixed, rest, tokens - least - sum(amounts)

    def _violations(
        self, fixed: list[dict[str, Value]], rest: int, left: int, requests: int
    ) -> Iterator[tuple[int, int]]:
        """Lengths and budget tokens of the shortest violating sessions, budgets of `left` tokens at most."""
        start = [new_tool(tool, self.pruner.memory) for tool in fixed]
        names = tuple(start[0].__dict__)
        level: dict[tuple[State, Spent], None] = {(self._state(start), ()): None}
        for number in range(1, requests + 1):
            following: dict[tuple[State, Spent], None] = {}
            paid: list[int] = []
            for state, spent in level:
                tools = [Tool(dict(zip(names, values, strict=True))) for values in state]
                for budgets, total, kept in self._budgets(spent, left, tools, rest, number):
                    for sent in self._sent(tools, budgets, rest, first=number == 1):
                        if any(self.judged.violated(tool) for tool in sent):
                            paid.append(total)
                        else:
                            following[self._state(sent), kept] = None
            if paid:
                yield number, min(paid)
                return
            level = following

    def _budgets(
        self, spent: Spent, left: int, tools: list[Tool], rest: int, number: int
    ) -> Iterator[tuple[Mapping[str, int], int, Spent]]:
        """The budgets that this turn may have, what all turns' budgets cost, and what to remember of them."""
        for values in _distributed(left, len(self.budgets)):
            history = (*spent, values)
            if self.scenario.constant_budgets and len(set(history)) > 1:
                continue
            columns = list(zip(*history, strict=True))
            cost = sum(column[0] if self.scenario.constant_budgets else sum(column) for column in columns)
            chosen = dict(zip(self.budgets, values, strict=True))
            if cost > left or (number == 1 and not self._starts(tools, chosen, rest)):
                continue
            yield chosen, cost, (values,) if self.scenario.constant_budgets else history

    def _starts(self, tools: list[Tool], budgets: Mapping[str, int], rest: int) -> bool:
        if not self.scenario.starts_within_budget:
            return True
        turn = Turn(**totals(tools), rest_tokens=rest, **{**dict.fromkeys(BUDGETS, 0), **budgets})
        return all(FITS[name](turn) for name in self.tested)

    def _sent(self, tools: list[Tool], budgets: Mapping[str, int], rest: int, first: bool) -> Iterator[list[Tool]]:
        """Every way in which the next request may be sent."""
        for ready in [tools] if first else self._answered(tools):
            for acted in _combined(ready, self.scenario.environment_actions):
                Arbitration(self.pruner, acted, budgets, rest).run()
                yield acted

    def _answered(self, tools: list[Tool]) -> Iterator[list[Tool]]:
        opened = [Tool(tool.__dict__) for tool in tools]
        for tool in opened:
            open_response(tool)
        for responded in _combined(opened, self.scenario.response_actions):
            for executed in _combined(responded, self.scenario.execution_actions):
                for tool in executed:
                    settle(tool)
                yield executed

    @staticmethod
    def _state(tools: list[Tool]) -> State:
        fields: list[dict[str, Any]] = [tool.__dict__ for tool in tools]
        return tuple(tuple(values.values()) for values in fields)
