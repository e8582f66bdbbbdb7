"""The seed's listing, run in each of its states and on every short plan, against the prose's rule in the model's words.

The listing sees four flags of a tool, so it has sixteen states; of each, every tool of the model with up to `CALLS`
resident calls is tried. No solver: both sides are run. A statement that fails comes back with the state it fails in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from ghostproof.turn.budget import Turn
from ghostproof.turn.session import new_tool, snapshot
from ghostproof.turn.tool import Tool
from ghostproof.turn.trace import Walk
from ghostproof.turn.verdict import Checked, HoldsTo, Proved, Refuted, Vacuous, Verdict
from ghostproof.variants.arbitration import gate
from ghostproof_proofs.seed_listing import (
    GhostToolInvariantError,
    ToolContextState,
    enforce_evict_or_tombstone,
    plan_turn_pruning,
)

NAME = "enumeration"
CALLS = 2
TOOLS_MAX = 3
FLAGS = (False, True)
SIZES = {"pinned": False, "schema_tokens": 1, "argument_tokens": 1, "tombstone_tokens": 1}
NO_NUMBERS = Turn(**dict.fromkeys(Turn.__slots__, 0))  # the gate reads none

Plan = Callable[[list[ToolContextState]], list[str]]
Rule = Callable[[ToolContextState], str | None]


@dataclass(frozen=True, slots=True)
class Listing:
    """The two functions of the listing, or of what somebody makes of it."""

    rule: Rule = enforce_evict_or_tombstone
    plan: Plan = plan_turn_pruning


def listed(tool: Tool, name: str = "tool") -> ToolContextState:
    """What the listing is told of a tool of the model."""
    return ToolContextState(name, tool.schema_resident, tool.arguments_resident, tool.tombstoned, tool.mutation)


def tools() -> Iterator[Tool]:
    """Every tool of the model that the listing or the prose could treat in a way of its own."""
    names = ("mutation", "schema_shown", "schema_lossy", "tombstone_resident")
    for flags in product(FLAGS, repeat=len(names)):
        for calls in range(CALLS + 1):
            tool = new_tool(SIZES, {})
            tool.__dict__.update(zip(names, flags, strict=True), calls_resident=calls)
            yield tool


@dataclass(frozen=True, slots=True)
class Case:
    """A tool, what the listing did about it, and what the prose's rule, the model's gate, makes of it.

    `left` is what the listing left of the state it was given.
    """

    tool: Tool
    given: ToolContextState
    left: ToolContextState
    said: str | None
    raised: bool
    gated: Tool

    @property
    def gate_tombstones(self) -> bool:
        """The prose's rule writes a tombstone."""
        return self.gated.tombstoned and not self.tool.tombstoned


def cases(rule: Rule) -> Iterator[Case]:
    """Each tool with both answers."""
    for tool in tools():
        given = listed(tool)
        left, gated = replace(given), Tool(snapshot(tool))
        gate(gated, NO_NUMBERS)
        try:
            yield Case(tool, given, left, rule(left), False, gated)
        except GhostToolInvariantError:
            yield Case(tool, given, left, None, True, gated)


@dataclass(frozen=True, slots=True)
class Statement:
    """What holds of each case or plan, and what must occur for that to say anything, by name."""

    holds: Callable[[Case], bool]
    occurs: Mapping[str, Callable[[Case], bool]]


def compared(statement: Statement, listing: Listing = Listing()) -> Verdict:
    """Whether the statement holds in every state of the listing. The states are all there are, so it is a proof."""
    found = list(cases(listing.rule))
    for case in found:
        if not statement.holds(case):
            return _refuted(case)
    missing = tuple(name for name, occurs in statement.occurs.items() if not any(map(occurs, found)))
    if missing:
        return Vacuous(missing, NAME)
    states = {tuple(vars(case.given).values()) for case in found}
    return Proved(
        NAME,
        checked=(
            Checked("plain functions", "states of the listing", len(states)),
            Checked("plain functions", "tools of the model that stand for them", len(found)),
        ),
    )


def _refuted(case: Case) -> Refuted:
    answer = "raises" if case.raised else case.said or "nothing"
    after = {**snapshot(case.tool), "the listing": answer, "the gate": "tombstone" if case.gate_tombstones else ""}
    return Refuted(NAME, Walk((snapshot(case.tool), after), ("the listing decides",)))


def plans() -> Iterator[list[ToolContextState]]:
    """Every plan of up to `TOOLS_MAX` tools, in every order."""
    states = [ToolContextState("", *flags) for flags in product(FLAGS, repeat=4)]
    for count in range(TOOLS_MAX + 1):
        for chosen in product(states, repeat=count):
            yield [replace(state, name=f"tool_{place}") for place, state in enumerate(chosen, start=1)]


def unrepaired(state: ToolContextState, *, mutation: bool) -> bool:
    """A ghost, in the listing's flags, of a tool of this kind."""
    ghost = state.argument_resident and not state.schema_resident and not state.tombstoned
    return ghost and state.is_mutation == mutation


def _planned(plan: Plan, states: list[ToolContextState]) -> list[str] | None:
    """The tombstones of a plan, None when it is aborted."""
    try:
        return plan(states)
    except GhostToolInvariantError:
        return None


def no_plan_tombstones_a_mutation_tool(listing: Listing = Listing()) -> Verdict:
    """No line of any plan is for a tool that changes state, though there are such ghosts, and there are lines."""

    def wrong(states: list[ToolContextState], lines: list[str] | None) -> bool:
        return any(f"'{s.name}'" in line for s in states if s.is_mutation for line in lines or ())

    return _over_plans(
        listing.plan,
        wrong,
        {
            "a plan with a ghost that changes state": lambda s, lines: any(unrepaired(one, mutation=True) for one in s),
            "a plan with a tombstone": lambda s, lines: bool(lines),
        },
    )


def one_mutation_ghost_aborts_the_plan(listing: Listing = Listing()) -> Verdict:
    """A plan is aborted exactly if some tool that changes state is a ghost, and reading ghosts then get no line."""

    def wrong(states: list[ToolContextState], lines: list[str] | None) -> bool:
        return (lines is None) != any(unrepaired(state, mutation=True) for state in states)

    def loses(states: list[ToolContextState], lines: list[str] | None) -> bool:
        return lines is None and unrepaired(states[0], mutation=False)

    return _over_plans(
        listing.plan,
        wrong,
        {
            "a plan that is aborted after a reading tool was served": loses,
            "a plan that is not aborted": lambda s, lines: bool(lines),
        },
    )


Seen = Callable[[list[ToolContextState], list[str] | None], bool]


def _over_plans(plan: Plan, wrong: Seen, occurs: Mapping[str, Seen]) -> Verdict:
    missing, count = dict(occurs), 0
    for states in plans():
        lines = _planned(plan, states)
        if wrong(states, lines):
            return _refuted_plan(states, lines)
        missing = {name: seen for name, seen in missing.items() if not seen(states, lines)}
        count += 1
    if missing:
        return Vacuous(tuple(missing), NAME)
    return HoldsTo(NAME, 1, TOOLS_MAX, "every state of each tool, in every order", count, "plans")


def _refuted_plan(states: Sequence[ToolContextState], lines: list[str] | None) -> Refuted:
    before: dict[str, bool | int | str] = {
        f"{state.name} {field}": value for state in states for field, value in vars(state).items() if field != "name"
    }
    answer = "aborted" if lines is None else "; ".join(lines) or "nothing"
    return Refuted(NAME, Walk((before, {**before, "the plan": answer}), ("the turn is planned",)))
