"""What a command writes besides its text: SARIF, the page, the saved test."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli.run import EXAMPLES, ghostproof
from report.sarif_shape import faults

PRUNER = """\
from ghostproof.turn.pruner import Pass, Pruner


def withhold(tool, turn):
    tool.hide_schema()


PRUNER = Pruner(Pass(withhold))
"""


@pytest.fixture
def pruner(tmp_path: Path) -> Path:
    file = tmp_path / "mine.py"
    file.write_text(PRUNER)
    return file


def results(text: str) -> list[dict[str, Any]]:
    log = json.loads(text)
    assert list(faults(log)) == []
    found: list[dict[str, Any]] = log["runs"][0]["results"]
    return found


def test_sarif_points_at_the_line_of_the_pass(pruner: Path) -> None:
    done = ghostproof("check", f"{pruner}:PRUNER", "--format", "sarif")
    assert done.returncode == 1
    (result,) = results(done.stdout)
    assert result["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": f"file://{pruner}"},
        "region": {"startLine": 4},
    }


def test_sarif_of_real_code_points_at_its_definition() -> None:
    done = ghostproof("check", "--callable", f"{EXAMPLES / 'callable_pruner.py'}:by_last_question", "--format", "sarif")
    assert done.returncode == 1
    (result,) = results(done.stdout)
    line = result["locations"][0]["physicalLocation"]["region"]["startLine"]
    text = (EXAMPLES / "callable_pruner.py").read_text().splitlines()[line - 1]
    assert text.startswith("def by_last_question(")


def test_sarif_of_an_invalid_pruner(pruner: Path) -> None:
    pruner.write_text(PRUNER.replace("    tool.hide", "    import time\n    tool.hide"))
    done = ghostproof("check", f"{pruner}:PRUNER", "--format", "sarif")
    assert done.returncode == 2
    (result,) = results(done.stdout)
    assert (result["ruleId"], result["kind"]) == ("invalid_pruner", "fail")
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 5


def test_sarif_of_claims_in_a_file(tmp_path: Path) -> None:
    report = tmp_path / "claims.sarif"
    done = ghostproof("prove", "T1", "--format", "sarif", "-o", str(report))
    assert done.returncode == 0
    found = results(report.read_text())
    assert found
    for result in found:
        assert (result["ruleId"], result["kind"]) == ("T1", "pass")
        assert "physicalLocation" in result["locations"][0]


def test_a_refuted_session_is_saved_as_a_test_and_drawn(pruner: Path) -> None:
    saved, page = pruner.with_name("found.json"), pruner.with_name("found.html")
    done = ghostproof("check", f"{pruner}:PRUNER", "--save", str(saved), "--html", str(page))
    test = pruner.with_name("test_found_ghost.py")
    assert done.returncode == 1
    assert done.stdout.splitlines()[-3:] == [
        f"saved as {saved}",
        f"test that fails until the pruner is mended: {test}",
        f"page written to {page}",
    ]
    assert '"mine.py:PRUNER"' in test.read_text()
    assert page.read_text().startswith("<!DOCTYPE html>\n<html lang=")
    # Once more, and the same: our own test is replaced.
    text = test.read_text()
    assert ghostproof("check", f"{pruner}:PRUNER", "--save", str(saved)).returncode == 1
    assert test.read_text() == text


def test_a_test_of_somebody_else_is_left_alone(pruner: Path) -> None:
    test = pruner.with_name("test_found_ghost.py")
    test.write_text("mine\n")
    done = ghostproof("check", f"{pruner}:PRUNER", "--save", str(pruner.with_name("found.json")))
    assert done.returncode == 1
    assert f"{test} is no test of ours and was left as it is" in done.stdout
    assert test.read_text() == "mine\n"


def test_a_page_that_cannot_be_written_is_refused_at_once(pruner: Path) -> None:
    done = ghostproof("check", f"{pruner}:PRUNER", "--html", str(pruner.parent / "no" / "such.html"))
    assert done.returncode == 2
    assert "cannot be written" in done.stderr


def test_a_proof_has_a_page_and_no_test(pruner: Path) -> None:
    saved, page = pruner.with_name("found.json"), pruner.with_name("found.html")
    target = f"{EXAMPLES / 'proved.py'}:PRUNER"
    done = ghostproof("check", target, "--save", str(saved), "--html", str(page), "--format", "sarif")
    assert done.returncode == 0
    assert [result["kind"] for result in results(done.stdout)] == ["pass"]
    assert done.stderr.splitlines() == [f"saved as {saved}", f"page written to {page}"]
    assert not list(pruner.parent.glob("test_*"))


def test_a_pass_may_bear_the_name_of_another_actor(pruner: Path) -> None:
    pruner.write_text(PRUNER.replace("withhold", "response"))
    saved = pruner.with_name("found.json")
    done = ghostproof("check", f"{pruner}:PRUNER", "--html", str(pruner.with_name("x.html")), "--save", str(saved))
    assert done.returncode == 1, done.stderr
    assert "  pass response (every tool once): prompt 2 -> 1 tokens" in done.stdout
