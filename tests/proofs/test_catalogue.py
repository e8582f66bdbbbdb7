"""What every claim must have, and that looking at the claims costs nothing."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from ghostproof.lift.limits import Limits
from ghostproof.report.theory import theory
from ghostproof.turn.claim import Claim, Obligation, Question
from ghostproof.turn.verdict import Proved, Refuted
from ghostproof.witnessing import everything
from ghostproof_proofs.catalogue import CLAIMS
from ghostproof_proofs.groups import GROUPS

BY_NAME = {claim.name: claim for claim in CLAIMS}


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.name)
def test_a_claim_is_complete(claim: Claim) -> None:
    assert claim.title
    assert claim.statement.endswith(".")
    assert claim.reason.endswith(".")
    assert claim.seed
    assert claim.imprecise.endswith(".")
    assert claim.group in GROUPS
    labels = [question.label for question in claim.questions]
    assert len(set(labels)) == len(labels)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.name)
def test_wrong_variants_are_marked_and_expect_their_size(claim: Claim) -> None:
    for question in claim.questions:
        if isinstance(question, Obligation):
            continue
        wrong = question.expected.verdict is Refuted
        assert question.broken == wrong
        assert not wrong or (question.expected.requests and question.expected.tools)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.name)
def test_how_far_an_answer_reaches_is_expected_too(claim: Claim) -> None:
    for question in claim.questions:
        assert question.expected.verdict is Proved or question.expected.scope, question.label


def test_claims_are_read_in_the_order_of_the_groups() -> None:
    assert tuple(dict.fromkeys(claim.group for claim in CLAIMS)) == GROUPS


def test_the_theory_on_one_page_cuts_nothing_off() -> None:
    assert not [line for line in theory(CLAIMS, every_question=True) if "characters)" in line]


def test_the_first_claims_stand_next_to_wrong_variants() -> None:
    for name in ("T1", "T2", "T3", "T4", "T5", "T6", "T7", "T8", "T16"):
        kinds = {question.expected.verdict for question in BY_NAME[name].questions}
        assert kinds >= {Proved, Refuted}, name


def test_what_is_said_to_be_absent_is_a_witness_that_would_be_asked_for() -> None:
    for claim in CLAIMS:
        for question in claim.questions:
            if not isinstance(question, Question) or not question.absent:
                continue
            passes = (item.name for item in question.pruner.passes)
            asked = everything(passes, question.scenario, question.judged, Limits())
            assert question.absent <= {witness.name for witness in asked}, f"{claim.name} {question.label}"


def test_the_catalogue_loads_no_solver() -> None:
    code = (
        "import sys, ghostproof_proofs.catalogue;"
        "print([name for name in ('z3', 'cvc5', 'networkx', 'rich') if name in sys.modules])"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert run.stdout.strip() == "[]"
