"""What users and authors get wrong: one clear line on standard error, exit code 2, nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.run import CATALOGUE, EXAMPLES, catalogue, ghostproof, plug_in
from ghostproof.cli import main

PROVED = f"{EXAMPLES / 'proved.py'}:PRUNER"

WRONG = {
    "unknown command": (["chekc", "x"], "No such command 'chekc'"),
    "unknown option": (["check", "--turn-count", "3", "x"], "No such option"),
    "no pruner": (["check"], "give one pruner"),
    "two pruners": (["check", "a.py:A", "--callable", "b.py:b"], "give one pruner"),
    "too many pruners": (["check", "a.py:A", "b.py:B"], "unexpected extra argument"),
    "negative turns": (["check", "a.py:A", "--turns", "-1"], "Invalid value for '--turns'"),
    "turns that are no number": (["check", "a.py:A", "--turns", "many"], "Invalid value for '--turns'"),
    "no tools": (["check", "a.py:A", "--tools", "0"], "Invalid value for '--tools'"),
    "no time": (["check", "a.py:A", "--deadline", "0"], "Invalid value for '--deadline'"),
    "time that is no number": (["check", "a.py:A", "--deadline", "nan"], "Invalid value for '--deadline'"),
    "more time than a day": (["check", "a.py:A", "--deadline", "1e300"], "is more than 86400 seconds, a day"),
    "no memory": (["check", "a.py:A", "--memory", "1"], "Invalid value for '--memory'"),
    "more memory than there is": (["check", "a.py:A", "--memory", "9" * 20], "Invalid value for '--memory'"),
    "unknown property": (["check", "a.py:A", "--property", "safe"], "'safe' is not one of"),
    "unknown engine": (["check", "a.py:A", "--engine", "magic"], "'magic' is not one of"),
    "an engine for a callable": (["check", "--callable", "a.py:f", "--engine", "bmc"], "--engine is for models"),
    "a scenario for a callable": (
        ["check", "--callable", "a.py:f", "--scenario", "ordinary"],
        "--scenario is for models",
    ),
    "too many tools for a callable": (["check", "--callable", "a.py:f", "--tools", "99"], "at most 6 tools"),
    "a file in no folder": (["check", "a.py:A", "--save", "nowhere/at/all.json"], "cannot be written"),
    "a file that is a folder": (["prove", "-o", "."], "cannot be written"),
    "no file name": (["prove", "-o", ""], "cannot be written"),
    "unknown format": (["prove", "--format", "xml"], "'xml' is not one of"),
    "control characters": (["check", "a\x1b[31m.py:\x07A", "--engine", "\x1b]0;x\x07"], "Invalid value for '--engine'"),
    "a huge name": (["prove", "T" * 100_000], "there is no claim"),
}


@pytest.mark.parametrize("name", WRONG)
def test_usage(name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from ghostproof import proving

    monkeypatch.setattr(proving, "installed", list)
    arguments, said = WRONG[name]
    assert main(arguments) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert said in shown.err
    assert_one_clear_line(shown.err)


def assert_one_clear_line(text: str) -> None:
    assert text.startswith("ghostproof: ")
    assert text.count("\n") == 1
    assert text.strip().isprintable()
    assert len(text) < 1200


PRUNERS = {
    "missing file": ("nowhere.py:P", None, "there is no such file"),
    "no name": ("pruner.py", "P = 1", "pruner.py"),
    "missing name": ("pruner.py:Q", "PRUNER = 1", "has no Q"),
    "a path that is no file": ("./:P", None, "is a folder"),
    "missing module": ("no_such_module_at_all:P", None, "no such module"),
    "not Python": ("pruner.py:P", "def", "pruner.py"),
    "no pruner": ("pruner.py:P", "P = 1", "pruner.py"),
    "raises at import": ("pruner.py:P", "raise ValueError('\\x1b[31mred')", "\\x1b[31mred"),
    "exits": ("pruner.py:P", "import sys; sys.exit(0)", "exit"),
    "exits without goodbye": ("pruner.py:P", "import os; os._exit(0)", "ended the interpreter"),
}


@pytest.mark.parametrize("name", PRUNERS)
@pytest.mark.parametrize("form", ["model", "callable"])
def test_pruners_that_cannot_be_checked(name: str, form: str, tmp_path: Path) -> None:
    target, source, said = PRUNERS[name]
    if source is not None:
        (tmp_path / "pruner.py").write_text(source)
    asked = [target] if form == "model" else ["--callable", target]
    done = ghostproof("check", *asked, "--deadline", "1", cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert said in done.stderr
    assert_one_clear_line(done.stderr)


def test_a_pruner_that_never_ends(tmp_path: Path) -> None:
    (tmp_path / "pruner.py").write_text("while True: pass")
    done = ghostproof("check", "pruner.py:P", "--deadline", "1", cwd=tmp_path)
    assert done.returncode == 2
    assert "did not return within 1 s" in done.stderr
    assert_one_clear_line(done.stderr)


CLAIMS = {
    "a plug-in that is not there": (None, "cannot be loaded (ModuleNotFoundError"),
    "a plug-in that raises": ("raise ValueError('\\x1b[31mred')", "ValueError: \\x1b[31mred"),
    "a plug-in that exits": ("raise SystemExit(0)", "cannot be loaded (SystemExit: 0)"),
    "a plug-in without claims": ("", "has no attribute 'CLAIMS'"),
    "claims that are none": ("CLAIMS = (1,)", "holds an int"),
    "claims that are no tuple": ("CLAIMS = 1", "is an int"),
    "a name that is taken": ("CLAIMS = (claim('T1'),)", "claim T1 is already defined"),
}


@pytest.mark.parametrize("name", CLAIMS)
def test_claims_that_cannot_be_had(name: str, tmp_path: Path) -> None:
    source, said = CLAIMS[name]
    other = plug_in(tmp_path, source or "")
    if source is None:
        (other / "other_claims.py").unlink()
    done = ghostproof("prove", path=(catalogue(tmp_path, "CLAIMS = (claim('T1'),)"), other))
    assert done.returncode == 2
    assert done.stdout == ""
    assert said in done.stderr
    assert "plug-in other" in done.stderr
    assert_one_clear_line(done.stderr)


def test_a_name_that_no_claim_has_gets_the_nearest(tmp_path: Path) -> None:
    ours = catalogue(tmp_path, "CLAIMS = (claim('T1'), claim('T15'), claim('PROJECTION'))")
    done = ghostproof("prove", "projektion", path=(ours,))
    assert done.returncode == 2
    assert "there is no claim projektion: did you mean PROJECTION?" in done.stderr
    assert_one_clear_line(done.stderr)
    assert "T1" in ghostproof("prove", "T99", path=(ours,)).stderr


def test_the_catalogue_of_these_tests_is_python() -> None:
    compile(CATALOGUE, "catalogue", "exec")


@pytest.mark.parametrize("option", [["--format", "json"], ["-o", "list.txt"], ["--trace"], ["--jobs", "1"]])
def test_an_option_that_the_list_does_not_heed_is_refused(option: list[str], tmp_path: Path) -> None:
    run = ghostproof("prove", "--list", *option, cwd=tmp_path)
    assert (run.returncode, run.stdout) == (2, "")
    assert "is not for --list" in run.stderr
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(("where", "said"), [("no/such/x", "there is no folder"), (".", "name a file, not a folder")])
def test_why_a_file_cannot_be_written_is_said(where: str, said: str, tmp_path: Path) -> None:
    run = ghostproof("export", "x.py:P", "--format", "chc", "-o", where, cwd=tmp_path)
    assert run.returncode == 2
    assert said in run.stderr


def test_a_missing_option_is_told_in_one_line() -> None:
    run = ghostproof("export", "x.py:P")
    assert (run.returncode, run.stderr.count("\n"), "\\n" in run.stderr) == (2, 1, False)
