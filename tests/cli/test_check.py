"""`ghostproof check` from outside, on the examples and on hostile pruners."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cli.run import EXAMPLES, environment, ghostproof

FUTURE = "from __future__ import annotations\n"
HEAD = """
from __future__ import annotations
from ghostproof.turn.budget import prompt_fits
from ghostproof.turn.pruner import Pass, Pruner

def hide(tool, turn):
    if tool.schema_shown:
        tool.hide_schema()

def gate(tool, turn):
    if tool.arguments_resident and not tool.schema_resident:
        tool.tombstoned = True
"""


def test_the_example_that_is_proved() -> None:
    done = ghostproof("check", "-v", f"{EXAMPLES / 'proved.py'}:PRUNER")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("proved: ")
    assert "admitted: every action, budgets free each turn" in done.stdout
    assert "checked by cvc5: " in done.stdout
    assert "lifting compared with the plain functions at " in done.stdout
    assert "\x1b" not in done.stdout


def test_hints_follow_an_answer_that_surprises(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(HEAD + "def nothing(tool, turn):\n    pass\nIDLE = Pruner(Pass(nothing))\n")
    done = ghostproof("check", f"{tmp_path / 'mine.py'}:IDLE")
    assert done.returncode == 1, done.stderr
    assert "note: no pass changed anything in this session: what the environment did alone leaves" in done.stdout


def test_the_example_that_is_refuted(tmp_path: Path) -> None:
    saved = tmp_path / "session.json"
    done = ghostproof("check", f"{EXAMPLES / 'refuted.py'}:PRUNER", "--scenario", "ordinary", "--save", str(saved))
    assert done.returncode == 1, done.stderr
    assert "GHOST: tool_" in done.stdout
    assert "minimal: fewer than 2 requests" in done.stdout
    test = saved.with_name("test_session_ghost.py")
    assert done.stdout.splitlines()[-2:] == [f"saved as {saved}", f"test that fails until the pruner is mended: {test}"]
    held = json.loads(saved.read_text())
    assert held["verdict"] == "refuted"
    assert held["trace"]["requests"][-1]["violations"]


def test_the_example_that_cannot_be_lifted() -> None:
    done = ghostproof("check", f"{EXAMPLES / 'not_liftable.py'}:PRUNER")
    assert done.returncode == 2
    assert "not_liftable.py:" in done.stderr
    assert "tool.idle_turns" in done.stderr
    assert "--callable" in done.stderr


def test_the_gate_is_what_makes_it_safe(tmp_path: Path) -> None:
    text = (EXAMPLES / "proved.py").read_text()
    assert "    Pass(evict_or_tombstone),\n" in text
    (tmp_path / "mine.py").write_text(text.replace("    Pass(evict_or_tombstone),\n", ""))
    assert ghostproof("check", "mine.py:PRUNER", cwd=tmp_path).returncode == 1


def test_the_order_is_what_makes_it_unsafe(tmp_path: Path) -> None:
    text = (EXAMPLES / "refuted.py").read_text()
    trim = "    Pass(trim, order=least_recently_called, until=prompt_fits),\n"
    first = "PRUNER = Pruner(\n"
    assert trim in text
    (tmp_path / "mine.py").write_text(text.replace(trim, "").replace(first, first + trim))
    assert ghostproof("check", "mine.py:PRUNER", cwd=tmp_path).returncode == 0


def test_a_pruner_without_the_annotations_import(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        HEAD.replace(FUTURE, "") + "P = Pruner(Pass(hide, until=prompt_fits), Pass(gate))\n"
    )
    done = ghostproof("check", "mine.py:P", cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_a_pruner_that_never_prunes_is_vacuous(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(HEAD + "P = Pruner(Pass(gate))\n")
    done = ghostproof("check", "mine.py:P", "--scenario", "ordinary", cwd=tmp_path)
    assert done.returncode == 4, done.stdout + done.stderr
    assert done.stdout.startswith("vacuous: mine.py:P\n")


def test_the_property_that_was_asked_for(tmp_path: Path) -> None:
    source = HEAD.replace("if tool.arguments_resident", "if tool.mutation and tool.arguments_resident")
    (tmp_path / "mine.py").write_text(source + "P = Pruner(Pass(hide, until=prompt_fits), Pass(gate))\n")
    assert ghostproof("check", "mine.py:P", cwd=tmp_path).returncode == 1
    done = ghostproof("check", "mine.py:P", "--property", "no_mutation_ghost", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "property no_mutation_ghost" in done.stdout


def test_hostile_names_are_shown_as_text(tmp_path: Path) -> None:
    bad = "\\x1b]0;x\\x07\\u202e" + "n" * 5000
    source = f"P = Pruner(Pass(hide, until=prompt_fits, name='{bad}'), name='{bad}')\n"
    (tmp_path / "mine.py").write_text(HEAD + source)
    done = ghostproof("check", "mine.py:P", "-v", cwd=tmp_path)
    assert done.returncode in (1, 2)
    assert all(line.isprintable() and len(line) < 1500 for line in (done.stdout + done.stderr).splitlines())


def test_what_a_pruner_prints_is_refused_and_shown_as_text(tmp_path: Path) -> None:
    printing = "print('\\x1b[2Jhello')\nP = Pruner(Pass(hide, until=prompt_fits), Pass(gate))\n"
    (tmp_path / "mine.py").write_text(HEAD + printing)
    done = ghostproof("check", "mine.py:P", "--format", "json", cwd=tmp_path)
    assert done.returncode == 2
    assert json.loads(done.stdout)["verdict"] == "invalid pruner"
    assert "\\x1b[2Jhello" in done.stderr
    assert done.stderr.strip().isprintable()


CALLABLE = """
def hide_called(request):
    called = {call["function"]["name"] for message in request["messages"] for call in message.get("tool_calls") or ()}
    request["tools"] = [tool for tool in request["tools"] if tool["function"]["name"] not in called]
    return request

