"""The saved test fails while the pruner leaves its ghost and passes once it is mended; pytest itself says so."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ghostproof import output
from ghostproof.drive.check import check_callable
from ghostproof.replay import callable_ghosts, ghosts
from ghostproof.report import document, pytest_file
from ghostproof.turn.verdict import Refuted
from report import sessions
from report.samples import HOSTILE, HOSTILE_VERDICTS, VERDICTS, session
from report.sessions import about, answer
from repository.tree import ROOT

PRUNER = """
from ghostproof.turn.budget import prompt_fits
from ghostproof.turn.pruner import Pass, Pruner

def withhold(tool, turn):
    if tool.schema_shown:
        tool.hide_schema()

def gate(tool, turn):
    if tool.arguments_resident and not tool.schema_resident:
        tool.tombstoned = True

def trim(tool, turn):
    if tool.tombstone_is_oldest:
        tool.tombstoned = False
    else:
        tool.evict_call()

PRUNE, TRIM = (Pass(withhold, until=prompt_fits), Pass(gate)), (Pass(trim, until=prompt_fits),)
PRUNER = Pruner(*PRUNE, *TRIM)
"""
MENDED = PRUNER.replace("Pruner(*PRUNE, *TRIM)", "Pruner(*TRIM, *PRUNE)")

CALLABLE = """
def prune(request):
    asked = [message["content"] for message in request["messages"] if message["role"] == "user"][-1]
    kept = [tool for tool in request["tools"] if tool["function"]["name"].split("_")[-1].rstrip("s") in asked]
    return {**request, "tools": kept}
