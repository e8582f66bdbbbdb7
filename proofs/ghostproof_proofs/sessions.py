"""Questions that no single request answers: what an observer sees in whole sessions, over several tools and turns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ghostproof.certify.vacuity import Witness
from ghostproof.engines.bmc import bmc
from ghostproof.engines.problem import Bounds
from ghostproof.host.host import LocalHost
from ghostproof.host.problem import PrunerProblem, Sessions
from ghostproof.lift.limits import Limits
from ghostproof.lift.plain import judgement
from ghostproof.lift.several import Choice, SeveralTools
from ghostproof.lift.term import Term, disjunction, equal, integer, substitute, variable
from ghostproof.turn.errors import InternalError
from ghostproof.turn.explore import Grid
from ghostproof.turn.property import NO_GHOST, Property
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.scenario import Scenario
from ghostproof.turn.tool import Tool
from ghostproof.turn.trace import Trace
from ghostproof.turn.verdict import Verdict


class ObservedSessions(Sessions):
    """Unrolled sessions with the whole state; a request is a violation when the observer has seen it by then."""

    def __init__(self, problem: Observed, tools: int) -> None:
        super().__init__(problem.host, problem.scenario, problem.judged, tools, problem.rounds, whole=True)
        self._problem = problem

    def extend(self) -> None:
        """Unroll one more turn, up to its request."""
        super().extend()
        if self.unsettled is None:
            self.violations[-1] = self._problem.observer.wanted(self)

    def replay(self, values: Mapping[str, bool | int]) -> Trace:
        """The played session of a model. InternalError when the observer does not see it at the last request first."""
        trace = self._problem.host.play(self.decode(values), self._problem.judged)
        before = replace(trace, requests=trace.requests[:-1])
        if not self._problem.observer.seen(trace) or self._problem.observer.seen(before):
            raise InternalError(f"a session in which {self._problem.observer.name} does not show it when played")
        return trace


class Observed(PrunerProblem):
    """Whether `observer` can see in a session what it looks for. The one-tool system says nothing of it."""

    def __init__(self, pruner: Pruner, scenario: Scenario, observer: Witness, limits: Limits) -> None:
        super().__init__(LocalHost(pruner), scenario, NO_GHOST, Grid(), limits)
        self.observer = observer

    def unrolling(self, tools: int, whole: bool = True) -> Sessions:
        """The exact sessions of `tools` tools."""
        return ObservedSessions(self, tools)

    def excludes_fewer(self, requests: int) -> None:
        """Only the exact sessions exclude fewer requests."""


def observed(pruner: Pruner, scenario: Scenario, observer: Witness, bounds: Bounds | None = None) -> Verdict:
    """Refuted with the shortest session in which the observer sees it, or HoldsTo the bounds: it sees it in none."""
    within = bounds or Bounds(turns=5, tools=2)
    return bmc(Observed(pruner, scenario, observer, within.limits), within).verdict


def took(choice: Choice, *names: str) -> Term:
    """The choice is one of the named actions."""
    return disjunction(*(equal(choice.term, integer(choice.names.index(n))) for n in names if n in choice.names))


def breach(judged: Property) -> Witness:
    """A request is sent at which some tool breaks `judged`; what is told as a ghost in the trace is still a ghost."""
    broken = judgement(judged)

    def wanted(sessions: SeveralTools) -> Term:
        sorts = sessions.pruner.sorts
        last = sessions.prompts[-1]
        return disjunction(
            *(substitute(broken, {variable(n, sorts[n]): value for n, value in fields.items()}) for fields in last)
        )

    def seen(trace: Trace) -> bool:
        return any(judged.violated(Tool(tool)) for request in trace.requests for tool in request.tools)

    return Witness(f"{judged.name} is broken", wanted, seen)
