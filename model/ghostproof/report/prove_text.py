"""A run of claims for people: the table, what did not come out as expected, the stories."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from ghostproof.report import verdict_words
from ghostproof.report.outcome import Outcome, Part
from ghostproof.report.printable import printable
from ghostproof.report.words import count, duration, listed
from ghostproof.turn.trace import Walk
from ghostproof.turn.verdict import Refuted

HEADINGS = ("claim", "verdict", "scope", "engine", "checked by", "time")
# A matrix of a hundred cells is summed up by verdict; what did not pass is always shown.
ROWS_MAX = 30
# Characters of a label that are shown: a combination of the matrix in words is the longest of ours.
LABEL = 120

Story = Callable[[Refuted], list[str]]


def rows(outcomes: Sequence[Outcome], every_part: bool = False) -> list[tuple[str, ...]]:
    """The table: a row for each question, or for each kind of verdict of a claim with many questions."""
    return [row for outcome in outcomes for row in _rows(outcome, every_part)]


def _rows(outcome: Outcome, every_part: bool) -> list[tuple[str, ...]]:
    name = printable(outcome.name, 40)
    if outcome.errors or not outcome.parts:
        unsettled = (name, "not settled", "-", "-", "-", duration(outcome.seconds))
        return [*(_row(name, part) for part in outcome.parts), unsettled]
    if every_part or len(outcome.parts) <= ROWS_MAX:
        return [_row(name, part) for part in outcome.parts]
    summed = [part for part in outcome.parts if part.passed]
    return [*_summed(name, summed), *(_row(name, part) for part in outcome.parts if not part.passed)]


def _row(name: str, part: Part) -> tuple[str, ...]:
    label = printable(part.label, LABEL)
    return (
        name if label in ("", name) else f"{name} {label}",
        _verdict(part),
        verdict_words.scope(part.verdict),
        verdict_words.engine(part.verdict),
        verdict_words.checked_by(part.verdict),
        duration(part.seconds),
    )


def _verdict(part: Part) -> str:
    return verdict_words.kind(part.verdict) + ("" if part.passed else " (NOT AS EXPECTED)")


def _summed(name: str, parts: Sequence[Part]) -> list[tuple[str, ...]]:
    kinds = Counter(verdict_words.kind(part.verdict) for part in parts)
    found: list[tuple[str, ...]] = []
    for kind, number in kinds.items():
        alike = [part for part in parts if verdict_words.kind(part.verdict) == kind]
        scopes = dict.fromkeys(verdict_words.scope(part.verdict) for part in alike)
        engines = dict.fromkeys(verdict_words.engine(part.verdict) for part in alike)
        found.append(
            (
                f"{name} ({count(number, 'question')})",
                kind,
                next(iter(scopes)) if len(scopes) == 1 else _range(alike),
                ", ".join(engines),
                _checked_by(alike),
                duration(sum(part.seconds for part in alike)),
            )
        )
    return found


def _checked_by(parts: Sequence[Part]) -> str:
    """Who confirmed several answers; who confirmed only some of them stands with their number."""
    confirmed = Counter(name for part in parts for name in verdict_words.checkers(part.verdict))
    shown = [
        name if number == len(parts) else f"{name} ({number} of {len(parts)})" for name, number in confirmed.items()
    ]
    return ", ".join(shown) or "-"


def _range(parts: Sequence[Part]) -> str:
    """The smallest and the largest counterexample of several."""
    traces = [part.verdict.trace for part in parts if isinstance(part.verdict, Refuted)]
    sizes = sorted(trace.size for trace in traces if not isinstance(trace, Walk))
    if len(sizes) != len(parts):
        return "various"
    requests, tools = zip(*sizes, strict=True)
    return f"{_span(requests)} requests, {_span(tools)} tools"


def _span(numbers: Sequence[int]) -> str:
    return f"{min(numbers)} to {max(numbers)}" if min(numbers) < max(numbers) else str(numbers[0])


def closing(outcomes: Sequence[Outcome]) -> list[str]:
    """What is not as expected, and one sentence about the whole run."""
    lines = [line for outcome in outcomes for line in _complaints(outcome)]
    parts = [part for outcome in outcomes for part in outcome.parts]
    passed = sum(part.passed for part in parts)
    unsettled = [printable(outcome.name, 40) for outcome in outcomes if outcome.errors or not outcome.parts]
    result = ": all as expected" if passed == len(parts) else f": {passed} as expected, {len(parts) - passed} not"
    left = f"; not settled: {listed(unsettled)}" if unsettled else ""
    settled = f"{count(len(outcomes), 'claim')}, {count(len(parts), 'question')} settled"
    return [*lines, f"{settled}{result if parts else ''}{left}."]


def _complaints(outcome: Outcome) -> list[str]:
    name = printable(outcome.name, 40)
    reasons = outcome.errors or (() if outcome.parts else ("nothing was asked about this claim",))
    wrong = [
        f"{name} {printable(part.label, LABEL)}: expected {printable(part.expected)};"
        f" got: {verdict_words.sentence(part.verdict, part.statement)}"
        for part in outcome.parts
        if not part.passed
    ]
    return [*wrong, *(f"{name}: not settled: {printable(reason)}" for reason in reasons)]


def stories(outcomes: Sequence[Outcome], story: Story) -> list[str]:
    """The refuted parts, each told as a session."""
    lines: list[str] = []
    for outcome in outcomes:
        for part in outcome.parts:
            if isinstance(part.verdict, Refuted):
                lines += [
                    "",
                    f"{printable(outcome.name, 40)} {printable(part.label, LABEL)}: {printable(part.sentence)}",
                ]
                if part.scenario:
                    lines.append(f"admitted: {printable(part.scenario)}")
                lines += [*story(part.verdict), *verdict_words.minimality(part.verdict)]
    return lines


def evidence(outcomes: Sequence[Outcome]) -> list[str]:
    """What stands behind each part: invariants and confirmations."""
    lines: list[str] = []
    for outcome in outcomes:
        for part in outcome.parts:
            lines += ["", f"{printable(outcome.name, 40)} {printable(part.label, LABEL)}: {printable(part.sentence)}"]
            lines.append(f"  {verdict_words.sentence(part.verdict, part.statement)}")
            lines += (f"  {line}" for line in verdict_words.details(part.verdict))
    return lines
