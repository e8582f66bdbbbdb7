"""What a claim says cannot occur would be asked for otherwise, and no session of a bounded search shows it."""

from __future__ import annotations

import pytest

from ghostproof.certify.reach import Reach
from ghostproof.certify.vacuity import Witness, search
from ghostproof.engines.problem import Bounds
from ghostproof.host.host import LocalHost
from ghostproof.host.problem import PrunerProblem
from ghostproof.turn.claim import Question
from ghostproof.turn.explore import Grid
from ghostproof.turn.verdict import Proved
from ghostproof.witnessing import everything
from ghostproof_proofs.catalogue import CLAIMS

BOUNDS = Bounds()
DECLARING = [
    pytest.param(question, id=f"{claim.name} {question.label}")
    for claim in CLAIMS
    for question in claim.questions
    if isinstance(question, Question) and question.absent and question.expected.verdict is Proved
]


def asked(question: Question) -> list[Witness]:
    passes = (item.name for item in question.pruner.passes)
    return everything(passes, question.scenario, question.judged, BOUNDS.limits)


@pytest.mark.slow
@pytest.mark.parametrize("question", DECLARING)
def test_no_session_shows_what_is_absent(question: Question) -> None:
    absent = [witness for witness in asked(question) if witness.name in question.absent]
    problem = PrunerProblem(LocalHost(question.pruner), question.scenario, question.judged, Grid(), BOUNDS.limits)
    found = search(absent, problem, BOUNDS.limits, whole=True, within=Reach(3))
    assert [name for name, trace in found.items() if trace is not None] == []
