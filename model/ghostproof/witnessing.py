"""What must be so before a proof says anything: it could have failed, sessions go on, and what matters happens in some.

A session by chance shows most of it and a solver is asked for the rest; what neither finds is shown to be impossible,
or nothing is said about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ghostproof.certify.vacuity import (
    TOOLS_MAX,
    TURNS_MAX,
    Unsettled,
    Witness,
    admitted_actions,
    arguments_kept,
    find,
    pass_acts,
    schema_pruned,
    search,
    stuck,
    violable,
)
from ghostproof.engines.induction import EXACT_TIMEOUT_MS, prove_system
from ghostproof.engines.problem import Bounds, Certificate
from ghostproof.host.problem import PrunerProblem
from ghostproof.lift.limits import Limits
from ghostproof.lift.observe import observed
from ghostproof.lift.plain import judgement
from ghostproof.lift.several import SeveralTools
from ghostproof.lift.system import System
from ghostproof.lift.term import variable, variables_of
from ghostproof.report.words import count
from ghostproof.turn.property import Property
from ghostproof.turn.scenario import Scenario
from ghostproof.turn.trace import Trace
from ghostproof.turn.verdict import Checked, HoldsTo, Proved, ProvedUpTo, Undetermined, Vacuous, Verdict

VIOLABLE = "some state, reached or not, violates the property"


@dataclass(frozen=True, slots=True)
class Reach:
    """In how many requests, any number if None, and of how many tools a witness counts."""

    requests: int | None = None
    tools: int = TOOLS_MAX

    def first(self, traces: Sequence[Trace]) -> list[Trace]:
        """The beginnings of `traces` that are within reach."""
        return [replace(t, requests=t.requests[: self.requests]) for t in traces if len(t.names) <= self.tools]

    def searched(self, requests: int) -> int:
        """How many of so many requests are within reach."""
        return requests if self.requests is None else min(requests, self.requests)


ANYWHERE = Reach()


def reach(verdict: Proved | ProvedUpTo | HoldsTo) -> Reach:
    """No further than the verdict: what happens beyond its bound does not make it say anything."""
    tools = TOOLS_MAX if isinstance(verdict, Proved) else min(TOOLS_MAX, verdict.tools)
    return Reach(verdict.turns if isinstance(verdict, HoldsTo) else None, tools)


def needed(judged: Property) -> list[Witness]:
    """Without these nothing is said: schemas are hidden, and, if the property is about them, arguments are sent."""
    about_arguments = variable("calls_resident", "Int") in variables_of(judgement(judged)).values()
    return [schema_pruned(), *([arguments_kept()] if about_arguments else [])]


def everything(passes: Iterable[str], scenario: Scenario, judged: Property, limits: Limits) -> list[Witness]:
    """Schemas hidden and arguments sent, and each pass and each admitted action taken."""
    return [schema_pruned(), arguments_kept(), *map(pass_acts, passes), *admitted_actions(scenario, judged, limits)]


def missing_witnesses(
    problem: PrunerProblem,
    witnesses: Sequence[Witness],
    name: str,
    bounds: Bounds,
    *,
    whole: bool,
    within: Reach = ANYWHERE,
) -> Vacuous | Undetermined | None:
    """None when the property is not trivial, sessions go on, and every witness exists `within` reach.

    Vacuous when the property is true in all states or a witness is shown not to exist; a search without success shows
    nothing.
    """
    if not violable(problem.system, bounds.limits):
        return Vacuous((VIOLABLE,), name)
    ends = stuck(problem.system, bounds.limits)
    if ends:
        return Undetermined(f"a session may have no next step, at: {', '.join(ends)}", name)
    requests = within.searched(max(TURNS_MAX, bounds.turns))
    played = within.first(problem.wandered)
    try:
        found = search(witnesses, problem, bounds.limits, whole, requests, played, within.tools)
    except Unsettled as reason:
        return Undetermined(str(reason), name)
    missing = [witness for witness in witnesses if found[witness.name] is None]
    if not missing:
        return None
    never = tuple(witness.name for witness in missing if _never(problem.system, witness, bounds))
    if never:
        return Vacuous(never, name)
    few = tuple(witness.name for witness in missing if _never_for_few(problem, witness, bounds))
    if few:
        return Vacuous(few, name, f"any number of turns with up to {TOOLS_MAX} tools")
    titles = "; ".join(witness.name for witness in missing)
    sought = f"in up to {count(requests, 'request')} with up to {count(within.tools, 'tool')} no session was found"
    return Undetermined(f"{sought} in which {titles}, and none was excluded", name)


def _never(system: System, witness: Witness, bounds: Bounds) -> bool:
    """Whether it is shown that no session of `system` takes a step that shows the witness."""
    if witness.taken is None:
        return False
    return isinstance(prove_system(observed(system, witness.taken), bounds), Certificate)


def _never_for_few(problem: PrunerProblem, witness: Witness, bounds: Bounds) -> bool:
    limits = replace(bounds.limits, timeout_ms=min(bounds.limits.timeout_ms, EXACT_TIMEOUT_MS))
    for tools in range(1, TOOLS_MAX + 1):
        system = problem.exactly(tools)
        if system is None or not _never(system, witness, replace(bounds, limits=limits)):
            return False
    return True


def with_witnesses(
    verdict: Proved | ProvedUpTo | HoldsTo, problem: PrunerProblem, bounds: Bounds
) -> tuple[Verdict, tuple[str, ...]]:
    """A proof with how much of `everything` was played, and for any verdict a note on what was not within its reach.

    A pass that never acts, or an action that never comes, makes no verdict wrong: it may be there just in case.
    """
    passes = [item.name for item in problem.host.lifted.passes]
    asked = everything(passes, problem.scenario, problem.judged, bounds.limits)
    unrolled: dict[int, list[SeveralTools]] = {}
    within = reach(verdict)
    requests, tools = within.searched(TURNS_MAX), within.tools
    played = within.first(problem.wandered)
    unseen, unsettled = [], ""
    for witness in asked:
        if any(witness.seen(trace) for trace in played):
            continue
        try:
            trace = find(witness, problem, bounds.limits, unrolled, True, requests, tools)
        except Unsettled as reason:
            trace, unsettled = None, f"; not everything was searched: {reason}"
        if trace is None:
            unseen.append(witness.name)
        else:
            played.append(trace)
    if isinstance(verdict, Proved):
        shown = Checked("replay", "witnesses played", len(asked) - len(unseen))
        verdict = replace(verdict, checked=(*verdict.checked, shown))
    if not unseen:
        return verdict, ()
    sought = f"in up to {count(requests, 'request')} with up to {count(tools, 'tool')}"
    return verdict, (f"not seen to happen in any session {sought}: {'; '.join(unseen)}{unsettled}",)
