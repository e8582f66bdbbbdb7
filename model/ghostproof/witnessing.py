"""What must be so before a proof says anything: it could have failed, sessions go on, and what matters happens in some.

A session by chance shows most of it and a solver is asked for the rest; what neither finds is shown to be impossible,
or nothing is said about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ghostproof.certify.reach import ANYWHERE, TOOLS_MAX, Reach
from ghostproof.certify.vacuity import (
    TURNS_MAX,
    Unsettled,
    Witness,
    admitted_actions,
    arguments_kept,
    find,
    pass_acts,
    premise,
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
from ghostproof.lift.several import SeveralTools
from ghostproof.lift.system import System
from ghostproof.report.words import count
from ghostproof.turn.property import Property
from ghostproof.turn.scenario import Scenario
from ghostproof.turn.verdict import Checked, HoldsTo, Proved, ProvedUpTo, Undetermined, Vacuous, Verdict

VIOLABLE = "some state, reached or not, violates the property"


def reach(verdict: Proved | ProvedUpTo | HoldsTo, problem: PrunerProblem) -> Reach:
    """No further than the verdict: what happens beyond its bound does not make it say anything."""
    if isinstance(verdict, Proved):
        return ANYWHERE
    tools = min(TOOLS_MAX, verdict.tools)
    if isinstance(verdict, ProvedUpTo):
        return Reach(tools=tools)
    grid = problem.grid if verdict.sizes == problem.scope() else None
    return Reach(verdict.turns, tools, grid, problem.scenario.fixed)


def needed(judged: Property) -> list[Witness]:
    """Without these nothing is said: schemas are hidden, and there is something that the property is about."""
    return [schema_pruned(), premise(judged)]


def everything(passes: Iterable[str], scenario: Scenario, judged: Property, limits: Limits) -> list[Witness]:
    """What is needed, and arguments sent, and each pass and each admitted action taken; each of them once."""
    actions = admitted_actions(scenario, judged, limits)
    asked = [*needed(judged), arguments_kept(), *map(pass_acts, passes), *actions]
    return list({witness.name: witness for witness in asked}.values())


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
    searched = replace(within, requests=within.searched(max(TURNS_MAX, bounds.turns)))
    try:
        found = search(witnesses, problem, bounds.limits, whole, searched, within.first(problem.wandered))
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
    missed = f"{_sought(searched)} no session was found in which {titles}, and none was excluded"
    return Undetermined(f"{missed}; a longer search (check --turns) may find one", name)


def _never(system: System, witness: Witness, bounds: Bounds) -> bool:
    """Whether it is shown that no session of `system` takes some step that the witness needs."""
    return any(isinstance(prove_system(observed(system, taken), bounds), Certificate) for taken in witness.taken)


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
    within = reach(verdict, problem)
    searched = replace(within, requests=within.searched(TURNS_MAX))
    played = within.first(problem.wandered)
    unseen, unsettled = [], ""
    for witness in asked:
        if any(witness.seen(trace) for trace in played):
            continue
        try:
            trace = find(witness, problem, bounds.limits, unrolled, True, searched)
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
    return verdict, (f"not seen to happen in any session {_sought(searched)}: {'; '.join(unseen)}{unsettled}",)


def _sought(searched: Reach) -> str:
    return f"in up to {count(searched.requests or 0, 'request')} with up to {count(searched.tools, 'tool')}{searched}"
