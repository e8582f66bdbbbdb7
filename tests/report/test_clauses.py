"""Clauses mean what the text means, on every value of its atoms."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ghostproof.report.clauses import CLAUSES_MAX, TEXT_MAX, clauses

GHOST = "calls_resident >= 1 and (schema_lossy and not tombstone_resident if schema_shown else not tombstone_resident)"


def test_no_ghost_reads_as_its_definition() -> None:
    assert clauses(f"not ({GHOST})") == [
        ["schema_shown", "tombstone_resident", "calls_resident < 1"],
        ["not schema_lossy", "tombstone_resident", "calls_resident < 1"],
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a", [["a"]]),
        ("not a", [["not a"]]),
        ("a and (a or b)", [["a"]]),
        ("a or not a", []),
        ("a and not a", [[]]),
        ("True", []),
        ("False", [[]]),
        ("not x == 2", [["x != 2"]]),
        ("a <= b <= c", [["a <= b <= c"]]),
        ("not a <= b <= c", [["not a <= b <= c"]]),
    ],
)
def test_small_conditions(text: str, found: list[list[str]]) -> None:
    assert clauses(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "x = 1",
        "(",
        "\x00",
        "not " * 5000 + "a",
        "a" * (TEXT_MAX + 1),
        " or ".join(f"(a{n} and b{n})" for n in range(CLAUSES_MAX)),
        " and ".join(f"a{n}" for n in range(CLAUSES_MAX + 1)),
    ],
)
def test_what_would_not_help_is_left_alone(text: str) -> None:
    assert clauses(text) is None


conditions = st.recursive(
    st.sampled_from(["a", "b", "c", "True", "False"]),
    lambda inner: st.one_of(
        inner.map(lambda one: f"(not {one})"),
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(lambda two: f"({' '.join(two)})"),
        st.tuples(inner, inner, inner).map(lambda three: f"({three[0]} if {three[1]} else {three[2]})"),
    ),
    max_leaves=8,
)


@given(conditions)
def test_clauses_are_equivalent_to_the_condition(text: str) -> None:
    found = clauses(text)
    if found is None:
        return
    for values in product([False, True], repeat=3):
        state = dict(zip("abc", values, strict=True))
        assert bool(eval(text, {}, state)) is all(any(eval(item, {}, state) for item in clause) for clause in found)
