"""Unbounded proof on the one-tool system: Spacer suggests an invariant, plain queries in a fresh context decide.

Spacer is a source of ideas only. Its answer becomes a proof when initiation, consecution and safety are each refuted by a
fresh solver; its claim that a violation is reachable is a candidate of the abstraction and nothing more.
"""

from __future__ import annotations

from ghostproof.engines.problem import Bounds, Certificate, Finding, Problem
from ghostproof.lift.smtlib import script
from ghostproof.lift.solver import Invariant, Reachable, Satisfiable, Unknown, ask, find_invariant
from ghostproof.lift.system import System, obligations, relevant
from ghostproof.lift.term import disjunction, show
from ghostproof.turn.errors import InternalError
from ghostproof.turn.verdict import Proved, Undetermined

NAME = "induction"


def prove_system(system: System, bounds: Bounds) -> Certificate | Reachable | Unknown:
    """An invariant whose three obligations a fresh context discharged."""
    sliced = relevant(system)
    answer = find_invariant(sliced, bounds.limits)
    if not isinstance(answer, Invariant):
        return answer
    certificate = Certificate(sliced, answer.by_location)
    query = disjunction(*(term for _, term in obligations(sliced, answer.by_location)))
    checked = ask(script([query]), bounds.limits)
    if isinstance(checked, Satisfiable):
        raise InternalError("Spacer's invariant does not discharge its obligations in a fresh context")
    return certificate if not isinstance(checked, Unknown) else checked


def in_words(certificate: Certificate) -> dict[str, str]:
    """The invariant, location by location, in words of the model."""
    return {location: show(term) for location, term in certificate.invariant.items()}


def induction(problem: Problem, bounds: Bounds) -> Finding:
    """Proved for every number of tools and turns, or Undetermined."""
    answer = prove_system(problem.system, bounds)
    if isinstance(answer, Certificate):
        return Finding(Proved(NAME, in_words(answer)), answer)
    if isinstance(answer, Reachable):
        return Finding(Undetermined("the one-tool abstraction reaches a violation, which may not be real", NAME))
    return Finding(Undetermined(answer.reason, NAME))
