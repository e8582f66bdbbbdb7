"""One checked pruner: its answer for people and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ghostproof.report import document, verdict_words
from ghostproof.report.printable import printable
from ghostproof.report.words import duration
from ghostproof.turn.property import Property
from ghostproof.turn.verdict import Refuted, Verdict


@dataclass(frozen=True, slots=True)
class Checked:
    """What was asked about one pruner, and the answer. `admitted` says which environment was admitted."""

    target: str
    judged: Property
    admitted: str
    verdict: Verdict
    code: int
    seconds: float
    compared: int = 0
    solver_seconds: float = 0.0
    notes: Sequence[str] = ()


def lines(checked: Checked, story: Callable[[Refuted], list[str]], verbose: bool) -> list[str]:
    """The answer, the session that refutes, what is minimal about it, and how the answer was confirmed."""
    verdict = checked.verdict
    head = f"{verdict_words.kind(verdict)}: {printable(checked.target)}"
    reach = verdict_words.scope(verdict)
    shown = [f"{head} ({reach})" if reach != "-" else head]
    shown.append(f"property {checked.judged.name}; admitted: {printable(checked.admitted)}")
    shown.append(verdict_words.sentence(verdict, checked.judged.sentence))
    if isinstance(verdict, Refuted):
        shown += ["", *story(verdict), "", *verdict_words.minimality(verdict)]
    shown += (f"note: {printable(note)}" for note in checked.notes)
    if verbose:
        shown += verdict_words.details(verdict)
        if checked.compared:
            shown.append(f"lifting compared with the plain functions at {checked.compared:,} points")
        shown.append(
            f"engine {verdict_words.engine(verdict)}; {duration(checked.seconds)},"
            f" of it in solvers {duration(checked.solver_seconds)}"
        )
    elif verdict_words.checked_by(verdict) != "-":
        shown.append(f"found by {verdict_words.engine(verdict)}, checked by {verdict_words.checked_by(verdict)}")
    return shown


def json_text(checked: Checked) -> str:
    """The answer with everything it rests on, a refuting session included."""
    return document.text(
        {
            "target": checked.target,
            "property": checked.judged.name,
            "statement": checked.judged.sentence,
            "admitted": checked.admitted,
            "exit_code": checked.code,
            "seconds": round(checked.seconds, 3),
            "solver_seconds": round(checked.solver_seconds, 3),
            "compared": checked.compared,
            "notes": list(checked.notes),
            **document.of_verdict(checked.verdict),
        }
    )
