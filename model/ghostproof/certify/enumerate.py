"""Solver-free refutation search for a formula: every truth value of its booleans, one value in every region of its
integers.

Exact where each comparison speaks of one integer: two values between the same neighbouring constants satisfy the same
comparisons, so one of them stands for all. A comparison of several integers is not enumerable this way, and said so.
All boolean assignments are evaluated at once, as the bits of one long integer.
"""

from __future__ import annotations

from itertools import product

from ghostproof.lift.term import Term, at_most, choose, equal, evaluate, integer, rebuild, variables_of

BOOLEANS_MAX = 20
REGIONS_MAX = 20_000


class NotEnumerable(Exception):
    """The formula has no finite set of representative values that this module can find."""


def lifted_out(term: Term, memo: dict[Term, Term]) -> Term:
    """`term` with no if-then-else inside a comparison."""
    if term in memo:
        return memo[term]
    if term.op in ("nonpositive", "zero"):
        memo[term] = _comparison(term.op, term.arguments[0], memo)
    else:
        memo[term] = rebuild(term, {child: lifted_out(child, memo) for child in term.children})
    return memo[term]


def _comparison(op: str, form: Term, memo: dict[Term, Term]) -> Term:
    inner = (
        form
        if form.op == "ite"
        else next((t for t, _ in form.arguments[1:] if t.op == "ite"), None)
        if (form.op == "linear")
        else None
    )
    if inner is None:
        compare = at_most if op == "nonpositive" else equal
        return compare(form, integer(0))
    condition, then, otherwise = inner.arguments
    branches = []
    for value in (then, otherwise):
        children = {child: child for child in form.children} if form.op == "linear" else {}
        replaced = value if form is inner else rebuild(form, {**children, inner: value})
        known = at_most(replaced, integer(0)) if op == "nonpositive" else equal(replaced, integer(0))
        branches.append(lifted_out(known, memo))
    return choose(lifted_out(condition, memo), branches[0], branches[1])


def _regions(term: Term) -> dict[str, list[int]]:
    """For each integer variable one value in every region that the comparisons of `term` cut its line into."""
    edges: dict[str, set[int]] = {name: {0} for name, item in variables_of(term).items() if item.sort == "Int"}
    seen: set[Term] = set()
    stack = [term]
    while stack:
        top = stack.pop()
        if top in seen:
            continue
        seen.add(top)
        stack.extend(top.children)
        if top.op not in ("nonpositive", "zero"):
            continue
        names = list(variables_of(top))
        if len(names) != 1:
            raise NotEnumerable(f"a comparison speaks of {' and '.join(names)}")
        slope_form = top.arguments[0]
        at_zero = int(evaluate(slope_form, {names[0]: 0}))
        slope = int(evaluate(slope_form, {names[0]: 1})) - at_zero
        if slope not in (1, -1):
            raise NotEnumerable(f"a comparison multiplies {names[0]}")
        edges[names[0]].add(-at_zero * slope)
    return {
        name: sorted({value for edge in found for value in (edge - 1, edge, edge + 1)}) for name, found in edges.items()
    }


def first_failure(formula: Term) -> tuple[dict[str, bool | int] | None, int]:
    """An assignment that satisfies `formula`, or None, and how many were checked. Raises NotEnumerable."""
    term = lifted_out(formula, {})
    names = [name for name, item in variables_of(term).items() if item.sort == "Bool"]
    if len(names) > BOOLEANS_MAX:
        raise NotEnumerable(f"{len(names)} booleans")
    regions = _regions(term)
    combinations = 1
    for values in regions.values():
        combinations *= len(values)
    if combinations > REGIONS_MAX:
        raise NotEnumerable(f"{combinations} regions of integers")
    rows = 1 << len(names)
    full = (1 << rows) - 1
    masks = {name: _column(position, rows) for position, name in enumerate(names)}
    for chosen_values in product(*regions.values()):
        point = dict(zip(regions, chosen_values, strict=True))
        hits = _bits(term, masks, point, full, {})
        if hits:
            row = (hits & -hits).bit_length() - 1
            chosen: dict[str, bool | int] = {name: bool(row >> place & 1) for place, name in enumerate(names)}
            return {**chosen, **point}, combinations * rows
    return None, combinations * rows


def _column(position: int, rows: int) -> int:
    """The truth-table column of variable number `position`: bit r is set when row r gives it True."""
    block = 1 << position
    pattern = ((1 << block) - 1) << block
    width = 2 * block
    while width < rows:
        pattern |= pattern << width
        width *= 2
    return pattern


def _bits(term: Term, masks: dict[str, int], point: dict[str, int], full: int, memo: dict[Term, int]) -> int:
    if term in memo:
        return memo[term]
    match term.op:
        case "true" | "false":
            bits = full if term.op == "true" else 0
        case "var":
            bits = masks[term.arguments[0]]
        case "not":
            bits = full ^ _bits(term.arguments[0], masks, point, full, memo)
        case "and":
            bits = full
            for part in term.arguments:
                bits &= _bits(part, masks, point, full, memo)
        case "or":
            bits = 0
            for part in term.arguments:
                bits |= _bits(part, masks, point, full, memo)
        case "ite":
            condition, then, otherwise = (_bits(part, masks, point, full, memo) for part in term.arguments)
            bits = (condition & then) | ((full ^ condition) & otherwise)
        case _:
            bits = full if evaluate(term, point) else 0
    memo[term] = bits
    return bits
