"""When an answer is the expected one: in kind, and for a refutation in size."""

from __future__ import annotations

import pytest

from ghostproof.turn.claim import PROVED, Expected
from ghostproof.turn.trace import Walk
from ghostproof.turn.verdict import HoldsTo, Proved, ProvedUpTo, Refuted, Undetermined, Vacuous, Verdict

# Of two commands and one system.
REFUTED = Refuted("an engine", Walk(({}, {}, {}), ("one", "two")))


@pytest.mark.parametrize(
    ("expected", "met"),
    [
        pytest.param(Expected(Refuted), True, id="any size"),
        pytest.param(Expected(Refuted, 2, 1), True, id="the same size"),
        pytest.param(Expected(Refuted, 2), True, id="as long"),
        pytest.param(Expected(Refuted, None, 1), True, id="as many"),
        pytest.param(Expected(Refuted, 3, 1), False, id="shorter than expected"),
        pytest.param(Expected(Refuted, 1, 1), False, id="longer than expected"),
        pytest.param(Expected(Refuted, 2, 2), False, id="fewer tools than expected"),
        pytest.param(PROVED, False, id="another kind"),
    ],
)
def test_a_refutation_is_expected_in_its_size(expected: Expected, met: bool) -> None:
    assert expected.met_by(REFUTED) is met


@pytest.mark.parametrize(
    "verdict",
    [
        REFUTED,
        ProvedUpTo("an engine", 2),
        HoldsTo("an engine", 4, 3, "every size", 1),
        Undetermined("no answer", "an engine"),
        Vacuous(("a witness",), "an engine"),
    ],
    ids=lambda verdict: type(verdict).__name__,
)
def test_nothing_but_a_proof_is_one(verdict: Verdict) -> None:
    assert not PROVED.met_by(verdict)
    assert PROVED.met_by(Proved("an engine"))


def test_an_expectation_in_words() -> None:
    assert str(Expected(Refuted, 2, 1)) == "Refuted in 2 requests, 1 tool"
    assert str(PROVED) == "Proved"
