"""Which variables keep a known value at which location: constant propagation over a system of commands.

What it finds is a candidate for an invariant and nothing more; whoever uses it discharges the obligations.
"""

from __future__ import annotations

from collections.abc import Mapping

from ghostproof.lift.system import System, conjuncts
from ghostproof.lift.term import FALSE, Term, boolean, conjunction, equal, integer, substitute, value_of

Known = dict[Term, Term]


def constants(system: System) -> dict[str, Term]:
    """For each location that may be reached, what is known there, as a conjunction of equalities."""
    known: dict[str, Known] = {system.start: _initially(system)}
    waiting = [system.start]
    while waiting:
        here = waiting.pop()
        for command in system.commands:
            if command.source != here or substitute(command.guard, known[here]) is FALSE:
                continue
            after = _after(command.updates, known[here], system)
            there = known.get(command.target)
            kept = (
                after if there is None else {term: value for term, value in there.items() if after.get(term) is value}
            )
            if there is None or len(kept) < len(there):
                known[command.target] = kept
                waiting.append(command.target)
    unreached = {location: FALSE for location in system.locations if location not in known}
    return {
        **{location: conjunction(*(equal(t, v) for t, v in facts.items())) for location, facts in known.items()},
        **unreached,
    }


def _initially(system: System) -> Known:
    """What the initial condition says outright: a flag, its negation, or that an integer is 0."""
    facts: Known = {}
    for part in conjuncts(system.initial):
        inner = part.arguments[0] if part.op in ("not", "zero") else part
        if inner.op == "var":
            facts[inner] = integer(0) if part.op == "zero" else boolean(part is inner)
    return facts


def _after(updates: Mapping[str, Term], known: Known, system: System) -> Known:
    state = system.state()
    after: Known = {}
    for name, term in state.items():
        value = substitute(updates[name], known) if name in updates else known.get(term)
        if value is not None and value_of(value) is not None:
            after[term] = value
    return after
