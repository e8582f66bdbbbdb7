"""A condition as a short list of clauses: each a list of alternatives of which one holds. People read that at once.

Conditions arrive as text in the notation of Python expressions. Nothing is evaluated: the text is parsed, negations are
moved to the atoms, choices are opened, and clauses that follow from others are dropped.
"""

from __future__ import annotations

import ast
from itertools import product

CLAUSES_MAX = 8
TEXT_MAX = 4000

# A literal is an atom's text and whether it is meant as it stands.
Literal = tuple[str, bool]
Clause = frozenset[Literal]

OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}


class _TooManyError(Exception):
    """More clauses than anybody reads."""


def clauses(text: str) -> list[list[str]] | None:
    """The clauses that together mean `text`, shortest first; None where they would not help."""
    if len(text) > TEXT_MAX:
        return None
    try:
        found = _simplified(_clauses(ast.parse(text, mode="eval").body, True))
    except (SyntaxError, ValueError, RecursionError, MemoryError, _TooManyError):
        return None
    shown = [sorted((_written(literal) for literal in clause), key=_rank) for clause in found]
    return sorted(shown, key=lambda clause: (len(clause), [_rank(literal) for literal in clause]))


def _clauses(node: ast.expr, wanted: bool) -> set[Clause]:
    """The clauses of `node`, or of its negation where it is not `wanted`."""
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _clauses(operand, not wanted)
        case ast.BoolOp(op=op, values=values):
            parts = [_clauses(value, wanted) for value in values]
            return _all(parts) if isinstance(op, ast.And) is wanted else _any(parts)
        case ast.IfExp(test=test, body=body, orelse=other):
            when = _any([_clauses(test, False), _clauses(body, wanted)])
            return _all([when, _any([_clauses(test, True), _clauses(other, wanted)])])
        case ast.Constant(value=bool(value)):
            return set() if value is wanted else {frozenset()}
        case ast.Compare(left=left, ops=[op], comparators=[right]) if not wanted and type(op) in OPPOSITE:
            return {frozenset({(ast.unparse(ast.Compare(left, [OPPOSITE[type(op)]()], [right])), True)})}
    return {frozenset({(ast.unparse(node), wanted)})}


def _all(parts: list[set[Clause]]) -> set[Clause]:
    return set().union(*parts)


def _any(parts: list[set[Clause]]) -> set[Clause]:
    total = 1
    for part in parts:
        total *= len(part)
    if total > CLAUSES_MAX**2:
        raise _TooManyError
    return {frozenset().union(*choice) for choice in product(*parts)}


def _simplified(found: set[Clause]) -> set[Clause]:
    """Without clauses that always hold or follow from another, and alternatives that another clause excludes."""
    while True:
        kept = {clause for clause in found if not any((atom, not meant) in clause for atom, meant in clause)}
        kept = {clause for clause in kept if not any(other < clause for other in kept)}
        shorter = {_shortened(clause, kept) for clause in kept}
        if shorter == found:
            break
        found = shorter
    if len(found) > CLAUSES_MAX:
        raise _TooManyError
    return found


def _shortened(clause: Clause, others: set[Clause]) -> Clause:
    """`clause` without an alternative whose opposite, with alternatives of `clause` alone, another clause offers."""
    for atom, meant in clause:
        rest = clause - {(atom, meant)}
        if any((atom, not meant) in other and other - {(atom, not meant)} <= rest for other in others):
            return rest
    return clause


def _written(literal: Literal) -> str:
    atom, meant = literal
    return atom if meant else f"not {atom}"


# As the definition of a ghost is read: the schema, the tombstone, the arguments, then all else.
ORDER = ("schema_shown", "schema_lossy", "tombstone_resident", "calls_resident")


def _rank(literal: str) -> tuple[int, str]:
    return next((place for place, name in enumerate(ORDER) if name in literal), len(ORDER)), literal
