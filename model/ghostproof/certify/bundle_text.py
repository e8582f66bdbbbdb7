"""Terms in the one written form of a certificate bundle: SMT-LIB, every variable quoted, no sharing, no sugar."""

from __future__ import annotations

from ghostproof.lift.term import Term

LENGTH_MAX = 200_000


class NotBundledError(Exception):
    """What was proved has no certificate: why not."""


def written(term: Term, memo: dict[Term, str] | None = None) -> str:
    """The text of `term`. Raises NotBundledError when it grows beyond what anybody could read."""
    known = {} if memo is None else memo
    stack = [term]
    while stack:
        top = stack[-1]
        waiting = [child for child in top.children if child not in known]
        if waiting:
            stack.extend(waiting)
            continue
        stack.pop()
        known[top] = _operation(top, known)
        if len(known[top]) > LENGTH_MAX:
            raise NotBundledError("a pass has more paths than a certificate can hold; split it into several passes")
    return known[term]


def numeral(value: int) -> str:
    """An integer."""
    return str(value) if value >= 0 else f"(- {-value})"


def _operation(term: Term, known: dict[Term, str]) -> str:
    match term.op:
        case "true" | "false":
            return term.op
        case "var":
            return f"|{term.arguments[0]}|"
        case "not" | "and" | "or" | "ite":
            return f"({term.op} {' '.join(known[part] for part in term.arguments)})"
        case "nonpositive":
            return f"(<= {known[term.arguments[0]]} 0)"
        case "zero":
            return f"(= {known[term.arguments[0]]} 0)"
        case "linear":
            base, pairs = term.arguments[0], term.arguments[1:]
            parts = [known[part] if factor == 1 else f"(* {numeral(factor)} {known[part]})" for part, factor in pairs]
            if base or not parts:
                parts.append(numeral(base))
            return parts[0] if len(parts) == 1 else f"(+ {' '.join(parts)})"
    raise AssertionError(term.op)
