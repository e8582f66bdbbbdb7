"""`ghostproof conform`: run a program against the vectors and report what it got wrong."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ghostproof import output
from ghostproof.conformance.harness import Control, Run, run, select, unanswered
from ghostproof.conformance.program import Fault, MissingProgramError, Program
from ghostproof.conformance.report import as_json, as_junit, closing, first_failure, rows
from ghostproof.conformance.suite import VERSION, Vector, shipped
from ghostproof.report import text
from ghostproof.report.printable import printable

HEADINGS = ("rule", "asked", "passed", "failed", "skipped")


def conform(
    command: Sequence[str],
    only: Sequence[str] = (),
    *,
    form: str = "text",
    path: str | None = None,
    deadline: float = 5.0,
    memory: int = 2048,
    verbose: bool = False,
) -> int:
    """Ask the chosen vectors, report, and return the exit code. Raises WrongUsageError."""
    vectors = _chosen(only)
    try:
        with output.progress() as say:
            done = run(lambda: Program(command, seconds=deadline, megabytes=memory), vectors, say)
    except Fault as fault:
        name = printable(command[0], 60)
        output.complain([f"ghostproof: {name} {fault}"])
        report = _report(unanswered(name, vectors, fault), form, verbose)
        if path is not None:
            output.save("\n".join(report) + "\n", path)
        elif form != "text":
            output.write(report)
        return 1
    except (Control, MissingProgramError) as wrong:
        raise output.WrongUsageError(str(wrong)) from wrong
    report = _report(done, form, verbose)
    if path is not None:
        output.save("\n".join(report) + "\n", path)
        output.write(closing(done))
    elif form == "text" and sys.stdout.isatty():
        _show(done, verbose)
    else:
        output.write(report)
    return 0 if done.passed else 1


def _chosen(only: Sequence[str]) -> list[Vector]:
    vectors = shipped()
    for word in only:
        if not list(select(vectors, [word])):
            raise output.WrongUsageError(
                f"no vector of suite {VERSION} has the id, rule or kind {printable(word, 60)!r}:"
                " the rules are A1 to A12, J1 and J2, the kinds arbitrate and judge"
            )
    return list(select(vectors, only))


def _report(done: Run, form: str, verbose: bool) -> list[str]:
    if form == "json":
        return as_json(done).splitlines()
    if form == "junit":
        return as_junit(done).splitlines()
    return [*text.table(HEADINGS, rows(done)), "", *first_failure(done, verbose), *closing(done)]


def _show(done: Run, verbose: bool) -> None:
    from rich.text import Text

    from ghostproof.report.terminal import console, counts

    terminal = console("stdout")
    terminal.print(counts(HEADINGS, rows(done), bad_column=3))
    for line in first_failure(done, verbose):
        terminal.print(Text(line))
    for line in closing(done):
        terminal.print(Text(line, "green" if done.passed else "bold red"))
