"""`ghostproof conform` as a user sees it: text, JSON, JUnit, exit codes."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from junitparser import JUnitXml

from conformance.programs.trial import python
from ghostproof.cli import main


def test_a_right_program_conforms(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conform", "--only", "A8", "--only", "J1", "--", *python("right.py")]) == 0
    text = capsys.readouterr().out
    assert "Arbiter 1: conforms to suite" in text
    assert "A8 budget exceeded" in text


def test_a_wrong_program_is_told_where_it_differs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conform", "--only", "A2", "--", *python("wrong.py", "SchemaFirst")]) == 1
    text = capsys.readouterr().out
    assert "SchemaFirst 1: does NOT conform to suite" in text
    assert 'differs: decisions, number 1: expected {"decision": "evicted", "group": "g1"}' in text
    assert "the first of these cases:" in text


def test_json_and_junit_tell_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["--only", "A8", "--", *python("wrong.py", "SendsAnyway")]
    assert main(["conform", "--format", "json", *command]) == 1
    told = json.loads(capsys.readouterr().out)
    failed = [one["id"] for one in told["results"] if one["status"] == "failed"]
    assert failed
    assert told["passed"] is False
    file = tmp_path / "report.xml"
    assert main(["conform", "--format", "junit", "-o", str(file), *command]) == 1
    assert "does NOT conform" in capsys.readouterr().out
    suites = JUnitXml.fromfile(str(file))
    assert suites.failures == len(failed)
    assert suites.tests == len(told["results"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--", "/nowhere/at/all"], "/nowhere/at/all cannot be run: No such file or directory"),
        (["--only", "A99", "--", "true"], "no vector of suite 1.1.0 has the id, rule or kind 'A99'"),
        ([], "Missing argument 'COMMAND [ARG]...'"),
        (["--deadline", "nan", "--", "true"], "is not a number of seconds above 0"),
    ],
)
def test_bad_usage_is_one_line(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conform", *arguments]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert len(told.splitlines()) == 1


def test_a_program_that_ends_at_once_fails(capsys: pytest.CaptureFixture[str]) -> None:
    command = [sys.executable, "-c", "import sys; sys.exit('no \\x1b[2J luck')"]
    assert main(["conform", "--", *command]) == 1
    told = capsys.readouterr().err
    assert "handshake: ended before it answered (exit status 1)" in told
    assert "\x1b" not in told


MUTE = [sys.executable, "-c", "import time; time.sleep(60)"]
NAMELESS = [sys.executable, "-c", 'input(); print(\'{"type": "hello"}\')']


def test_the_handshake_waits_as_long_as_the_deadline_says(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conform", "--deadline", "0.05", "--", *MUTE]) == 1
    assert "handshake: gave no answer within 0.2 s: --deadline allows it more" in capsys.readouterr().err


def test_a_failed_handshake_is_reported_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conform", "--only", "A8", "--format", "json", "--", *NAMELESS]) == 1
    shown = capsys.readouterr()
    assert 'names no protocol: answer hello with "protocol": 1, see docs/conformance-protocol.md' in shown.err
    told = json.loads(shown.out)
    assert told["passed"] is False
    assert all("handshake: names no protocol" in one["said"] for one in told["results"])
    file = tmp_path / "report.xml"
    assert main(["conform", "--only", "A8", "--format", "junit", "-o", str(file), "--", *NAMELESS]) == 1
    assert JUnitXml.fromfile(str(file)).failures == sum(one["required"] for one in told["results"]) > 0


def test_the_help_names_every_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conform", "--help"]) == 0
    assert "2 there is no such program" in capsys.readouterr().out
