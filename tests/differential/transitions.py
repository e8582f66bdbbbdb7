"""Every transition of two tools in the first turns of a session, as cases that the model and the reference both answer.

The refinement map: a call group of the history is one of `calls_resident` of each tool that it calls (one that several
tools share is one of each); a tombstone item is `tombstone_resident`; the declared tools are `registered`; a request
that stands is `requested`. Evicting one of several groups leaves residency as it is. Not mapped: what the executor
knows (`schema_current`, `arguments_current`), on which no pass of this pruner looks; the numbers of idle turns, of
which only the order decides. Left out: a tool that returns while a request for it stands, and so is shown and requested
at once, which the protocol forbids its cases; `test_return.py` compares those. `ghostproof.conformance.refine` maps a
case to the model, and `ghostproof_reference.__main__` makes a session of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from ghostproof.conformance.expect import expected
from ghostproof.turn.action import Others
from ghostproof.turn.environment import ENVIRONMENT, settle
from ghostproof.turn.response import RESPONSE, SILENT, open_response
from ghostproof.turn.session import new_tool
from ghostproof.turn.tool import Tool

Case = dict[str, Any]
Sizes = tuple[tuple[int, int, int], tuple[int, int, int]]
"""Of each tool: tokens of its schema, of a call group, of a tombstone."""

NAMES = ("a", "b")
BUDGETS = range(7)
ALONE = Others(False, False)
ONE_TOOL = tuple(product((1, 2), (1, 2), (1, 2)))
EVERY_SIZE: tuple[Sizes, ...] = tuple(product(ONE_TOOL, ONE_TOOL))
Group = tuple[int, ...]
"""A call group by the places of the tools that it calls; a tombstone stands as the name of its tool."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One tool between two requests."""

    schema: str = "shown"
    registered: bool = True
    requested: bool = False


@dataclass(frozen=True, slots=True)
class State:
    """Both tools and the history. `idler` is the tool that has been idle longer, None where neither has."""

    tools: tuple[Standing, Standing] = (Standing(), Standing())
    history: tuple[Group | str, ...] = ()
    idler: int | None = None

    def tombstoned(self, place: int) -> bool:
        """Whether a tombstone of this tool stands in the history."""
        return NAMES[place] in self.history

    def called(self, place: int) -> bool:
        """Whether a call group of this tool stands in the history."""
        return any(place in group for group in self.history if isinstance(group, tuple))


@dataclass(frozen=True, slots=True)
class Happened:
    """What becomes of one tool between two requests."""

    standing: Standing
    calls: bool
    appears: bool
    tombstoned: bool


def _tool(state: State, place: int) -> Tool:
    fixed = {"mutation": True, "pinned": False, "schema_tokens": 1, "argument_tokens": 1, "tombstone_tokens": 1}
    tool, standing = new_tool(fixed, {}), state.tools[place]
    tool.schema_shown, tool.schema_lossy = standing.schema != "withheld", standing.schema == "lossy"
    tool.registered, tool.tombstone_resident = standing.registered, state.tombstoned(place)
    tool.calls_resident = int(state.called(place))
    return tool


def _happenings(state: State, place: int, first: bool) -> Iterator[Happened]:
    """Every response, and every action of the environment after it, on one tool, by the model's own functions."""
    for response in (SILENT,) if first else RESPONSE:
        for action in ENVIRONMENT:
            tool = _tool(state, place)
            open_response(tool)
            if not response.guard(tool, ALONE):
                continue
            response.effect(tool, ALONE)
            calls = tool.called
            settle(tool)
            if action.guard(tool, ALONE):
                before = tool.calls_resident
                action.effect(tool, ALONE)
                schema = "withheld" if not tool.schema_shown else "lossy" if tool.schema_lossy else "shown"
                standing = Standing(schema, tool.registered, tool.requested)
                if standing.requested and standing.schema == "shown":
                    continue
                yield Happened(standing, calls, tool.calls_resident > before, tool.tombstone_resident)


def following(state: State, first: bool) -> set[State]:
    """The states in which the next arbitration may begin."""
    found = set()
    for happened in product(*(set(_happenings(state, place, first)) for place in range(2))):
        history = [item for item in state.history if isinstance(item, tuple) or happened[NAMES.index(item)].tombstoned]
        called = tuple(place for place, one in enumerate(happened) if one.calls)
        appeared = [(place,) for place, one in enumerate(happened) if one.appears]
        idler = state.idler if not called else None if len(called) == 2 else 1 - called[0]
        groups = [called] if called else []
        found.add(State((happened[0].standing, happened[1].standing), (*history, *groups, *appeared), idler))
    return found


def case_of(state: State, sizes: Sizes, budget: int) -> Case:
    """The case that asks for the arbitration from here."""
    tools = [
        {
            "name": name, "effect": "mutation", "schema": standing.schema, "registered": standing.registered,
            "requested": standing.requested, "pinned": False, "schema_tokens": size[0], "tombstone_tokens": size[2],
            "idle_turns": int(state.idler == place), "calls": 0,
        }
        for place, (name, standing, size) in enumerate(zip(NAMES, state.tools, sizes, strict=True))
    ]  # fmt: skip
    history = [
        {"kind": "tombstone", "tool": item}
        if isinstance(item, str)
        else {
            "kind": "calls",
            "id": f"g{number}",
            "calls": [{"tool": NAMES[place], "tokens": sizes[place][1]} for place in item],
        }
        for number, item in enumerate(state.history)
    ]
    return {
        "tools": tools, "history": history, "rest_tokens": 0, "budgets": {"kind": "joint", "total": budget},
        "order": "least-recently-called", "gate": "tombstone",
    }  # fmt: skip


def _sent(state: State, answer: Case) -> State:
    first, second = (
        Standing(tool["schema"], standing.registered)
        for tool, standing in zip(answer["tools"], state.tools, strict=True)
    )
    history = tuple(
        item["tool"] if item["kind"] == "tombstone" else state.history[int(item["id"][1:])]
        for item in answer["history"]
    )
    return State((first, second), history, state.idler)


@dataclass(slots=True)
class Walk:
    """The distinct transitions of the first turns, for tools of these sizes. `sent` counts distinct requests so far."""

    sizes: Sizes
    turns: int
    sent: set[State] = field(default_factory=set)

    def cases(self) -> Iterator[Case]:
        """Each transition once: an arbitration's beginning and a budget."""
        frontier, begun = {State()}, set[State]()
        for turn in range(self.turns):
            beginnings = set().union(*(following(state, turn == 0) for state in frontier)) - begun
            begun |= beginnings
            frontier = set()
            for state in sorted(beginnings, key=repr):
                for budget in BUDGETS:
                    case = case_of(state, self.sizes, budget)
                    yield case
                    # What the last turn sends begins nothing.
                    if turn + 1 < self.turns:
                        self._follow(state, case, frontier)

    def _follow(self, state: State, case: Case, frontier: set[State]) -> None:
        answer = expected("arbitrate", case)
        if answer["outcome"] == "send" and (after := _sent(state, answer)) not in self.sent:
            self.sent.add(after)
            frontier.add(after)
