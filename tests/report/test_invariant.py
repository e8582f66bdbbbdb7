"""Invariants in words, and nothing lost that has none."""

from __future__ import annotations

import pytest

from ghostproof.report.invariant import WORDS, in_words, invariant_lines
from ghostproof.turn.tool import FIXED, INITIAL


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (
            "schema_shown or tombstone_resident or calls_resident <= 0",
            "its schema is shown or a tombstone stands or no call is resident",
        ),
        ("not schema_lossy and not registered", "its schema is whole and it is gone"),
        ("calls_resident <= 01", "calls_resident <= 01"),
        ("calls_resident <= 0 or calls_resident >= 1", "no call is resident or a call is resident"),
        ("calls_resident < 12", "calls_resident < 12"),
        ("calls_resident <= calls", "calls_resident <= calls"),
        ("my_pinned or pinned_before or other.pinned", "my_pinned or pinned_before or other.pinned"),
    ],
)
def test_fields_become_words(written: str, said: str) -> None:
    assert in_words(written) == said


def test_the_fields_that_have_words_exist() -> None:
    fields = {pattern.removeprefix("not ").split("\\b")[0].split(" ")[0] for pattern, _ in WORDS}
    assert fields <= set(FIXED) | set(INITIAL)


def test_places_without_content_are_summed_up() -> None:
    assert invariant_lines({}) == []
    assert invariant_lines({"prompt": "true"}) == [
        "invariant, of every tool:",
        "  at all places: nothing has to be known",
    ]
    assert invariant_lines({"prompt": "x <= 2"}) == ["invariant, of every tool:", "  at prompt: x <= 2"]


def test_a_condition_is_told_clause_by_clause() -> None:
    ghost = (
        "calls_resident >= 1 and (schema_lossy and not tombstone_resident if schema_shown else not tombstone_resident)"
    )
    assert invariant_lines({"prompt": f"not ({ghost})", "response": "true"}) == [
        "invariant, of every tool:",
        "  at prompt: its schema is shown, or a tombstone stands, or no call is resident",
        "  at prompt: its schema is whole, or a tombstone stands, or no call is resident",
        "  at all other places: nothing has to be known",
    ]
