"""Ctrl-C while claims are settled, at every moment: what was finished is said, and nobody shows a stack."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from multiprocessing.connection import Pipe

import pytest

from ghostproof import claims, proving, workers
from ghostproof.cli import main
from ghostproof.turn.claim import Claim, Expected, Obligation
from ghostproof.turn.verdict import Proved


def obligation(label: str) -> Obligation:
    return Obligation(label, f"{label} is so", lambda: Proved("e"), Expected(Proved))


CLAIM = Claim("T1", "a title", "a statement", "a reason", "a sentence", (obligation("a"), obligation("b")))


class Interrupted:
    """A crew that is interrupted at one moment; `at` says at which."""

    def __init__(self, at: str) -> None:
        self._at = at

    def __enter__(self) -> Interrupted:
        if self._at == "start":
            raise KeyboardInterrupt
        return self

    def __exit__(self, *raised: object) -> None:
        if self._at == "end":
            raise KeyboardInterrupt

    def settle(self, questions: Iterable[tuple[str, int]]) -> Iterator[workers.Answered]:
        yield workers.answered(CLAIM, 0)
        if self._at == "answers":
            raise KeyboardInterrupt


@pytest.mark.parametrize(("at", "open_"), [("start", 2), ("answers", 1), ("end", 1)])
def test_what_was_finished_is_said(
    at: str, open_: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(proving, "installed", lambda: [CLAIM])
    monkeypatch.setattr(proving, "Crew", lambda jobs: Interrupted(at))
    assert main(["prove"]) == 130
    shown = capsys.readouterr()
    assert f"T1: not settled: interrupted before {open_} of 2 questions were settled" in shown.out
    assert shown.err == ""


def test_a_worker_whose_parent_is_gone_ends_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = Pipe()

    def leave() -> Proved:
        ours.close()
        return Proved("e")

    question = Obligation("a", "a is so", leave, Expected(Proved))
    monkeypatch.setattr(claims, "installed", lambda: [Claim("T1", "t", "s", "r", "s", (question,))])
    ours.send(("T1", 0))
    workers.serve(theirs.fileno())
    assert ours.closed
    theirs._handle = None  # type: ignore[attr-defined]  # the descriptor was the worker's to close


class Impatient:
    """A worker at whose end Ctrl-C comes a second time."""

    def __init__(self) -> None:
        self.ends = 0

    def end(self) -> None:
        self.ends += 1
        if self.ends == 1:
            raise KeyboardInterrupt


def test_a_second_interrupt_leaves_no_worker_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    crew, them = workers.Crew(2), [Impatient(), Impatient()]
    monkeypatch.setattr(crew, "_workers", dict(enumerate(them)))
    with pytest.raises(KeyboardInterrupt):
        crew.__exit__()
    assert [one.ends for one in them] == [2, 1]
