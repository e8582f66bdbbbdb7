"""The theory on one page: grouped, bounded in width, and silent about nothing that is expected."""

from __future__ import annotations

import pytest

from ghostproof.report.theory import HOW_TO_READ, answer, asked, summed, theory
from ghostproof.report.verdict_words import KINDS
from ghostproof.turn.claim import PROVED, Claim, Expected, Obligation
from ghostproof.turn.verdict import HoldsTo, Proved, ProvedUpTo, Refuted, Vacuous, Verdict
from report.samples import HOSTILE

HIDES = Expected(Vacuous, missing=frozenset({"a pass hides a schema"}))


def obligation(expected: Expected = PROVED, text: str = "so") -> Obligation:
    return Obligation("q", text, lambda: Proved("x"), expected)


def claim(name: str, *questions: Obligation, group: str = "", imprecise: str = "", text: str = "so") -> Claim:
    return Claim(name, text, text, text, text, questions, group, imprecise)


def read(*claims: Claim, every_question: bool = False) -> list[str]:
    """What stands below the words."""
    lines = theory(claims, every_question=every_question)
    return lines[lines.index("") + 1 :]


def test_claims_stand_under_the_question_that_they_answer() -> None:
    first, second, third = claim("T1", group="One?"), claim("T2", group="Two?"), claim("T3", group="One?")
    lines = read(first, second, third)
    assert [line for line in lines if line.endswith("?") or line.startswith("T")] == [
        *("ONE?", "T1  so", "T3  so"),
        *("TWO?", "T2  so"),
    ]


def test_a_claim_with_its_questions() -> None:
    told = claim("T1", obligation(), obligation(Expected(Refuted, 2, 1)), obligation(HIDES), imprecise="yet")
    short = [
        "T1  so",
        "  so",
        "  why:  so",
        "  seed: so",
        "  but:  yet",
        "  3 questions: 1 proved for any N, 1 refuted in 2 requests with 1 tool and 1 vacuous",
    ]
    assert read(told) == short
    assert read(told, every_question=True) == [
        *short,
        "    proved: any N                q: so",
        "    refuted: 2 requests, 1 tool  q: so",
        "    vacuous                      q: so (lacks a pass hides a schema)",
    ]


@pytest.mark.parametrize(
    ("expected", "said"),
    [
        (PROVED, "proved: any N"),
        (Expected(ProvedUpTo, tools=2), "proved up to: 2 tools"),
        (Expected(HoldsTo, 1, 3), "holds to: 1 turn, 3 tools"),
        (Expected(Refuted, 2, 1), "refuted: 2 requests, 1 tool"),
        (Expected(Refuted), "refuted"),
        (HIDES, "vacuous"),
    ],
)
def test_an_answer_says_how_far_it_reaches(expected: Expected, said: str) -> None:
    assert answer(expected) == said


def test_a_bound_is_never_summed_away() -> None:
    bounded = [obligation(Expected(HoldsTo, 1, tools)) for tools in (2, 4)]
    few = obligation(Expected(ProvedUpTo, tools=2))
    assert summed([*bounded, few]) == "3 questions: 1 proved up to 2 tools and 2 held to 1 turn with 2 to 4 tools"
    assert summed([obligation(Expected(Refuted))]) == "1 question: 1 refuted"
    assert summed([]) == "no question"


@pytest.mark.parametrize("verdict", KINDS)
def test_each_kind_of_verdict_has_words(verdict: type[Verdict]) -> None:
    assert KINDS[verdict] in answer(Expected(verdict)).replace(": any N", "")


@pytest.mark.parametrize("width", [40, 72, 100])
def test_no_line_is_wider_than_asked(width: int) -> None:
    long = claim(
        "T1", obligation(text="word " * 50), text="a few words " * 40, imprecise="but " * 60, group="Why? " * 20
    )
    assert max(map(len, theory([long], width, every_question=True))) <= width


def test_the_page_says_how_to_read_it() -> None:
    assert theory([], width=10_000)[0] == HOW_TO_READ


def test_hostile_text_is_shown_as_text() -> None:
    hostile = claim(HOSTILE, obligation(text=HOSTILE), group=HOSTILE, imprecise=HOSTILE, text=HOSTILE)
    assert all(line.isprintable() for line in theory([hostile], every_question=True))
    assert asked(obligation(text=HOSTILE)).isprintable()
