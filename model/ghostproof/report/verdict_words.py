"""Each verdict in words: a kind, a scope, and one sentence that never claims more than was established."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from ghostproof.report.invariant import invariant_lines
from ghostproof.report.printable import printable
from ghostproof.report.words import count, listed
from ghostproof.turn.trace import Walk
from ghostproof.turn.verdict import (
    Checked,
    Disagreement,
    HoldsTo,
    InvalidPruner,
    Proved,
    ProvedUpTo,
    Refuted,
    Undetermined,
    Vacuous,
    Verdict,
)

EVERYTHING = "any tools, turns, budgets, sizes"


KINDS: Mapping[type[Verdict], str] = {
    Proved: "proved",
    ProvedUpTo: "proved up to",
    HoldsTo: "holds to",
    Refuted: "refuted",
    Undetermined: "undetermined",
    Vacuous: "vacuous",
    InvalidPruner: "invalid pruner",
    Disagreement: "disagreement",
}


def kind(verdict: Verdict) -> str:
    """The verdict in one or two words, the same in tables, JSON and JUnit."""
    return KINDS[type(verdict)]


def scope(verdict: Verdict) -> str:
    """How far the verdict reaches, short enough for a column."""
    match verdict:
        case Proved():
            return EVERYTHING
        case ProvedUpTo(tools=tools):
            return f"{count(tools, 'tool')}; any turns, budgets, sizes"
        case HoldsTo(turns=turns, tools=tools):
            return f"{count(turns, 'turn')}, {count(tools, 'tool')}"
        case Refuted():
            return size(verdict, ", ")
        case Undetermined(evidence=HoldsTo() as evidence):
            return f"holds to {scope(evidence)}"
        case Undetermined() | Vacuous() | InvalidPruner() | Disagreement():
            return "-"
        case _:
            assert_never(verdict)


def size(verdict: Refuted, between: str) -> str:
    """How long the refuting session is, and how many tools it has."""
    length, tools = verdict.trace.size
    if isinstance(verdict.trace, Walk):
        return count(length, "step")
    return f"{count(length, 'request')}{between}{count(tools, 'tool')}"


def engine(verdict: Verdict) -> str:
    """Who found the answer."""
    match verdict:
        case InvalidPruner():
            return "-"
        case Disagreement(engines=engines):
            return printable(", ".join(engines))
        case _:
            return printable(verdict.engine)


def checks(verdict: Verdict) -> tuple[Checked, ...]:
    """The independent confirmations that the verdict carries."""
    match verdict:
        case Proved() | ProvedUpTo() | HoldsTo() | Refuted():
            return verdict.checked
        case _:
            return ()


def checkers(verdict: Verdict) -> tuple[str, ...]:
    """Those who confirmed the verdict, each once; what the engine says of itself confirms nothing."""
    others = dict.fromkeys(printable(item.by) for item in checks(verdict) if item.count)
    return tuple(name for name in others if name != engine(verdict))


def checked_by(verdict: Verdict) -> str:
    """The names of those who confirmed the verdict."""
    return printable(", ".join(checkers(verdict))) or "-"


def sentence(verdict: Verdict, statement: str) -> str:
    """What was established about `statement`, in one line with its bound."""
    said = printable(statement)
    match verdict:
        case Proved():
            return f"Proved: for every number of tools, turns, budgets and sizes, {said}."
        case ProvedUpTo(tools=tools):
            return (
                f"Proved up to {count(tools, 'tool')}: for every number of turns, all budgets and sizes, {said};"
                " nothing is said about more tools."
            )
        case HoldsTo():
            return f"{_bounded(verdict)}: there, {said}; nothing is said beyond."
        case Refuted():
            return f"Refuted: a session of {size(verdict, ' with ')} breaks the property that {said}."
        case Undetermined(reason=reason, evidence=evidence):
            known = f" What is known: {_bounded(evidence)}; nothing is said beyond." if evidence is not None else ""
            return f"Undetermined, which is no pass: {printable(reason)}.{known}"
        case Vacuous(which=which, searched=searched):
            missing = printable("; ".join(which), 1000)
            found = ", and never is"
            if searched:
                found = f" was found in no session of {printable(searched)}, and nothing is said beyond"
            needed = f"What has to be so for it to mean something{found}: {missing}."
            return f"Vacuous: that {said} says nothing here. {needed}"
        case InvalidPruner():
            return f"Invalid pruner: {invalid(verdict)}"
        case Disagreement(engines=engines, artefacts=artefacts):
            kept = f"; kept for the investigation: {printable(', '.join(artefacts), 1000)}" if artefacts else ""
            who = printable(listed(engines))
            return f"Disagreement: {who} gave different definite answers, so one of them is wrong{kept}."
        case _:
            assert_never(verdict)


def invalid(verdict: InvalidPruner) -> str:
    """Where, what was found, what to do instead: one safe line."""
    # What to do instead may list all that there is to choose from.
    return f"{printable(verdict.where)}: {printable(verdict.found)}; {printable(verdict.instead, 1000)}"


def _bounded(verdict: HoldsTo) -> str:
    size = f"{count(verdict.turns, 'turn')}, {count(verdict.tools, 'tool')}"
    explored = f"{verdict.explored:,} {printable(verdict.unit)} explored"
    return f"Holds to {size} ({explored}; {printable(verdict.sizes)})"


def details(verdict: Verdict) -> list[str]:
    """What stands behind the verdict: the invariant, the confirmations, the candidate that was not realised."""
    lines: list[str] = []
    if isinstance(verdict, Proved):
        lines += invariant_lines(verdict.invariant)
    if isinstance(verdict, Undetermined) and verdict.candidate:
        lines.append("a candidate that was not realised by any session tried, so no refutation:")
        lines += (f"  {printable(line)}" for line in verdict.candidate)
    return [*lines, *(_confirmed(item) for item in checks(verdict))]


def _confirmed(item: Checked) -> str:
    # A count of nothing is a checker that says why it could not look.
    if not item.count:
        return f"not checked by {printable(item.by)}: {printable(item.what)}"
    return f"checked by {printable(item.by)}: {printable(item.what)} ({item.count:,})"


def minimality(verdict: Refuted) -> list[str]:
    """In what sense nothing is smaller, and how that was established."""
    return [f"minimal: {printable(line)}" for line in verdict.minimality]
