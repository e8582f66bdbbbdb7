"""The smallest change from the catalogue that makes a refuted pruner provable.

What is proved is the changed relation, by the same steps as for any pruner: an invariant, z3 in a fresh context, cvc5,
enumeration where possible, and played sessions that show it is not vacuous. Nothing that is not proved is suggested.
"""

from __future__ import annotations

import time
from dataclasses import replace

from ghostproof.engines.problem import Bounds
from ghostproof.examine import Note, examine
from ghostproof.explain.changes import Change, catalogue, changed, combined
from ghostproof.host.terms import TermHost
from ghostproof.lift.limits import Limits
from ghostproof.lift.plain import LiftedPass, LiftedPruner
from ghostproof.lift.smtlib import script
from ghostproof.lift.solver import Unsatisfiable, ask
from ghostproof.lift.term import Term, conjunction, disjunction, negate, variable
from ghostproof.turn.errors import InternalError
from ghostproof.turn.explanation import Mended, Suggestion
from ghostproof.turn.property import Property
from ghostproof.turn.scenario import Scenario
from ghostproof.turn.verdict import Disagreement, Proved, Undetermined, Verdict

RLIMIT = 10_000_000
"""Solver steps for one question about one change."""

SECONDS = 60.0
"""Guard for the whole catalogue; a combination that was begun is finished."""

NEVER_HIDES = "no pass of it can take a schema out of the prompt, and no change of the catalogue adds one that does"


def mended(pruner: LiftedPruner, scenario: Scenario, judged: Property, bounds: Bounds, note: Note) -> Mended:
    """All suggestions of the smallest size at which there are any. Raises InternalError."""
    if not any(_may_hide(item, bounds.limits) for item in pruner.passes):
        return Mended((), 0, (NEVER_HIDES,))
    limits = replace(bounds.limits, rlimit=min(bounds.limits.rlimit, RLIMIT))
    within = replace(bounds, limits=limits)
    until = time.monotonic() + SECONDS
    tried, undecided = 0, 0
    for chosen in combined(catalogue(pruner)):
        found: list[Suggestion] = []
        for place, changes in enumerate(chosen):
            if time.monotonic() > until:
                left = f"the search ran out of {SECONDS:.0f} s: {len(chosen) - place} more of this size were not tried"
                return Mended(tuple(found), tried, (*_undecided(undecided), left))
            note(f"change {tried + 1}: {', '.join(change.said for change in changes)}")
            verdict = _settled(pruner, changes, scenario, judged, within)
            tried += 1
            if isinstance(verdict, Proved):
                found.append(Suggestion(tuple(change.said for change in changes), verdict))
            if isinstance(verdict, Disagreement):
                raise InternalError(f"engines disagree about a changed pruner: {', '.join(verdict.artefacts)}")
            undecided += isinstance(verdict, Undetermined)
        if found:
            return Mended(tuple(found), tried, _undecided(undecided))
    return Mended((), tried, _undecided(undecided))


def _undecided(count: int) -> tuple[str, ...]:
    return (f"for {count} of them no proof was found, which does not mean that they do not help",) if count else ()


def _settled(
    pruner: LiftedPruner, changes: tuple[Change, ...], scenario: Scenario, judged: Property, bounds: Bounds
) -> Verdict:
    return examine(TermHost(changed(pruner, changes)), scenario, judged, bounds, "induction")


def _may_hide(item: LiftedPass, limits: Limits) -> bool:
    """Whether a visit can hide a schema or strip it of its constraints; True where that cannot be told."""
    shown, lossy = variable("schema_shown", "Bool"), variable("schema_lossy", "Bool")
    after = item.visit.updates
    hides = conjunction(shown, negate(after.get("schema_shown", shown)))
    strips = conjunction(shown, negate(lossy), after.get("schema_lossy", lossy))
    formula: Term = disjunction(hides, strips)
    return not isinstance(ask(script([formula]), limits), Unsatisfiable)
