"""Exactly N tools with exact sizes and budgets as guarded commands: unbounded in turns, for small N.

Where the one-tool abstraction fails only because it forgets how budgets add up, this system may still be proved safe,
for its number of tools. The tokens of resident arguments are a ledger: eviction by a known number of calls keeps it
linear.
"""

from __future__ import annotations

from collections.abc import Mapping

from ghostproof.lift.plain import (
    OTHERS,
    TURN,
    LiftedAction,
    LiftedPass,
    LiftedPruner,
    judgement,
    lift_action,
    lift_costs,
    lift_open_response,
    lift_settle,
)
from ghostproof.lift.single import LATE, initial_condition, route
from ghostproof.lift.system import Command, System
from ghostproof.lift.term import (
    FALSE,
    TRUE,
    Sort,
    Term,
    at_most,
    choose,
    combine,
    conjunction,
    disjunction,
    equal,
    integer,
    negate,
    scaled,
    substitute,
    value_of,
    variable,
)
from ghostproof.turn.action import Action
from ghostproof.turn.property import Property
from ghostproof.turn.scenario import Scenario

HELD = "argument tokens held"
REST = "rest tokens"
CHANGED = "the round changed something"
TOOLS_MAX = 2


class NotLinear(Exception):
    """A visit changes the number of resident calls by something that is not a known number."""


