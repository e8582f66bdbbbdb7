"""`ghostproof check --explain` from outside."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.run import EXAMPLES, ghostproof


def test_a_proof_is_explained_by_its_gate() -> None:
    done = ghostproof("check", "--explain", f"{EXAMPLES / 'proved.py'}:PRUNER")
    assert done.returncode == 0, done.stderr
    assert "why it is safe" in done.stdout
    assert "pass evict_or_tombstone (" in done.stdout
    assert "proved.py:" in done.stdout
    assert "without pass evict_or_tombstone: a ghost in " in done.stdout
    assert "without pass forget: no ghost either" in done.stdout


# docs/why.md shows the same in CI.
@pytest.mark.slow
def test_a_refutation_comes_with_what_mends_it(tmp_path: Path) -> None:
    saved, page = tmp_path / "saved.json", tmp_path / "page.html"
    target = f"{EXAMPLES / 'refuted.py'}:PRUNER"
    done = ghostproof("check", "--explain", target, "--scenario", "ordinary", "--save", str(saved), "--html", str(page))
    assert done.returncode == 1, done.stderr
    assert "what would mend it\n  swap passes gate and trim\n" in done.stdout
    assert "2 to 3 tokens: a ghost at each, replayed" in done.stdout
    held = json.loads(saved.read_text())["explanation"]
    assert held["is"] == "why unsafe"
    assert held["thresholds"][0]["ranges"][1] == {"outcome": "ghost", "first": 2, "last": 3}
    assert "swap passes gate and trim" in page.read_text()


def test_only_who_asks_is_told() -> None:
    done = ghostproof("check", f"{EXAMPLES / 'proved.py'}:PRUNER", "--format", "json")
    assert "explanation" not in json.loads(done.stdout)


def test_a_callable_is_not_explained() -> None:
    done = ghostproof("check", "--explain", "--callable", f"{EXAMPLES / 'callable_pruner.py'}:by_last_question")
    assert done.returncode == 2
    assert "--explain is for models" in done.stderr
