"""Settles questions: engines answer, checkers that trust no engine confirm, and the verdict says who did what."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ghostproof.engines.problem import Bounds, Certificate, Finding
from ghostproof.host.host import Host, LocalHost
from ghostproof.host.problem import PrunerProblem, Sessions
from ghostproof.turn.claim import Claim, Obligation, Question
from ghostproof.turn.errors import PrunerError
from ghostproof.turn.explore import Grid
from ghostproof.turn.property import Property
from ghostproof.turn.scenario import Scenario
from ghostproof.turn.trace import Script, Trace
from ghostproof.turn.verdict import (
    Checked,
    Disagreement,
    HoldsTo,
    Proved,
    ProvedUpTo,
    Refuted,
    Undetermined,
    Vacuous,
    Verdict,
)

if TYPE_CHECKING:
    from ghostproof.certify.vacuity import Witness

Note = Callable[[str], None]


def _quiet(text: str) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Report:
    """A verdict about a target, and how it came about. `compared` counts the points of the second net."""

    verdict: Verdict
    compared: int = 0
    solver_seconds: float = 0.0
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """A question of a claim with its verdict. `met` says whether the verdict is the expected one."""

    question: Question | Obligation
    verdict: Verdict
    seconds: float

    @property
    def met(self) -> bool:
        """Whether the verdict is the expected one."""
        return self.question.expected.met_by(self.verdict)


@dataclass(frozen=True, slots=True)
class ClaimResult:
    """All answers of one claim."""

    claim: Claim
    answers: tuple[Answer, ...]

    @property
    def seconds(self) -> float:
        """Wall-clock time of all answers."""
        return sum(answer.seconds for answer in self.answers)

    @property
    def met(self) -> bool:
        """Whether the claim has questions and each verdict is the expected one."""
        return bool(self.answers) and all(answer.met for answer in self.answers)


class _Player:
    """Unrolls and plays for the vacuity check."""

    def __init__(self, problem: PrunerProblem) -> None:
        self._problem = problem

    def unrolling(self, tools: int, whole: bool = False) -> Sessions:
        return self._problem.unrolling(tools, whole)

    def play(self, script: Script) -> Trace:
        return self._problem.host.play(script, self._problem.judged)


def examine(
    host: Host, scenario: Scenario, judged: Property, bounds: Bounds, engine: str = "auto", note: Note = _quiet
) -> Verdict:
    """Settle one property of one pruner. `auto` proves by induction if it can, and else looks for a counterexample.

    Raises PrunerError when a foreign pruner misbehaves, InternalError when an answer of ours does not hold up.
    """
    from ghostproof.engines.table import engine as engine_called

    problem = PrunerProblem(host, scenario, judged, Grid(), bounds.limits)
    if engine != "auto":
        note(engine)
        return _confirmed(problem, engine_called(engine)(problem, bounds), bounds)
    from ghostproof.engines.induction import prove_in_one_turn, proved

    note("induction")
    direct = prove_in_one_turn(problem.system, bounds)
    if direct is not None:
        return _confirmed(problem, proved(direct), bounds)
    # What is wrong is mostly wrong soon: a search of two requests costs less than the search for an invariant.
    note("bmc")
    bmc, soon = engine_called("bmc"), replace(bounds, turns=min(2, bounds.turns), tools=min(2, bounds.tools))
    early = bmc(problem, soon)
    if isinstance(early.verdict, Refuted):
        return early.verdict
    note("induction")
    finding = engine_called("induction")(problem, bounds)
    if isinstance(finding.verdict, Proved):
        return _confirmed(problem, finding, bounds)
    note("bmc")
    found = bmc(problem, bounds)
    if isinstance(found.verdict, HoldsTo) and isinstance(finding.verdict, Undetermined):
        note("induction on exact sizes")
        return _small_scope(problem, finding.verdict, found.verdict, bounds)
    return _confirmed(problem, found, bounds)


def _small_scope(problem: PrunerProblem, failed: Undetermined, bounded: HoldsTo, bounds: Bounds) -> Verdict:
    """Induction on one and two exact tools, after one abstract tool failed and no counterexample was found."""
    from ghostproof.engines.induction import candidate, prove_exactly

    proved = 0
    for tools, certificate in enumerate(prove_exactly(problem, bounds), start=1):
        if certificate is None:
            break
        checked = _rechecked(Proved("induction"), certificate, bounds)
        if not isinstance(checked, Proved):
            return checked
        proved, confirmations = tools, checked.checked
    missing = _missing_witnesses(problem, "bmc", bounds)
    if missing is not None:
        return missing
    if proved:
        return ProvedUpTo("induction", proved, confirmations)
    return Undetermined(failed.reason, "induction, bmc", bounded, candidate(problem.system, bounds))


def _confirmed(problem: PrunerProblem, finding: Finding, bounds: Bounds) -> Verdict:
    """The verdict with its independent checks; a proof that nothing can violate is Vacuous."""
    verdict = finding.verdict
    if not isinstance(verdict, (Proved, HoldsTo)):
        return verdict
    missing = _missing_witnesses(problem, verdict.engine, bounds)
    if missing is not None:
        return missing
    if isinstance(verdict, Proved) and finding.certificate is not None:
        return _rechecked(verdict, finding.certificate, bounds)
    return verdict


def _rechecked(verdict: Proved, certificate: Certificate, bounds: Bounds) -> Verdict:
    from ghostproof.certify.recheck import recheck

    checked = recheck(certificate.system, certificate.invariant, bounds.limits)
    if isinstance(checked, Disagreement):
        return checked
    return replace(verdict, checked=(*verdict.checked, *checked))


def _missing_witnesses(problem: PrunerProblem, engine: str, bounds: Bounds) -> Vacuous | Undetermined | None:
    from ghostproof.certify.vacuity import arguments_kept, schema_pruned

    return _searched(problem, [schema_pruned(), arguments_kept()], engine, bounds, whole=False)


def _searched(
    problem: PrunerProblem, witnesses: Sequence[Witness], engine: str, bounds: Bounds, *, whole: bool
) -> Vacuous | Undetermined | None:
    """None when every witness exists. A search that could not be finished is no absence."""
    from ghostproof.certify.vacuity import Unsettled, search

    try:
        found = search(witnesses, _Player(problem), bounds.limits, whole=whole)
    except Unsettled as reason:
        return Undetermined(str(reason), engine)
    missing = tuple(name for name, trace in found.items() if trace is None)
    return Vacuous(missing, engine) if missing else None


def check_target(
    target: str,
    *,
    scenario: Scenario,
    judged: Property,
    bounds: Bounds,
    engine: str = "auto",
    seconds: float = 10.0,
    megabytes: int = 1024,
    note: Note = _quiet,
) -> Report:
    """Check the foreign pruner `path.py:NAME` or `package.module:NAME` in a child process.

    `seconds` bounds each request to the child, `megabytes` its memory. An invalid pruner comes back as a verdict.
    """
    from ghostproof.host.foreign import ForeignHost

    with ExitStack() as stack:
        try:
            host = stack.enter_context(ForeignHost(target, seconds=seconds, megabytes=megabytes))
            # Imported while the child starts and lifts: the two together are what takes time.
            from ghostproof.lift.solver import SPENT

            before = SPENT.seconds
            verdict = examine(host, scenario, judged, bounds, engine, note)
        except PrunerError as error:
            return Report(error.verdict)
        return Report(verdict, host.compared, SPENT.seconds - before)


def settle(claim: Claim, bounds: Bounds, note: Note = _quiet) -> ClaimResult:
    """Settle every question of `claim`. Expectations are compared here and are known to nobody below."""
    answers = []
    for question in claim.questions:
        note(f"{claim.name} {question.label}")
        started = time.perf_counter()
        verdict = question.discharge() if isinstance(question, Obligation) else _answer(question, bounds)
        answers.append(Answer(question, verdict, time.perf_counter() - started))
    return ClaimResult(claim, tuple(answers))


def _answer(question: Question, bounds: Bounds) -> Verdict:
    """A question's verdict; a claim's proof also needs each pass and each admitted action taken in a played trace."""
    host = LocalHost(question.pruner)
    verdict = examine(host, question.scenario, question.judged, bounds)
    if not isinstance(verdict, Proved):
        return verdict
    from ghostproof.certify.vacuity import admitted_actions, arguments_kept, pass_acts, schema_pruned

    problem = PrunerProblem(host, question.scenario, question.judged, Grid(), bounds.limits)
    asked = [schema_pruned(), arguments_kept(), *(pass_acts(item.name) for item in question.pruner.passes)]
    asked += admitted_actions(question.scenario, question.judged, bounds.limits)
    wanted = [witness for witness in asked if witness.name not in question.absent]
    missing = _searched(problem, wanted, verdict.engine, bounds, whole=True)
    if missing is not None:
        return missing
    witnessed = Checked("replay", "witnesses played", len(wanted))
    return replace(verdict, checked=(*verdict.checked, witnessed))
