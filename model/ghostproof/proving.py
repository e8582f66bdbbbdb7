"""`ghostproof prove`: settle claims side by side and compare each answer with what the theory expects."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ghostproof import output
from ghostproof.claims import chosen, installed
from ghostproof.report import prove_text
from ghostproof.report.outcome import Outcome, worst
from ghostproof.report.theory import theory
from ghostproof.turn.claim import Claim, Obligation
from ghostproof.workers import Answered, Crew, processors

if TYPE_CHECKING:
    from ghostproof.report.code_flow import Written

INTERRUPTED = 130


@dataclass(frozen=True, slots=True)
class Run:
    """What came of it, and whether Ctrl-C ended it early."""

    outcomes: tuple[Outcome, ...]
    interrupted: bool

    @property
    def code(self) -> int:
        """The worst of the answers; a run that was interrupted says so first."""
        return INTERRUPTED if self.interrupted else worst([outcome.code for outcome in self.outcomes])


def show_theory(names: Sequence[str], verbose: bool = False) -> None:
    """Print what the claims say, why, and where they come from; each question of those that were named, or of all."""
    output.write(theory(chosen(installed(), names), output.width(), every_question=verbose or bool(names)))


def prove(
    names: Sequence[str],
    *,
    form: str = "text",
    path: str | None = None,
    trace: bool = False,
    jobs: int | None = None,
    verbose: bool = False,
    debug: bool = False,
) -> int:
    """Settle the claims of these names, all without names; report them; return the exit code."""
    run = _settle(chosen(installed(), names), jobs or processors())
    if debug:
        output.complain(line for outcome in run.outcomes for line in outcome.trace.splitlines())
    closing = prove_text.closing(run.outcomes)
    if path is not None:
        output.save("\n".join(_report(run, form, trace, verbose)) + "\n", path)
        output.write(closing)
    elif form == "text" and sys.stdout.isatty():
        _show(run, trace, verbose)
    else:
        output.write(_report(run, form, trace, verbose))
    return run.code


def _settle(claims: Sequence[Claim], jobs: int) -> Run:
    questions = [(claim.name, index) for claim in claims for index in range(len(claim.questions))]
    answers: dict[tuple[str, int], Answered] = {}
    interrupted = False
    try:
        with output.progress() as say, Crew(jobs) as crew:
            say(f"settling {len(questions)} questions of {len(claims)} claims")
            for answer in crew.settle(questions):
                answers[answer.claim, answer.index] = answer
                say(f"settled {len(answers)} of {len(questions)} questions, the last one of {answer.claim}")
    except KeyboardInterrupt:
        interrupted = True
    return Run(tuple(_outcome(claim, answers) for claim in claims), interrupted)


def _outcome(claim: Claim, answers: Mapping[tuple[str, int], Answered]) -> Outcome:
    """What is known about `claim` from the answers that are there."""
    places = [(claim.name, index) for index in range(len(claim.questions))]
    found = [answers[place] for place in places if place in answers]
    parts = tuple(answer.part for answer in found if answer.part is not None)
    failed = [answer for answer in found if answer.part is None]
    errors = [f"{claim.questions[answer.index].label}: {answer.error}" for answer in failed]
    if len(found) < len(places):
        errors.append(f"interrupted before {len(places) - len(found)} of {len(places)} questions were settled")
    return Outcome(
        name=claim.name,
        title=claim.title,
        parts=parts,
        seconds=sum(part.seconds for part in parts),
        errors=tuple(errors),
        trace="".join(answer.trace for answer in failed),
    )


def _report(run: Run, form: str, trace: bool, verbose: bool) -> list[str]:
    match form:
        case "json":
            from ghostproof.report import document

            claims = [document.of_outcome(outcome) for outcome in run.outcomes]
            whole = {"claims": claims, "interrupted": run.interrupted, "exit_code": run.code}
            return [document.text(whole)]
        case "junit":
            from ghostproof.report import junit

            return [junit.document(run.outcomes, output.story)]
        case "sarif":
            from ghostproof.report import sarif

            return [sarif.of_claims(run.outcomes, run.code, run.interrupted, _written(run.outcomes))]
        case _:
            from ghostproof.report.text import table

            return [*table(prove_text.HEADINGS, prove_text.rows(run.outcomes, verbose)), *_after(run, trace, verbose)]


def _written(outcomes: Sequence[Outcome]) -> dict[tuple[str, str], Written]:
    """Where the pruner of each question is written, by claim and label; of an obligation, what discharges it."""
    from ghostproof.host.places import function_place, pass_places
    from ghostproof.report.code_flow import Written

    found: dict[tuple[str, str], Written] = {}
    for claim in chosen(installed(), [outcome.name for outcome in outcomes]):
        for question in claim.questions:
            if isinstance(question, Obligation):
                found[claim.name, question.label] = Written(function_place(question.discharge))
            else:
                places = pass_places(question.pruner)
                found[claim.name, question.label] = Written(next(iter(places.values()), None), places)
    return found


def _after(run: Run, trace: bool, verbose: bool) -> list[str]:
    """What stands below the table."""
    lines = prove_text.stories(run.outcomes, output.story) if trace else []
    lines += prove_text.evidence(run.outcomes) if verbose else []
    return [*lines, "", *prove_text.closing(run.outcomes)]


def _show(run: Run, trace: bool, verbose: bool) -> None:
    from ghostproof.report import terminal

    console = terminal.console("stdout")
    rows = prove_text.rows(run.outcomes, verbose)
    console.print(terminal.table(prove_text.HEADINGS, rows, prove_text.HEADINGS.index("verdict")))
    console.print(terminal.marked(_after(run, trace, verbose)), end="")
