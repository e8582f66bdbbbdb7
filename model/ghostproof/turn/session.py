"""Sessions as they run: the turn in its order, on concrete values, by the plain functions.

The order of a turn: the last response settles, the environment acts, the pruner's passes run (those at render after
late events, where a scenario has any), the request is sent, the model answers, the executor acts. A property is judged
where the request is sent and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import is_
from typing import Protocol

from ghostproof.turn.action import Others
from ghostproof.turn.budget import BUDGETS, Turn, totals
from ghostproof.turn.environment import ENVIRONMENT_BY_NAME, LATE_BY_NAME, settle
from ghostproof.turn.errors import InternalError, PrunerError, a_kind
from ghostproof.turn.property import Property
from ghostproof.turn.pruner import Pass, Pruner, rendering
from ghostproof.turn.response import EXECUTION_BY_NAME, RESPONSE_BY_NAME, open_response
from ghostproof.turn.tool import AT_LEAST, INITIAL, PRUNER_WRITES, Tool, Value
from ghostproof.turn.trace import PassEnd, Request, Script, ScriptTurn, Snapshot, Step, Trace

ROUNDS_MAX = 1000


def new_tool(fixed: Mapping[str, Value], memory: Mapping[str, Value]) -> Tool:
    """A tool as it stands when a session starts."""
    return Tool({**fixed, **INITIAL, **memory})


def snapshot(tool: Tool) -> dict[str, Value]:
    """Every field of `tool`, by value."""
    return dict(tool.__dict__)


def changes(before: Snapshot, after: Snapshot) -> dict[str, Value]:
    """The fields of `after` that differ from `before`."""
    return {name: value for name, value in after.items() if before.get(name) != value}


def check_names(owner: str, passes: Sequence[Pass]) -> None:
    """Refuse passes that a trace could not tell apart. Raises PrunerError."""
    names = [item.name for item in passes]
    for name in names:
        if not isinstance(name, str):
            raise PrunerError(owner, "has a pass whose name is no text", "name passes with text")
        if names.count(name) > 1:
            raise PrunerError(owner, f"has two passes named {name}", 'tell them apart with Pass(..., name="...")')


def check_visit(owner: str, before: Snapshot, after: Snapshot, memory: Mapping[str, Value]) -> None:
    """Refuse what a pass may not do to a tool.

    Raises PrunerError: a field that is not the pruner's to write, a new attribute, a value of the wrong type or range.
    """
    for name, value in after.items():
        if name not in before:
            raise PrunerError(owner, f"sets the unknown attribute tool.{name}", "declare it in the pruner's memory")
        expected = type(before[name])
        if type(value) is not expected:
            raise PrunerError(
                owner,
                f"leaves tool.{name} as {type(value).__name__} {str(value)[:40]!r}",
                f"assign a value of type {expected.__name__}",
            )
        if value == before[name]:
            continue
        if name not in PRUNER_WRITES and name not in memory:
            raise PrunerError(
                owner,
                f"changes tool.{name}, which is not the pruner's to change",
                "show, hide, evict or tombstone, or keep own values in the pruner's memory",
            )
        if value < AT_LEAST.get(name, value):
            raise PrunerError(owner, f"leaves tool.{name} at {value}", f"keep it at least {AT_LEAST[name]}")
    if before["emptied"] and not after["emptied"]:
        raise PrunerError(owner, "unmarks an emptied call", "leave tool.emptied to tool.empty_call()")
    if after["calls_resident"] > before["calls_resident"]:
        raise PrunerError(owner, "adds resident calls", "a pruner removes calls; only the environment adds them")


def _untouched(before: Snapshot, now: Snapshot) -> bool:
    """Whether every field is the very same object, as after most visits; equal is not enough, since 1 equals True."""
    return before.keys() == now.keys() and all(map(is_, before.values(), now.values()))


def check_returned(owner: str, returned: object) -> None:
    """Refuse a visit that returns something: what it means by that, nobody would read. Raises PrunerError."""
    if returned is not None:
        raise PrunerError(owner, f"returns nonsense: {a_kind(returned)}", "change the tool, and return nothing")


class Arbitration:
    """Runs a pruner's passes over tools for one turn with given budgets; records each visit that changed something."""

    def __init__(self, pruner: Pruner, tools: Sequence[Tool], budgets: Mapping[str, int], rest_tokens: int) -> None:
        self.pruner = pruner
        self.tools = tools
        self.budgets = {name: budgets.get(name, 0) for name in BUDGETS}
        self.rest_tokens = rest_tokens
        self.steps: list[Step | PassEnd] = []
        self._turn: Turn | None = None

    def turn(self) -> Turn:
        """The numbers as they stand now; summed anew only after a change."""
        if self._turn is None:
            self._turn = Turn(**totals(self.tools), rest_tokens=self.rest_tokens, **self.budgets)
        return self._turn

    def run(self, passes: Sequence[Pass] | None = None) -> None:
        """The passes in this order, all of the pruner's by default.

        Raises PrunerError when a pass misbehaves or never settles.
        """
        for item in self.pruner.passes if passes is None else passes:
            before = self.turn().prompt_tokens
            reason, visits = self._run_pass(item)
            self.steps.append(PassEnd(item.name, reason, visits, before, self.turn().prompt_tokens))

    def _run_pass(self, item: Pass) -> tuple[str, int]:
        visits = 0
        # Each call may take a round of its own to evict.
        rounds_max = ROUNDS_MAX + sum(tool.calls_resident for tool in self.tools)
        for _ in range(rounds_max):
            changed = False
            order = sorted(range(len(self.tools)), key=lambda index: item.order(self.tools[index]))
            for index in order:
                turn = self.turn()
                if item.until is not None and item.until(turn):
                    return "fits", visits
                visits += 1
                changed |= self._visit(item, index, turn)
            if item.until is None:
                return "visited", visits
            if not changed:
                return "unchanged", visits
        raise PrunerError(
            f"pass {item.name}",
            f"never settles: after {rounds_max} rounds it still changes something",
            "let every change bring the budget condition closer",
        )

    def _visit(self, item: Pass, index: int, turn: Turn) -> bool:
        tool = self.tools[index]
        before = snapshot(tool)
        returned: object = item.visit(tool, turn)  # type: ignore[func-returns-value]  # foreign code may return any
        check_returned(f"pass {item.name}", returned)
        if _untouched(before, tool.__dict__):
            return False
        after = snapshot(tool)
        changed = changes(before, after)
        check_visit(f"pass {item.name}", before, after, self.pruner.memory)
        if changed:
            self._turn = None
            self.steps.append(
                Step(item.name, item.name, index, {k: before[k] for k in changed}, changed, numbers(turn))
            )
        return bool(changed)


