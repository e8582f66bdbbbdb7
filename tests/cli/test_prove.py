"""`ghostproof prove` from outside: reports, files, workers that die, Ctrl-C."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

from cli.run import catalogue, environment, ghostproof, plug_in
from ghostproof.claims import chosen
from ghostproof.turn.claim import Claim, Question
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.scenario import Scenario

TWO = """
    CLAIMS = (
        claim('T1', obligation('a', lambda: Proved('e', {'prompt': 'schema_shown'}, (Checked('z3', 'queries', 3),)))),
        claim('T2', obligation('a', lambda: Proved('e')), obligation('b', lambda: Proved('e'), Refuted)),
    )
"""


def test_the_text_of_a_run(tmp_path: Path) -> None:
    done = ghostproof("prove", path=(catalogue(tmp_path, TWO),))
    assert done.returncode == 1
    assert done.stderr == ""
    heading, first, *others = done.stdout.splitlines()
    assert heading.split("  ")[0] == "claim"
    assert first.startswith("T1 a   proved")
    assert others[1].startswith("T2 b   proved (NOT AS EXPECTED)")
    assert others[-2].startswith("T2 b: expected Refuted; got: Proved: for every number of tools")
    assert others[-1] == "2 claims, 3 questions settled: 2 as expected, 1 not."
    assert "\x1b" not in done.stdout


def test_claims_are_chosen_by_name(tmp_path: Path) -> None:
    done = ghostproof("prove", "t1", "T1", path=(catalogue(tmp_path, TWO),))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 claim, 1 question settled: all as expected." in done.stdout


def test_a_claim_is_chosen_though_its_scenario_cannot_be_hashed() -> None:
    question = Question("a", "so", Pruner(), Scenario("s", fixed={}))
    claim = Claim("T1", "so", "so", "so", "so", (question,))
    assert chosen([claim], ["t1", "T1"]) == [claim]


def test_verbose_shows_the_invariant(tmp_path: Path) -> None:
    done = ghostproof("prove", "T1", "-v", path=(catalogue(tmp_path, TWO),))
    assert "    at prompt: its schema is shown" in done.stdout
    assert "  checked by z3: queries (3)" in done.stdout


def test_the_list_proves_nothing(tmp_path: Path) -> None:
    ours = catalogue(tmp_path, "CLAIMS = (claim('T1', obligation('a', lambda: 1 / 0)),)")
    claim = ["T1  title of T1", "  a statement", "  why:  a reason", "  seed: a sentence"]
    for arguments in ([], ["-v"], ["T1"]):
        done = ghostproof("prove", "--list", *arguments, path=(ours,))
        assert done.returncode == 0
        asked = ["    proved: any N  a: a is so"] if arguments else []
        assert done.stdout.splitlines()[-5 - len(asked) :] == [*claim, "  1 question: 1 proved for any N", *asked]


def test_claims_of_others_stand_behind_ours(tmp_path: Path) -> None:
    other = plug_in(tmp_path, "CLAIMS = (claim('MINE', obligation('x', lambda: Proved('e'))),)")
    done = ghostproof("prove", "--format", "json", path=(catalogue(tmp_path, TWO), other))
    held = json.loads(done.stdout)
    assert [claim["claim"] for claim in held["claims"]] == ["T1", "T2", "MINE"]
    assert [claim["passed"] for claim in held["claims"]] == [True, False, True]
    assert held["exit_code"] == done.returncode == 1


def test_junit_goes_to_a_file_and_the_summary_to_the_reader(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    done = ghostproof("prove", "--format", "junit", "-o", str(report), path=(catalogue(tmp_path, TWO),))
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == "2 claims, 3 questions settled: 2 as expected, 1 not."
    root = ElementTree.parse(report).getroot()
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("3", "1", "0")


def test_a_worker_that_dies_loses_one_question(tmp_path: Path) -> None:
    source = """
        import os, signal
        questions = [obligation(str(n), lambda: Proved('e')) for n in range(6)]
        questions[2] = obligation('dies', lambda: os.kill(os.getpid(), signal.SIGKILL))
        questions[4] = obligation('leaves', lambda: os._exit(3))
        CLAIMS = (claim('T1', *questions),)
    """
    done = ghostproof("prove", path=(catalogue(tmp_path, source),))
    assert done.returncode == 70
    assert "T1: not settled: dies: the process that settled it ended (SIGKILL)" in done.stdout
    assert "T1: not settled: leaves: the process that settled it ended (exit status 3)" in done.stdout
    assert "1 claim, 4 questions settled: all as expected; not settled: T1." in done.stdout


def test_an_error_of_ours_shows_its_stack_only_when_asked(tmp_path: Path) -> None:
    ours = catalogue(tmp_path, "CLAIMS = (claim('T1', obligation('a', lambda: 1 / 0)),)")
    quiet, loud = ghostproof("prove", path=(ours,)), ghostproof("prove", "--debug", path=(ours,))
    assert quiet.stderr == ""
    assert "T1: not settled: a: ZeroDivisionError: division by zero" in quiet.stdout
    assert "Traceback" in loud.stderr
    assert quiet.returncode == loud.returncode == 70


def test_hostile_claims_never_reach_the_reader_raw(tmp_path: Path) -> None:
    source = r"""
        bad = '\x1b]0;x\x07\x1b[2J\r\n' + 'x' * 9000
        CLAIMS = (claim(bad, obligation(bad, lambda: Proved(bad, {bad: bad}), Refuted)),)
    """
    ours = catalogue(tmp_path, source)
    for arguments in ([], ["-v", "--trace"], ["--list"], ["--format", "json"], ["--format", "junit"]):
        done = ghostproof("prove", *arguments, path=(ours,))
        assert all(line.isprintable() for line in (done.stdout + done.stderr).splitlines()), arguments


def test_ctrl_c_says_what_was_finished(tmp_path: Path) -> None:
    source = """
        import time
        slow = obligation('slow', lambda: time.sleep(60))
        CLAIMS = (claim('T1', obligation('a', lambda: Proved('e'))), claim('T2', slow))
    """
    for arguments in ([], ["--format", "junit"]):
        folder = tmp_path / str(len(arguments))
        run = subprocess.Popen(
            [sys.executable, "-m", "ghostproof", "prove", "--jobs", "1", *arguments],
            env=environment(catalogue(folder, source)),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        time.sleep(2.5)
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=20)
        assert run.returncode == 130, err
        assert "interrupted before 1 of 1 questions were settled" in out
        assert "Traceback" not in out + err
        if arguments:
            root = ElementTree.fromstring(out)
            assert (root.get("tests"), root.get("errors")) == ("2", "1")
        else:
            assert "2 claims, 1 question settled: all as expected; not settled: T2." in out


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    run = subprocess.Popen(
        [sys.executable, "-m", "ghostproof", "prove"],
        env=environment(catalogue(tmp_path, TWO)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert run.stdout is not None
    assert run.stderr is not None
    run.stdout.close()
    assert run.stderr.read() == b""
    assert run.wait(20) == 141


def test_a_script_without_a_guard_may_start_it(tmp_path: Path) -> None:
    script = tmp_path / "start.py"
    script.write_text("import sys\nfrom ghostproof.cli import main\nsys.exit(main(['prove', 'T1']))\n")
    done = subprocess.run(
        [sys.executable, str(script)], env=environment(catalogue(tmp_path, TWO)), capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_what_a_claim_prints_does_not_spoil_the_report(tmp_path: Path) -> None:
    ours = catalogue(tmp_path, "CLAIMS = (claim('T1', obligation('a', lambda: print('hello') or Proved('e'))),)")
    done = ghostproof("prove", "--format", "json", path=(ours,))
    assert json.loads(done.stdout)["exit_code"] == 0
