"""Symbolic booleans and integers that fork at each truth test.

Plain code runs on them unchanged. An operation that has no exact meaning here raises `Unsupported`; it never guesses.
"""

from __future__ import annotations

from typing import NoReturn

from ghostproof.lift.term import (
    FALSE,
    TRUE,
    Term,
    at_most,
    boolean,
    combine,
    constant,
    equal,
    integer,
    negate,
    scaled,
    value_of,
)
from ghostproof.turn.errors import a_kind


class Unsupported(Exception):
    """An operation that cannot be lifted: what was met, and what to write instead."""

    def __init__(self, found: str, instead: str) -> None:
        self.found, self.instead = found, instead
        super().__init__(f"{found}; {instead}")


class Fork:
    """One run along one path: the truth tests so far and their outcomes.

    A test seen before on this path keeps its outcome; a new one follows `prefix`, and beyond it takes True first.
    """

    def __init__(self, prefix: tuple[bool, ...]) -> None:
        self.prefix = prefix
        self.tests: list[tuple[Term, bool]] = []
        self._known: dict[Term, bool] = {}

    def truth(self, term: Term) -> bool:
        """The outcome of testing `term` on this path."""
        known = value_of(term)
        if known is not None:
            return bool(known)
        if term.op == "not":
            return not self.truth(term.arguments[0])
        if term not in self._known:
            position = len(self.tests)
            outcome = self.prefix[position] if position < len(self.prefix) else True
            self.tests.append((term, outcome))
            self._known[term] = outcome
        return self._known[term]


class Symbol:
    """What both kinds share: a term, the fork it belongs to, and refusals."""

    __slots__ = ("fork", "term")
    __hash__ = None  # type: ignore[assignment]  # a set or dict key would compare by identity

    def __init__(self, term: Term, fork: Fork) -> None:
        self.term = term
        self.fork = fork

    def _refuse(self, what: str) -> NoReturn:
        raise Unsupported(f"{what} of a value that is not known yet", "use comparisons, + and - only")

    def __index__(self) -> int:
        raise Unsupported("a loop or index bound that is not known yet", "let the pass visit the tool again instead")

    def __iter__(self) -> NoReturn:
        self._refuse("iteration")

    def __len__(self) -> int:
        self._refuse("the length")

    def __float__(self) -> float:
        self._refuse("the float")

    def __int__(self) -> int:
        self._refuse("int()")

    def __str__(self) -> str:
        self._refuse("the text")

    def __format__(self, spec: str) -> str:
        self._refuse("the text")

    def __repr__(self) -> str:
        self._refuse("the text")


class SymbolicBool(Symbol):
    """A boolean that is not known yet."""

    __slots__ = ()

    def __bool__(self) -> bool:
        return self.fork.truth(self.term)

    def __eq__(self, other: object) -> SymbolicBool:  # type: ignore[override]
        return SymbolicBool(equal(self.term, _boolean_term(other)), self.fork)

    def __ne__(self, other: object) -> SymbolicBool:  # type: ignore[override]
        return SymbolicBool(negate(equal(self.term, _boolean_term(other))), self.fork)

    def _and(self, other: object) -> NoReturn:
        raise Unsupported("& on booleans", "write `and`")

    def _or(self, other: object) -> NoReturn:
        raise Unsupported("| on booleans", "write `or`")

    def _xor(self, other: object) -> NoReturn:
        raise Unsupported("^ on booleans", "write `!=`")

    def __invert__(self) -> NoReturn:
        raise Unsupported("~ on a boolean", "write `not`")

    def _no_arithmetic(self, *others: object) -> NoReturn:
        raise Unsupported("arithmetic on a boolean", "write `1 if condition else 0`")

    def _no_order(self, other: object) -> NoReturn:
        raise Unsupported("an order comparison of a boolean", "use `and`, `or`, `not`, == and !=")

    __and__ = __rand__ = _and
    __or__ = __ror__ = _or
    __xor__ = __rxor__ = _xor
    __add__ = __radd__ = __sub__ = __rsub__ = __neg__ = __pos__ = __abs__ = _no_arithmetic
    __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = _no_arithmetic
    __mod__ = __rmod__ = __pow__ = __rpow__ = __divmod__ = __rdivmod__ = __round__ = _no_arithmetic
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = _no_arithmetic
    __lt__ = __le__ = __gt__ = __ge__ = _no_order


