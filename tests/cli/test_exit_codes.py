"""Every verdict has its exit code, in `check` and in `prove`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.run import catalogue, ghostproof
from ghostproof import check as checks
from ghostproof.check import Report
from ghostproof.cli import main
from ghostproof.turn.errors import InternalError
from ghostproof.turn.verdict import Verdict
from report.samples import VERDICTS

CODES = {
    "proved": 0,
    "proved up to": 3,
    "holds to": 3,
    "refuted": 1,
    "undetermined": 3,
    "vacuous": 4,
    "invalid pruner": 2,
    "disagreement": 5,
}


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch) -> Callable[[object], None]:
    """Sets what the next check answers, or raises."""

    def set_answer(result: object) -> None:
        def check_target(*arguments: object, **settings: object) -> Report:
            if isinstance(result, BaseException):
                raise result
            return Report(result, 3100, 0.25, ("a note",))  # type: ignore[arg-type]

        monkeypatch.setattr(checks, "check_target", check_target)

    return set_answer


@pytest.mark.parametrize("name", CODES)
def test_check(name: str, answer: Callable[[Verdict], None], capsys: pytest.CaptureFixture[str]) -> None:
    answer(VERDICTS[name])
    assert main(["check", "p.py:P"]) == CODES[name]
    shown = capsys.readouterr()
    if name == "invalid pruner":
        assert shown.out == ""
        assert shown.err == "ghostproof: invalid pruner: p.py:3: a clock; use idle_turns\n"
    else:
        assert shown.out.startswith(f"{name}: p.py:P")
        assert shown.err == ""


@pytest.mark.parametrize(("name", "code"), [("holds to", 0), ("proved up to", 0), ("undetermined", 3), ("refuted", 1)])
def test_an_accepted_bound(name: str, code: int, answer: Callable[[Verdict], None]) -> None:
    answer(VERDICTS[name])
    assert main(["check", "p.py:P", "--accept-bound"]) == code


@pytest.mark.parametrize("name", CODES)
def test_check_as_json(name: str, answer: Callable[[Verdict], None], capsys: pytest.CaptureFixture[str]) -> None:
    answer(VERDICTS[name])
    assert main(["check", "p.py:P", "--format", "json"]) == CODES[name]
    held = json.loads(capsys.readouterr().out)
    assert (held["verdict"], held["exit_code"], held["compared"]) == (name, CODES[name], 3100)


@pytest.mark.parametrize(
    ("failed", "line"),
    [
        (InternalError("it does not replay"), "InternalError: it does not replay"),
        (KeyError("x"), "KeyError: 'x'"),
        (InternalError("in the child:\n  File a\nKeyError: 'y'"), "InternalError: in the child: KeyError: 'y'"),
        (RecursionError("\x1b[31m" + "deep" * 1000), "RecursionError: \\x1b[31mdeepdeep"),
    ],
)
def test_an_error_of_ours(
    failed: Exception, line: str, answer: Callable[[Exception], None], capsys: pytest.CaptureFixture[str]
) -> None:
    answer(failed)
    assert main(["check", "p.py:P"]) == 70
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith(f"ghostproof: internal error: {line}")
    assert shown.err.count("\n") == 1
    assert shown.err.strip().isprintable()


def test_the_stack_is_for_debugging(answer: Callable[[Exception], None], capsys: pytest.CaptureFixture[str]) -> None:
    answer(KeyError("x"))
    assert main(["check", "p.py:P", "--debug"]) == 70
    assert "check_target" in capsys.readouterr().err
    assert main(["--debug", "check", "p.py:P"]) == 70
    assert "check_target" in capsys.readouterr().err


def test_an_interrupted_check(answer: Callable[[BaseException], None], capsys: pytest.CaptureFixture[str]) -> None:
    answer(KeyboardInterrupt())
    assert main(["check", "p.py:P"]) == 130
    assert capsys.readouterr().err.strip() == "ghostproof: interrupted"


PROVING = {
    "expected": ("obligation('a', lambda: Proved('e'))", 0),
    "refuted": ("obligation('a', lambda: Vacuous(('x',), 'e')), obligation('b', lambda: Proved('e'), Refuted)", 1),
    "proved instead of refuted": ("obligation('a', lambda: Proved('e'), Refuted)", 1),
    "bounded": ("obligation('a', lambda: HoldsTo('e', 1, 1, 's', 1))", 3),
    "bounded as expected": ("obligation('a', lambda: HoldsTo('e', 1, 1, 's', 1), HoldsTo)", 0),
    "undetermined": ("obligation('a', lambda: Undetermined('r', 'e'))", 3),
    "undetermined as expected": ("obligation('a', lambda: Undetermined('r', 'e'), Undetermined)", 3),
    "vacuous": ("obligation('a', lambda: Vacuous(('x',), 'e')), obligation('b', lambda: Undetermined('r', 'e'))", 4),
    "invalid": ("obligation('a', lambda: InvalidPruner('w', 'f', 'i'))", 2),
    "disagreement": ("obligation('a', lambda: Disagreement(('e', 'f'))), obligation('b', lambda: Proved('e'))", 5),
    "nothing asked": ("", 4),
    "an error of ours": ("obligation('a', lambda: 1 / 0), obligation('b', lambda: Disagreement(('e',)))", 70),
}


@pytest.mark.parametrize("name", PROVING)
def test_prove(name: str, tmp_path: Path) -> None:
    questions, code = PROVING[name]
    done = ghostproof("prove", path=(catalogue(tmp_path, f"CLAIMS = (claim('T1', {questions}),)"),))
    assert done.returncode == code, done.stderr
    assert ("all as expected." in done.stdout) is (code == 0)
    assert "Traceback" not in done.stdout + done.stderr
