"""JSON holds all of an answer, and nothing that a terminal would obey."""

from __future__ import annotations

import json
from dataclasses import fields

import pytest

from ghostproof.report import document
from ghostproof.turn.trace import Script, ScriptTurn
from ghostproof.turn.verdict import Refuted, Verdict
from report.samples import HOSTILE_VERDICTS, RECORDING, VERDICTS, outcome, part, session


@pytest.mark.parametrize("name", VERDICTS)
def test_a_verdict_has_its_kind_and_all_its_fields(name: str) -> None:
    verdict = VERDICTS[name]
    held = json.loads(document.text(document.of_verdict(verdict)))
    assert held["verdict"] == name
    assert held["format"] == document.FORMAT
    assert {field.name for field in fields(verdict)} <= held.keys()


def test_a_trace_can_be_played_from_what_is_saved() -> None:
    trace = session()
    held = json.loads(document.text(document.of_verdict(Refuted("bmc", trace))))["trace"]
    turns = tuple(
        ScriptTurn(turn["budgets"], tuple(turn["environment"]), tuple(turn["response"]), tuple(turn["execution"]))
        for turn in held["script"]["turns"]
    )
    assert Script(tuple(held["script"]["tools"]), held["script"]["rest_tokens"], turns) == trace.script
    assert held["is"] == "trace"
    assert {step["is"] for request in held["requests"] for step in request["steps"]} == {"change", "pass end"}
    assert held["requests"][-1]["violations"] == [0]


def test_a_recording_keeps_its_payload() -> None:
    held = json.loads(document.text(document.of_verdict(Refuted("session driver", RECORDING))))["trace"]
    assert held["is"] == "recording"
    assert held["exchanges"][0]["sent"] == {"messages": [{"role": "user", "content": "go"}], "tools": []}


def test_a_claim_says_what_was_expected() -> None:
    held = document.of_outcome(outcome(part(VERDICTS["vacuous"], as_expected=False)))
    assert held["passed"] is False
    assert isinstance(parts := held["parts"], list)
    assert {"label": "a", "expected": "Proved", "passed": False, "verdict": "vacuous"}.items() <= parts[0].items()


@pytest.mark.parametrize("verdict", HOSTILE_VERDICTS, ids=lambda verdict: type(verdict).__name__)
def test_hostile_text_is_escaped(verdict: Verdict) -> None:
    text = document.text(document.of_verdict(verdict))
    assert all(line.isprintable() and line.isascii() for line in text.splitlines())
    assert "owned" in text


def test_the_delete_character_is_escaped_too() -> None:
    text = document.text({"a": "\x7f"})
    assert "\x7f" not in text
    assert json.loads(text)["a"] == "\x7f"
