"""Systems over a whole set of tools, as SMT-LIB text: tools are an uninterpreted sort, and each variable is a relation.

A command of such a system happens to all tools at once: its guard holds of every tool, its updates say of every tool
what is true of it afterwards, and its inputs are relations as well, so each tool has its own. `HERE` is true of the one
tool that a pass visits. Scripts have constants, relations of one tool, and a `forall` in front: no function makes tools
out of tools, so they are effectively propositional and both solvers decide them, for any number of tools.
"""

from __future__ import annotations

from collections.abc import Mapping

from ghostproof.lift.smtlib import operation, symbol_name
from ghostproof.lift.system import Command, System
from ghostproof.lift.term import TRUE, Term, negate, substitute, variable, variables_of

HERE = variable("is visited now", "Bool")
SORT, BOUND, VISITED_TOOL, ONE, ANOTHER = "Tool", "t", "|the visited tool|", "|one tool|", "|another tool|"
# Apart from constants, which are marked otherwise: only those are read from a model.
RELATION = "~"
AFTERWARDS = "next "


def _relation(name: str) -> str:
    return symbol_name(name, RELATION)


def about(term: Term, tool: str) -> str:
    """The text of `term`, each variable said of `tool`."""
    known: dict[Term, str] = {}
    stack = [term]
    while stack:
        top = stack[-1]
        waiting = [child for child in top.children if child not in known]
        if waiting:
            stack.extend(waiting)
            continue
        stack.pop()
        if top.op == "var":
            known[top] = f"(= {tool} {VISITED_TOOL})" if top is HERE else f"({_relation(top.arguments[0])} {tool})"
        else:
            known[top] = operation(top, known)
    return known[term]


def _of_all(term: Term) -> list[str]:
    return [] if term is TRUE else [f"(assert (forall (({BOUND} {SORT})) {about(term, BOUND)}))"]


class Script:
    """One question: what holds of all tools, and what one tool does that it should not."""

    def __init__(self, *terms: Term) -> None:
        """Declares what `terms` speak of."""
        found = variables_of(*terms)
        self._names = [name for name, term in found.items() if term is not HERE]
        self._lines = ["(set-logic UF)", f"(declare-sort {SORT} 0)"]
        self._lines += [f"(declare-fun {_relation(name)} ({SORT}) Bool)" for name in self._names]
        self._lines += [f"(declare-const {tool} {SORT})" for tool in (VISITED_TOOL, ONE, ANOTHER)]
        self._given: list[str] = []
        self._denied = ""

    def given(self, term: Term) -> Script:
        """`term` holds of every tool."""
        self._given += _of_all(term)
        return self

    def given_same(self, left: Term, right: Term) -> Script:
        """`left` and `right` hold of the same tools."""
        both = f"(= {about(left, BOUND)} {about(right, BOUND)})"
        self._given.append(f"(assert (forall (({BOUND} {SORT})) {both}))")
        return self

    def but(self, term: Term) -> Script:
        """`term` holds of one tool: what is to be impossible."""
        self._denied = f"(assert {about(term, ONE)})"
        return self

    @property
    def text(self) -> str:
        """Unsatisfiable exactly when no set of tools does what is to be impossible."""
        return "\n".join([*self._lines, *self._given, self._denied, ""])

    def possible(self, visited: Term = TRUE) -> str:
        """The premises alone, with two tools at least, and with `visited` true of the visited one."""
        seen = f"(assert {about(visited, VISITED_TOOL)})"
        return "\n".join([*self._lines, *self._given, f"(assert (distinct {ONE} {ANOTHER}))", seen, ""])

    def told(self) -> str:
        """`text`, with a constant for each relation of the one tool, so that a model tells how that tool stands."""
        lines = [f"(declare-const {symbol_name(name)} Bool)" for name in self._names]
        lines += [f"(assert (= {symbol_name(name)} ({_relation(name)} {ONE})))" for name in self._names]
        return "\n".join([self.text, *lines, ""])


def obligation_scripts(system: System, invariant: Mapping[str, Term]) -> dict[str, tuple[Script, Command | None]]:
    """Initiation, consecution of each command, and safety, with the command that each is about.

    A location without an entry is unconstrained, and a command to one has nothing to keep.
    """
    start = invariant.get(system.start, TRUE)
    found: dict[str, tuple[Script, Command | None]] = {}
    if start is not TRUE:
        question = Script(system.initial, start).given(system.initial).but(negate(start))
        found["initiation"] = question, None
    for command in system.commands:
        kept = invariant.get(command.target, TRUE)
        if kept is not TRUE:
            found[command.name] = _consecution(system, command, invariant.get(command.source, TRUE), kept), command
    judged = invariant.get(system.judged, TRUE)
    found["safety"] = Script(judged, system.bad).given(judged).but(system.bad), None
    return found


def _consecution(system: System, command: Command, held: Term, kept: Term) -> Script:
    state = system.state()
    after = {name: variable(AFTERWARDS + name, "Bool") for name in command.updates}
    then = substitute(kept, {state[name]: term for name, term in after.items()})
    question = Script(held, command.guard, *after.values(), *command.updates.values(), kept, then)
    question.given(held).given(command.guard)
    for name, term in after.items():
        question.given_same(term, command.updates[name])
    return question.but(negate(then))
