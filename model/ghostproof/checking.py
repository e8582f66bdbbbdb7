"""`ghostproof check`: one pruner, as a model or as it is, and the answer about it."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass

from ghostproof import output
from ghostproof.interrupt import interruptible
from ghostproof.report import check_text, verdict_words
from ghostproof.report.check_text import Checked
from ghostproof.report.printable import printable
from ghostproof.turn.property import PROPERTIES, Property
from ghostproof.turn.verdict import InvalidPruner, Refuted, Verdict, exit_code

# The environment of sessions that are played on real payloads; the driver has no other.
PLAYED = "sessions as the driver plays them: a user asks, the model calls what it is shown, results come back"


@dataclass(frozen=True, slots=True)
class Asked:
    """What to check and how far. `scenario` is one of `SCENARIOS`; deadline in seconds, memory in megabytes."""

    target: str
    property_name: str
    turns: int
    tools: int
    deadline: float
    memory: int
    scenario: str = "everything"
    engine: str = "auto"
    accept_bound: bool = False
    explain: bool = False


@dataclass(frozen=True, slots=True)
class Wanted:
    """In which form the answer is shown, and the files it is also written to."""

    form: str = "text"
    save: str | None = None
    html: str | None = None
    verbose: bool = False


def check_model(asked: Asked, wanted: Wanted) -> int:
    """Check a pruner model, report the answer and return the exit code."""
    from ghostproof.check import check_target
    from ghostproof.engines.problem import Bounds
    from ghostproof.turn.scenario import SCENARIOS

    scenario = SCENARIOS[asked.scenario]
    judged = PROPERTIES[asked.property_name]
    started = time.perf_counter()
    with output.progress() as say, interruptible():
        report = check_target(
            asked.target,
            scenario=scenario,
            judged=judged,
            bounds=Bounds(turns=asked.turns, tools=asked.tools),
            engine=asked.engine,
            seconds=asked.deadline,
            megabytes=asked.memory,
            explained=asked.explain,
            note=say,
        )
    checked = Checked(
        target=asked.target,
        judged=judged,
        admitted=scenario.name,
        verdict=report.verdict,
        code=exit_code(report.verdict, asked.accept_bound),
        seconds=time.perf_counter() - started,
        compared=report.compared,
        solver_seconds=report.solver_seconds,
        notes=report.notes,
        explanation=report.explanation,
        places=report.places,
    )
    return _answer(checked, wanted, report.places)


def check_callable(asked: Asked, wanted: Wanted) -> int:
    """Drive a callable pruner through small sessions, report the answer and return the exit code."""
    from ghostproof.drive.catalogue import TOOLS
    from ghostproof.drive.check import check_callable as drive
    from ghostproof.turn.errors import PrunerError

    if asked.tools > len(TOOLS):
        raise output.WrongUsageError(f"the sessions of a callable have at most {len(TOOLS)} tools: lower --tools")
    started = time.perf_counter()
    with output.progress() as say:

        def played(requests: int) -> None:
            say(f"{requests:,} requests judged")

        verdict: Verdict
        try:
            verdict = drive(
                asked.target,
                property_name=asked.property_name,
                turns=asked.turns,
                tools=asked.tools,
                seconds=asked.deadline,
                megabytes=asked.memory,
                progress=played,
            )
        except PrunerError as refused:
            verdict = refused.verdict
    judged: Property = PROPERTIES[asked.property_name]
    code = exit_code(verdict, asked.accept_bound)
    return _answer(Checked(asked.target, judged, PLAYED, verdict, code, time.perf_counter() - started), wanted, {})


def _answer(checked: Checked, wanted: Wanted, places: Mapping[str, tuple[str, int]]) -> int:
    saved = _saved(checked, wanted)
    if wanted.form == "json":
        output.write([check_text.json_text(checked)])
    if wanted.form == "sarif":
        from ghostproof.host.places import target_place
        from ghostproof.report import code_flow, sarif

        output.write([sarif.of_check(checked, code_flow.Written(target_place(checked.target), places))])
    if isinstance(checked.verdict, InvalidPruner):
        output.complain([f"ghostproof: invalid pruner: {verdict_words.invalid(checked.verdict)}"])
    elif wanted.form == "text":
        _show(check_text.lines(checked, output.story, wanted.verbose))
        output.write(printable(line, 1000) for line in saved)
    else:
        # Standard output is a document and nothing else.
        output.complain(saved)
    return checked.code


def _saved(checked: Checked, wanted: Wanted) -> list[str]:
    """Write the files that were asked for, and say which."""
    said = []
    if wanted.save is not None:
        output.save(check_text.json_text(checked) + "\n", wanted.save)
        said.append(f"saved as {wanted.save}")
        said += _saved_test(checked, wanted.save)
    if wanted.html is not None:
        from ghostproof.report import html_page

        output.save(html_page.page(checked, output.story), wanted.html)
        said.append(f"page written to {wanted.html}")
    return said


def _saved_test(checked: Checked, path: str) -> list[str]:
    """A session that refutes also becomes a test; somebody's own file of that name is left alone."""
    from ghostproof.report import pytest_file

    if not isinstance(checked.verdict, Refuted):
        return []
    text = pytest_file.test_text(checked, path, output.story(checked.verdict))
    test = pytest_file.path_beside(path)
    if text is None:
        return []
    if not output.may_replace(test, pytest_file.BEGINNING):
        return [f"{test} is no test of ours and was left as it is"]
    output.save(text, test)
    return [f"test that fails until the pruner is mended: {test}"]


def _show(lines: list[str]) -> None:
    if not sys.stdout.isatty():
        output.write(lines)
        return
    from ghostproof.report import terminal

    terminal.console("stdout").print(terminal.marked(lines), end="")
