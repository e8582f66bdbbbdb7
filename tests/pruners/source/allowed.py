"""One pass for each construct that can be lifted. Each must pass the source check and mean the same lifted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, IntEnum
from functools import partial
from types import SimpleNamespace
from typing import NamedTuple

from ghostproof.turn.budget import Turn, schema_cost
from ghostproof.turn.tool import Tool
from pruners.source import helpers
from pruners.source.helpers import is_idle, unless_pinned

Visit = Callable[[Tool, Turn], None]

# What the passes keep of each tool, as a pruner would declare it.
MEMORY = {"limit": 0, "seen": False}

IDLE_TURNS = 2
CAREFUL = True
NAME = "careful"
NOTHING = None
STEPS = (1, 2, 4)
KINDS = frozenset({1, 2})
ROUNDS = range(2)
PLACES = SimpleNamespace(limit=3)


class Level(IntEnum):
    LOW = 1
    HIGH = 4

    @property
    def doubled(self) -> int:
        return 2 * self.value


class Mood(Enum):
    CALM = "calm"
    TENSE = "tense"


MOOD = Mood.CALM


def if_elif_else(tool: Tool, turn: Turn) -> None:
    """A docstring."""
    if tool.pinned:
        pass
    elif tool.calls_resident > 1:
        tool.evict_call()
    else:
        tool.hide_schema()


def conditional_expression(tool: Tool, turn: Turn) -> None:
    tool.limit = 0 if tool.requested else tool.calls_resident  # type: ignore[attr-defined]


def and_or_not(tool: Tool, turn: Turn) -> None:
    tool.tombstoned = (tool.pinned or tool.requested) and not tool.mutation


def chained_comparison(tool: Tool, turn: Turn) -> None:
    if 1 <= tool.calls_resident < tool.calls <= turn.total_budget != 3:
        tool.hide_schema()


def arithmetic(tool: Tool, turn: Turn) -> None:
    after = turn.prompt_tokens - tool.schema_tokens + tool.tombstone_tokens
    if -after + 2 * 3 > +turn.total_budget - 7 // 2 - 2**3 - (1 << 2) - 9 % 4 - (6 & 3 | 8) - ~1:
        tool.hide_schema()


def built_ins(tool: Tool, turn: Turn) -> None:
    most = max(tool.calls, tool.idle_turns, 1)
    least = min((tool.calls, tool.idle_turns))
    if abs(most - least) > 1 and bool(tool.calls):
        tool.hide_schema()


def any_and_all(tool: Tool, turn: Turn) -> None:
    if any((tool.pinned, tool.requested)) or all(
        count > 1 for count in (tool.calls, tool.calls_resident) if count != 2
    ):
        tool.show_schema()


def sum_and_key(tool: Tool, turn: Turn) -> None:
    cost = sum(size for size in (tool.schema_tokens, tool.argument_tokens)) + sum([tool.calls, 1], start=2)
    if cost > max((1, 2, 3), key=lambda size: -size) + min((), default=4):
        tool.hide_schema()


def membership(tool: Tool, turn: Turn) -> None:
    if tool.calls in (1, 2) or tool.idle_turns not in [0, 1] or NAME in ("careful", "bold") or IDLE_TURNS in KINDS:
        tool.hide_schema()


def early_return(tool: Tool, turn: Turn) -> None:
    if tool.pinned:
        return
    tool.hide_schema()
    return None


def local_variables(tool: Tool, turn: Turn) -> None:
    count: int = tool.calls
    count += 1
    count -= tool.idle_turns
    first, (second, third) = count, (tool.calls, 2)
    first, second = second, first
    if first > second + third:
        tool.evict_call()


def attribute_assignment(tool: Tool, turn: Turn) -> None:
    tool.seen = tool.tombstoned = False  # type: ignore[attr-defined]
    tool.limit -= tool.calls_resident  # type: ignore[attr-defined]
    tool.limit, tool.tombstoned = tool.limit + 1, True  # type: ignore[attr-defined]


def alias_of_the_tool(tool: Tool, turn: Turn) -> None:
    this = tool
    other, _ = this, turn
    if not other.pinned:
        other.tombstoned = False


def _visit_of(this: Tool, *, thoroughly: bool, steps: int = 1) -> None:
    if thoroughly:
        this.evict_all_calls()
    elif steps > 1:
        this.evict_call()


def _cost_of(tool: Tool) -> int:
    return schema_cost(tool) + tool.tombstone_tokens


def helper_functions(tool: Tool, turn: Turn) -> None:
    if is_idle(tool) and helpers.is_idle(tool, turns=helpers.LIMIT) and _cost_of(tool) > 4:
        _visit_of(tool, thoroughly=tool.mutation, steps=2)


def match_on_values(tool: Tool, turn: Turn) -> None:
    match tool.calls:
        case 0 | -1:
            tool.hide_schema()
        case Level.HIGH:
            tool.evict_call()
        case 2 as count if tool.pinned and count > 1:
            tool.tombstoned = True
        case many if many > 3:
            tool.evict_all_calls()
        case _:
            pass


def match_on_a_tuple(tool: Tool, turn: Turn) -> None:
    match tool.calls, tool.idle_turns:
        case 0, _:
            tool.hide_schema()
        case (1, 1 | 2) | (2, 0):
            tool.evict_call()
    match NAME:
        case "bold":
            tool.hide_schema()


def loops(tool: Tool, turn: Turn) -> None:
    for _ in range(IDLE_TURNS):
        tool.evict_call()
    for step in STEPS:
        if step > tool.calls:
            break
        if tool.pinned:
            continue
        tool.evict_call()
    else:
        tool.hide_schema()
    for index, limit in enumerate([1, tool.calls]):
        for low, high in zip((0, 1), (limit, 3), strict=True):
            if low + index > high:
                tool.evict_call()


def loop_over_helpers(tool: Tool, turn: Turn) -> None:
    for helper in (is_idle, lambda visited: visited.pinned):
        if helper(tool):
            tool.evict_call()


def walrus(tool: Tool, turn: Turn) -> None:
    if (count := tool.calls_resident) > 1:
        tool.limit = count - 1  # type: ignore[attr-defined]


def list_comprehension(tool: Tool, turn: Turn) -> None:
    seen = [count + 1 for count in (tool.calls, tool.idle_turns) if count > 1]
    if any(count > 3 for count in seen):
        tool.hide_schema()


def tuples(tool: Tool, turn: Turn) -> None:
    known = (tool.calls, *STEPS)
    if known[0] > known[-1] or (tool.calls, tool.idle_turns) < (1, 2) or [tool.calls] == [3]:
        tool.hide_schema()


def constants(tool: Tool, turn: Turn) -> None:
    if CAREFUL and NOTHING == None and tool.calls > IDLE_TURNS + Level.HIGH.value + Level.HIGH.doubled:  # noqa: E711
        tool.hide_schema()
    for _ in ROUNDS:
        if tool.idle_turns > PLACES.limit:
            tool.evict_call()
    if MOOD == Mood.CALM and MOOD.name == "CALM":
        tool.evict_call()


def nested_function(tool: Tool, turn: Turn) -> None:
    limit = tool.calls

    def above(count: int, by: int = 1) -> bool:
        return count > limit + by

    if above(tool.idle_turns) or (lambda: limit > 3)():
        tool.hide_schema()


def _with_limit(limit: int, helper: Callable[[Tool], bool]) -> Visit:
    def visit(tool: Tool, turn: Turn) -> None:
        if tool.calls > limit and helper(tool):
            tool.hide_schema()

    return visit


def _limited(tool: Tool, turn: Turn, limit: int, *, gently: bool) -> None:
    if tool.calls > limit and not gently:
        tool.hide_schema()


@unless_pinned
def decorated(tool: Tool, turn: Turn) -> None:
    tool.hide_schema()


class Base:
    factor = 2

    def limit(self) -> int:
        return 1


@dataclass
class Configuration:
    idle_turns: int


@dataclass(frozen=True, slots=True)
class Frozen:
    calls: int


class Pair(NamedTuple):
    calls: int
    idle: int


class Methods(Base):
    def __init__(self, threshold: int) -> None:
        self.threshold = threshold
        self.configuration = Configuration(3)
        self.frozen = Frozen(2)
        self.pair = Pair(1, 2)
        self.helper = is_idle

    @property
    def most(self) -> int:
        return self.threshold + self.factor

    def limit(self) -> int:
        return Base.limit(self) + self.most

    @staticmethod
    def hide(tool: Tool) -> None:
        tool.hide_schema()

    @classmethod
    def step(cls) -> int:
        return cls.factor

    def visit(self, tool: Tool, turn: Turn) -> None:
        if tool.calls > self.limit() + self.step() + self.configuration.idle_turns + self.frozen.calls + self.pair.idle:
            self.hide(tool)
        elif self.helper(tool):
            tool.evict_call()

    def __call__(self, tool: Tool, turn: Turn) -> None:
        self.visit(tool, turn)


two_lambdas: tuple[Visit, Visit] = (lambda tool, turn: tool.hide_schema(), lambda tool, turn: tool.evict_call())

PASSES: dict[str, Visit] = {
    "if, elif, else": if_elif_else,
    "conditional expression": conditional_expression,
    "and, or, not": and_or_not,
    "chained comparison": chained_comparison,
    "arithmetic": arithmetic,
    "min, max, abs, bool": built_ins,
    "any, all": any_and_all,
    "sum, key=, default=": sum_and_key,
    "in, not in": membership,
    "early return": early_return,
    "local variables": local_variables,
    "attribute assignment": attribute_assignment,
    "alias of the tool": alias_of_the_tool,
    "helper functions": helper_functions,
    "match on values": match_on_values,
    "match on a tuple": match_on_a_tuple,
    "for": loops,
    "for over functions": loop_over_helpers,
    "walrus": walrus,
    "list comprehension": list_comprehension,
    "tuples": tuples,
    "constants": constants,
    "nested function": nested_function,
    "closure": _with_limit(2, is_idle),
    "closure over a lambda": _with_limit(2, lambda tool: tool.pinned),
    "partial": partial(_limited, limit=2, gently=False),
    "decorated": decorated,
    "bound method": Methods(2).visit,
    "callable instance": Methods(2),
    "first of two lambdas": two_lambdas[0],
    "second of two lambdas": two_lambdas[1],
}
