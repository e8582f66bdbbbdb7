"""Model and reference decide alike in every transition of a fixed slice: `make exhaustive` compares all sizes."""

from __future__ import annotations

from differential.compared import disagreement
from differential.transitions import Walk

ALL_ONE = ((1, 1, 1), (1, 1, 1))
MIXED = ((2, 2, 1), (2, 1, 1))


def test_every_second_transition_of_two_turns_agrees() -> None:
    for sizes in (ALL_ONE, MIXED):
        cases = list(Walk(sizes, 2).cases())[::2]
        assert [said for said in map(disagreement, cases) if said] == []
        assert len(cases) >= 1900
