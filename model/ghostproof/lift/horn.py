"""A system as constrained Horn clauses: a predicate a location, a rule a command, the violation as the query."""

from __future__ import annotations

from collections.abc import Mapping

from ghostproof.lift.smtlib import operation, symbol_name
from ghostproof.lift.system import System
from ghostproof.lift.term import Term


def tree(term: Term) -> str:
    """`term` written out in full. Rules are separate scopes, and what they share is small."""
    return operation(term, {child: tree(child) for child in term.children})


def horn_script(system: System) -> tuple[str, dict[str, str]]:
    """The clauses in Spacer's rule format, and the location that each predicate stands for."""
    names = {location: f"p{index}" for index, location in enumerate(system.locations)}
    state = system.state()

    def applied(location: str, values: Mapping[str, Term]) -> str:
        arguments = [tree(values.get(name, term)) for name, term in state.items()]
        return f"({' '.join([names[location], *arguments])})" if arguments else names[location]

    bound: dict[str, Term] = dict(state)
    for command in system.commands:
        bound.update(system.inputs(command))
    sorts = " ".join(term.sort for term in state.values())
    lines = [f"(declare-rel {name} ({sorts}))" for name in names.values()]
    lines.append("(declare-rel violated ())")
    lines += [f"(declare-var {symbol_name(name)} {term.sort})" for name, term in bound.items()]
    lines.append(f"(rule (=> {tree(system.initial)} {applied(system.start, {})}))")
    for command in system.commands:
        body = f"(and {applied(command.source, {})} {tree(command.guard)})"
        lines.append(f"(rule (=> {body} {applied(command.target, command.updates)}))")
    lines.append(f"(rule (=> (and {applied(system.judged, {})} {tree(system.bad)}) violated))")
    lines.append("(query violated)")
    return "\n".join(lines), {short: location for location, short in names.items()}
