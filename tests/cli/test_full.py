"""An output that takes nothing: one line that says so, and exit code 2; never an error of ours."""

from __future__ import annotations

import errno
import sys

import pytest

from cli.run import EXAMPLES
from ghostproof import failures, output
from ghostproof.cli import main


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["prove", "--list"], []])
def test_a_full_disk(arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full, monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", full)
        code = main(arguments)
    told = capsys.readouterr().err
    assert code == 2
    assert "cannot be written: No space left on device; make room, or write elsewhere" in told
    assert len(told.splitlines()) == 1


def test_a_full_disk_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "abandon", lambda: None)
    assert failures.failed_with(OSError(errno.ENOSPC, "No space left on device"), debug=False) == 2
    assert failures.failed_with(OSError(errno.EIO, "Input/output error"), debug=False) == 70


def test_a_closed_output(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    assert main(["check", f"{EXAMPLES / 'proved.py'}:PRUNER"]) == 2
    assert capsys.readouterr().err == "ghostproof: standard output is closed: open it, or send it to /dev/null\n"


def test_closed_errors_change_no_answer(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    assert main(["--version"]) == 0
    assert main(["no such command"]) == 2
