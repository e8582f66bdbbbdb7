"""The job that the documents offer is short, and its commands are those that a console block runs."""

from __future__ import annotations

import re

from repository.console import commands
from repository.markdown import fences
from repository.tree import ROOT

BLOCKS = fences((ROOT / "docs" / "in-ci.md").read_text())
JOB = next(block for block in fences((ROOT / "README.md").read_text()) if block.language == "yaml")
LINES_MAX = 10


def test_the_job_has_ten_lines() -> None:
    assert len(JOB.lines) <= LINES_MAX


def test_its_commands_are_run_by_the_tests() -> None:
    offered = [line.split("run: ", 1)[1] for line in JOB.lines if "run: ghostproof" in line]
    shown = [command.text for block in BLOCKS if block.language == "console" for command in commands(block)]
    # The tests run one claim instead of all, and an example instead of the reader's own pruner.
    run = [_joined(text).replace("prove T1", "prove") for text in shown]
    example = "docs/examples/refuted.py:PRUNER --scenario ordinary"
    assert len(offered) == 2
    assert [text.replace("pruner.py:PRUNER", example) for text in offered] == run[:2]


def _joined(text: str) -> str:
    return re.sub(r"\s*\\\n", " ", text)


def test_it_keeps_what_the_commands_write() -> None:
    assert "if: always()" in JOB.lines[-1]
    assert '"*.sarif\\n*ghost*"' in JOB.lines[-1]
