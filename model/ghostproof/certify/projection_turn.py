"""Whole turns of a few tools with exact sums: the sanity check of the projection, and of the unrolled sessions.

The passes run from any state of each tool with few resident calls, in a fixed number of rounds; a pass that has not
ended by then is excluded, so nothing is said of it. One and two tools are visited by the pass's own order. More are
visited in the order in which they are declared, in fewer rounds: the obligations on one step cover every order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from ghostproof.certify.projection import (
    ZERO,
    Fields,
    Moment,
    Numbers,
    Required,
    Subject,
    add,
    changed_by,
    costs,
    domain,
    holds,
    required,
    same,
    steps,
    told_by,
    visited,
    with_budgets,
)
from ghostproof.lift.several import SeveralTools
from ghostproof.lift.term import (
    FALSE,
    TRUE,
    Term,
    at_most,
    choose,
    combine,
    conjunction,
    constant,
    disjunction,
    equal,
    implies,
    integer,
    negate,
    variable,
)
from ghostproof.turn.action import Action
from ghostproof.turn.budget import BUDGETS
from ghostproof.turn.environment import ENVIRONMENT_BY_NAME
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.pruner import Pass
from ghostproof.turn.session import new_tool, others_of
from ghostproof.turn.tool import Tool

CALLS = 2
ROUNDS = 3
ROUNDS_OF_MANY = 2


def exact_costs(fields: Fields) -> Numbers:
    """A tool's part of each sum, for at most `CALLS` resident calls."""
    arguments = ZERO
    for count in range(1, CALLS + 1):
        there = at_most(integer(count), fields["calls_resident"])
        arguments = combine(arguments, choose(there, fields["argument_tokens"], ZERO))
    return costs(fields, arguments)


class WholeTurn:
    """The passes of one turn over `tools`: what is so (`known`), and what each step must be (`follow`)."""

    def __init__(self, subject: Subject, tools: Sequence[Fields], fixed: Mapping[str, Term]) -> None:
        self.subject, self.fixed = subject, fixed
        self.tools = [dict(fields) for fields in tools]
        self.known: list[Term] = []
        self.follow: list[Term] = []
        self._names = 0
        for index in range(len(subject.pruner.passes)):
            self._run_pass(index)

    def numbers(self) -> Numbers:
        """The turn's numbers as they stand."""
        return {**add(*(exact_costs(fields) for fields in self.tools)), **self.fixed}

    def _named(self, label: str, term: Term) -> Term:
        """`term` under a name of its own, so that questions stay small."""
        if term.op in ("var", "true", "false") or (term.op == "linear" and len(term.arguments) == 1):
            return term
        self._names += 1
        name = variable(f"{label} #{self._names}", term.sort)
        self.known.append(equal(name, term))
        return name

    def _moments(self, numbers: Numbers) -> list[Moment]:
        truths = self.subject.truths(numbers)
        return [Moment(dict(fields), truths) for fields in self.tools]

    def _slots(self, item: Pass) -> list[list[Term]]:
        """`result[slot][tool]`: the tool is visited in that slot. Sorting is stable."""
        count = len(self.tools)
        if count != 2:
            return [[TRUE if slot == tool else FALSE for tool in range(count)] for slot in range(count)]
        first, second = (told_by(lambda tool, tools: item.order(tool), fields) for fields in self.tools)
        kept = self._named("kept order", at_most(first, second))
        return [[kept, negate(kept)], [negate(kept), kept]]

    def _run_pass(self, index: int) -> None:
        item, (here, there) = self.subject.pruner.passes[index], self.subject.way.ends[index]
        if item.until is None:
            self._visit_all(item, (here, there))
            return
        ended = FALSE
        for _ in range(ROUNDS if len(self.tools) <= 2 else ROUNDS_OF_MANY):
            changed = FALSE
            for row in self._slots(item):
                numbers = self.numbers()
                fits = holds(item.until, numbers)
                self._end(conjunction(negate(ended), fits), numbers, (here, there))
                ended = self._named("ended", disjunction(ended, fits))
                before, after = self._moments(numbers), self._visit(item, row, negate(ended), numbers)
                moved = self._moments(self.numbers())
                for tool, mine in enumerate(row):
                    taken = steps(self.subject, (here, here), before[tool], moved[tool], numbers)
                    stays = same(before[tool].values, moved[tool].values)
                    self.follow.append(implies(conjunction(negate(ended), mine), taken))
                    self.follow.append(implies(conjunction(negate(ended), negate(mine)), disjunction(stays, taken)))
                changed = self._named("changed", disjunction(changed, after))
            settled = conjunction(negate(ended), negate(changed))
            self._end(settled, self.numbers(), (here, there))
            ended = self._named("ended", disjunction(ended, settled))
        self.known.append(ended)

    def _visit(self, item: Pass, row: Sequence[Term], going: Term, numbers: Numbers) -> Term:
        """One slot of a round; the answer is whether the tool that it visits is changed."""
        changed = []
        for tool, mine in enumerate(row):
            before = self.tools[tool]
            taken = conjunction(going, mine)
            if taken is FALSE:
                continue
            after = {
                name: self._named(name, choose(taken, value, before[name]))
                for name, value in visited(item.visit, before, numbers).items()
            }
            changed.append(negate(same(before, after)))
            self.tools[tool] = after
        return disjunction(*changed)

    def _end(self, when: Term, numbers: Numbers, ends: tuple[str, str]) -> None:
        for moment in self._moments(numbers):
            self.follow.append(implies(when, steps(self.subject, ends, moment, moment, numbers)))

    def _visit_all(self, item: Pass, ends: tuple[str, str]) -> None:
        start = self._moments(self.numbers())
        read = [self.numbers() for _ in self.tools]
        for row in self._slots(item):
            numbers = self.numbers()
            read = [
                {name: choose(mine, numbers[name], old[name]) for name in old}
                for mine, old in zip(row, read, strict=True)
            ]
            self._visit(item, row, TRUE, numbers)
        end = self._moments(self.numbers())
        for before, after, numbers in zip(start, end, read, strict=True):
            self.follow.append(steps(self.subject, ends, before, after, numbers))


