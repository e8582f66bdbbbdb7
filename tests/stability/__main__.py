"""`make stability`: what each question costs under several seeds and orders, and whether its answer flips.

    python -m stability [--runs 5] [CLAIM ...]

Without names, the claims of `USUAL`. Exit code 1 when an answer or a minimal length differs between two runs, or when
the canary, a question at the edge of its limit, does not flip.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from ghostproof import output
from ghostproof.claims import ClaimsError, chosen, installed
from ghostproof.report.text import table
from ghostproof.report.words import count, duration
from ghostproof.turn.claim import Question
from stability.spread import Spread, Subject, at_the_edge, question, spread, varied

USUAL = ("T1", "T2", "T4", "T5", "T6")
HEADINGS = ("question", "answer", "steps: least", "median", "most", "time: least", "median", "most")
FLIPS = "FLIPS"


def row(found: Spread) -> tuple[str, ...]:
    """One question as cells."""
    said = f"{FLIPS}: {' | '.join(found.said)}" if found.flips else found.said[0]
    return (found.subject.name, said, *(f"{n:,}" for n in found.steps), *map(duration, found.seconds))


def closing(spreads: Sequence[Spread], canary: Spread, untouched: int) -> list[str]:
    """What flipped, whether the canary did, and what was not asked."""
    flipped = [found.subject.name for found in spreads if found.flips]
    runs = len(canary.runs)
    lines = [f"{name}: {FLIPS}" for name in flipped]
    lines.append(f"{canary.subject.name}: {'flips, as it must' if canary.flips else 'VOID, it does not flip'}.")
    if untouched:
        lines.append(f"{count(untouched, 'statement')} of these claims, about no one pruner in a scenario: not varied.")
    asked = f"{count(len(spreads), 'question')} under {runs} seeds and orders"
    return [*lines, f"{asked}: {count(len(flipped), 'flip') if flipped else 'no flip'}."]


def shown(rows: Sequence[tuple[str, ...]]) -> None:
    """Print the table: with colour on a terminal, else as text."""
    if not sys.stdout.isatty():
        output.write(table(HEADINGS, rows))
        return
    from ghostproof.report import terminal

    terminal.console("stdout").print(terminal.table(HEADINGS, rows, HEADINGS.index("answer")))


def report(subjects: Sequence[Subject], runs: int, untouched: int = 0) -> int:
    """Ask everything, print the table, and return the exit code."""
    limits = varied(runs)
    spreads = []
    with output.progress() as say:
        say("the canary")
        canary = at_the_edge(limits)
        for number, subject in enumerate(subjects, start=1):
            say(f"{number} of {len(subjects)} questions: {subject.name}")
            spreads.append(spread(subject, limits))
    shown([row(found) for found in spreads])
    output.write(["", *closing(spreads, canary, untouched)])
    return 0 if spreads and canary.flips and not any(found.flips for found in spreads) else 1


def main(arguments: Sequence[str]) -> int:
    """Read the command line and report."""
    parser = argparse.ArgumentParser(prog="python -m stability", description="Ask again under other seeds and orders.")
    parser.add_argument("claims", nargs="*", metavar="CLAIM")
    parser.add_argument("--runs", type=int, default=5, help="how many seeds and orders, at least 2 (default 5)")
    options = parser.parse_args(arguments)
    if options.runs < 2:
        parser.error("--runs must be at least 2: one run has nothing to differ from")
    try:
        claims = chosen(installed(), options.claims or USUAL)
    except ClaimsError as wrong:
        parser.error(str(wrong))
    subjects = [question(c.name, q) for c in claims for q in c.questions if isinstance(q, Question)]
    return report(subjects, options.runs, sum(len(c.questions) for c in claims) - len(subjects))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