def evict_and_hide(request):
    request["messages"] = [message for message in request["messages"] if message["role"] == "user"][-1:]
    return request
"""


def test_a_callable(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(CALLABLE)
    done = ghostproof("check", "--callable", "mine.py:hide_called", "--save", "saved.json", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    assert "GHOST: " in done.stdout
    assert json.loads((tmp_path / "saved.json").read_text())["trace"]["is"] == "recording"


def test_a_callable_gets_a_bound(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(CALLABLE)
    asked = ["check", "--callable", "mine.py:evict_and_hide", "--turns", "2", "--tools", "1"]
    done = ghostproof(*asked, cwd=tmp_path)
    assert done.returncode == 3, done.stdout + done.stderr
    assert "Holds to 2 turns, 1 tool (" in done.stdout
    assert "nothing is said beyond" in done.stdout
    assert ghostproof(*asked, "--accept-bound", cwd=tmp_path).returncode == 0


def test_ctrl_c_while_something_runs(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("import time\ntime.sleep(60)\n")
    run = subprocess.Popen(
        [sys.executable, "-m", "ghostproof", "check", "mine.py:P", "--deadline", "60"],
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    time.sleep(2)
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=20)
    assert run.returncode == 130
    assert out == ""
    assert err.split() == ["ghostproof:", "interrupted"]


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a terminal")
def test_a_terminal_gets_colour() -> None:
    ours, theirs = pty.openpty()
    run = subprocess.Popen(
        [sys.executable, "-m", "ghostproof", "check", f"{EXAMPLES / 'refuted.py'}:PRUNER"],
        env={**environment(), "TERM": "xterm", "NO_COLOR": ""},
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.PIPE,
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # how Linux says that the other side is closed
            break
        if not piece:
            break
        shown += piece
    assert run.wait(20) == 1
    assert b"\x1b[1;31m    GHOST: " in shown


BY_WHOLE_ARGUMENTS = """
from ghostproof.turn.budget import prompt_fits
from ghostproof.turn.pruner import Pass, Pruner
def hide(tool, turn):
    if tool.schema_shown:
        tool.hide_schema()
def gate(tool, turn):
    if tool.arguments_resident and not tool.schema_resident and not tool.truncated:
        tool.tombstoned = True
P = Pruner(Pass(hide, until=prompt_fits), Pass(gate))
"""


@pytest.mark.parametrize(("scenario", "code"), [("everything", 0), ("history", 1)])
def test_what_happens_inside_the_history_is_a_scenario(scenario: str, code: int, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(BY_WHOLE_ARGUMENTS)
    done = ghostproof("check", "mine.py:P", "--scenario", scenario, cwd=tmp_path)
    assert done.returncode == code, done.stdout + done.stderr
    assert ("the arguments of tool_1 are cut in place" in done.stdout) is (code == 1)
