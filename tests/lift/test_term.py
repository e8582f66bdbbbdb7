"""Terms: every constructor, printer and solver says the same as plain evaluation."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import cvc5
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ghostproof.lift.limits import Limits
from ghostproof.lift.smtlib import MARK, numeral, plain_name, script, symbol_name
from ghostproof.lift.solver import Satisfiable, Unsatisfiable, ask
from ghostproof.lift.term import (
    FALSE,
    TRUE,
    Sort,
    Term,
    at_most,
    boolean,
    choose,
    combine,
    conjunction,
    constant,
    disjunction,
    equal,
    evaluate,
    implies,
    integer,
    negate,
    python_source,
    rebuild,
    scaled,
    show,
    substitute,
    value_of,
    variable,
    variables_of,
)

Values = Mapping[str, bool | int]
Meaning = Callable[[Values], bool | int]

# Names that a solver, a macro or SMT-LIB itself might mistake.
BOOLS = ("a", "true", "n1", "p0", "violated", "a flag |with| bars")
INTS = ("x", "and", "n2", "turn.total_budget", "back\\slash", "$d", "größe 1")

small = st.integers(-4, 4)
values = st.fixed_dictionaries({**dict.fromkeys(BOOLS, st.booleans()), **dict.fromkeys(INTS, small)})


def _bools(bools: st.SearchStrategy[tuple[Term, Meaning]]) -> st.SearchStrategy[tuple[Term, Meaning]]:
    ints = _ints(bools)
    two = st.tuples(bools, bools)
    pair = st.tuples(ints, ints)
    return st.one_of(
        bools.map(lambda b: (negate(b[0]), lambda v: not b[1](v))),
        two.map(lambda p: (conjunction(p[0][0], p[1][0]), lambda v: bool(p[0][1](v) and p[1][1](v)))),
        two.map(lambda p: (disjunction(p[0][0], p[1][0]), lambda v: bool(p[0][1](v) or p[1][1](v)))),
        two.map(lambda p: (implies(p[0][0], p[1][0]), lambda v: bool(not p[0][1](v) or p[1][1](v)))),
        two.map(lambda p: (equal(p[0][0], p[1][0]), lambda v: p[0][1](v) == p[1][1](v))),
        pair.map(lambda p: (equal(p[0][0], p[1][0]), lambda v: p[0][1](v) == p[1][1](v))),
        pair.map(lambda p: (at_most(p[0][0], p[1][0]), lambda v: p[0][1](v) <= p[1][1](v))),
        st.tuples(bools, bools, bools).map(
            lambda p: (choose(p[0][0], p[1][0], p[2][0]), lambda v: p[1][1](v) if p[0][1](v) else p[2][1](v))
        ),
    )


def _ints(bools: st.SearchStrategy[tuple[Term, Meaning]]) -> st.SearchStrategy[tuple[Term, Meaning]]:
    leaf = st.one_of(
        small.map(lambda n: (integer(n), lambda v: n)),
        st.sampled_from(INTS).map(lambda name: (variable(name, "Int"), lambda v: v[name])),
    )
    return st.recursive(
        leaf,
        lambda ints: st.one_of(
            st.tuples(ints, ints, small).map(
                lambda p: (combine(p[0][0], p[1][0], p[2]), lambda v: p[0][1](v) + p[2] * p[1][1](v))
            ),
            st.tuples(ints, small).map(lambda p: (scaled(p[0][0], p[1]), lambda v: p[1] * p[0][1](v))),
            st.tuples(bools, ints, ints).map(
                lambda p: (choose(p[0][0], p[1][0], p[2][0]), lambda v: p[1][1](v) if p[0][1](v) else p[2][1](v))
            ),
        ),
        max_leaves=4,
    )


bool_leaf: st.SearchStrategy[tuple[Term, Meaning]] = st.one_of(
    st.booleans().map(lambda b: (boolean(b), lambda v: b)),
    st.sampled_from(BOOLS).map(lambda name: (variable(name, "Bool"), lambda v: v[name])),
)
formulas = st.recursive(bool_leaf, _bools, max_leaves=12)
numbers = _ints(st.recursive(bool_leaf, _bools, max_leaves=4))
either = st.one_of(formulas, numbers)


@given(either, values)
def test_smart_constructors_keep_the_meaning(made: tuple[Term, Meaning], point: Values) -> None:
    term, meaning = made
    assert evaluate(term, point) == meaning(point)


@given(either, values)
def test_the_python_text_of_a_term_means_the_same(made: tuple[Term, Meaning], point: Values) -> None:
    term, meaning = made
    assert eval(python_source(term), {"s": point}) == meaning(point)


@given(either, values)
def test_equal_constructions_are_one_object_and_constants_fold(made: tuple[Term, Meaning], point: Values) -> None:
    term, meaning = made
    assert rebuild(term, {child: child for child in term.children}) is term
    assert substitute(term, {}) is term
    if not variables_of(term):
        assert value_of(term) == meaning(point)


@given(either, values)
def test_replacing_all_variables_by_values_is_evaluation(made: tuple[Term, Meaning], point: Values) -> None:
    term, meaning = made
    known = {t: constant(point[name]) for name, t in variables_of(term).items()}
    assert value_of(substitute(term, known)) == meaning(point)


@given(formulas, numbers, st.sampled_from(INTS), values)
def test_replacing_a_variable_by_a_term_is_evaluation_at_its_value(
    made: tuple[Term, Meaning], by: tuple[Term, Meaning], name: str, point: Values
) -> None:
    replaced = substitute(made[0], {variable(name, "Int"): by[0]})
    assert evaluate(replaced, point) == made[1]({**point, name: by[1](point)})


@given(formulas, formulas)
def test_a_formula_and_its_negation_fold(one: tuple[Term, Meaning], two: tuple[Term, Meaning]) -> None:
    if one[0].op not in ("and", "or") and negate(one[0]).op not in ("and", "or"):  # those are flattened instead
        assert conjunction(one[0], negate(one[0])) is FALSE
        assert disjunction(one[0], negate(one[0])) is TRUE
    assert negate(negate(one[0])) is one[0]
    assert conjunction(one[0], one[0]) is one[0]
    assert conjunction(one[0], TRUE, two[0]) is conjunction(one[0], two[0])


@given(numbers, numbers)
def test_a_comparison_and_its_opposite_are_one_atom(one: tuple[Term, Meaning], two: tuple[Term, Meaning]) -> None:
    left, right = one[0], two[0]
    assert negate(at_most(left, right)) is at_most(combine(right, integer(1)), left)
    assert equal(left, right) is equal(right, left)


def pinned(term: Term, point: Values) -> list[Term]:
    return [equal(t, constant(point[name])) for name, t in variables_of(term).items()]


@settings(max_examples=60)
@given(formulas, values)
def test_z3_reads_the_text_as_it_is_meant(made: tuple[Term, Meaning], point: Values) -> None:
    term, meaning = made
    answer = ask(script([*pinned(term, point), term]), Limits())
    assert isinstance(answer, Satisfiable if meaning(point) else Unsatisfiable)


@settings(max_examples=60)
@given(numbers, values)
def test_z3_gives_back_the_value_of_a_number_by_its_name(made: tuple[Term, Meaning], point: Values) -> None:
    term, meaning = made
    for name in ("result", "the |result|", "n7", "abs"):
        asked = equal(variable(name, "Int"), term)
        answer = ask(script([*pinned(term, point), asked]), Limits())
        assert isinstance(answer, Satisfiable)
        assert answer.values[name] == meaning(point)


def cvc5_satisfies(text: str) -> bool:
    solver = cvc5.Solver()
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "test")
    symbols = parser.getSymbolManager()
    while not (command := parser.nextCommand()).isNull():
        said = str(command.invoke(solver, symbols))
        assert "error" not in said, said
    result = solver.checkSat()
    assert result.isSat() or result.isUnsat()
    return bool(result.isSat())


@settings(max_examples=60)
@given(formulas, values)
def test_cvc5_reads_the_text_as_it_is_meant(made: tuple[Term, Meaning], point: Values) -> None:
    term, meaning = made
    assert cvc5_satisfies(script([*pinned(term, point), term])) == meaning(point)


def test_shared_parts_are_written_once() -> None:
    shared = at_most(combine(variable("x", "Int"), variable("y", "Int")), integer(5))
    left, right = conjunction(shared, variable("a", "Bool")), conjunction(shared, variable("b", "Bool"))
    text = script([disjunction(left, right)])
    assert text.count("(<= ") == 1
    assert text.count("define-fun") == 1


@pytest.mark.parametrize("count", [2, 3, 4])
def test_every_part_of_a_conjunction_and_of_a_disjunction_is_written(count: int) -> None:
    parts = [variable(name, "Bool") for name in BOOLS[:count]]
    for part in parts:
        assert isinstance(ask(script([conjunction(*parts), negate(part)]), Limits()), Unsatisfiable)
        assert isinstance(ask(script([negate(disjunction(*parts)), part]), Limits()), Unsatisfiable)


def test_a_term_that_grows_with_every_step_is_written_in_linear_space() -> None:
    total: Term = variable("x", "Int")
    for index in range(60):
        total = choose(variable(f"c{index}", "Bool"), combine(total, total), combine(total, integer(1)))
    text = script([equal(total, integer(0))])
    assert len(text) < 20_000


@pytest.mark.parametrize(("value", "text"), [(0, "0"), (7, "7"), (-7, "(- 7)")])
def test_negative_numerals_are_written_as_smtlib_wants_them(value: int, text: str) -> None:
    assert numeral(value) == text


@given(st.text(alphabet="$|\\dbs x1", max_size=6), st.text(alphabet="$|\\dbs x1", max_size=6))
def test_different_names_are_different_symbols_and_come_back(one: str, two: str) -> None:
    assert plain_name(symbol_name(one)[1:-1]) == one
    assert (symbol_name(one) == symbol_name(two)) == (one == two)
    inner = symbol_name(one)[1:-1]
    assert inner.startswith(MARK)
    assert "|" not in inner
    assert "\\" not in inner


@given(formulas, values)
def test_evaluation_with_a_shared_memo_is_evaluation(made: tuple[Term, Meaning], point: Values) -> None:
    memo: dict[Term, bool | int] = {}
    assert [evaluate(made[0], point, memo) for _ in range(2)] == [made[1](point)] * 2


X, Y, FLAG = variable("x", "Int"), variable("y", "Int"), variable("flag", "Bool")


@pytest.mark.parametrize(
    ("term", "text"),
    [
        (at_most(X, integer(3)), "x <= 3"),
        (at_most(integer(3), X), "x > 2"),
        (at_most(X, integer(-3)), "x + 3 <= 0"),
        (negate(at_most(X, Y)), "x > y"),
        (at_most(X, combine(Y, integer(2))), "x <= y + 2"),
        (at_most(combine(X, integer(2)), Y), "x + 2 <= y"),
        (equal(X, integer(0)), "x = 0"),
        (equal(combine(X, Y), integer(4)), "x + y = 4"),
        (conjunction(FLAG, disjunction(negate(FLAG), equal(X, integer(1)))), "flag and (not flag or x = 1)"),
        (choose(FLAG, X, integer(0)), "(x if flag else 0)"),
        (scaled(X, -2), "-2 * x"),
        (combine(scaled(X, 2), integer(-5)), "2 * x - 5"),
        (TRUE, "true"),
    ],
)
def test_a_term_is_shown_as_people_write_it(term: Term, text: str) -> None:
    assert show(term) == text
    assert repr(term) == text


@given(formulas, values)
def test_what_is_shown_can_be_read_back(made: tuple[Term, Meaning], point: Values) -> None:
    # Read as Python, with the names replaced by readable ones; `=` is the only foreign sign.
    plain = {name: variable(f"v{place}", "Bool" if name in BOOLS else "Int") for place, name in enumerate(point)}
    sorts: dict[str, Sort] = {name: "Bool" if name in BOOLS else "Int" for name in point}
    term = substitute(made[0], {variable(name, sorts[name]): plain[name] for name in point})
    text = show(term).replace(" = ", " == ").replace("true", "True").replace("false", "False")
    scope = {plain[name].arguments[0]: value for name, value in point.items()}
    assert eval(text, scope) == made[1](point)
