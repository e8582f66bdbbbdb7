"""Every claim settles as it says: CI runs `make prove`, which asks the same; the matrix of T3 is sampled here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from ghostproof.engines.problem import Bounds
from ghostproof.settle import settle
from ghostproof.turn.claim import Claim, Obligation, Question
from ghostproof.turn.verdict import Proved, Refuted
from ghostproof_proofs.catalogue import CLAIMS

# Every kind of ruling: by the law, by order alone, by the joint budget, by assumption, and each refuted row.
SAMPLE = (
    "law",
    "argument-first, no gate, everything",
    "argument-first, tombstone, first, every tool, trimming leaves tombstones, everything",
    "argument-first, tombstone, last, pruned this turn, trimming takes tombstones, everything",
    "argument-first, evict now, between, every tool, everything",
    "argument-first, evict planned, between, every tool, ordinary",
    "argument-first, stale view, between, every tool, trimming takes tombstones, ordinary",
    "argument-first, stale view, last, every tool, trimming leaves tombstones, everything",
    "schema-first, tombstone, between, every tool, trimming takes tombstones, ordinary",
    "schema-first, tombstone, between, every tool, trimming leaves tombstones, everything",
    "schema-first, tombstone, last, pruned this turn, trimming takes tombstones, ordinary",
    "schema-first, tombstone, last, pruned this turn, trimming leaves tombstones, ordinary",
    "schema-first, evict now, between, pruned this turn, ordinary",
    "schema-first, evict planned, between, every tool, ordinary",
    "schema-first, stale view, last, every tool, trimming takes tombstones, ordinary",
)


def everything() -> Iterator[tuple[Claim, Question | Obligation]]:
    for claim in CLAIMS:
        for question in claim.questions:
            yield claim, question


# What takes longest of T10: its canaries and the other questions of the same kind are always run.
SLOW = (
    "at most one, left behind",
    "fit, whole turns of 3",
    "no loss, separate budgets",
    "nothing left, argument-first that refuses",
)


def marks(claim: Claim, question: Question | Obligation) -> list[pytest.MarkDecorator]:
    slow = question.label not in SAMPLE if claim.name == "T3" else claim.name == "T10" and question.label in SLOW
    return [pytest.mark.slow] if slow else []


# T15 is settled in a module of its own.
CASES = [
    pytest.param(claim, question, id=f"{claim.name} {question.label}", marks=marks(claim, question))
    for claim, question in everything()
    if claim.name != "T15"
]


@pytest.mark.slow
@pytest.mark.parametrize(("claim", "question"), CASES)
def test_settles_as_expected(claim: Claim, question: Question | Obligation) -> None:
    result = settle(replace(claim, questions=(question,)), Bounds())
    answer = result.answers[0]
    assert answer.met, f"expected {question.expected}, got {answer.verdict}"
    if isinstance(answer.verdict, Proved) and isinstance(question, Question):
        by = {checked.by for checked in answer.verdict.checked if checked.count}
        assert by >= {"z3", "cvc5", "replay"}
    if isinstance(answer.verdict, Refuted):
        assert answer.verdict.minimality


def test_the_sample_is_there() -> None:
    labels = {question.label for claim, question in everything() if claim.name == "T3"}
    assert set(SAMPLE) <= labels
