"""Why a proved pruner is safe: what the proof used, what it had to answer, and what becomes of it without each pass."""

from __future__ import annotations

from dataclasses import replace

from ghostproof.certify.recheck import recheck
from ghostproof.engines.bmc import bmc
from ghostproof.engines.induction import NAME, in_words, prove_in_one_turn, prove_system
from ghostproof.engines.problem import Bounds, Certificate
from ghostproof.examine import Note
from ghostproof.explain.core import Unsettled, confirmed, minimal
from ghostproof.explain.facts import Obligations, judged_after
from ghostproof.host.problem import PrunerProblem
from ghostproof.host.terms import TermHost
from ghostproof.lift.limits import Limits
from ghostproof.lift.plain import LiftedPruner
from ghostproof.lift.smtlib import script
from ghostproof.lift.solver import Satisfiable, Unknown, ask
from ghostproof.lift.system import System
from ghostproof.lift.term import conjunction, negate
from ghostproof.turn.explanation import Fact, WhySafe, Without
from ghostproof.turn.explore import Grid
from ghostproof.turn.property import Property
from ghostproof.turn.scenario import Scenario
from ghostproof.turn.verdict import Proved, Refuted, Verdict

# Without a pass: what a proof may cost, and how far a ghost is looked for. What is left out is said.
WITHOUT_RLIMIT = 10_000_000
WITHOUT_TURNS, WITHOUT_TOOLS = 3, 2


def why_safe(pruner: LiftedPruner, scenario: Scenario, judged: Property, bounds: Bounds, note: Note) -> WhySafe:
    """What the proof about `pruner` used. Raises InternalError where an answer of ours does not hold up."""
    without = tuple(_without(pruner, place, scenario, judged, bounds, note) for place in range(len(pruner.passes)))
    problem = PrunerProblem(TermHost(pruner), scenario, judged, Grid(), bounds.limits)
    note("what the proof uses")
    found = prove_in_one_turn(problem.system, bounds) or prove_system(problem.system, bounds)
    if not isinstance(found, Certificate):
        return WhySafe((), 0, (), without, open="the proof was not found again within its limits")
    # The proof may be of a part of the system; what it leaves out is asked about here like all else.
    parts = Obligations(problem.system, pruner, found.invariant)
    try:
        needed = minimal(parts.questions, bounds.limits, note)
        checked = confirmed(parts.questions, needed, bounds.limits)
        threats = _threats(problem.system, parts, needed, bounds.limits)
    except Unsettled as reason:
        return WhySafe((), len(parts.facts), (), without, open=str(reason))
    return WhySafe(needed, len(parts.facts), threats, without, checked)


def _threats(system: System, parts: Obligations, needed: tuple[Fact, ...], limits: Limits) -> tuple[str, ...]:
    """The commands that can make a ghost of a tool that is none, from a state that the needed invariant allows."""
    found: dict[str, None] = {}
    for command in system.commands:
        held = (term for fact, term in parts.invariant.get(command.source, {}).items() if fact in needed)
        broken = conjunction(*held, command.guard, negate(system.bad), judged_after(system, command))
        answer = ask(script([broken]), limits)
        if isinstance(answer, Unknown):
            raise Unsettled(f"whether {command.name!r} can make a ghost: {answer.reason}")
        if isinstance(answer, Satisfiable):
            found[parts.actor(command)] = None
    return tuple(found)


def _without(
    pruner: LiftedPruner, place: int, scenario: Scenario, judged: Property, bounds: Bounds, note: Note
) -> Without:
    name = pruner.passes[place].name
    note(f"without pass {name}")
    rest = replace(pruner, passes=(*pruner.passes[:place], *pruner.passes[place + 1 :]))
    problem = PrunerProblem(TermHost(rest), scenario, judged, Grid(), bounds.limits)
    limits = replace(bounds.limits, rlimit=min(bounds.limits.rlimit, WITHOUT_RLIMIT))
    small = Bounds(min(bounds.turns, WITHOUT_TURNS), min(bounds.tools, WITHOUT_TOOLS), bounds.states, limits)
    return Without(name, _verdict(problem, small))


def _verdict(problem: PrunerProblem, bounds: Bounds) -> Verdict:
    """A proof where one turn suffices, a session with a ghost, a proof by an invariant, or how far it holds."""
    direct = prove_in_one_turn(problem.system, bounds)
    if direct is not None:
        return _confirmed(direct, bounds)
    searched = bmc(problem, bounds).verdict
    if isinstance(searched, Refuted):
        return searched
    found = prove_system(problem.system, bounds)
    return _confirmed(found, bounds) if isinstance(found, Certificate) else searched


def _confirmed(certificate: Certificate, bounds: Bounds) -> Verdict:
    checked = recheck(certificate.system, certificate.invariant, bounds.limits)
    return Proved(NAME, in_words(certificate), checked) if isinstance(checked, tuple) else checked
