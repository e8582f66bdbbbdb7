"""A system as constrained Horn clauses: a predicate a location, a clause a command, the violation as the query.

Two texts of the same clauses: the rules that Spacer reads, and SMT-LIB's logic HORN, which other solvers read as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ghostproof.lift.smtlib import operation, symbol_name
from ghostproof.lift.system import System
from ghostproof.lift.term import Term


@dataclass(frozen=True, slots=True)
class Clause:
    """Whenever `body` holds, so does `head`; without a head it may never hold. `bound` is free in it, by symbol."""

    name: str
    body: str
    head: str | None
    bound: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Clauses:
    """All clauses of a system, the location that each predicate stands for, and the sorts of every predicate."""

    clauses: tuple[Clause, ...]
    locations: Mapping[str, str]
    sorts: tuple[str, ...]


def tree(term: Term) -> str:
    """`term` written out in full. Clauses are separate scopes, and what they share is small."""
    return operation(term, {child: tree(child) for child in term.children})


def horn_clauses(system: System) -> Clauses:
    """The clauses that have a solution exactly when no violation is reachable."""
    names = {location: f"p{index}" for index, location in enumerate(system.locations)}
    state = system.state()
    fields = {symbol_name(name): str(term.sort) for name, term in state.items()}

    def applied(location: str, values: Mapping[str, Term]) -> str:
        arguments = [tree(values.get(name, term)) for name, term in state.items()]
        return f"({' '.join([names[location], *arguments])})" if arguments else names[location]

    clauses = [Clause("a session starts", tree(system.initial), applied(system.start, {}), fields)]
    for command in system.commands:
        body = f"(and {applied(command.source, {})} {tree(command.guard)})"
        inputs = {symbol_name(name): str(term.sort) for name, term in system.inputs(command).items()}
        head = applied(command.target, command.updates)
        clauses.append(Clause(command.name, body, head, {**fields, **inputs}))
    clauses.append(Clause("violation", f"(and {applied(system.judged, {})} {tree(system.bad)})", None, fields))
    return Clauses(tuple(clauses), {short: location for location, short in names.items()}, tuple(fields.values()))


def horn_script(system: System) -> tuple[str, Mapping[str, str]]:
    """The clauses in Spacer's rule format, and the location that each predicate stands for."""
    made = horn_clauses(system)
    lines = [f"(declare-rel {name} ({' '.join(made.sorts)}))" for name in made.locations]
    lines.append("(declare-rel violated ())")
    bound: dict[str, str] = {}
    for clause in made.clauses:
        bound.update(clause.bound)
    lines += [f"(declare-var {name} {sort})" for name, sort in bound.items()]
    lines += [f"(rule (=> {clause.body} {clause.head or 'violated'}))" for clause in made.clauses]
    lines.append("(query violated)")
    return "\n".join(lines), made.locations


def smtlib_horn(made: Clauses) -> str:
    """The clauses as a script in SMT-LIB's logic HORN: sat when no violation is reachable, unsat when one is."""
    lines = ["(set-logic HORN)"]
    for name, location in made.locations.items():
        lines += [f"; {name}: {_comment(location)}", f"(declare-fun {name} ({' '.join(made.sorts)}) Bool)"]
    for clause in made.clauses:
        implied = f"(=> {clause.body} {clause.head or 'false'})"
        bound = " ".join(f"({name} {sort})" for name, sort in clause.bound.items())
        lines.append(f"; {_comment(clause.name)}")
        lines.append(f"(assert (forall ({bound}) {implied}))" if bound else f"(assert {implied})")
    return "\n".join([*lines, "(check-sat)", ""])


def _comment(text: str) -> str:
    """`text` on one line, whatever a pruner's author called things."""
    return "".join(character if character.isprintable() else "?" for character in text)
