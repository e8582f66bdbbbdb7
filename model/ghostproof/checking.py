"""`ghostproof check`: one pruner, as a model or as it is, and the answer about it."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass

from ghostproof import output
from ghostproof.interrupt import interruptible
from ghostproof.report import check_text, verdict_words
from ghostproof.report.check_text import Checked
from ghostproof.turn.property import PROPERTIES, Property
from ghostproof.turn.verdict import InvalidPruner, Verdict, exit_code

# The environment of sessions that are played on real payloads; the driver has no other.
PLAYED = "sessions as the driver plays them: a user asks, the model calls what it is shown, results come back"


@dataclass(frozen=True, slots=True)
class Asked:
    """What to check and how far. `scenario` is `everything` or `ordinary`; deadline in seconds, memory in megabytes."""

    target: str
    property_name: str
    turns: int
    tools: int
    deadline: float
    memory: int
    scenario: str = "everything"
    engine: str = "auto"
    accept_bound: bool = False


def check_model(asked: Asked, form: str, path: str | None, verbose: bool) -> int:
    """Check a pruner model, report the answer and return the exit code."""
    from ghostproof.check import check_target
    from ghostproof.engines.problem import Bounds
    from ghostproof.turn.scenario import ANYTHING, ORDINARY_SESSION

    scenario = {"everything": ANYTHING, "ordinary": ORDINARY_SESSION}[asked.scenario]
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
    )
    return _answer(checked, form, path, verbose)


def check_callable(asked: Asked, form: str, path: str | None, verbose: bool) -> int:
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
    return _answer(
        Checked(asked.target, judged, PLAYED, verdict, code, time.perf_counter() - started), form, path, verbose
    )


def _answer(checked: Checked, form: str, path: str | None, verbose: bool) -> int:
    if path is not None:
        output.save(check_text.json_text(checked) + "\n", path)
    if form == "json":
        output.write([check_text.json_text(checked)])
    if isinstance(checked.verdict, InvalidPruner):
        output.complain([f"ghostproof: invalid pruner: {verdict_words.invalid(checked.verdict)}"])
    elif form == "text":
        _show(check_text.lines(checked, output.story, verbose))
        if path is not None:
            output.write([f"saved as {path}"])
    return checked.code


def _show(lines: list[str]) -> None:
    if not sys.stdout.isatty():
        output.write(lines)
        return
    from ghostproof.report import terminal

    terminal.console("stdout").print(terminal.marked(lines), end="")
