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
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

from ghostproof.conformance.expect import expected
from ghostproof.conformance.refine import schema_word
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
JOINT: tuple[Case, ...] = tuple({"kind": "joint", "total": total} for total in BUDGETS)
SEPARATE: tuple[Case, ...] = tuple(
    {"kind": "separate", "arguments": arguments, "schemas": schemas} for arguments in BUDGETS for schemas in range(5)
)
"""Two schemas cost 4 tokens at most."""
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


@dataclass(frozen=True, slots=True)
class Setting:
    """What does not change in a session but the budgets, of which each is tried in each turn."""

    sizes: Sizes
    budgets: tuple[Case, ...] = JOINT
    pinned: tuple[bool, bool] = (False, False)
    gate: str = "tombstone"
    """In the other modes every call group calls one tool, as the protocol has it."""


def _tool(standing: Standing, tombstoned: bool, called: bool) -> Tool:
    fixed = {"mutation": True, "pinned": False, "schema_tokens": 1, "argument_tokens": 1, "tombstone_tokens": 1}
    tool = new_tool(fixed, {})
    tool.schema_shown, tool.schema_lossy = standing.schema != "withheld", standing.schema == "lossy"
    tool.registered, tool.tombstone_resident = standing.registered, tombstoned
    tool.calls_resident = int(called)
    return tool


@cache
def _happenings(standing: Standing, tombstoned: bool, called: bool, first: bool) -> frozenset[Happened]:
    """Every response, and every action of the environment after it, on one tool, by the model's own functions."""
    found = set()
    for response, action in product((SILENT,) if first else RESPONSE, ENVIRONMENT):
        tool = _tool(standing, tombstoned, called)
        open_response(tool)
        if not response.guard(tool, ALONE):
            continue
        response.effect(tool, ALONE)
        calls = tool.called
        settle(tool)
        if action.guard(tool, ALONE):
            before = tool.calls_resident
            action.effect(tool, ALONE)
            after = Standing(schema_word(tool), tool.registered, tool.requested)
            if not (after.requested and after.schema == "shown"):
                found.add(Happened(after, calls, tool.calls_resident > before, tool.tombstone_resident))
    return frozenset(found)


def following(state: State, first: bool, *, apart: bool) -> set[State]:
    """The states in which the next arbitration may begin. `apart`: calls of one response are a group each."""
    found = set()
    for happened in product(
        *(
            _happenings(standing, state.tombstoned(place), state.called(place), first)
            for place, standing in enumerate(state.tools)
        )
    ):
        history = [item for item in state.history if isinstance(item, tuple) or happened[NAMES.index(item)].tombstoned]
        called = tuple(place for place, one in enumerate(happened) if one.calls)
        appeared = [(place,) for place, one in enumerate(happened) if one.appears]
        idler = state.idler if not called else None if len(called) == 2 else 1 - called[0]
        groups = [(place,) for place in called] if apart else [called] if called else []
        found.add(State((happened[0].standing, happened[1].standing), (*history, *groups, *appeared), idler))
    return found


def case_of(state: State, setting: Setting, budget: Case) -> Case:
    """The case that asks for the arbitration from here."""
    tools = [
        {
            "name": name, "effect": "mutation", "schema": standing.schema, "registered": standing.registered,
            "requested": standing.requested, "pinned": setting.pinned[place], "schema_tokens": size[0],
            "tombstone_tokens": size[2], "idle_turns": int(state.idler == place), "calls": 0,
        }
        for place, (name, standing, size) in enumerate(zip(NAMES, state.tools, setting.sizes, strict=True))
    ]  # fmt: skip
    history = [
        {"kind": "tombstone", "tool": item}
        if isinstance(item, str)
        else {
            "kind": "calls",
            "id": f"g{number}",
            "calls": [{"tool": NAMES[place], "tokens": setting.sizes[place][1]} for place in item],
        }
        for number, item in enumerate(state.history)
    ]
    return {
        "tools": tools, "history": history, "rest_tokens": 0, "budgets": budget, "order": "least-recently-called",
        "gate": setting.gate,
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
    """The distinct transitions of the first turns of one setting."""

    setting: Setting
    turns: int

    def transitions(self) -> Iterator[tuple[int, Case, Case]]:
        """Each once, a beginning of an arbitration and a budget: the turn, the case, and what the model answers.

        A state that an earlier turn reached is not asked again.
        """
        setting = self.setting
        frontier, begun, sent = {State()}, set[State](), set[State]()
        for turn in range(1, self.turns + 1):
            begins = (following(state, turn == 1, apart=setting.gate != "tombstone") for state in frontier)
            beginnings = set().union(*begins) - begun
            begun |= beginnings
            frontier = set()
            for state in sorted(beginnings, key=repr):
                for budget in setting.budgets:
                    case = case_of(state, setting, budget)
                    answer = expected("arbitrate", case)
                    yield turn, case, answer
                    # What the last turn sends begins nothing.
                    if turn < self.turns and answer["outcome"] == "send":
                        frontier.add(_sent(state, answer))
            frontier -= sent
            sent |= frontier
