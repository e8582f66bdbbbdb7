"""Terms in the one written form of a certificate bundle: SMT-LIB, every variable quoted, no sharing, no sugar."""

from __future__ import annotations

from ghostproof.lift.smtlib import operation
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


def _operation(term: Term, known: dict[Term, str]) -> str:
    # The text of a script, but for the mark and the escapes of a script's names.
    return f"|{term.arguments[0]}|" if term.op == "var" else operation(term, known)
