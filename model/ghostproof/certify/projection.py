"""The bridge from N tools to the one-tool system: what one step of a turn is, and that the system has that step.

The turn is taken from its definition in `turn.session`, anew and by running the plain functions on exact numbers: one
tool, the sums over all the others as free integers. That makes every obligation one about any number of tools. A step
of the N-tool turn is matched with a command of the one-tool system whose inputs are given: the turn's numbers are the
exact ones, and a condition's truth afterwards is its exact truth. The choice of inputs is thus part of the obligation.

Arguments cost `calls_resident * argument_tokens`, which is not linear. One visit needs only what is true of every such
product with a size of at least 1: it is 0 without calls, at least the number of calls, and moves with that number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ghostproof.lift.plain import OTHERS, TURN, LiftedPruner, lift_costs, lift_pruner
from ghostproof.lift.relation import explore
from ghostproof.lift.single import Conditions, Route, route, single_tool
from ghostproof.lift.symbol import Fork, symbol
from ghostproof.lift.system import System
from ghostproof.lift.term import (
    FALSE,
    TRUE,
    Sort,
    Term,
    at_most,
    combine,
    conjunction,
    disjunction,
    equal,
    implies,
    integer,
    substitute,
    variable,
)
from ghostproof.turn.budget import BUDGETS, TOTALS, Turn
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.pruner import Condition, Pruner, Visit
from ghostproof.turn.scenario import Scenario
from ghostproof.turn.tool import AT_LEAST, Tool

Fields = dict[str, Term]
Numbers = dict[str, Term]
ZERO = integer(0)


@dataclass(frozen=True, slots=True)
class Required:
    """`given` implies `follows`, and `possible` can hold: else the implication would say nothing."""

    name: str
    given: Term
    follows: Term
    possible: Term


def required(name: str, given: Term, follows: Term, witness: Term = TRUE) -> Required:
    """An implication whose premise must be possible, together with `witness`."""
    return Required(name, given, follows, conjunction(given, witness))


@dataclass(frozen=True, slots=True)
class Subject:
    """A pruner in a scenario, the one-tool system said to stand for it, and the conditions that the system keeps."""

    pruner: Pruner
    scenario: Scenario
    lifted: LiftedPruner
    system: System
    kept: Mapping[str, Condition]

    @property
    def way(self) -> Route:
        """The locations of a turn."""
        return route(self.lifted.passes, self.scenario)

    def truths(self, numbers: Numbers) -> dict[str, Term]:
        """The exact truth of each kept condition."""
        return {name: holds(condition, numbers) for name, condition in self.kept.items()}

    def free_truths(self, label: str = "") -> dict[str, Term]:
        """Each kept condition as a free variable: the system's own without a label."""
        return {name: variable(f"{name}{label}", "Bool") for name in self.kept}

    def fields(self, prefix: str = "") -> Fields:
        """A tool's fields, all unknown; those of the system without a prefix."""
        return {name: variable(prefix + name, sort) for name, sort in self.lifted.sorts.items()}


def subject_of(pruner: Pruner, scenario: Scenario, change: Callable[[System], System] | None = None) -> Subject:
    """`pruner` in `scenario` with its one-tool system, or with what `change` makes of that."""
    lifted = lift_pruner(pruner)
    conditions = Conditions(lifted)
    kept: dict[str, Condition] = {}
    for plain, item in zip(pruner.passes, lifted.passes, strict=True):
        known = None if item.condition is None else conditions.holds(item.condition)
        if known is not None and plain.until is not None:
            kept.setdefault(str(known.arguments[0]), plain.until)
    system = single_tool(lifted, scenario, NO_GHOST)
    return Subject(pruner, scenario, lifted, system if change is None else change(system), kept)


# ---- the plain functions, run on terms


def _symbolic_tool(fields: Fields, fork: Fork) -> Tool:
    return Tool({name: symbol(term, fork) for name, term in fields.items()})


def symbolic_numbers(numbers: Numbers, fork: Fork) -> Turn:
    """A turn with these numbers."""
    return Turn(**{name: symbol(numbers[name], fork) for name in Turn.__slots__})


def changed_by(effect: Callable[[Tool, list[Tool]], object], fields: Fields, rest: Sequence[Fields] = ()) -> Fields:
    """A tool's fields after `effect`, which may read other tools."""

    def run(fork: Fork) -> tuple[Mapping[str, object], object]:
        tool = _symbolic_tool(fields, fork)
        effect(tool, [tool, *(_symbolic_tool(one, fork) for one in rest)])
        return tool.__dict__, None

    sorts: dict[str, Sort] = {name: term.sort for name, term in fields.items()}
    updates = explore(run, sorts).updates
    return {name: updates.get(name, variable(name, sort)) for name, sort in sorts.items()}


def told_by(judge: Callable[[Tool, list[Tool]], object], fields: Fields, rest: Sequence[Fields] = ()) -> Term:
    """What `judge` says of a tool, which may read other tools."""

    def run(fork: Fork) -> tuple[Mapping[str, object], object]:
        tool = _symbolic_tool(fields, fork)
        return {}, judge(tool, [tool, *(_symbolic_tool(one, fork) for one in rest)])

    returned = explore(run, {}).returned
    assert returned is not None
    return returned


