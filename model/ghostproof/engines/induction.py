"""Unbounded proof on the one-tool system: Spacer suggests an invariant, plain queries in a fresh context decide.

Spacer is a source of ideas only. Its answer becomes a proof when initiation, consecution and safety are each refuted
by a fresh solver; its claim that a violation is reachable is a candidate of the abstraction and nothing more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from ghostproof.engines.problem import Bounds, Certificate, Finding, Problem
from ghostproof.lift.constants import constants
from ghostproof.lift.limits import Limits
from ghostproof.lift.smtlib import script
from ghostproof.lift.solver import (
    Invariant,
    Reachable,
    Satisfiable,
    Unknown,
    Unsatisfiable,
    ask,
    ask_afresh,
    find_invariant,
)
from ghostproof.lift.system import System, obligations, relevant
from ghostproof.lift.term import Term, conjunction, disjunction, negate, show
from ghostproof.lift.unroll import CommandUnrolling
from ghostproof.turn.errors import InternalError
from ghostproof.turn.verdict import Proved, Undetermined

NAME = "induction"
EXACT_TIMEOUT_MS = 15_000
SHORT_RLIMIT, SHORT_TRIES = 3_000_000, 4
CANDIDATE_MAX = 24


def prove_system(system: System, bounds: Bounds) -> Certificate | Reachable | Unknown:
    """An invariant whose obligations a fresh context discharged: constants where they suffice, else Spacer's."""
    sliced = relevant(system)
    simple = constants(sliced)
    simple[sliced.judged] = conjunction(simple[sliced.judged], negate(sliced.bad))
    if _discharged(sliced, simple, bounds) is True:
        return Certificate(sliced, simple)
    for limits in _tries(bounds.limits):
        answer = find_invariant(sliced, limits)
        if not isinstance(answer, Unknown):
            break
    if not isinstance(answer, Invariant):
        return answer
    discharged = _discharged(sliced, answer.by_location, bounds)
    if discharged is False:
        raise InternalError("Spacer's invariant does not discharge its obligations in a fresh context")
    return Certificate(sliced, answer.by_location) if discharged is True else discharged


def _discharged(system: System, invariant: Mapping[str, Term], bounds: Bounds) -> bool | Unknown:
    """Whether all obligations are unsatisfiable, asked as one question."""
    query = disjunction(*(term for _, term in obligations(system, invariant)))
    answer = ask_afresh(script([query]), bounds.limits)
    return answer if isinstance(answer, Unknown) else isinstance(answer, Unsatisfiable)


def _tries(limits: Limits) -> list[Limits]:
    """Spacer's times have a long tail that depends on the seed: a few short tries first, then one to the limit."""
    short = min(limits.rlimit, SHORT_RLIMIT)
    return [*(replace(limits, rlimit=short, seed=limits.seed + more) for more in range(SHORT_TRIES)), limits]


def prove_in_one_turn(system: System, bounds: Bounds) -> Certificate | None:
    """The certificate that needs no invariant: each command into the judged location, from any state, is safe."""
    sliced = relevant(system)
    invariant = {sliced.judged: negate(sliced.bad)}
    return Certificate(sliced, invariant) if _discharged(sliced, invariant, bounds) is True else None


def in_words(certificate: Certificate) -> dict[str, str]:
    """The invariant, location by location, in words of the model."""
    return {location: show(term) for location, term in certificate.invariant.items()}


def proved(certificate: Certificate) -> Finding:
    """The verdict that a certificate stands for."""
    return Finding(Proved(NAME, in_words(certificate)), certificate)


def induction(problem: Problem, bounds: Bounds) -> Finding:
    """Proved for every number of tools and turns, or Undetermined."""
    answer = prove_in_one_turn(problem.system, bounds) or prove_system(problem.system, bounds)
    if isinstance(answer, Certificate):
        return proved(answer)
    if isinstance(answer, Reachable):
        return Finding(Undetermined("the one-tool abstraction reaches a violation, which may not be real", NAME))
    return Finding(Undetermined(answer.reason, NAME))


def prove_exactly(problem: Problem, bounds: Bounds) -> Iterator[Certificate | None]:
    """Certificates for exactly one tool, then two, with exact sizes and budgets; None where it does not go through."""
    limits = replace(bounds.limits, timeout_ms=min(bounds.limits.timeout_ms, EXACT_TIMEOUT_MS))
    for tools in (1, 2):
        system = problem.exactly(tools)
        answer = None if system is None else prove_system(system, replace(bounds, limits=limits))
        yield answer if isinstance(answer, Certificate) else None


def candidate(system: System, bounds: Bounds) -> tuple[str, ...]:
    """The commands of a shortest violation of the abstraction; empty when none has at most CANDIDATE_MAX of them."""
    unrolling = CommandUnrolling(relevant(system))
    for depth in range(1, CANDIDATE_MAX + 1):
        unrolling.extend()
        answer = ask(script([*unrolling.constraints, unrolling.violation(depth)]), bounds.limits)
        if isinstance(answer, Satisfiable):
            return unrolling.decode(answer.values).commands
        if isinstance(answer, Unknown):
            break
    return ()