class SymbolicInt(Symbol):
    """An integer that is not known yet."""

    __slots__ = ()

    def __bool__(self) -> bool:
        return self.fork.truth(negate(equal(self.term, integer(0))))

    def __eq__(self, other: object) -> SymbolicBool:  # type: ignore[override]
        return SymbolicBool(equal(self.term, _integer_term(other)), self.fork)

    def __ne__(self, other: object) -> SymbolicBool:  # type: ignore[override]
        return SymbolicBool(negate(equal(self.term, _integer_term(other))), self.fork)

    def __le__(self, other: object) -> SymbolicBool:
        return SymbolicBool(at_most(self.term, _integer_term(other)), self.fork)

    def __lt__(self, other: object) -> SymbolicBool:
        return SymbolicBool(negate(at_most(_integer_term(other), self.term)), self.fork)

    def __ge__(self, other: object) -> SymbolicBool:
        return SymbolicBool(at_most(_integer_term(other), self.term), self.fork)

    def __gt__(self, other: object) -> SymbolicBool:
        return SymbolicBool(negate(at_most(self.term, _integer_term(other))), self.fork)

    def __add__(self, other: object) -> SymbolicInt:
        return SymbolicInt(combine(self.term, _integer_term(other)), self.fork)

    __radd__ = __add__

    def __sub__(self, other: object) -> SymbolicInt:
        return SymbolicInt(combine(self.term, _integer_term(other), -1), self.fork)

    def __rsub__(self, other: object) -> SymbolicInt:
        return SymbolicInt(combine(_integer_term(other), self.term, -1), self.fork)

    def __neg__(self) -> SymbolicInt:
        return SymbolicInt(scaled(self.term, -1), self.fork)

    def __pos__(self) -> SymbolicInt:
        return self

    def __abs__(self) -> SymbolicInt:
        return self if self >= 0 else -self

    def _no_arithmetic(self, *others: object) -> NoReturn:
        raise Unsupported("multiplication, division or bit arithmetic", "use + and - of fields and constants only")

    __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = _no_arithmetic
    __mod__ = __rmod__ = __pow__ = __rpow__ = __divmod__ = __rdivmod__ = __round__ = _no_arithmetic
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = __invert__ = _no_arithmetic
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = _no_arithmetic


def _boolean_term(value: object) -> Term:
    if isinstance(value, SymbolicBool):
        return value.term
    if isinstance(value, bool):
        return boolean(value)
    raise Unsupported("a comparison of a boolean with something else", "compare booleans with booleans")


def _integer_term(value: object) -> Term:
    if isinstance(value, SymbolicInt):
        return value.term
    if isinstance(value, SymbolicBool):
        raise Unsupported("arithmetic on a boolean", "write `1 if condition else 0`")
    if isinstance(value, int):
        return integer(int(value))
    raise Unsupported(f"arithmetic or comparison with {a_kind(value)}", "use integers: tokens are exact")


def symbol(term: Term, fork: Fork) -> bool | int:
    """The symbolic value of `term`, typed as what plain code expects."""
    value: object = SymbolicBool(term, fork) if term.sort == "Bool" else SymbolicInt(term, fork)
    return value  # type: ignore[return-value]


def term_of(value: object) -> Term | None:
    """The term of a symbolic or plain value, or None when it is neither a boolean nor an integer."""
    if isinstance(value, Symbol):
        return value.term
    if isinstance(value, (bool, int)):
        return constant(value)
    return None


__all__ = ["FALSE", "TRUE", "Fork", "Symbol", "SymbolicBool", "SymbolicInt", "Unsupported", "symbol", "term_of"]
