"""Explanations in words and as data."""

from __future__ import annotations

import pytest

from ghostproof.report import document
from ghostproof.report.explanation import condition, lines
from ghostproof.turn.explanation import BudgetRange, Fact, Mended, Suggestion, Thresholds, WhySafe, WhyUnsafe, Without
from ghostproof.turn.verdict import Proved, Undetermined

BAD = "\x1b]0;x\x07"
SAFE = WhySafe(
    needed=(
        Fact("invariant", "prompt", "schema_shown or calls_resident <= 0"),
        Fact("start", "environment", "schema_shown"),
        Fact("guard", "call", "schema_shown and not schema_lossy"),
        Fact("ends", f"trim{BAD}", "fits", "ends: fits"),
        Fact("kept", "gate", "schema_shown", "true", "schema_shown"),
        Fact("change", "gate", "true", "calls_resident > 0 and not schema_shown", "tombstone_resident"),
    ),
    offered=9,
    threats=("tool vanishes",),
    without=(
        Without("gate", Undetermined("nobody knows", "bmc")),
        Without("expand", Proved("induction")),
    ),
)
RANGES = (BudgetRange("no session", 0, 0), BudgetRange("ghost", 1, 3), BudgetRange("none", 4, None))
UNSAFE = WhyUnsafe(
    Mended((Suggestion(("swap passes a and b",), Proved("induction")),), 4, ("something is open",)),
    (Thresholds("total_budget", 2, 1, "tool_1: schema 1", RANGES, 3),),
)


def test_what_a_proof_used() -> None:
    text = "\n".join(lines(SAFE, {"gate": ("mine.py", 12)}))
    assert "of every tool, at prompt: its schema is shown or no call is resident" in text
    assert (
        "pass gate (mine.py:12)\n      writes a tombstone, where its schema is not shown and a call is resident" in text
    )
    assert "call: only where its schema is shown and its schema is whole" in text
    assert "without pass gate: not determined (undetermined)" in text
    assert "without pass expand: no ghost either, proved" in text
    assert "it uses nothing of what these passes do: expand" in text
    assert BAD not in text


def test_a_pass_that_is_named_like_a_place_is_not_taken_for_it() -> None:
    why = WhySafe((Fact("invariant", "prompt", "schema_shown"),), 2, (), (Without("prompt", Proved("induction")),))
    assert "  it uses nothing of what these passes do: prompt" in lines(why, {})


def test_what_would_mend_it_and_when_it_fails() -> None:
    text = "\n".join(lines(UNSAFE, {}))
    assert "swap passes a and b" in text
    assert "what is proved is the changed model, not code" in text
    assert "0 tokens: no session starts" in text
    assert "1 to 3 tokens: a ghost at each, replayed" in text
    assert "4 tokens and more: none, in any session of up to 2 requests" in text
    assert "something is open" in text


def test_what_is_not_determined_is_no_answer() -> None:
    assert "not determined: out of time" in "\n".join(lines(WhySafe((), 3, (), (), open="out of time"), {}))
    text = "\n".join(lines(WhyUnsafe(Mended((), 7), (), "no bound"), {}))
    assert "no change of the catalogue is known to mend it (7 combinations tried)" in text
    assert "at which budgets there is a ghost: not determined: no bound" in text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("schema_shown or pinned", "its schema is shown or it is pinned"),
        ("mutation and (schema_shown or pinned)", "it changes state and (its schema is shown or it is pinned)"),
        ("calls_resident = 0", "no call is resident"),
        ("a condition holds", "a condition holds"),
    ],
)
def test_conditions_in_words(text: str, said: str) -> None:
    assert condition(text) == said


def test_verdicts_within_an_explanation_say_their_kind() -> None:
    safe, unsafe = document.of_explanation(SAFE), document.of_explanation(UNSAFE)
    assert safe["is"] == "why safe"
    without = safe["without"]
    assert isinstance(without, list)
    assert [(item["name"], item["verdict"]) for item in without] == [("gate", "undetermined"), ("expand", "proved")]
    mended = unsafe["mended"]
    assert isinstance(mended, dict)
    assert mended["suggestions"][0]["verdict"] == "proved"
    assert mended["suggestions"][0]["changes"] == ["swap passes a and b"]
