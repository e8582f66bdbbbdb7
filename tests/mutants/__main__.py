"""`make mutants`: the table of all mutants and what became of them. Exit code 1 unless each met its declared fate.

    python -m mutants [--jobs 2] [WORD ...]

With words, only the mutants whose name or file contains one of them.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from ghostproof import output
from ghostproof.report.printable import printable
from ghostproof.report.text import table
from ghostproof.report.words import count, duration
from mutants.catalogue import Mutant, mutants
from mutants.trial import AS_DECLARED, Outcome, tried_all
from mutants.workshop import Workshop

HEADINGS = ("mutant", "file", "declared", "what became of it", "by", "time")


def chosen(words: Sequence[str]) -> list[Mutant]:
    """The mutants that one of `words` speaks of; all without words."""
    return [item for item in mutants() if not words or any(word in f"{item.name} {item.file}" for word in words)]


def rows(outcomes: Sequence[Outcome]) -> list[tuple[str, ...]]:
    """The table, a row for each mutant."""
    return [
        (
            outcome.mutant.name,
            outcome.mutant.file.removeprefix("model/ghostproof/"),
            outcome.mutant.declared,
            outcome.what,
            str(outcome.mutant.killer).rpartition("/")[2],
            duration(outcome.seconds),
        )
        for outcome in outcomes
    ]


def closing(outcomes: Sequence[Outcome]) -> list[str]:
    """What is not as declared, why equivalent ones are, and one sentence about the whole run."""
    lines = [f"{o.mutant.name}: {o.what}: {printable(o.details, 800)}" for o in outcomes if not o.met]
    lines += [f"{o.mutant.name}: equivalent: {o.details}" for o in outcomes if o.met and o.mutant.reason]
    kinds = Counter(outcome.what for outcome in outcomes)
    said = ", ".join(f"{number} {what}" for what, number in sorted(kinds.items()))
    return [*lines, f"{count(len(outcomes), 'mutant')}: {said or 'nothing was tried'}."]


def main(arguments: Sequence[str]) -> int:
    """Try the mutants and print what became of them."""
    parser = argparse.ArgumentParser(prog="python -m mutants", description="Try every mutant of the catalogue.")
    parser.add_argument("words", nargs="*", metavar="WORD")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(arguments)
    asked = chosen(options.words)
    outcomes: dict[str, Outcome] = {}
    with output.progress() as say, tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        say("what the killers say without a mutant")
        for outcome in tried_all(asked, Workshop(Path(folder)), options.jobs):
            outcomes[outcome.mutant.name] = outcome
            say(f"{len(outcomes)} of {len(asked)} mutants: {outcome.mutant.name}: {outcome.what}")
    told = [outcomes[mutant.name] for mutant in asked]
    if sys.stdout.isatty():
        from ghostproof.report import terminal

        terminal.console("stdout").print(terminal.table(HEADINGS, rows(told), HEADINGS.index("what became of it")))
    else:
        output.write(table(HEADINGS, rows(told)))
    output.write(["", *closing(told)])
    return 0 if told and all(outcome.what == AS_DECLARED for outcome in told) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
