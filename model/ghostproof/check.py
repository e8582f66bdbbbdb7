"""Checks a foreign pruner model: the child process that runs it, the examination, and what to report about both."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field

from ghostproof.engines.problem import Bounds
from ghostproof.host.foreign import ForeignHost
from ghostproof.turn.errors import PrunerError
from ghostproof.turn.explanation import Explanation
from ghostproof.turn.explore import Grid
from ghostproof.turn.property import Property
from ghostproof.turn.scenario import Scenario
from ghostproof.turn.trace import Trace
from ghostproof.turn.verdict import HoldsTo, Proved, ProvedUpTo, Refuted, Undetermined, Verdict


@dataclass(frozen=True, slots=True)
class Report:
    """A verdict about a target, and how it came about. `compared` counts the points of the second net.

    `places` says in which file and line each pass is written, by its name.
    """

    verdict: Verdict
    compared: int = 0
    solver_seconds: float = 0.0
    notes: tuple[str, ...] = ()
    places: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    explanation: Explanation | None = None


def hints(verdict: Verdict) -> tuple[str, ...]:
    """What somebody may do next who expected another answer than `verdict`."""
    if isinstance(verdict, Undetermined) and verdict.evidence is not None:
        return ("longer sessions or more tools may settle it: raise --turns or --tools",)
    if isinstance(verdict, Refuted) and isinstance(verdict.trace, Trace) and not verdict.trace.pruned:
        return ("no pass changed anything in this session: what the environment did alone leaves the violation",)
    return ()


def check_target(
    target: str,
    *,
    scenario: Scenario,
    judged: Property,
    bounds: Bounds,
    engine: str = "auto",
    seconds: float = 10.0,
    megabytes: int = 1024,
    explained: bool = False,
    note: Callable[[str], None] | None = None,
) -> Report:
    """Check the foreign pruner `path.py:NAME` or `package.module:NAME` in a child process.

    `engine` is an engine's name, `auto` or `all`. `seconds` bounds each request to the child, `megabytes` its memory.
    With `explained` a proof or a refutation comes with its explanation. An invalid pruner comes back as a verdict.
    """
    with ExitStack() as stack:
        try:
            host = stack.enter_context(ForeignHost(target, seconds=seconds, megabytes=megabytes))
            # Only now: the solver loads while the child starts and lifts, and these two are what takes time.
            from ghostproof.examine import examine_problem, quiet
            from ghostproof.host.problem import PrunerProblem
            from ghostproof.lift.solver import SPENT
            from ghostproof.witnessing import with_witnesses

            before = SPENT.seconds
            problem = PrunerProblem(host, scenario, judged, Grid(), bounds.limits)
            verdict = examine_problem(problem, bounds, engine, note or quiet)
            if isinstance(verdict, (Proved, ProvedUpTo, HoldsTo)):
                verdict, notes = with_witnesses(verdict, problem, bounds)
            else:
                notes = hints(verdict)
            explanation = None
            if explained:
                from ghostproof.explain.explanation import explain

                explanation = explain(verdict, host, scenario, judged, bounds, note or quiet)
        except PrunerError as error:
            return Report(error.verdict)
        spent = SPENT.seconds - before
        return Report(verdict, host.compared, spent, notes, places=host.places, explanation=explanation)
