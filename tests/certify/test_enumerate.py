"""Enumeration by regions is exact: it agrees with brute force over a box that holds every region, and with z3."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ghostproof.certify import enumerate as enumeration
from ghostproof.certify.enumerate import NotEnumerable, first_failure, lifted_out
from ghostproof.lift.limits import Limits
from ghostproof.lift.smtlib import script
from ghostproof.lift.solver import Satisfiable, ask
from ghostproof.lift.term import (
    FALSE,
    TRUE,
    Term,
    at_most,
    choose,
    combine,
    conjunction,
    disjunction,
    equal,
    evaluate,
    integer,
    negate,
    scaled,
    variable,
    variables_of,
)

A, B, X, Y = variable("a", "Bool"), variable("b", "Bool"), variable("x", "Int"), variable("y", "Int")
# Constants of at most 2 and at most one addition: every region is met inside -8..8.
BOX = range(-8, 9)

small = st.integers(-2, 2)
booleans = st.sampled_from([A, B, TRUE, FALSE])


def _choices(inner: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    return st.tuples(booleans, inner, inner).map(lambda three: choose(*three))


def number_of(name: Term) -> st.SearchStrategy[Term]:
    """Sums and choices that speak of one variable with factor 1 or -1."""
    linear = st.tuples(st.sampled_from([1, -1, 0]), small).map(lambda p: combine(integer(p[1]), scaled(name, p[0])))
    return st.one_of(linear, _choices(linear), _choices(_choices(linear)))


atoms = st.one_of(
    booleans,
    *(
        st.tuples(number_of(name), small, st.sampled_from([at_most, equal])).map(lambda p: p[2](p[0], integer(p[1])))
        for name in (X, Y)
    ),
)
formulas = st.recursive(
    atoms,
    lambda inner: st.one_of(
        inner.map(negate),
        st.tuples(inner, inner).map(lambda pair: conjunction(*pair)),
        st.tuples(inner, inner).map(lambda pair: disjunction(*pair)),
        st.tuples(inner, inner, inner).map(lambda three: choose(*three)),
    ),
    max_leaves=6,
)


def satisfiable_in_the_box(term: Term) -> bool:
    names = variables_of(term)
    ranges = [(False, True) if item.sort == "Bool" else BOX for item in names.values()]
    return any(evaluate(term, dict(zip(names, values, strict=True))) for values in product(*ranges))


@settings(max_examples=200)
@given(formulas)
def test_enumeration_finds_an_assignment_exactly_when_there_is_one(term: Term) -> None:
    found, count = first_failure(term)
    assert (found is not None) == satisfiable_in_the_box(term)
    assert count >= 1
    if found is not None:  # what it does not mention may be anything
        assert evaluate(term, {"a": False, "b": False, "x": 0, "y": 0, **found})


@settings(max_examples=60)
@given(formulas)
def test_enumeration_agrees_with_z3(term: Term) -> None:
    found, _ = first_failure(term)
    assert (found is not None) == isinstance(ask(script([term]), Limits()), Satisfiable)


@given(formulas, st.booleans(), st.booleans(), st.sampled_from(BOX), st.sampled_from(BOX))
def test_lifting_choices_out_of_comparisons_keeps_the_meaning(term: Term, a: bool, b: bool, x: int, y: int) -> None:
    point = {"a": a, "b": b, "x": x, "y": y}
    lifted = lifted_out(term, {})
    assert evaluate(lifted, point) == evaluate(term, point)
    stack = [lifted]
    while stack:
        top = stack.pop()
        stack.extend(top.children)
        if top.op in ("nonpositive", "zero"):
            assert all(child.op != "ite" for child in top.arguments[0].children)
            assert top.arguments[0].op != "ite"


@pytest.mark.parametrize("value", [-7, 0, 41])
def test_a_single_point_is_found_wherever_it_lies(value: int) -> None:
    only = conjunction(equal(X, integer(value)), A, negate(B))
    assert first_failure(only)[0] == {"x": value, "a": True, "b": False}


@pytest.mark.parametrize(("low", "high", "there"), [(3, 3, True), (4, 3, False), (-2, 5, True)])
def test_an_interval_is_empty_or_not(low: int, high: int, there: bool) -> None:
    inside = conjunction(at_most(integer(low), X), at_most(X, integer(high)))
    assert (first_failure(inside)[0] is not None) is there


def test_a_gap_of_one_between_two_comparisons_is_found() -> None:
    inside = conjunction(at_most(integer(5), X), at_most(X, integer(6)), negate(equal(X, integer(5))))
    assert first_failure(inside)[0] == {"x": 6}


@pytest.mark.parametrize(("edge", "value"), [(-1, -2), (-7, -8)])
def test_the_region_below_every_comparison_is_tried(edge: int, value: int) -> None:
    below = conjunction(at_most(X, integer(edge)), negate(equal(X, integer(edge))))
    assert first_failure(below)[0] == {"x": value}


@pytest.mark.parametrize(("edge", "value"), [(0, 1), (7, 8)])
def test_the_region_above_every_comparison_is_tried(edge: int, value: int) -> None:
    above = conjunction(at_most(integer(edge), X), negate(equal(X, integer(edge))))
    assert first_failure(above)[0] == {"x": value}


def test_the_count_is_regions_times_rows() -> None:
    # Edges 0, 3 and 5, each with its neighbours: -1 to 6, eight values; two booleans: four rows.
    assert first_failure(conjunction(at_most(X, integer(3)), equal(X, integer(5)), choose(A, B, negate(B)))) == (
        None,
        32,
    )


def test_constants_are_decided_at_once() -> None:
    assert first_failure(TRUE) == ({}, 1)
    assert first_failure(FALSE) == (None, 1)


@pytest.mark.parametrize(
    ("term", "said"),
    [
        (at_most(X, Y), "speaks of (x and y|y and x)"),
        (equal(combine(X, Y), integer(3)), "speaks of (x and y|y and x)"),
        (at_most(scaled(X, 2), integer(5)), "multiplies x"),
        (equal(scaled(X, -3), integer(0)), "multiplies x"),
        (at_most(choose(A, X, Y), Y), "speaks of (x and y|y and x)"),
    ],
)
def test_what_has_no_finite_set_of_regions_is_not_enumerable(term: Term, said: str) -> None:
    with pytest.raises(NotEnumerable, match=said):
        first_failure(term)


def test_too_many_booleans_are_not_enumerable() -> None:
    flags = [variable(f"f{place}", "Bool") for place in range(enumeration.BOOLEANS_MAX + 1)]
    with pytest.raises(NotEnumerable, match=f"{len(flags)} booleans"):
        first_failure(disjunction(*flags))
    assert first_failure(conjunction(*flags[:-1]))[0] == {flag.arguments[0]: True for flag in flags[:-1]}


def test_too_many_regions_are_not_enumerable() -> None:
    many = disjunction(*(equal(variable(f"x{place}", "Int"), integer(9)) for place in range(10)))
    with pytest.raises(NotEnumerable, match="regions of integers"):
        first_failure(many)