class Exact:
    """Builds the system of `tools` (1 or 2) tools. Raises NotLinear."""

    def __init__(self, pruner: LiftedPruner, scenario: Scenario, judged: Property, tools: int) -> None:
        self.pruner, self.scenario, self.tools = pruner, scenario, tools
        self._bad = judgement(judged)
        self.commands: list[Command] = []
        self.variables: dict[str, Sort] = {REST: "Int", CHANGED: "Bool", "tool 2 goes first": "Bool"}
        for index in range(tools):
            self.variables.update({self._name(index, name): sort for name, sort in pruner.sorts.items()})
            self.variables[self._name(index, HELD)] = "Int"
        self._budgets = pruner.budget_names
        self.variables.update(dict.fromkeys(self._budgets, "Int"))

    def _name(self, index: int, field: str) -> str:
        return f"tool {index + 1} {field}"

    def _var(self, name: str) -> Term:
        return variable(name, self.variables[name])

    def _own(self, term: Term, index: int, extra: Mapping[Term, Term] | None = None) -> Term:
        """`term` about one tool, said of tool `index`."""
        sorts = self.pruner.sorts
        mine = {variable(name, sort): self._var(self._name(index, name)) for name, sort in sorts.items()}
        return substitute(term, {**mine, **(extra or {})})

    def _updates(self, updates: Mapping[str, Term], index: int, extra: Mapping[Term, Term]) -> dict[str, Term]:
        after = {self._name(index, name): self._own(value, index, extra) for name, value in updates.items()}
        calls = self._name(index, "calls_resident")
        if calls in after:
            after[self._name(index, HELD)] = self._ledger(after[calls], index)
        return after

    def _ledger(self, calls: Term, index: int) -> Term:
        """The tokens held when `calls` calls are resident, given those held now."""
        before = self._var(self._name(index, "calls_resident"))
        held, size = self._var(self._name(index, HELD)), self._var(self._name(index, "argument_tokens"))
        if calls.op == "ite":
            condition, then, otherwise = calls.arguments
            return choose(condition, self._ledger(then, index), self._ledger(otherwise, index))
        known, moved = value_of(calls), value_of(combine(calls, before, -1))
        if moved is not None:
            return combine(held, scaled(size, int(moved)))
        if known is not None:
            return scaled(size, int(known))
        raise NotLinear(str(calls))

    def _numbers(self) -> dict[Term, Term]:
        costs = lift_costs()
        numbers: dict[Term, Term] = {}
        for name in self.pruner.reads_in(self.scenario):
            if name in self._budgets:
                total = self._var(name)
            elif name == "rest_tokens":
                total = self._var(REST)
            else:
                total = integer(0)
                for index in range(self.tools):
                    held = self._var(self._name(index, HELD))
                    total = combine(total, held if name == "argument_tokens" else self._own(costs[name], index))
            numbers[variable(TURN + name, "Int")] = total
        return numbers

    def _add(self, name: str, source: str, target: str, guard: Term, updates: Mapping[str, Term]) -> None:
        if guard is not FALSE:
            self.commands.append(Command(name, source, target, guard, updates))

    def _act(self, table: tuple[Action, ...], stage: str, following: str) -> None:
        for index in range(self.tools):
            here = stage if index == 0 else f"{stage} of tool {index + 1}"
            there = f"{stage} of tool {index + 2}" if index + 1 < self.tools else following
            others: dict[Term, Term] = {variable(OTHERS + "rejected", "Bool"): FALSE}
            others[variable(OTHERS + "rebuilt", "Bool")] = FALSE
            if self.tools > 1:  # what the other's call was is left free, which only adds sessions
                others = {term: variable(f"{term.arguments[0]} {stage}", "Bool") for term in others}
            for action in table:
                lifted: LiftedAction = lift_action(action)
                guard = self._own(lifted.guard, index, others)
                self._add(
                    f"{lifted.name} ({index + 1})", here, there, guard, self._updates(lifted.updates, index, others)
                )

    def _slot_guard(self, item: LiftedPass, slot: int, index: int) -> Term:
        if self.tools == 1 or value_of(item.order) is not None:
            return TRUE if slot == index else FALSE
        second_first = self._var("tool 2 goes first")
        return second_first if slot != index else negate(second_first)

    def _run_pass(self, item: LiftedPass, here: str, there: str) -> None:
        numbers = self._numbers()
        ended = FALSE if item.condition is None else substitute(item.condition, numbers)
        going = negate(ended)
        slots = [f"{here}, slot {slot + 1}" for slot in range(self.tools)]
        first: dict[str, Term] = {CHANGED: FALSE}
        if self.tools > 1:
            keys = [self._own(item.order, index) for index in range(self.tools)]
            first["tool 2 goes first"] = negate(at_most(keys[0], keys[1]))
        self._add(f"{item.name}: a round begins", here, slots[0], TRUE, first)
        for slot, place in enumerate(slots):
            self._add(f"{item.name} ends: fits", place, there, ended, {})
            after = slots[slot + 1] if slot + 1 < self.tools else f"{here}, round done"
            for index in range(self.tools):
                updates = self._updates(item.visit.updates, index, numbers)
                changed = self._own(item.visit.changed, index, numbers)
                updates[CHANGED] = disjunction(self._var(CHANGED), changed)
                guard = conjunction(going, self._slot_guard(item, slot, index))
                self._add(f"{item.name} visits tool {index + 1}", place, after, guard, updates)
        done = f"{here}, round done"
        if item.condition is None:
            self._add(f"{item.name} ends", done, there, TRUE, {})
        else:
            self._add(f"{item.name} goes round again", done, here, self._var(CHANGED), {})
            self._add(f"{item.name} ends: unchanged", done, there, negate(self._var(CHANGED)), {})

    def build(self) -> System:
        """The system."""
        way = route(self.pruner.passes, self.scenario)
        self._begin_turn()
        self._act(self.scenario.environment_actions, "environment", way.entry)
        self._act(self.scenario.late_actions, LATE, way.after_late)
        for item, (here, there) in zip(self.pruner.passes, way.ends, strict=True):
            self._run_pass(item, here, there)
        opened: dict[str, Term] = {}
        for index in range(self.tools):
            opened.update(self._updates(lift_open_response(), index, {}))
        self._add("request is sent", "prompt", "response", TRUE, opened)
        self._act(self.scenario.response_actions, "response", "execution")
        self._act(self.scenario.execution_actions, "execution", "settle")
        bad = disjunction(*(self._own(self._bad, index) for index in range(self.tools)))
        name = f"{self.tools} tools under {self.pruner.name}: {self.scenario.name}"
        return System(name, self.variables, "environment", self._initial(), tuple(self.commands), "prompt", bad)

    def _begin_turn(self) -> None:
        updates: dict[str, Term] = {}
        for index in range(self.tools):
            updates.update(self._updates(lift_settle(), index, {}))
        guard = TRUE
        if not self.scenario.constant_budgets:
            fresh = {name: variable(f"next {name}", "Int") for name in self._budgets}
            updates.update(fresh)
            guard = conjunction(*(at_most(integer(0), term) for term in fresh.values()))
        self._add("last response settles", "settle", "environment", guard, updates)

    def _initial(self) -> Term:
        parts = [at_most(integer(0), self._var(REST)), negate(self._var(CHANGED))]
        parts.append(negate(self._var("tool 2 goes first")))
        parts += [at_most(integer(0), self._var(name)) for name in self._budgets]
        for index in range(self.tools):
            parts.append(self._own(initial_condition(self.scenario, self.pruner.memory), index))
            parts.append(equal(self._var(self._name(index, HELD)), integer(0)))
        parts.append(substitute(self.pruner.start(self.scenario), self._numbers()))
        return conjunction(*parts)


def exact_system(pruner: LiftedPruner, scenario: Scenario, judged: Property, tools: int) -> System | None:
    """The system of exactly `tools` tools, or None where it cannot be kept linear."""
    try:
        return Exact(pruner, scenario, judged, tools).build()
    except NotLinear:
        return None
