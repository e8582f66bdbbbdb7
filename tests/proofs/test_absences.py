"""What a claim says cannot occur would be asked for otherwise, and no session of a bounded search shows it."""

from __future__ import annotations

import pytest

from ghostproof.certify.vacuity import search
from ghostproof.engines.problem import Bounds
from ghostproof.host.host import LocalHost
from ghostproof.host.problem import PrunerProblem, Sessions
from ghostproof.settle import witnesses
from ghostproof.turn.claim import Question
from ghostproof.turn.explore import Grid
from ghostproof.turn.trace import Script, Trace
from ghostproof.turn.verdict import Proved
from ghostproof_proofs.catalogue import CLAIMS

BOUNDS = Bounds()
DECLARING = [
    pytest.param(question, id=f"{claim.name} {question.label}")
    for claim in CLAIMS
    for question in claim.questions
    if isinstance(question, Question) and question.absent and question.expected.verdict is Proved
]


class Player:
    """Unrolls and plays the sessions of a question's pruner."""

    def __init__(self, question: Question) -> None:
        host = LocalHost(question.pruner)
        self.problem = PrunerProblem(host, question.scenario, question.judged, Grid(), BOUNDS.limits)

    def unrolling(self, tools: int, whole: bool = False) -> Sessions:
        return self.problem.unrolling(tools, whole)

    def play(self, script: Script) -> Trace:
        return self.problem.host.play(script, self.problem.judged)


@pytest.mark.parametrize("question", DECLARING)
def test_what_is_absent_would_be_asked_for(question: Question) -> None:
    assert question.absent <= {witness.name for witness in witnesses(question, BOUNDS)}


@pytest.mark.slow
@pytest.mark.parametrize("question", DECLARING)
def test_no_session_shows_what_is_absent(question: Question) -> None:
    absent = [witness for witness in witnesses(question, BOUNDS) if witness.name in question.absent]
    found = search(absent, Player(question), BOUNDS.limits, whole=True, requests=3)
    assert [name for name, trace in found.items() if trace is not None] == []
