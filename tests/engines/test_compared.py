"""With every engine asked: answers that contradict each other are a disagreement, and a proof needs a certificate."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from engines.corpus import CORPUS, HANDED_OVER
from ghostproof import examine as module
from ghostproof.engines.problem import Bounds, Finding
from ghostproof.engines.table import ENGINES
from ghostproof.examine import examine
from ghostproof.host.host import LocalHost
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.trace import Walk
from ghostproof.turn.verdict import Disagreement, HoldsTo, Proved, Refuted, Undetermined, Verdict

OPEN = Undetermined("nothing was tried", "an engine")
PROVED = Proved("an engine")


@pytest.fixture(autouse=True)
def kept_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a disagreement leaves for its investigation is swept away with the test."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def refuted(requests: int) -> Refuted:
    """A counterexample of this length."""
    return Refuted("an engine", Walk(({},) * (requests + 1), ("a command",) * requests))


def holds(turns: int) -> HoldsTo:
    return HoldsTo("an engine", turns, 2, "some sizes", 10)


def answer(monkeypatch: pytest.MonkeyPatch, strategy: str = "all", **said: Verdict) -> Verdict:
    """The verdict when the engines say what is given here, and nothing else."""
    findings = {name: Finding(said.get(name.replace("-", "_"), OPEN)) for name in ENGINES}
    monkeypatch.setattr(module, "engine", lambda name: lambda problem, bounds: findings[name])
    return examine(LocalHost(CORPUS["argument-first"]), HANDED_OVER, NO_GHOST, Bounds(turns=2, tools=1), strategy)


def test_a_proof_and_a_counterexample_are_a_disagreement(monkeypatch: pytest.MonkeyPatch) -> None:
    verdict = answer(monkeypatch, induction=PROVED, bmc=refuted(2))
    assert isinstance(verdict, Disagreement)
    assert verdict.engines == ("induction", "bmc")
    assert len(verdict.artefacts) == len(ENGINES)


def test_a_counterexample_that_bmc_should_have_found_is_a_disagreement(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(answer(monkeypatch, bmc=holds(2), explicit=refuted(2)), Disagreement)
    assert not isinstance(answer(monkeypatch, bmc=holds(1), explicit=refuted(2)), Disagreement)


def test_a_longer_counterexample_of_bmc_is_a_disagreement(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(answer(monkeypatch, bmc=refuted(3), explicit=refuted(2)), Disagreement)
    assert isinstance(answer(monkeypatch, bmc=refuted(2), explicit=refuted(2)), Refuted)
    assert isinstance(answer(monkeypatch, bmc=refuted(2), explicit=holds(3)), Refuted)


def test_a_proof_that_nobody_else_could_check_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    verdict = answer(monkeypatch, "k-induction", k_induction=PROVED)
    assert isinstance(verdict, Undetermined)
    assert "no invariant that others could check" in verdict.reason
