"""A transition system as guarded commands between named locations: what the engines and checkers see.

Definition. A state is a location and a value for each variable. A command leads from its source to its target where its
guard holds for some value of its inputs; it gives new values to the variables it updates, and the others keep theirs.
The system is safe when no reachable state at the judged location violates the property.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ghostproof.lift.term import TRUE, Sort, Term, conjunction, negate, substitute, variable, variables_of


@dataclass(frozen=True, slots=True)
class Command:
    """A named guarded command. Variables of guard and updates that are not the system's are inputs, free each time."""

    name: str
    source: str
    target: str
    guard: Term
    updates: Mapping[str, Term]


@dataclass(frozen=True, slots=True)
class System:
    """Variables with sorts, the location and the condition a run starts with, commands, and what is judged where."""

    name: str
    variables: Mapping[str, Sort]
    start: str
    initial: Term
    commands: tuple[Command, ...]
    judged: str
    bad: Term

    @property
    def locations(self) -> tuple[str, ...]:
        """Every location, in order of first mention."""
        found = {self.start: None}
        for command in self.commands:
            found.setdefault(command.source)
            found.setdefault(command.target)
        return tuple(found)

    def state(self) -> dict[str, Term]:
        """Each variable as a term."""
        return {name: variable(name, sort) for name, sort in self.variables.items()}

    def inputs(self, command: Command) -> dict[str, Term]:
        """The inputs of `command`."""
        used = variables_of(command.guard, *command.updates.values())
        return {name: term for name, term in used.items() if name not in self.variables}


def obligations(system: System, invariant: Mapping[str, Term]) -> list[tuple[str, Term]]:
    """The conditions, each unsatisfiable exactly when it is discharged, under which `invariant` proves `system` safe.

    One for initiation, one a command for consecution, one for safety. A location without an entry is unconstrained.
    """
    required = [
        (
            "initiation",
            conjunction(system.initial, negate(invariant.get(system.start, TRUE))),
        )
    ]
    state = system.state()
    for command in system.commands:
        after = {state[name]: value for name, value in command.updates.items()}
        held = invariant.get(command.source, TRUE)
        kept = substitute(invariant.get(command.target, TRUE), after)
        required.append(
            (
                f"consecution of {command.name!r} from {command.source} to {command.target}",
                conjunction(held, command.guard, negate(kept)),
            )
        )
    required.append(("safety", conjunction(invariant.get(system.judged, TRUE), system.bad)))
    return required


def relevant(system: System) -> System:
    """The part of `system` that the property can depend on; reachability of a violation is unchanged.

    A variable matters when the property or a kept command reads it, or a run starts with a relation between it and one
    that matters. A command that changes nothing that matters, beside
    an unguarded command that changes nothing between the same locations, adds nothing and is dropped with its guard.
    """
    kept = set(variables_of(system.bad)) & set(system.variables)
    while True:
        commands = _distinct(system, kept)
        needed = set(kept)
        for command in commands:
            needed.update(variables_of(command.guard))
            needed.update(*(variables_of(value) for name, value in command.updates.items() if name in kept))
        for part in conjuncts(system.initial):
            if needed & set(variables_of(part)):
                needed.update(variables_of(part))
        needed &= set(system.variables)
        if needed == kept:
            break
        kept = needed
    trimmed = tuple(
        Command(c.name, c.source, c.target, c.guard, {n: v for n, v in c.updates.items() if n in kept})
        for c in commands
    )
    variables = {name: sort for name, sort in system.variables.items() if name in kept}
    initial = conjunction(*(part for part in conjuncts(system.initial) if set(variables_of(part)) <= kept))
    return System(system.name, variables, system.start, initial, trimmed, system.judged, system.bad)


def conjuncts(term: Term) -> tuple[Term, ...]:
    """The parts of a conjunction; a term of another kind is its own only part."""
    return term.arguments if term.op == "and" else (term,)


def _distinct(system: System, kept: set[str]) -> list[Command]:
    idle = {
        (command.source, command.target)
        for command in system.commands
        if command.guard is TRUE and not kept & set(command.updates)
    }
    seen: set[tuple[object, ...]] = set()
    result = []
    for command in system.commands:
        updates = tuple(sorted((name, value.number) for name, value in command.updates.items() if name in kept))
        ends = (command.source, command.target)
        if not updates and ends in idle:
            if ends in seen:
                continue
            seen.add(ends)
            result.append(Command(command.name, *ends, TRUE, {}))
            continue
        key = (*ends, command.guard.number, updates)
        if key not in seen:
            seen.add(key)
            result.append(command)
    return result
