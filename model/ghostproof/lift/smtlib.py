"""Terms as SMT-LIB 2 text: the one form in which a question reaches any solver.

Shared subterms become `define-fun` macros, so that the text grows with the graph and not with the tree.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping

from ghostproof.lift.term import TRUE, Term, variables_of

# Bars and backslashes cannot be quoted. The mark in front keeps names apart from the solver's own (`true`, `and`) and
# from the macros of a script.
MARK = "$"
_ESCAPES = {"$": "$d", "|": "$b", "\\": "$s"}


def symbol_name(name: str, mark: str = MARK) -> str:
    """`name` as a quoted SMT-LIB symbol; different names give different symbols."""
    return f"|{mark}{''.join(_ESCAPES.get(character, character) for character in name)}|"


def plain_name(symbol: str) -> str:
    """The name that `symbol_name` made `symbol` of, as a solver gives it back: without quotes."""
    name = symbol.removeprefix(MARK)
    for character, escape in reversed(_ESCAPES.items()):
        name = name.replace(escape, character)
    return name


def numeral(value: int) -> str:
    """An integer literal; SMT-LIB has no negative ones."""
    return str(value) if value >= 0 else f"(- {-value})"


def operation(term: Term, known: Mapping[Term, str]) -> str:
    """The text of `term` over the texts of its children."""
    match term.op:
        case "true" | "false":
            return term.op
        case "var":
            return symbol_name(term.arguments[0])
        case "not":
            return f"(not {known[term.arguments[0]]})"
        case "and" | "or" | "ite":
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


class Printer:
    """Prints terms into one script, defining each shared subterm once."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._known: dict[Term, str] = {}
        self._parents: dict[Term, int] = {}

    def declare(self, names: Mapping[str, Term]) -> None:
        """Declare constants for variables that are not yet declared."""
        for name, term in names.items():
            if term not in self._known:
                self._known[term] = symbol_name(name)
                self.lines.append(f"(declare-const {symbol_name(name)} {term.sort})")

    def _count(self, term: Term) -> None:
        stack = [term]
        while stack:
            top = stack.pop()
            for child in top.children:
                self._parents[child] = self._parents.get(child, 0) + 1
                if self._parents[child] == 1 and child not in self._known:
                    stack.append(child)

    def text(self, term: Term) -> str:
        """The text of `term`; definitions it needs are appended to the script first."""
        self._count(term)
        stack = [term]
        while stack:
            top = stack[-1]
            if top in self._known:
                stack.pop()
                continue
            waiting = [child for child in top.children if child not in self._known]
            if waiting:
                stack.extend(waiting)
                continue
            stack.pop()
            body = operation(top, self._known)
            if self._parents.get(top, 0) > 1 and top.op not in ("true", "false", "var") and len(body) > 12:
                name = f"n{len(self._known)}"
                self.lines.append(f"(define-fun {name} () {top.sort} {body})")
                body = name
            self._known[top] = body
        return self._known[term]

    def assume(self, term: Term) -> None:
        """Assert `term`; what is true anyway is left out."""
        if term is TRUE:
            return
        self.declare(variables_of(term))
        text = self.text(term)
        self.lines.append(f"(assert {text})")

    def take(self) -> str:
        """The lines since the last time, as text."""
        text, self.lines = "\n".join(self.lines), []
        return text


def script(assertions: Iterable[Term], logic: str = "QF_LIA", check: bool = False) -> str:
    """A self-contained script that asserts all of `assertions`."""
    printer = Printer()
    printer.lines.append(f"(set-logic {logic})")
    for term in assertions:
        printer.assume(term)
    if check:
        printer.lines.append("(check-sat)")
    return "\n".join(printer.lines) + "\n"


def shuffled(text: str, order: int) -> str:
    """A script of a command a line that means the same, in the order of this number; 0 leaves it as it is.

    Constants are declared first, then come the definitions, then the assertions or the rules of Spacer.
    """
    if not order:
        return text
    chance = random.Random(order)
    lines = text.splitlines()
    constants = [line for line in lines if line.startswith(("(declare-const ", "(declare-var "))]
    asserted = [line for line in lines if line.startswith(("(assert ", "(rule "))]
    moved = {*constants, *asserted}
    defined = [line for line in lines if line.startswith("(define-fun ")]
    asked = [line for line in lines if line.startswith(("(check-sat", "(query "))]
    first = [line for line in lines if line not in moved and line not in defined and line not in asked]
    chance.shuffle(constants)
    chance.shuffle(asserted)
    return "\n".join([*first, *constants, *defined, *asserted, *asked, ""])
