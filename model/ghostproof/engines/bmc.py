"""Bounded model checking of N tools with exact symbolic sizes and budgets, shortest first.

Minimal is lexicographic: requests sent, then tools, then the sum of all sizes and budgets; among those, the session in
which least happens. Fewer requests are excluded for every number of tools where the abstraction allows it.
"""

from __future__ import annotations

from dataclasses import replace

from ghostproof.engines.induction import prove_system
from ghostproof.engines.problem import Bounds, Certificate, Finding, Problem, Unrolling
from ghostproof.lift.smtlib import script
from ghostproof.lift.solver import Questions, Satisfiable, Unknown, ask
from ghostproof.lift.term import TRUE, Term, at_most, evaluate, integer, value_of, variables_of
from ghostproof.turn.verdict import Checked, HoldsTo, Refuted, Undetermined

NAME = "bmc"
# A few seconds of Spacer: what it buys is a stronger sentence about a counterexample that is already found.
EXCLUSION_RLIMIT = 10_000_000


def bmc(problem: Problem, bounds: Bounds) -> Finding:
    """Refuted with a minimal replayed trace, HoldsTo the bounds, or Undetermined."""
    unrollings: list[Unrolling] = []
    for tools in range(1, bounds.tools + 1):
        unrolling = problem.unrolling(tools)
        if unrolling is not None:
            unrollings.append(unrolling)
    questions = 0
    for requests in range(1, bounds.turns + 1):
        for tools, unrolling in enumerate(unrollings, start=1):
            unrolling.extend()
            if unrolling.unsettled is not None:
                return Finding(
                    _undecided(f"no bound is known for the rounds of pass {unrolling.unsettled}", requests - 1)
                )
            questions += 1
            answer = ask(script([*unrolling.constraints, unrolling.violations[-1]]), bounds.limits)
            if isinstance(answer, Unknown):
                return Finding(_undecided(answer.reason, requests - 1))
            if isinstance(answer, Satisfiable):
                return Finding(_refuted(problem, unrolling, answer, requests, tools, bounds))
    return Finding(HoldsTo(NAME, bounds.turns, len(unrollings), "every size and budget", questions, "solver questions"))


def _undecided(reason: str, requests: int) -> Undetermined:
    suffix = f" (no violation in {requests} requests)" if requests else ""
    return Undetermined(reason + suffix, NAME)


def _refuted(
    problem: Problem, unrolling: Unrolling, answer: Satisfiable, requests: int, tools: int, bounds: Bounds
) -> Refuted | Undetermined:
    base = [*unrolling.constraints, unrolling.violations[-1]]
    cost, events = unrolling.cost, unrolling.events
    questions = Questions(base, bounds.limits)
    first, tokens = least(questions, cost, answer)
    within = at_most(cost, integer(_reached(cost, first)))
    best, quiet = least(questions, events, first, within)
    trace = unrolling.replay(best.values)
    said = [_fewer_requests(problem, requests, bounds), _fewer_tools(requests, tools)]
    total = _reached(cost, best)
    said.append(
        f"fewer than {total} tokens in all sizes and budgets: excluded by the solver at this size"
        if tokens
        else f"{total} tokens in all sizes and budgets: not shown to be least"
    )
    if not quiet:
        said.append("less may happen in it: the solver ran out of its limit")
    return Refuted(NAME, trace, tuple(said), (Checked("replay", "requests played by the plain functions", requests),))


def _fewer_tools(requests: int, tools: int) -> str:
    if tools == 1:
        return "fewer tools: there is only one"
    length = "1 request" if requests == 1 else f"{requests} requests"
    return f"fewer than {tools} tools at {length}: excluded by exact bounded model checking"


def _fewer_requests(problem: Problem, requests: int, bounds: Bounds) -> str:
    if requests == 1:
        return "fewer requests: there is only one"
    system = problem.excludes_fewer(requests)
    limits = replace(bounds.limits, rlimit=min(bounds.limits.rlimit, EXCLUSION_RLIMIT))
    if system is not None and isinstance(prove_system(system, replace(bounds, limits=limits)), Certificate):
        return f"fewer than {requests} requests: excluded for every number of tools, by induction on one tool"
    return f"fewer than {requests} requests: excluded up to N = {bounds.tools} tools, by exact bounded model checking"


def _reached(cost: Term, answer: Satisfiable) -> int:
    known = value_of(cost)
    if known is not None:
        return int(known)
    defaults: dict[str, bool | int] = {
        name: False if term.sort == "Bool" else 0 for name, term in variables_of(cost).items()
    }
    return int(evaluate(cost, {**defaults, **answer.values}))


def least(questions: Questions, cost: Term, answer: Satisfiable, within: Term = TRUE) -> tuple[Satisfiable, bool]:
    """A model with the least `cost` among those `within`, and whether it was shown to be least.

    Upwards from nothing in doubling steps, since what is minimal is small and tight bounds are solved fastest; then by
    bisection.
    """
    best, high, low, step = answer, _reached(cost, answer), 0, 1
    while low < high:
        middle = min(low + step - 1, (low + high) // 2)
        found = questions.ask(within, at_most(cost, integer(middle)))
        if isinstance(found, Unknown):
            return best, False
        if isinstance(found, Satisfiable):
            best, high = found, _reached(cost, found)
            step = 1 << 62
        else:
            low = middle + 1
            step *= 2
    return best, True
