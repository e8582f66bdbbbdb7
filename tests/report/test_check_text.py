"""The answer about one pruner."""

from __future__ import annotations

import json

import pytest

from ghostproof.report.check_text import Checked, json_text, lines
from ghostproof.report.story import tell
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.trace import Trace
from ghostproof.turn.verdict import Refuted, Verdict
from report.samples import HOSTILE, HOSTILE_VERDICTS, VERDICTS


def told(verdict: Refuted) -> list[str]:
    return tell(verdict.trace) if isinstance(verdict.trace, Trace) else []


def checked(verdict: Verdict, target: str = "p.py:P") -> Checked:
    return Checked(target, NO_GHOST, "every action", verdict, 0, 1.5, 3100, 0.25, ("a note",))


def test_a_proof() -> None:
    assert lines(checked(VERDICTS["proved"]), told, verbose=False) == [
        "proved: p.py:P (any tools, turns, budgets, sizes)",
        "property no_ghost; admitted: every action",
        f"Proved: for every number of tools, turns, budgets and sizes, {NO_GHOST.sentence}.",
        "note: a note",
        "found by induction, checked by z3",
    ]


def test_verbose_says_what_it_rests_on() -> None:
    shown = lines(checked(VERDICTS["proved"]), told, verbose=True)
    assert shown[4] == "invariant, of every tool:"
    assert shown[-2:] == [
        "lifting compared with the plain functions at 3,100 points",
        "engine induction; 1.50 s, of it in solvers 0.25 s",
    ]


def test_a_refutation_is_told_and_called_minimal() -> None:
    shown = lines(checked(VERDICTS["refuted"]), told, verbose=False)
    assert shown[0] == "refuted: p.py:P (2 requests, 1 tool)"
    assert shown[4] == "pruner schemas first, tools as the session starts:"
    assert "minimal: fewer requests: excluded" in shown


def test_an_answer_without_reach_has_none_in_its_first_line() -> None:
    assert lines(checked(VERDICTS["vacuous"]), told, verbose=False)[0] == "vacuous: p.py:P"


def test_json_holds_the_answer() -> None:
    held = json.loads(json_text(checked(VERDICTS["refuted"])))
    wanted = {"target": "p.py:P", "verdict": "refuted", "property": "no_ghost", "compared": 3100, "exit_code": 0}
    assert wanted.items() <= held.items()


@pytest.mark.parametrize("verdict", HOSTILE_VERDICTS, ids=lambda verdict: type(verdict).__name__)
def test_hostile_text_is_shown_as_text(verdict: Verdict) -> None:
    assert all(line.isprintable() for line in lines(checked(verdict, HOSTILE), told, verbose=True))
    assert all(line.isprintable() for line in json_text(checked(verdict, HOSTILE)).splitlines())
