"""k-induction on the system of commands: k safe steps from any state lead to a safe one, and the first k are safe.

The simple-path condition makes it complete for finite systems. A failed step is a candidate, never a counterexample.
"""

from __future__ import annotations

from ghostproof.engines.problem import Bounds, Finding, Problem
from ghostproof.lift.smtlib import script
from ghostproof.lift.solver import Satisfiable, Unknown, Unsatisfiable, ask
from ghostproof.lift.system import relevant
from ghostproof.lift.term import negate
from ghostproof.lift.unroll import CommandUnrolling
from ghostproof.turn.verdict import Proved, Undetermined

NAME = "k-induction"
DEPTH_MAX = 12


def k_induction(problem: Problem, bounds: Bounds) -> Finding:
    """Proved, or Undetermined with the reason."""
    system = relevant(problem.system)
    base, step = CommandUnrolling(system), CommandUnrolling(system, started=False)
    for depth in range(DEPTH_MAX + 1):
        if depth:
            base.extend()
            step.extend()
        answer = ask(script([*base.constraints, base.violation(depth)]), bounds.limits)
        if isinstance(answer, Satisfiable):
            walk = base.decode(answer.values)
            return Finding(
                Undetermined("a violation is reachable in the system of commands", NAME, candidate=walk.commands)
            )
        if isinstance(answer, Unknown):
            return Finding(Undetermined(answer.reason, NAME))
        safe = [negate(step.violation(index)) for index in range(depth)]
        answer = ask(script([*step.constraints, *safe, step.apart(), step.violation(depth)]), bounds.limits)
        if isinstance(answer, Unsatisfiable):
            return Finding(Proved(NAME, {"depth": f"{depth} steps"}))
        if isinstance(answer, Unknown):
            return Finding(Undetermined(answer.reason, NAME))
    return Finding(Undetermined(f"not inductive within {DEPTH_MAX} steps", NAME))
