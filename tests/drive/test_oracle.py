"""Answers that are branched over."""

import pytest

from drive.targets import small
from ghostproof.drive.catalogue import Size
from ghostproof.drive.client import Client
from ghostproof.drive.environment import offered
from ghostproof.drive.oracle import CHOICES, Oracle


def test_decisions_are_played_and_what_follows_gets_the_first_option() -> None:
    oracle = Oracle((2, 1))
    assert [oracle.choose("a", "xyz"), oracle.choose("b", [10, 20]), oracle.choose("c", (True, False))] == [
        "z",
        20,
        True,
    ]
    assert [(choice.question, choice.options, choice.picked, choice.answer) for choice in oracle.choices] == [
        ("a", 3, 2, "z"),
        ("b", 2, 1, "20"),
        ("c", 2, 0, "True"),
    ]


def test_options_are_told_in_words() -> None:
    oracle = Oracle()
    oracle.choose("q", [["a", "b"]])
    oracle.choose("q", [[]])
    assert [choice.answer for choice in oracle.choices] == ["a, b", "none"]


def test_what_cannot_be_branched_over_is_refused() -> None:
    with pytest.raises(ValueError, match="without any option"):
        Oracle().choose("q", [])
    with pytest.raises(ValueError, match=f"at most {CHOICES}"):
        Oracle().choose("q", range(CHOICES + 1))
    oracle = Oracle()
    for _ in range(CHOICES):
        oracle.choose("q", [1])
    with pytest.raises(ValueError, match="more than"):
        oracle.choose("q", [1])


def test_every_combination_of_answers_is_played_once() -> None:
    with Client(small("hide_some"), seconds=5, megabytes=2000) as client:
        assert client.remembers is False
        played = [sent.decisions for sent in client.branches(offered((), 0, 3, Size.SHORT))]
    assert played == [(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)]
