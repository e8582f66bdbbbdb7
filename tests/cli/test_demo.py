"""`ghostproof demo`: what it shows, what it saves, and that it cannot be green when the sessions go otherwise."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from cli.run import EXAMPLES
from ghostproof.cli import main
from ghostproof.demonstrating import Event, json_schema_validator, show_and_judge
from ghostproof_reference.incident.session import play

RECORDED = ("incident-with-gate.jsonl", "incident-without-gate.jsonl")

Change = Callable[[Event, bool], Sequence[Event]]


def judged(change: Change) -> int:
    """The exit code for sessions in which each event is replaced."""

    def changed(validate: object, gate: bool) -> list[Event]:
        return [new for event in play(json_schema_validator(), gate) for new in change(event, gate)]

    return show_and_judge(changed, json_schema_validator(), None)


def test_it_goes_as_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo"]) == 0
    shown = capsys.readouterr().out
    assert "Both sessions went as told." in shown
    assert max(map(len, shown.splitlines())) <= 100
    assert "\x1b" not in shown


def test_the_recorded_sessions_are_what_it_saves(tmp_path: Path) -> None:
    """After a change that is meant: ghostproof demo --save docs/examples."""
    assert main(["demo", "--save", str(tmp_path / "new")]) == 0
    assert sorted(file.name for file in (tmp_path / "new").iterdir()) == sorted(RECORDED)
    for name in RECORDED:
        assert (tmp_path / "new" / name).read_text() == (EXAMPLES / name).read_text(), name


@pytest.mark.parametrize("name", RECORDED)
def test_a_recorded_session_is_a_whole_one(name: str) -> None:
    """A request continues the one before it, and the answer to that; only the runtime's own lines come and go."""
    lines = [json.loads(line) for line in (EXAMPLES / name).read_text().splitlines()]
    for one, following in pairwise(lines):
        told = [*one["request"]["messages"], one["response"]["choices"][0]["message"]]
        said = [message for message in told if message["role"] != "system"]
        continued = [message for message in following["request"]["messages"] if message["role"] != "system"]
        assert continued[: len(said)] == said


def test_a_folder_that_cannot_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert main(["demo", "--save", str(tmp_path / "file")]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert "is no folder to save to" in line


def test_without_the_validator(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "jsonschema", None)
    assert main(["demo"]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert "pip install 'ghostproof[demo]'" in line


def test_a_validator_that_accepts_everything(capsys: pytest.CaptureFixture[str]) -> None:
    assert show_and_judge(play, lambda schema, arguments: (), None) == 1
    said = [line for line in capsys.readouterr().out.splitlines() if line.startswith("NOT AS TOLD")]
    assert len(said) == 3


def swapped(validate: object, gate: bool) -> list[Event]:
    return list(play(json_schema_validator(), not gate))


def test_the_two_sessions_swapped(capsys: pytest.CaptureFixture[str]) -> None:
    assert show_and_judge(swapped, json_schema_validator(), None) == 1
    assert capsys.readouterr().out.count("NOT AS TOLD") == 10


def without_kind(kind: str, of_gate: bool) -> Change:
    return lambda event, gate: [] if event[1] == kind and gate is of_gate else [event]


def twice(kind: str, of_gate: bool) -> Change:
    return lambda event, gate: [event, event] if event[1] == kind and gate is of_gate else [event]


@pytest.mark.parametrize(
    "change",
    [
        without_kind("rejected", False),
        without_kind("duplicate", False),
        without_kind("request", False),
        without_kind("call", False),
        without_kind("pruned", False),
        without_kind("request", True),
        without_kind("signal", True),
        without_kind("call", True),
        twice("duplicate", False),
        twice("signal", True),
        twice("accepted", True),
    ],
)
def test_whatever_is_missing_or_too_much_is_noticed(change: Change, capsys: pytest.CaptureFixture[str]) -> None:
    assert judged(change) == 1
    assert "NOT AS TOLD" in capsys.readouterr().out


HOSTILE = "\x1b[2J\u202e[red]x\n"


@pytest.mark.parametrize("terminal", [True, False])
def test_nothing_that_it_shows_is_obeyed(
    terminal: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def hostile(event: Event, gate: bool) -> list[Event]:
        turn, kind, subject, _, data = event
        return [event if kind in ("request", "message", "call") else (turn, kind, f"{subject}{HOSTILE}", HOSTILE, data)]

    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal, raising=False)
    assert judged(hostile) == 1
    shown = capsys.readouterr().out
    assert "\x1b[2J" not in shown
    assert "\u202e" not in shown
    assert "[red]x" in shown


def test_on_a_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    assert main(["demo"]) == 0
    shown = capsys.readouterr().out
    for part in ("without the gate", "with the gate", "GHOST: update_incident", "DUPLICATE", "went as told"):
        assert part in shown
