"""What is said about each kind of verdict, always with its bound."""

from __future__ import annotations

from typing import get_args

import pytest

from ghostproof.report.verdict_words import checked_by, details, engine, kind, minimality, scope, sentence
from ghostproof.turn.verdict import HoldsTo, Proved, Refuted, Undetermined, Vacuous, Verdict
from report.samples import HOSTILE_VERDICTS, REPLAYED, VERDICTS, session


def test_there_is_a_sample_of_each_kind() -> None:
    assert {type(verdict) for verdict in VERDICTS.values()} == set(get_args(Verdict))
    assert {kind(verdict): kind(verdict) for verdict in VERDICTS.values()}.keys() == VERDICTS.keys()


SENTENCES = {
    "proved": "Proved: for every number of tools, turns, budgets and sizes, no ghost is sent.",
    "proved up to": "Proved up to 2 tools: for every number of turns, all budgets and sizes, no ghost is sent; nothing"
    " is said about more tools.",
    "holds to": "Holds to 3 turns, 2 tools (1,204 sessions explored; sizes 1 to 2): there, no ghost is sent; nothing is"
    " said beyond.",
    "refuted": "Refuted: a session of 2 requests with 1 tool breaks the property that no ghost is sent.",
    "undetermined": "Undetermined, which is no pass: the limit ran out. What is known: Holds to 3 turns, 2 tools (1,204"
    " sessions explored; sizes 1 to 2); nothing is said beyond.",
    "vacuous": "Vacuous: that no ghost is sent says nothing here. What has to be so for it to mean something, and never"
    " is: a pruned schema; a resident call.",
    "invalid pruner": "Invalid pruner: p.py:3: a clock; use idle_turns",
    "disagreement": "Disagreement: induction and bmc gave different definite answers, so one of them is wrong; kept for"
    " the investigation: kept.smt2.",
}


@pytest.mark.parametrize("name", VERDICTS)
def test_the_sentence(name: str) -> None:
    assert sentence(VERDICTS[name], "no ghost is sent") == SENTENCES[name]


@pytest.mark.parametrize(
    ("name", "reach"),
    [
        ("proved", "any tools, turns, budgets, sizes"),
        ("proved up to", "2 tools; any turns, budgets, sizes"),
        ("holds to", "3 turns, 2 tools"),
        ("refuted", "2 requests, 1 tool"),
        ("undetermined", "holds to 3 turns, 2 tools"),
        ("vacuous", "-"),
        ("invalid pruner", "-"),
        ("disagreement", "-"),
    ],
)
def test_the_scope(name: str, reach: str) -> None:
    assert scope(VERDICTS[name]) == reach


def test_the_engine_and_the_checkers() -> None:
    assert engine(VERDICTS["disagreement"]) == "induction, bmc"
    assert engine(VERDICTS["invalid pruner"]) == "-"
    assert checked_by(VERDICTS["proved"]) == "z3"  # what could not be checked by somebody was not checked by him
    assert checked_by(VERDICTS["vacuous"]) == "-"


def test_the_details_of_a_proof() -> None:
    assert details(VERDICTS["proved"]) == [
        "invariant, of every tool:",
        "  at prompt: its schema is shown, or a tombstone stands",
        "  at all other places: nothing has to be known",
        "checked by z3: queries (3)",
        "not checked by enumeration: not enumerable",
    ]


def test_a_candidate_is_no_refutation() -> None:
    assert details(Undetermined("x", "bmc", None, ("a step",))) == [
        "a candidate that was not realised by any session tried, so no refutation:",
        "  a step",
    ]


def test_minimality() -> None:
    assert minimality(Refuted("bmc", session(), ("fewer requests: excluded",))) == ["minimal: fewer requests: excluded"]


def test_one_of_anything_is_not_many() -> None:
    assert "Holds to 1 turn, 1 tool (1 sessions explored" in sentence(HoldsTo("e", 1, 1, "s", 1), "x")


@pytest.mark.parametrize("verdict", HOSTILE_VERDICTS, ids=lambda verdict: type(verdict).__name__)
def test_hostile_text_is_shown_as_text(verdict: Verdict) -> None:
    lines = [
        sentence(verdict, "x"),
        kind(verdict),
        scope(verdict),
        engine(verdict),
        checked_by(verdict),
        *details(verdict),
    ]
    assert all(line.isprintable() and len(line) < 3000 for line in lines)


def test_a_proof_without_an_invariant_has_none() -> None:
    assert details(Proved("induction", {}, (REPLAYED,))) == [
        "checked by replay: requests played by the plain functions (2)"
    ]


def test_a_search_for_witnesses_says_how_far_it_went() -> None:
    said = sentence(Vacuous(("a pass hides a schema",), "bmc", "up to 4 requests with up to 2 tools"), "s is so")
    assert said == (
        "Vacuous: that s is so says nothing here. What has to be so for it to mean something was found in no session of"
        " up to 4 requests with up to 2 tools, and nothing is said beyond: a pass hides a schema."
    )


def test_a_property_of_all_states_reads_as_a_sentence_too() -> None:
    trivial = "some state, reached or not, violates the property"
    said = sentence(Vacuous((trivial,), "induction"), "no ghost is sent")
    assert said.endswith(f". What has to be so for it to mean something, and never is: {trivial}.")
