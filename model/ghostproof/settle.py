"""Settles claims: each question is examined, each proof witnessed, and only then are expectations read."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from ghostproof.engines.problem import Bounds
from ghostproof.examine import Note, examine_problem, quiet
from ghostproof.host.host import LocalHost
from ghostproof.host.problem import PrunerProblem
from ghostproof.turn.claim import Claim, Obligation, Question
from ghostproof.turn.explore import Grid
from ghostproof.turn.verdict import Checked, Proved, Verdict
from ghostproof.witnessing import everything, missing_witnesses


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


def settle(claim: Claim, bounds: Bounds, note: Note = quiet) -> ClaimResult:
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
    problem = PrunerProblem(LocalHost(question.pruner), question.scenario, question.judged, Grid(), bounds.limits)
    verdict = examine_problem(problem, bounds)
    if not isinstance(verdict, Proved):
        return verdict
    asked = everything(
        (item.name for item in question.pruner.passes), question.scenario, question.judged, bounds.limits
    )
    wanted = [witness for witness in asked if witness.name not in question.absent]
    missing = missing_witnesses(problem, wanted, verdict.engine, bounds, whole=True)
    if missing is not None:
        return missing
    witnessed = Checked("replay", "witnesses played", len(wanted))
    return replace(verdict, checked=(*verdict.checked, witnessed))
