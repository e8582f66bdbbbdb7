"""One checked pruner: its answer for people and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ghostproof.report import document, explanation, verdict_words
from ghostproof.report.printable import printable
from ghostproof.report.words import duration
from ghostproof.turn.explanation import Explanation
from ghostproof.turn.property import Property
from ghostproof.turn.verdict import Refuted, Verdict


@dataclass(frozen=True, slots=True)
class Checked:
    """What was asked about one pruner, and the answer. `admitted` says which environment was admitted.

    `places` says in which file and line each pass is written, by its name.
    """

    target: str
    judged: Property
    admitted: str
    verdict: Verdict
    code: int
    seconds: float
    compared: int = 0
    solver_seconds: float = 0.0
    notes: Sequence[str] = ()
    explanation: Explanation | None = None
    places: Mapping[str, tuple[str, int]] = field(default_factory=dict)


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
    if checked.explanation is not None:
        shown += ["", *explanation.lines(checked.explanation, checked.places), ""]
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
    explained = checked.explanation
    more = {} if explained is None else {"explanation": document.of_explanation(explained)}
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
            **more,
        }
    )