"""
MENDED_CALLABLE = CALLABLE.replace(
    "return {",
    """
    shown = {tool["function"]["name"] for tool in kept}
    calls = [call["function"]["name"] for message in request["messages"] for call in message.get("tool_calls") or []]
    notes = [
        {"role": "system", "content": f"[{name}] The schema of this tool is withheld; request it before calling."}
        for name in calls if name not in shown
    ]
    request = {**request, "messages": [*request["messages"], *notes]}
    return {""",
)


def write(target: Path, name: str, verdict: Refuted, saved: Path) -> Path:
    text = pytest_file.test_text(about(verdict, 1, f"{target}:{name}"), str(saved), output.story(verdict))
    assert text is not None
    test = Path(pytest_file.path_beside(str(saved)))
    test.write_text(text)
    return test


def run(*tests: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *map(str, tests)],
        cwd=tests[0].parent,
        env=os.environ | {"PYTHONPATH": str(ROOT / "model"), "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return done.stdout


def test_both_ways(tmp_path: Path) -> None:
    code = tmp_path / "code"
    code.mkdir()
    model, real = code / "model.py", code / "real.py"
    model.write_text(PRUNER)
    real.write_text(CALLABLE)
    found = check_callable(f"{real}:prune", turns=2, tools=2, seconds=5.0, megabytes=2000)
    assert isinstance(found, Refuted)
    tests = (
        write(model, "PRUNER", Refuted("bmc", session()), tmp_path / "model.json"),
        write(real, "prune", found, tmp_path / "real.json"),
    )
    said = run(*tests)
    assert "2 failed" in said, said
    assert "pass trim removes the tombstone of tool_1" in said
    model.write_text(MENDED)
    real.write_text(MENDED_CALLABLE)
    said = run(*tests)
    assert "2 passed" in said, said


def test_a_mended_pruner_may_make_actions_of_the_session_impossible(tmp_path: Path) -> None:
    target = tmp_path / "keeps.py"
    # It never writes the tombstone that the session's model ignores.
    target.write_text(PRUNER.replace("Pruner(*PRUNE, *TRIM)", "Pruner(Pass(trim, until=prompt_fits))"))
    played = document.plain(session().script)
    assert isinstance(played, dict)
    assert ghosts(f"{target}:PRUNER", played, "no_ghost") == []


def test_a_session_that_took_another_course_is_still_judged(tmp_path: Path) -> None:
    target = tmp_path / "worse.py"
    target.write_text(PRUNER.replace("Pruner(*PRUNE, *TRIM)", "Pruner(PRUNE[0])"))
    played = document.plain(session().script)
    assert isinstance(played, dict)
    assert ghosts("worse.py:PRUNER", played, "no_ghost", beside=str(tmp_path / "test_x.py"))[0].startswith("request 1 ")


def test_both_ghosts_of_a_request_are_named(tmp_path: Path) -> None:
    target = tmp_path / "worse.py"
    target.write_text(PRUNER.replace("Pruner(*PRUNE, *TRIM)", "Pruner(PRUNE[0])"))
    played = document.plain(sessions.two_ghosts().script)
    assert isinstance(played, dict)
    said = ghosts(f"{target}:PRUNER", played, "no_ghost")
    assert [line.partition(" of ")[2].partition(",")[0] for line in said] == ["tool_1", "tool_2"]


def test_answers_from_elsewhere_are_branched_over(tmp_path: Path) -> None:
    target = tmp_path / "selecting.py"
    target.write_text("""
def prune(request, oracle):
    chosen = oracle.choose("keeps", [["send_email", "search_orders"], ["search_orders"]])
    return {**request, "tools": [tool for tool in request["tools"] if tool["function"]["name"] in chosen]}
""")
    found = check_callable(f"{target}:prune", turns=2, tools=2, seconds=5.0, megabytes=2000)
    assert isinstance(found, Refuted)
    requests = document.plain([exchange.offered for exchange in found.trace.exchanges])  # type: ignore[union-attr]
    assert isinstance(requests, list)
    (said,) = callable_ghosts(f"{target}:prune", requests, "no_ghost")
    assert said.endswith("; keeps: search_orders")


@pytest.mark.parametrize(
    ("saved", "test"),
    [
        ("mine.json", "test_mine_ghost.py"),
        ("a/b-c d.json", "a/test_b_c_d_ghost.py"),
        ("answer", "test_answer_ghost.py"),
        ("Ünïcode.JSON", "test_n_code_json_ghost.py"),
        ("---.json", "test_saved_ghost.py"),
    ],
)
def test_its_name_follows_from_the_name_of_the_answer(saved: str, test: str) -> None:
    assert pytest_file.path_beside(saved) == test


def test_only_sessions_become_tests() -> None:
    for name, verdict in VERDICTS.items():
        text = pytest_file.test_text(about(verdict, 1), "a.json", [])
        assert (text is not None) == (name == "refuted")
    walk = HOSTILE_VERDICTS[3]
    assert pytest_file.test_text(about(walk, 1), "a.json", []) is None


def test_foreign_text_is_comment_or_literal_and_nothing_else(tmp_path: Path) -> None:
    evil = 'x"""\n\r\u2028import os; os.abort()\\'
    checked = answer(session(HOSTILE, evil), f"{evil}:NAME")
    text = pytest_file.test_text(checked, str(tmp_path / "x.json"), [*output.story(sessions.refuted()), evil])
    assert text is not None
    assert text.replace("\n", "").isprintable()
    code = compile(text, "x", "exec")
    known = {"ghostproof.replay", "ghosts", "PRUNER", "JUDGED", "SESSION", "test_x_leaves_no_ghost", "__doc__"}
    assert set(code.co_names) <= known


def test_it_is_the_same_each_time_and_imports_ghostproof_only() -> None:
    texts = {pytest_file.test_text(answer(session()), "a.json", ["told"]) for _ in range(2)}
    (text,) = texts
    assert text is not None
    imports = [line for line in text.splitlines() if line.startswith(("import ", "from "))]
    assert imports == ["from ghostproof.replay import ghosts"]


def test_literals_are_what_they_were() -> None:
    value = {
        "a": [True, None, 1.5, -3, 'it\'s "both" \\ \u202e \ud800 é 😀'],
        "b": {"c": ["x" * 200], "d": {}, "e": []},
    }
    text = pytest_file.literal(value)
    assert text.isascii()
    assert eval(text, {}) == value
