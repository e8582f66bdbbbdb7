"""Symbolic values: exact where they answer, and a clear refusal everywhere else."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ghostproof.lift.symbol import Fork, Symbol, SymbolicBool, SymbolicInt, Unsupported, symbol, term_of
from ghostproof.lift.term import FALSE, TRUE, conjunction, equal, evaluate, integer, negate, variable

FLAG, OTHER, COUNT = variable("flag", "Bool"), variable("other", "Bool"), variable("count", "Int")


def flag(term: Any = FLAG) -> Any:
    return SymbolicBool(term, Fork(()))


def count() -> Any:
    return SymbolicInt(COUNT, Fork(()))


def format_it(value: Any) -> str:
    return f"{value:>3}"


REFUSED_FOR_BOTH: dict[str, Callable[[Any], object]] = {
    "text": str,
    "repr": repr,
    "format": format_it,
    "float": float,
    "int": int,
    "length": len,
    "iteration": list,
    "unpacking": lambda value: [*value],
    "membership": lambda value: 1 in value,
    "index": lambda value: [1, 2][value],
    "range": range,
    "slice": lambda value: [1, 2][:value],
    "hex": hex,
    "multiplication": lambda value: value * 2,
    "multiplication from the left": lambda value: 2 * value,
    "division": lambda value: value / 2,
    "division from the left": lambda value: 2 / value,
    "floor division": lambda value: value // 2,
    "floor division from the left": lambda value: 2 // value,
    "remainder": lambda value: value % 2,
    "remainder from the left": lambda value: 7 % value,
    "power": lambda value: value**2,
    "power from the left": lambda value: 2**value,
    "divmod": lambda value: divmod(value, 2),
    "divmod from the left": lambda value: divmod(7, value),
    "round": round,
    "bit and": lambda value: value & 1,
    "bit and from the left": lambda value: 1 & value,
    "bit or": lambda value: value | 1,
    "bit or from the left": lambda value: 1 | value,
    "bit xor": lambda value: value ^ 1,
    "bit xor from the left": lambda value: 1 ^ value,
    "shift": lambda value: value << 1,
    "shift from the left": lambda value: 1 << value,
    "shift right": lambda value: value >> 1,
    "complement": operator.invert,
    "compared with text": lambda value: value == "1",
    "compared with nothing": lambda value: value == None,  # noqa: E711
    "differs from nothing": lambda value: value != None,  # noqa: E711
    "a square root": math.sqrt,
}
REFUSED_FOR_FLAGS: dict[str, Callable[[Any], object]] = {
    "sum": lambda value: sum([value, value]),
    "addition": lambda value: value + 1,
    "addition from the left": lambda value: 1 + value,
    "subtraction": lambda value: value - 1,
    "subtraction from the left": lambda value: 1 - value,
    "minus": operator.neg,
    "plus": operator.pos,
    "absolute value": abs,
    "less": lambda value: value < True,
    "at most": lambda value: value <= 1,
    "greater": lambda value: value > False,
    "at least": lambda value: value >= 0,
    "compared with a number": lambda value: value == 1,
    "compared with a count": lambda value: value == count(),
    "largest": lambda value: max(value, False),
    "sorting": lambda value: sorted([value, False]),
}
REFUSED_FOR_NUMBERS: dict[str, Callable[[Any], object]] = {
    "float addition": lambda value: value + 0.5,
    "float comparison": lambda value: value < 0.5,
    "text addition": lambda value: value + "1",
    "adding a flag": lambda value: value + flag(),
    "comparing with a flag": lambda value: value <= flag(),
    "equal to a flag": lambda value: value == flag(),
}


@pytest.mark.parametrize("made", [flag, count], ids=["flag", "number"])
@pytest.mark.parametrize("operation", REFUSED_FOR_BOTH)
def test_what_has_no_exact_meaning_is_refused(operation: str, made: Callable[[], Any]) -> None:
    with pytest.raises(Unsupported) as caught:
        REFUSED_FOR_BOTH[operation](made())
    assert caught.value.found
    assert caught.value.instead
    assert str(caught.value) == f"{caught.value.found}; {caught.value.instead}"


@pytest.mark.parametrize("operation", REFUSED_FOR_FLAGS)
def test_a_flag_does_no_arithmetic_and_has_no_order(operation: str) -> None:
    with pytest.raises(Unsupported, match="boolean"):
        REFUSED_FOR_FLAGS[operation](flag())


@pytest.mark.parametrize("operation", REFUSED_FOR_NUMBERS)
def test_a_number_mixes_with_integers_only(operation: str) -> None:
    with pytest.raises(Unsupported):
        REFUSED_FOR_NUMBERS[operation](count())


@pytest.mark.parametrize("made", [flag, count], ids=["flag", "number"])
def test_a_symbol_is_no_key_and_no_member_of_a_set(made: Callable[[], Any]) -> None:
    for use in (lambda value: {value}, lambda value: {value: 1}, hash):
        with pytest.raises(TypeError, match="unhashable"):
            use(made())


numbers = st.integers(-5, 5)
NUMERIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@pytest.mark.parametrize("name", NUMERIC)
@given(left=numbers, right=numbers)
def test_arithmetic_and_comparison_are_exact(name: str, left: int, right: int) -> None:
    operation, fork = NUMERIC[name], Fork(())
    x, y = SymbolicInt(COUNT, fork), SymbolicInt(variable("y", "Int"), fork)
    point = {"count": left, "y": right}
    expected = operation(left, right)
    for result in (operation(x, y), operation(x, right), operation(left, y)):
        term = term_of(result)
        assert term is not None
        assert evaluate(term, point) == expected
        assert type(evaluate(term, point)) is type(expected)


@given(numbers)
def test_minus_and_plus_are_exact(value: int) -> None:
    for operation in (operator.neg, operator.pos):
        term = term_of(operation(count()))
        assert term is not None
        assert evaluate(term, {"count": value}) == operation(value)


@given(st.booleans(), st.booleans())
def test_flags_are_compared_exactly(left: bool, right: bool) -> None:
    fork = Fork(())
    one, two = SymbolicBool(FLAG, fork), SymbolicBool(OTHER, fork)
    point = {"flag": left, "other": right}
    for result, expected in [(one == two, left == right), (one != two, left != right), (one == right, left == right)]:
        assert evaluate(result.term, point) is expected


def test_a_test_takes_true_first_and_keeps_its_outcome_on_the_path() -> None:
    fork = Fork(())
    value = SymbolicBool(FLAG, fork)
    assert [bool(value), bool(value), not value] == [True, True, False]
    assert fork.tests == [(FLAG, True)]


def test_a_test_follows_the_prefix_of_its_path() -> None:
    fork = Fork((False,))
    one, two = SymbolicBool(FLAG, fork), SymbolicBool(OTHER, fork)
    assert [bool(one), bool(two), bool(one)] == [False, True, False]
    assert fork.tests == [(FLAG, False), (OTHER, True)]


def test_a_negated_test_is_the_same_test() -> None:
    fork = Fork((False,))
    assert bool(SymbolicBool(negate(FLAG), fork)) is True
    assert bool(SymbolicBool(FLAG, fork)) is False
    assert fork.tests == [(FLAG, False)]


def test_what_is_known_is_not_tested() -> None:
    fork = Fork(())
    assert bool(SymbolicBool(TRUE, fork)) is True
    assert bool(SymbolicBool(FALSE, fork)) is False
    assert bool(SymbolicInt(integer(0), fork)) is False
    assert bool(SymbolicInt(integer(3), fork)) is True
    assert fork.tests == []


def test_the_truth_of_a_number_is_that_it_is_not_zero() -> None:
    fork = Fork(())
    assert bool(SymbolicInt(COUNT, fork)) is False  # the test is `count = 0`, which takes True first
    assert fork.tests == [(equal(COUNT, integer(0)), True)]


def test_the_same_comparison_written_two_ways_is_one_test() -> None:
    fork = Fork(())
    value: Any = SymbolicInt(COUNT, fork)
    assert bool(value > 2) is not bool(value <= 2)
    assert bool(value >= 3) is bool(value >= 3)
    assert len(fork.tests) == 1


def test_chained_comparisons_and_choices_fork() -> None:
    fork = Fork(())
    value: Any = SymbolicInt(COUNT, fork)
    assert (0 < value < 5) is not None
    assert max(value, 3) is not None
    assert abs(value) is not None
    assert 2 <= len(fork.tests) <= 4


@pytest.mark.parametrize(
    ("value", "term"),
    [(True, TRUE), (False, FALSE), (3, integer(3)), ("3", None), (None, None), (0.5, None), ((1,), None)],
)
def test_the_term_of_a_plain_value(value: object, term: object) -> None:
    assert term_of(value) is term


def test_a_symbol_of_a_term_has_its_sort() -> None:
    fork = Fork(())
    assert isinstance(symbol(FLAG, fork), SymbolicBool)
    assert isinstance(symbol(COUNT, fork), SymbolicInt)
    made: object = symbol(conjunction(FLAG, OTHER), fork)
    assert isinstance(made, Symbol)
    assert term_of(made) is conjunction(FLAG, OTHER)