def any_state(subject: Subject, count: int) -> tuple[list[Fields], Term]:
    """`count` tools in any state with at most `CALLS` resident calls."""
    tools = [subject.fields(f"tool {index + 1} ") for index in range(count)]
    few = (at_most(fields["calls_resident"], integer(CALLS)) for fields in tools)
    return tools, conjunction(*few, *(domain(fields) for fields in tools))


def turn_obligation(subject: Subject, count: int) -> Required:
    """Each tool's part of a whole turn of `count` tools is a run of the one-tool system, step by step."""
    tools, given = any_state(subject, count)
    fixed = with_budgets({})
    turn = WholeTurn(subject, tools, fixed)
    sizes = conjunction(*(at_most(ZERO, term) for term in fixed.values()))
    moved = disjunction(*(negate(same(old, new)) for old, new in zip(tools, turn.tools, strict=True)))
    return required(
        f"a whole turn of {count} tools" if count > 1 else "a whole turn of 1 tool",
        conjunction(given, sizes, *turn.known),
        conjunction(*turn.follow),
        moved,
    )


def _guard(action: Action, tool: Tool, tools: list[Tool]) -> object:
    return action.guard(tool, others_of(tools, 0))


def _effect(action: Action, tool: Tool, tools: list[Tool]) -> None:
    action.effect(tool, others_of(tools, 0))


def unrolling_obligation(subject: Subject, count: int) -> Required:
    """The unrolled session's first request is that of the turn as defined, field by field."""
    sessions = SeveralTools(subject.lifted, subject.scenario, NO_GHOST, count, lambda item, calls: ROUNDS, whole=True)
    initial = {name: constant(value) for name, value in new_tool({}, subject.pruner.memory).__dict__.items()}
    start = [{**fields, **initial} for fields in sessions.fixed]
    sessions.extend()
    first = sessions.turns[0]
    acted = []
    known = list(sessions.constraints)
    for fields, choice in zip(start, first.environment, strict=True):
        after = dict(fields)
        for position, name in enumerate(choice.names):
            action = ENVIRONMENT_BY_NAME[name]
            taken = equal(choice.term, integer(position))
            known.append(implies(taken, told_by(partial(_guard, action), fields, start)))
            effect = changed_by(partial(_effect, action), fields, start)
            after = {field: choose(taken, value, after[field]) for field, value in effect.items()}
        acted.append(after)
    fixed = {"rest_tokens": sessions.rest, **{name: first.budgets.get(name, ZERO) for name in BUDGETS}}
    turn = WholeTurn(subject, acted, fixed)
    agree = (same(mine, theirs) for mine, theirs in zip(turn.tools, sessions.prompts[0], strict=True))
    moved = disjunction(*(negate(same(old, new)) for old, new in zip(start, turn.tools, strict=True)))
    return required(
        f"the unrolled session of {count} tools" if count > 1 else "the unrolled session of 1 tool",
        conjunction(*known, *turn.known),
        conjunction(*agree),
        moved,
    )
