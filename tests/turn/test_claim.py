"""When an answer is the expected one: in kind, and for a refutation in size."""

from __future__ import annotations

import pytest

from ghostproof.turn.claim import PROVED, Expected
from ghostproof.turn.trace import Request, Script, Trace, Walk
from ghostproof.turn.verdict import HoldsTo, Proved, ProvedUpTo, Refuted, Undetermined, Vacuous, Verdict

WALKED = Refuted("an engine", Walk(({}, {}, {}), ("one", "two")))
REQUEST = Request(1, (), ({},), {}, ())
REFUTED = Refuted("an engine", Trace("a pruner", "a property", ("a",), Script(({},), 0, ()), (REQUEST, REQUEST), ()))


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
        pytest.param(Expected(Refuted, steps=2), False, id="a session where a walk is expected"),
        pytest.param(PROVED, False, id="another kind"),
    ],
)
def test_a_refutation_is_expected_in_its_size(expected: Expected, met: bool) -> None:
    assert expected.met_by(REFUTED) is met


@pytest.mark.parametrize(
    ("expected", "met"),
    [
        pytest.param(Expected(Refuted), True, id="any size"),
        pytest.param(Expected(Refuted, steps=2), True, id="as long"),
        pytest.param(Expected(Refuted, steps=1), False, id="longer than expected"),
        pytest.param(Expected(Refuted, 2), False, id="a walk where a session is expected"),
        pytest.param(Expected(Refuted, tools=1), False, id="a walk where tools are expected"),
    ],
)
def test_a_walk_is_expected_in_its_steps(expected: Expected, met: bool) -> None:
    assert expected.met_by(WALKED) is met


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


HIDES, KEEPS = "a pass hides a schema", "arguments stay"


@pytest.mark.parametrize(
    ("expected", "verdict", "met"),
    [
        pytest.param(Expected(Vacuous), Vacuous((HIDES,), "e"), True, id="vacuous for any reason"),
        pytest.param(Expected(Vacuous, missing=frozenset({HIDES})), Vacuous((HIDES,), "e"), True, id="for this reason"),
        pytest.param(Expected(Vacuous, missing=frozenset({KEEPS})), Vacuous((HIDES,), "e"), False, id="for another"),
        pytest.param(Expected(Vacuous, missing=frozenset({HIDES})), Vacuous((HIDES, KEEPS), "e"), False, id="for more"),
        pytest.param(Expected(HoldsTo, 4, 3), HoldsTo("e", 4, 3, "s", 1), True, id="to this bound"),
        pytest.param(Expected(HoldsTo, 4, 3), HoldsTo("e", 3, 3, "s", 1), False, id="to fewer turns"),
        pytest.param(Expected(HoldsTo, tools=3), HoldsTo("e", 3, 2, "s", 1), False, id="to fewer tools"),
        pytest.param(Expected(ProvedUpTo, tools=2), ProvedUpTo("e", 2), True, id="up to as many tools"),
        pytest.param(Expected(ProvedUpTo, tools=2), ProvedUpTo("e", 1), False, id="up to fewer tools"),
    ],
)
def test_a_bound_or_a_reason_is_expected_where_it_is_given(expected: Expected, verdict: Verdict, met: bool) -> None:
    assert expected.met_by(verdict) is met


@pytest.mark.parametrize(
    ("expected", "words"),
    [
        (PROVED, "Proved"),
        (Expected(Refuted), "Refuted"),
        (Expected(Refuted, 2, 1), "Refuted in 2 requests, 1 tool"),
        (Expected(Refuted, steps=1), "Refuted in 1 step"),
        (Expected(HoldsTo, 1, 3), "HoldsTo 1 turn, 3 tools"),
        (Expected(ProvedUpTo, tools=2), "ProvedUpTo 2 tools"),
        (Expected(Vacuous, missing=frozenset({HIDES, KEEPS})), f"Vacuous: lacks {HIDES}; {KEEPS}"),
    ],
)
def test_an_expectation_in_words(expected: Expected, words: str) -> None:
    assert str(expected) == words
