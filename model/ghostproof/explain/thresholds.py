"""At which budgets a ghost appears, for the tools and sizes of a minimal session: both sides, each established.

The budget meant is that of the turn in which the ghost is sent; where budgets are constant it is that of every turn.
Each value is asked about by itself, since nothing says that a larger one is better. A ghost is a session that is
played; its absence is a refusal of the solver, for all sessions of as many requests with these tools.
"""

from __future__ import annotations

from itertools import groupby

from ghostproof.engines.problem import Bounds
from ghostproof.examine import Note
from ghostproof.explain.core import Unsettled
from ghostproof.host.host import Host
from ghostproof.host.problem import PrunerProblem, Sessions
from ghostproof.lift.several import SIZES, Fields
from ghostproof.lift.solver import Questions, Satisfiable, Unknown, Unsatisfiable
from ghostproof.lift.term import (
    Term,
    at_most,
    conjunction,
    constant,
    disjunction,
    equal,
    integer,
    negate,
    variable,
    variables_of,
)
from ghostproof.turn.errors import InternalError
from ghostproof.turn.explanation import BudgetRange, Outcome, Thresholds
from ghostproof.turn.explore import Grid
from ghostproof.turn.property import Property
from ghostproof.turn.scenario import Scenario
from ghostproof.turn.trace import Snapshot, Trace

SINGLY_MAX = 64
"""Budgets up to so many tokens are asked about one by one."""


def thresholds(
    host: Host, scenario: Scenario, judged: Property, trace: Trace, bounds: Bounds, note: Note
) -> tuple[Thresholds, ...]:
    """One for each budget that the pruner reads. Raises Unsettled, and InternalError when a ghost does not replay."""
    problem = PrunerProblem(host, scenario, judged, Grid(), bounds.limits)
    sessions = problem.unrolling(len(trace.names))
    for _ in trace.requests:
        sessions.extend()
    if sessions.unsettled is not None:
        raise Unsettled(f"no bound is known for the rounds of pass {sessions.unsettled}")
    return tuple(
        _Search(host, judged, trace, sessions, name, bounds, note).result() for name in host.lifted.budget_names
    )


class _Search:
    """One budget in the turn of the ghost; all else that the scenario leaves free is free, other budgets included."""

    def __init__(
        self, host: Host, judged: Property, trace: Trace, sessions: Sessions, name: str, bounds: Bounds, note: Note
    ) -> None:
        self._host, self._judged, self._trace, self._sessions = host, judged, trace, sessions
        self._name, self._note, self._limits = name, note, bounds.limits
        self._value = variable("the budget asked about", "Int")
        spent = [equal(turn.budgets[name], self._value) for turn in sessions.turns]
        self._ghosts = [conjunction(*pair) for pair in zip(sessions.violations, spent, strict=True)]
        self._last = spent[-1]
        self._constraints = [*sessions.constraints, *_sizes(sessions, trace), at_most(integer(0), self._value)]
        self._questions = Questions(self._constraints, bounds.limits)
        self._replayed = 0
        self._witness: Trace | None = None

    def result(self) -> Thresholds:
        """The ranges from 0 on, without a gap."""
        last = min(SINGLY_MAX, self._most() + 1)
        outcomes: list[tuple[Outcome, int]] = [(self._at(value), value) for value in range(last + 1)]
        ranges = []
        for outcome, members in groupby(outcomes, key=lambda pair: pair[0]):
            values = [value for _, value in members]
            ranges.append(BudgetRange(outcome, values[0], values[-1]))
        beyond = self._beyond(last)
        if ranges[-1].outcome == beyond:
            ranges[-1] = BudgetRange(beyond, ranges[-1].first, None)
        else:
            ranges.append(BudgetRange(beyond, last + 1, None))
        return Thresholds(
            self._name,
            len(self._trace.requests),
            len(self._trace.names),
            "; ".join(map(_said, self._trace.names, self._trace.script.tools)),
            tuple(ranges),
            self._replayed,
            self._witness,
        )

    def _most(self) -> int:
        """No prompt of these tools has more tokens in so many turns; and at least what the session spends."""
        turns = len(self._trace.requests)
        # A turn adds at most two calls: the one of the last response, and one from elsewhere.
        tools = sum(
            tool["schema_tokens"] + tool["tombstone_tokens"] + 2 * turns * tool["argument_tokens"]
            for tool in self._trace.script.tools
        )
        used = max(turn.budgets.get(self._name, 0) for turn in self._trace.script.turns)
        return max(self._trace.script.rest_tokens + tools, used)

    def _at(self, value: int) -> Outcome:
        self._note(f"{self._name} of {value} tokens")
        here = equal(self._value, integer(value))
        answer = self._questions.ask(here, disjunction(*self._ghosts))
        if isinstance(answer, Satisfiable):
            self._replay(answer, value)
            return "ghost"
        return "not determined" if isinstance(answer, Unknown) else self._none(here)

    def _none(self, here: Term) -> Outcome:
        """No ghost; but is there a session at all? Where the first prompt has to fit, a small budget has none."""
        answer = self._questions.ask(here, self._last)
        if isinstance(answer, Unsatisfiable):
            return "no session"
        return "none" if isinstance(answer, Satisfiable) else "not determined"

    def _beyond(self, last: int) -> Outcome:
        """What holds for every larger budget."""
        larger = at_most(integer(last + 1), self._value)
        answer = self._questions.ask(larger, disjunction(*self._ghosts))
        if isinstance(answer, Unsatisfiable):
            return self._none(larger)
        if not isinstance(answer, Satisfiable):
            return "not determined"
        place = self._replay(answer, int(answer.values[self._value.arguments[0]]))
        # With every other choice as in this session, all that happens depends on the budget of this turn alone.
        budget = self._sessions.turns[place].budgets[self._name]
        free = variables_of(*self._constraints, self._ghosts[place])
        chosen = [
            equal(term, constant(answer.values.get(name, False if term.sort == "Bool" else 0)))
            for name, term in free.items()
            if term not in (self._value, budget)
        ]
        fails = negate(conjunction(*self._constraints, self._ghosts[place]))
        other = Questions([*chosen, equal(budget, self._value), larger, fails], self._limits).ask()
        return "ghost" if isinstance(other, Unsatisfiable) else "not determined"

    def _replay(self, answer: Satisfiable, value: int) -> int:
        """Play the session; the place of the turn with that budget in which it sends a ghost."""
        played = self._host.play(self._sessions.decode(answer.values), self._judged)
        for place, (request, turn) in enumerate(zip(played.requests, played.script.turns, strict=True)):
            if request.violations and turn.budgets[self._name] == value:
                self._replayed += 1
                self._witness = played
                return place
        raise InternalError(f"a ghost at a {self._name} of {value} does not replay by the plain functions")


def _sizes(sessions: Sessions, trace: Trace) -> list[Term]:
    """The tools and the rest are those of the session."""
    fixed = [_as_in(fields, tool) for fields, tool in zip(sessions.fixed, trace.script.tools, strict=True)]
    return [*(term for terms in fixed for term in terms), equal(sessions.rest, integer(trace.script.rest_tokens))]


def _as_in(fields: Fields, tool: Snapshot) -> list[Term]:
    return [equal(term, constant(tool[name])) for name, term in fields.items()]


def _said(name: str, tool: Snapshot) -> str:
    sizes = [f"{size.removesuffix('_tokens')} {tool[size]}" for size in SIZES]
    return f"{name}: {', '.join([*sizes, *(['pinned'] if tool['pinned'] else [])])}"