def numbers(turn: Turn) -> dict[str, int]:
    """The turn's numbers as data."""
    return {name: getattr(turn, name) for name in Turn.__slots__}


def others_of(tools: Sequence[Tool], index: int) -> Others:
    """What an action on tool `index` may know of the rest."""
    rest = [tool for position, tool in enumerate(tools) if position != index]
    return Others(any(tool.rejected for tool in rest), any(tool.rejected and tool.rebuilt for tool in rest))


TABLES = {
    "environment": ENVIRONMENT_BY_NAME,
    "late": LATE_BY_NAME,
    "response": RESPONSE_BY_NAME,
    "execution": EXECUTION_BY_NAME,
}


class Choices(Protocol):
    """What is free in one turn: its budgets, and what happens to each tool."""

    @property
    def budgets(self) -> Mapping[str, int]:
        """The budgets in tokens."""

    def choose(self, actor: str, index: int, tool: Tool, others: Others) -> str | None:
        """The name of the action that `actor` takes on tool `index`, or None for no action at all."""


@dataclass(frozen=True, slots=True)
class _Scripted:
    """The choices of a script."""

    turn: ScriptTurn

    @property
    def budgets(self) -> Mapping[str, int]:
        return self.turn.budgets

    def choose(self, actor: str, index: int, tool: Tool, others: Others) -> str | None:
        names: tuple[str, ...] = getattr(self.turn, actor)
        if index >= len(names):
            return None
        # A name is left open where nothing that is judged depends on it: then the first that is enabled.
        return names[index] or next(known.name for known in TABLES[actor].values() if known.guard(tool, others))


def _act(steps: list[Step | PassEnd], actor: str, name: str, tools: Sequence[Tool], index: int, others: Others) -> None:
    tool = tools[index]
    action = TABLES[actor][name]
    if not action.guard(tool, others):
        raise InternalError(f"replay: {actor} action {name!r} is not enabled for tool {index}")
    before = snapshot(tool)
    action.effect(tool, others)
    changed = changes(before, snapshot(tool))
    steps.append(Step(actor, name, index, {k: before[k] for k in changed}, changed, {}))


def _act_on_all(steps: list[Step | PassEnd], actor: str, turn: Choices, tools: Sequence[Tool]) -> None:
    """All tools act at the same moment: what they know of the others is taken before any of them acts."""
    known = [others_of(tools, index) for index in range(len(tools))]
    for index, tool in enumerate(tools):
        name = turn.choose(actor, index, tool, known[index])
        if name is not None:
            _act(steps, actor, name, tools, index, known[index])


def run(
    pruner: Pruner, fixed: Sequence[Snapshot], rest_tokens: int, turns: Sequence[Choices], judged: Property
) -> tuple[Request, ...]:
    """The requests of a session of tools with these `fixed` fields, each judged.

    Raises PrunerError when a pass misbehaves, InternalError when an action is chosen that is not enabled.
    """
    tools = [new_tool(fields, pruner.memory) for fields in fixed]
    requests: list[Request] = []
    carried: list[Step | PassEnd] = []
    for number, turn in enumerate(turns, start=1):
        steps, carried = carried, []
        if number > 1:
            for tool in tools:
                settle(tool)
        _act_on_all(steps, "environment", turn, tools)
        split = rendering(pruner.passes)
        arbitration = Arbitration(pruner, tools, turn.budgets, rest_tokens)
        arbitration.run(pruner.passes[:split])
        steps.extend(arbitration.steps)
        _act_on_all(steps, "late", turn, tools)
        arbitration = Arbitration(pruner, tools, turn.budgets, rest_tokens)
        arbitration.run(pruner.passes[split:])
        steps.extend(arbitration.steps)
        violations = tuple(index for index, tool in enumerate(tools) if judged.violated(tool))
        sent = tuple(snapshot(tool) for tool in tools)
        requests.append(Request(number, tuple(steps), sent, numbers(arbitration.turn()), violations))
        if number < len(turns):
            for tool in tools:
                open_response(tool)
            _act_on_all(carried, "response", turn, tools)
            _act_on_all(carried, "execution", turn, tools)
    return tuple(requests)


def play(
    pruner: Pruner, script: Script, judged: Property, names: Sequence[str] = (), budgets: Sequence[str] = BUDGETS
) -> Trace:
    """The session of `script`. Raises as `run` does."""
    requests = run(pruner, script.tools, script.rest_tokens, [_Scripted(turn) for turn in script.turns], judged)
    named = tuple(names) or tuple(f"tool_{index + 1}" for index in range(len(script.tools)))
    return Trace(pruner.name, judged.name, named, script, requests, tuple(budgets))
