"""Terms over booleans and linear integer arithmetic, hash-consed, so that equal terms are the same object.

Integers are kept in linear normal form and comparisons as `form <= 0` or `form = 0`, so that the same comparison
written two ways is one atom. Smart constructors fold constants and nothing else that could surprise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Literal

Sort = Literal["Bool", "Int"]


class Term:
    """One node. `op` is one of: true, false, var, not, and, or, ite, linear, nonpositive, zero.

    `arguments` are Terms, except for `var` (its name) and `linear` (the constant, then pairs of a Term and its
    non-zero coefficient, in order of creation).
    """

    __slots__ = ("arguments", "number", "op", "sort")
    _table: ClassVar[dict[tuple[Any, ...], Term]] = {}

    op: str
    arguments: tuple[Any, ...]
    sort: Sort
    number: int

    def __new__(cls, op: str, arguments: tuple[Any, ...], sort: Sort) -> Term:
        key = (op, arguments, sort)
        found = cls._table.get(key)
        if found is None:
            found = object.__new__(cls)
            found.op, found.arguments, found.sort, found.number = op, arguments, sort, len(cls._table)
            cls._table[key] = found
        return found

    def __repr__(self) -> str:
        return show(self)

    @property
    def children(self) -> Iterator[Term]:
        """The Terms directly below this one."""
        if self.op == "linear":
            return (pair[0] for pair in self.arguments[1:])
        if self.op == "var":
            return iter(())
        return iter(self.arguments)


TRUE = Term("true", (), "Bool")
FALSE = Term("false", (), "Bool")


def boolean(value: bool) -> Term:
    """The constant term of a Python bool."""
    return TRUE if value else FALSE


def integer(value: int) -> Term:
    """The constant term of a Python int."""
    return Term("linear", (value,), "Int")


def constant(value: bool | int) -> Term:
    """The constant term of either."""
    return boolean(value) if isinstance(value, bool) else integer(value)


def variable(name: str, sort: Sort) -> Term:
    """The variable `name`."""
    return Term("var", (name,), sort)


def value_of(term: Term) -> bool | int | None:
    """The Python value of a constant term, else None."""
    if term is TRUE:
        return True
    if term is FALSE:
        return False
    if term.op == "linear" and len(term.arguments) == 1:
        return int(term.arguments[0])
    return None


def negate(term: Term) -> Term:
    """Logical not."""
    if term is TRUE:
        return FALSE
    if term is FALSE:
        return TRUE
    if term.op == "not":
        inner: Term = term.arguments[0]
        return inner
    return Term("not", (term,), "Bool")


def _gather(op: str, unit: Term, absorbing: Term, terms: tuple[Term, ...]) -> Term:
    seen: dict[Term, None] = {}
    for term in terms:
        for part in term.arguments if term.op == op else (term,):
            if part is absorbing or negate(part) in seen:
                return absorbing
            if part is not unit:
                seen[part] = None
    if not seen:
        return unit
    return next(iter(seen)) if len(seen) == 1 else Term(op, tuple(seen), "Bool")


def conjunction(*terms: Term) -> Term:
    """Logical and of all."""
    return _gather("and", TRUE, FALSE, terms)


def disjunction(*terms: Term) -> Term:
    """Logical or of all."""
    return _gather("or", FALSE, TRUE, terms)


def implies(left: Term, right: Term) -> Term:
    """Logical implication."""
    return disjunction(negate(left), right)


def choose(condition: Term, then: Term, otherwise: Term) -> Term:
    """If-then-else over either sort."""
    if condition is TRUE or then is otherwise:
        return then
    if condition is FALSE:
        return otherwise
    if then.sort == "Bool":
        if then is TRUE:
            return disjunction(condition, otherwise)
        if then is FALSE:
            return conjunction(negate(condition), otherwise)
        if otherwise is TRUE:
            return disjunction(negate(condition), then)
        if otherwise is FALSE:
            return conjunction(condition, then)
    return Term("ite", (condition, then, otherwise), then.sort)


def _parts(term: Term) -> tuple[int, tuple[tuple[Term, int], ...]]:
    if term.op == "linear":
        return term.arguments[0], term.arguments[1:]
    return 0, ((term, 1),)


def combine(left: Term, right: Term, scale: int = 1) -> Term:
    """left + scale * right over integers."""
    base, pairs = _parts(left)
    more, others = _parts(right)
    collected = dict(pairs)
    for term, factor in others:
        collected[term] = collected.get(term, 0) + scale * factor
    ordered = sorted(((t, f) for t, f in collected.items() if f), key=lambda pair: pair[0].number)
    total = base + scale * more
    if total == 0 and len(ordered) == 1 and ordered[0][1] == 1:
        return ordered[0][0]
    return Term("linear", (total, *ordered), "Int")


def scaled(term: Term, factor: int) -> Term:
    """factor * term over integers."""
    return combine(integer(0), term, factor)


def at_most(left: Term, right: Term) -> Term:
    """left <= right."""
    form = combine(left, right, -1)
    known = value_of(form)
    if known is not None:
        return boolean(known <= 0)
    base, pairs = _parts(form)
    # not (f <= 0) is 1 - f <= 0; keeping the first coefficient positive makes both readings one atom.
    if pairs[0][1] < 0:
        flipped = combine(integer(1 - base), Term("linear", (0, *pairs), "Int"), -1)
        return negate(Term("nonpositive", (flipped,), "Bool"))
    return Term("nonpositive", (form,), "Bool")


def equal(left: Term, right: Term) -> Term:
    """left = right, over either sort."""
    if left is right:
        return TRUE
    if left.sort == "Bool":
        return choose(left, right, negate(right))
    form = combine(left, right, -1)
    known = value_of(form)
    if known is not None:
        return boolean(known == 0)
    base, pairs = _parts(form)
    if pairs[0][1] < 0:
        form = combine(integer(-base), Term("linear", (0, *pairs), "Int"), -1)
    return Term("zero", (form,), "Bool")


def variables_of(*terms: Term) -> dict[str, Term]:
    """The variables below `terms`, by name, in order of first visit."""
    return {term.arguments[0]: term for term in subterms(*terms) if term.op == "var"}


def subterms(*terms: Term) -> Iterator[Term]:
    """`terms` and all below them, each once, in order of first visit."""
    seen: set[Term] = set()
    stack = list(reversed(terms))
    while stack:
        term = stack.pop()
        if term in seen:
            continue
        seen.add(term)
        yield term
        stack.extend(term.children)


def rebuild(term: Term, children: Mapping[Term, Term]) -> Term:
    """The same operation over replaced children, through the smart constructors."""
    match term.op:
        case "true" | "false" | "var":
            return term
        case "not":
            return negate(children[term.arguments[0]])
        case "and":
            return conjunction(*(children[part] for part in term.arguments))
        case "or":
            return disjunction(*(children[part] for part in term.arguments))
        case "ite":
            return choose(*(children[part] for part in term.arguments))
        case "linear":
            total = integer(term.arguments[0])
            for part, factor in term.arguments[1:]:
                total = combine(total, children[part], factor)
            return total
        case "nonpositive":
            return at_most(children[term.arguments[0]], integer(0))
        case "zero":
            return equal(children[term.arguments[0]], integer(0))
    raise AssertionError(term.op)


def substitute(term: Term, replacement: Mapping[Term, Term], memo: dict[Term, Term] | None = None) -> Term:
    """Replace variables by terms, sharing work across calls that pass the same `memo`."""
    known = memo if memo is not None else {}
    stack = [term]
    while stack:
        top = stack[-1]
        if top in known:
            stack.pop()
            continue
        if top in replacement:
            known[top] = replacement[top]
            stack.pop()
            continue
        waiting = [child for child in top.children if child not in known]
        if waiting:
            stack.extend(waiting)
        else:
            known[top] = rebuild(top, known)
            stack.pop()
    return known[term]


def python_source(term: Term, memo: dict[Term, str] | None = None) -> str:
    """A Python expression with the meaning of `term`, over a mapping named `s` from variable names to values."""
    known = memo if memo is not None else {}
    if term in known:
        return known[term]
    parts = [python_source(child, known) for child in term.children]
    match term.op:
        case "true":
            text = "True"
        case "false":
            text = "False"
        case "var":
            text = f"s[{term.arguments[0]!r}]"
        case "not":
            text = f"(not {parts[0]})"
        case "and" | "or":
            text = "(" + f" {term.op} ".join(parts) + ")"
        case "ite":
            text = f"({parts[1]} if {parts[0]} else {parts[2]})"
        case "linear":
            scaled_parts = [
                part if factor == 1 else f"{factor}*{part}"
                for part, (_, factor) in zip(parts, term.arguments[1:], strict=True)
            ]
            text = "(" + " + ".join([*scaled_parts, str(term.arguments[0])]) + ")"
        case "nonpositive":
            text = f"({parts[0]} <= 0)"
        case "zero":
            text = f"({parts[0]} == 0)"
        case _:
            raise AssertionError(term.op)
    known[term] = text
    return text


def evaluate(term: Term, values: Mapping[str, bool | int], memo: dict[Term, bool | int] | None = None) -> bool | int:
    """The value of `term` when its variables have `values`, sharing work across calls that pass the same `memo`."""
    known = memo if memo is not None else {}

    def value(item: Term) -> bool | int:
        if item in known:
            return known[item]
        result: bool | int
        match item.op:
            case "true" | "false":
                result = item is TRUE
            case "var":
                result = values[item.arguments[0]]
            case "not":
                result = not value(item.arguments[0])
            case "and":
                result = all(value(part) for part in item.arguments)
            case "or":
                result = any(value(part) for part in item.arguments)
            case "ite":
                result = value(item.arguments[1] if value(item.arguments[0]) else item.arguments[2])
            case "linear":
                result = item.arguments[0] + sum(factor * value(part) for part, factor in item.arguments[1:])
            case "nonpositive":
                result = value(item.arguments[0]) <= 0
            case "zero":
                result = value(item.arguments[0]) == 0
            case _:
                raise AssertionError(item.op)
        known[item] = result
        return result

    return value(term)


def show(term: Term) -> str:
    """A short infix rendering, for error messages and tests."""
    match term.op:
        case "true" | "false":
            return term.op
        case "var":
            return str(term.arguments[0])
        case "not":
            inner = term.arguments[0]
            if inner.op == "nonpositive":
                return _compare(inner.arguments[0], ">")
            return f"not {show(inner)}" if inner.op == "var" else f"not ({show(inner)})"
        case "and" | "or":
            return f" {term.op} ".join(
                f"({show(part)})" if part.op in ("and", "or") else show(part) for part in term.arguments
            )
        case "ite":
            condition, then, otherwise = term.arguments
            return f"({show(then)} if {show(condition)} else {show(otherwise)})"
        case "linear":
            return _sum(term.arguments[0], term.arguments[1:])
        case "nonpositive":
            return _compare(term.arguments[0], "<=")
        case "zero":
            return _compare(term.arguments[0], "=")
    raise AssertionError(term.op)


def _sum(base: int, pairs: tuple[tuple[Term, int], ...]) -> str:
    text = ""
    for term, factor in pairs:
        size = "" if abs(factor) == 1 else f"{abs(factor)} * "
        sign = "-" if factor < 0 else ("+" if text else "")
        text += f"{' ' if text else ''}{sign}{' ' if text else ''}{size}{show(term)}"
    if base or not text:
        text += f"{' ' if text else ''}{'-' if base < 0 else ('+' if text else '')}{' ' if text else ''}{abs(base)}"
    return text


def _compare(form: Term, symbol: str) -> str:
    """A comparison of `form` with 0, every part on the side where it is positive."""
    base, pairs = _parts(form)
    left = tuple(pair for pair in pairs if pair[1] > 0)
    right = tuple((term, -factor) for term, factor in pairs if factor < 0)
    return f"{_sum(max(base, 0), left)} {symbol} {_sum(max(-base, 0), right)}"
