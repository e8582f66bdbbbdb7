"""docs/theory.md says what the catalogue of claims says: no more, no less, and no number of its own.

`make prove`, which CI runs, settles every question of the catalogue. So a statement that cites one is run there.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest

from cli.run import environment
from ghostproof.report.theory import answer
from ghostproof.turn.claim import Obligation, Question
from ghostproof_proofs.catalogue import CLAIMS
from ghostproof_proofs.groups import GROUPS
from repository.markdown import prose
from repository.theory import BY_NAME, PAGE, WrongPageError, by_hand, citations, parts, written
from repository.tree import ROOT

TEXT = PAGE.read_text(encoding="utf-8")
SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z*`])")
HEADING = re.compile(r"#+ ")
A_CLAIM = re.compile(r"\bT\d+\b")
# What a sentence says that is a theorem, or would like to be one.
CLAIMS_SOMETHING = re.compile(r"\b(never|always|safe|unsafe|sound|unsound|sends)\b")
# Names with a digit in them.
NAMES = re.compile(r"\b[TR]\d+\b|\bz3\b|\bcvc5\b")
NUMBER = re.compile(
    r"\d|\b(two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozens?|hundreds?|thousands?)"
    r"( \w+)? (requests?|tools?|turns?|tokens?|questions?|claims?|combinations?|states?|sessions?|seconds?|paths?)\b"
)


def sentences(text: str) -> Iterator[str]:
    """Each sentence of the running text, list items and table cells included; headings and code blocks left out."""
    for block in re.split(r"\n\s*\n|\n(?=- |\d+\. |\|)", prose(text)):
        if block.strip() and not HEADING.match(block.lstrip()):
            yield from SENTENCE_END.split(" ".join(block.split()))


def of_claims(text: str) -> str:
    """What stands below the headings of claims."""
    return "\n".join(re.findall(r"^### T.*?\n(.*?)(?=^#{1,3} |\Z)", by_hand(text), re.DOTALL | re.MULTILINE))


def elsewhere(text: str) -> str:
    """What is written by hand and stands below no heading of a claim."""
    return re.sub(r"^### T.*?\n.*?(?=^#{1,3} |\Z)", "", by_hand(text), flags=re.DOTALL | re.MULTILINE)


def unsettled(text: str) -> list[str]:
    """The sentences that claim something and name nothing that settles it."""
    bold = [one for one in sentences(elsewhere(text)) if CLAIMS_SOMETHING.search(one)]
    return [one for one in [*sentences(of_claims(text)), *bold] if not A_CLAIM.search(one)]


def numbers(text: str) -> list[str]:
    """The sentences written by hand that hold a number which might be a result."""
    return [one for one in sentences(by_hand(text)) if NUMBER.search(NAMES.sub("", re.sub(r"`[^`]*`", "", one)))]


def cited_questions(text: str) -> list[Question | Obligation]:
    """The questions that are cited by hand. Raises WrongPageError where one is not what the page says it is."""
    return [one.question for one in citations(by_hand(text))]


def headings(text: str) -> list[str]:
    """The groups and claims, in the order of the page."""
    groups = "|".join(map(re.escape, GROUPS))
    return re.findall(rf"^(## (?:{groups})|### T\d+: .*)$", text, re.MULTILINE)


def test_the_generated_parts_are_what_the_catalogue_says() -> None:
    assert written(TEXT) == TEXT, "run `make theory`"


def test_each_claim_stands_in_its_group_under_its_title() -> None:
    expected = []
    for group in GROUPS:
        expected.append(f"## {group}")
        expected += [f"### {claim.name}: {claim.title}" for claim in CLAIMS if claim.group == group]
    assert headings(TEXT) == expected


def test_each_claim_has_its_part_and_is_cited() -> None:
    names = [name for name, _ in parts(TEXT)]
    assert sorted(names) == sorted([*BY_NAME, "counts", "matrix", "session"])
    assert {one.claim for one in citations(by_hand(TEXT))} == set(BY_NAME)


def test_each_question_that_is_cited_has_the_answer_that_the_page_gives() -> None:
    assert cited_questions(TEXT)


def test_each_claim_that_is_named_exists() -> None:
    assert set(A_CLAIM.findall(by_hand(TEXT))) == set(BY_NAME)


def test_what_claims_something_says_what_settles_it() -> None:
    assert unsettled(TEXT) == []


def test_no_number_is_written_by_hand() -> None:
    assert numbers(TEXT) == []


STATEMENT = "### T6: what the cascade buys\n"


@pytest.mark.parametrize(
    ("wrong", "what"),
    [
        pytest.param("Evicting is free (proved: `T6 free`).", "no question T6 free", id="unknown question"),
        pytest.param("Evicting is free (proved: `T99 a cascade`).", "no question T99", id="unknown claim"),
        pytest.param("No cascade (proved: `T6 no decision`).", "said to be proved", id="another answer"),
        pytest.param("No cascade (`T6 no decision`).", "without an answer", id="no answer"),
        pytest.param("No cascade, `T6 no decision`.", "without an answer", id="outside parentheses"),
    ],
)
def test_a_wrong_citation_is_noticed(wrong: str, what: str) -> None:
    with pytest.raises(WrongPageError, match=what):
        cited_questions(TEXT.replace(STATEMENT, f"{STATEMENT}\n{wrong}\n"))


def test_a_statement_without_a_citation_is_noticed() -> None:
    assert unsettled(TEXT.replace(STATEMENT, f"{STATEMENT}\nIt buys speed.\n")) == ["It buys speed."]
    assert unsettled(TEXT + "\nA gate is always safe.\n") == ["A gate is always safe."]


@pytest.mark.parametrize("wrong", ["It takes 5 requests.", "It takes three small requests.", "Two tools are enough."])
def test_a_number_of_its_own_is_noticed(wrong: str) -> None:
    assert numbers(TEXT + f"\n{wrong.lower()}\n") == [wrong.lower()]


def test_a_part_that_nothing_makes_is_noticed() -> None:
    with pytest.raises(WrongPageError, match="nothing is generated for T99"):
        written(TEXT + "<!-- generated: T99 -->\n<!-- end -->\n")


def test_a_stale_part_is_noticed() -> None:
    stale = TEXT.replace("refuted: 3 requests, 1 tool |", "refuted: 2 requests, 1 tool |", 1)
    assert stale != TEXT
    assert written(stale) == TEXT


@pytest.mark.slow
def test_real_runs_give_the_answers_of_the_page() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "ghostproof", "prove", "--format", "json"],
        env=environment(),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=1800,
    )
    found = {(c["claim"], part["label"]): part for c in json.loads(run.stdout)["claims"] for part in c["parts"]}
    assert found.keys() == {(claim.name, question.label) for claim in CLAIMS for question in claim.questions}
    page = dict(parts(TEXT))
    for one in citations(by_hand(TEXT)):
        part, expected = found[one.claim, one.label], one.question.expected
        assert part["verdict"] == one.kind
        assert answer(expected) in page[one.claim]
        if expected.missing:
            assert set(part["which"]) == expected.missing
        elif expected.scope:
            # The real scope may say more: how deep a search went, or what is free.
            assert expected.scope in part["scope"]