def visited(visit: Visit, fields: Fields, numbers: Numbers) -> Fields:
    """A tool's fields after a visit that read exactly these numbers."""

    def run(fork: Fork) -> tuple[Mapping[str, object], object]:
        tool = _symbolic_tool(fields, fork)
        visit(tool, symbolic_numbers(numbers, fork))
        return tool.__dict__, None

    sorts: dict[str, Sort] = {name: term.sort for name, term in fields.items()}
    updates = explore(run, sorts).updates
    return {name: updates.get(name, variable(name, sort)) for name, sort in sorts.items()}


def holds(condition: Condition | None, numbers: Numbers) -> Term:
    """Whether a pass would end now. One without a condition never ends before it has visited every tool."""
    if condition is None:
        return FALSE
    returned = explore(lambda fork: ({}, bool(condition(symbolic_numbers(numbers, fork)))), {}).returned
    assert returned is not None
    return returned


# ---- what numbers there can be


def costs(fields: Fields, arguments: Term) -> Numbers:
    """A tool's part of each sum; `arguments` is its part of the argument tokens."""
    at = {variable(name, term.sort): term for name, term in fields.items()}
    known = lift_costs()
    return {name: arguments if name == "argument_tokens" else substitute(known[name], at) for name in TOTALS}


def add(*parts: Numbers) -> Numbers:
    """The sums over several parts."""
    sums = dict.fromkeys(TOTALS, ZERO)
    for part in parts:
        sums = {name: combine(total, part[name]) for name, total in sums.items()}
    return sums


def with_budgets(sums: Numbers) -> Numbers:
    """The turn's numbers: sums, the rest of the prompt and the budgets, which no visit changes."""
    return {**sums, **{name: variable(f"exact {name}", "Int") for name in ("rest_tokens", *BUDGETS)}}


def free_sums(label: str) -> Numbers:
    """Sums over tools of which nothing else is known."""
    return {name: variable(f"{label} {name}", "Int") for name in TOTALS}


def possible_sums(sums: Numbers) -> Term:
    """What holds of each tool's part of the sums, and so of any number of parts together."""
    return conjunction(
        *(at_most(ZERO, term) for term in sums.values()),
        at_most(sums["tombstone_tokens"], sums["tombstone_demand_tokens"]),
    )


def possible_budgets() -> Term:
    """Budgets and the rest of the prompt are no negative numbers."""
    return conjunction(*(at_most(ZERO, variable(f"exact {name}", "Int")) for name in ("rest_tokens", *BUDGETS)))


def domain(fields: Fields) -> Term:
    """Every value that a tool's fields can have."""
    return conjunction(*(at_most(integer(least), fields[name]) for name, least in AT_LEAST.items()))


def product_facts(fields: Fields, arguments: Term) -> Term:
    """What is true of the tokens of `calls_resident` calls of a size of at least 1."""
    calls = fields["calls_resident"]
    return conjunction(
        at_most(calls, arguments),
        implies(equal(calls, ZERO), equal(arguments, ZERO)),
        implies(at_most(integer(1), calls), at_most(fields["argument_tokens"], arguments)),
    )


def product_moves(before: Fields, arguments: Term, after: Fields, arguments_after: Term) -> Term:
    """How these tokens move with the number of calls, whose size stays: by at least 1 for each call."""
    less = combine(before["calls_resident"], after["calls_resident"], -1)
    saved = combine(arguments, arguments_after, -1)
    return conjunction(
        product_facts(after, arguments_after),
        implies(at_most(ZERO, less), at_most(less, saved)),
        implies(at_most(less, ZERO), at_most(saved, less)),
    )


# ---- a step of the one-tool system


@dataclass(frozen=True, slots=True)
class Moment:
    """A tool's fields, and the truth of each kept condition."""

    fields: Fields
    truths: Mapping[str, Term]

    @property
    def values(self) -> dict[str, Term]:
        """The values of the system's variables."""
        return {**self.fields, **self.truths}


def same(before: Mapping[str, Term], after: Mapping[str, Term]) -> Term:
    """Every value stays."""
    return conjunction(*(equal(after[name], value) for name, value in before.items()))


def steps(
    subject: Subject,
    ends: tuple[str, str],
    before: Moment,
    after: Moment,
    numbers: Numbers | None = None,
    others: Mapping[str, Term] | None = None,
) -> Term:
    """Some command between `ends` leads from `before` to `after` with these inputs."""
    at: dict[Term, Term] = {
        variable(name, sort): before.values[name] for name, sort in subject.system.variables.items()
    }
    at.update({variable(TURN + name, "Int"): term for name, term in (numbers or {}).items()})
    at.update({variable(OTHERS + name, "Bool"): term for name, term in (others or {}).items()})
    at.update({variable(f"{name} afterwards", "Bool"): term for name, term in after.truths.items()})
    memo: dict[Term, Term] = {}
    taken = []
    for command in subject.system.commands:
        if (command.source, command.target) != ends:
            continue
        values = {
            n: substitute(command.updates[n], at, memo) if n in command.updates else v for n, v in before.values.items()
        }
        taken.append(conjunction(substitute(command.guard, at, memo), same(values, after.values)))
    return disjunction(*taken)


def lets(subject: Subject, ends: tuple[str, str], before: Mapping[str, Term], after: Mapping[str, Term]) -> Term:
    """Some command between `ends` lets the kept conditions go from one truth to another, whatever it does else."""
    at = {variable(name, "Bool"): term for name, term in before.items()}
    at.update({variable(f"{name} afterwards", "Bool"): term for name, term in after.items()})
    return disjunction(
        *(
            conjunction(*(equal(substitute(c.updates.get(n, variable(n, "Bool")), at), after[n]) for n in before))
            for c in subject.system.commands
            if (c.source, c.target) == ends
        )
    )
