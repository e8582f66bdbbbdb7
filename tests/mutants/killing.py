"""Runs killers on a copy of the checkout, and says what came out: the answer, and what was said about it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from mutants.catalogue import CHECKED, Killer
from mutants.workshop import environment

PASSED, FAILED, LATE = "passed", "failed", "no answer in time"
# What ends a check that answers nothing, by its exit code.
ENDS = {70: "internal error"}


@dataclass(frozen=True, slots=True)
class Seen:
    """What a killer answered, and the text in which its reason must stand."""

    answer: str
    said: str


def run(killer: Killer, copy: Path, seconds: float) -> Seen:
    """What `killer` says in `copy`; later than `seconds` it says nothing."""
    if killer.test:
        return run_tests([killer.test], copy, seconds)[killer.test]
    command = ["ghostproof", "check", killer.check, "--property", killer.judged, "--scenario", killer.scenario]
    done = _finished([sys.executable, "-m", *command], copy, seconds)
    return Seen(LATE, "") if done is None else of_check(*done)


def of_check(code: int, said: str) -> Seen:
    """The answer of a check: its kind, and for a refutation its requests and tools."""
    lines = said.splitlines() or [""]
    first = lines[0].removeprefix("ghostproof: ")
    kind = first.partition(":")[0]
    size = re.search(r"\((\d+) requests?, (\d+) tools?\)$", first)
    if kind == CHECKED["refuted"] and size:
        return Seen(f"refuted in {size[1]} requests, {size[2]} tools", said)
    return Seen(kind if code in (0, 2, 3, 4, 5) else ENDS.get(code, f"exit code {code}"), said)


def run_tests(tests: Sequence[str], copy: Path, seconds: float) -> Mapping[str, Seen]:
    """What each of `tests` says, all of one file: passed, failed with the failure's own message, or something else."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "", f"--junitxml={report}"]
        done = _finished([sys.executable, "-m", "pytest", *options, *tests], copy, seconds)
        if done is None:
            return dict.fromkeys(tests, Seen(LATE, ""))
        cases = list(ElementTree.parse(report).iter("testcase")) if report.exists() else []
    found = {test: [case for case in cases if _belongs(case, test)] for test in tests}
    if done[0] not in (0, 1) or not all(found.values()):
        return dict.fromkeys(tests, Seen("not run", done[1][-2000:]))
    return {test: _together([_of_case(case) for case in some]) for test, some in found.items()}


def _belongs(case: ElementTree.Element, test: str) -> bool:
    """Whether a case of the report is `test`, or one of its parameters where `test` names none."""
    name, wanted = case.get("name", ""), test.partition("::")[2]
    return name == wanted or name.startswith(f"{wanted}[")


def _together(seen: Sequence[Seen]) -> Seen:
    """One of them that did not run, else the failures of all, else passed."""
    for answer in ("not run", FAILED):
        said = [one.said for one in seen if one.answer == answer]
        if said:
            return Seen(answer, "\n".join(said))
    return Seen(PASSED, "")


def _of_case(case: ElementTree.Element) -> Seen:
    failure, other = case.find("failure"), case.find("error")
    if failure is not None:
        # The message of the assertion or of the exception, never the source around it.
        return Seen(FAILED, failure.get("message", ""))
    if other is not None or case.find("skipped") is not None:
        return Seen("not run", (other.get("message", "") if other is not None else "skipped"))
    return Seen(PASSED, "")


def _finished(command: Sequence[str], copy: Path, seconds: float) -> tuple[int, str] | None:
    """Exit code and output; None when the time is over. Nothing the command started outlives it."""
    process = subprocess.Popen(
        command,
        cwd=copy,
        env=environment(copy),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        said, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        return None
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    return process.returncode, said
