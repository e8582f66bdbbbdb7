"""A system of guarded commands, unrolled command by command: for k-induction, for toys, and for abstract candidates."""

from __future__ import annotations

from collections.abc import Mapping

from ghostproof.lift.system import System
from ghostproof.lift.term import (
    Term,
    at_most,
    choose,
    conjunction,
    disjunction,
    equal,
    implies,
    integer,
    negate,
    substitute,
    variable,
)
from ghostproof.turn.trace import Walk


class CommandUnrolling:
    """`frames` of `system`: states 0..k with one command between neighbours. Locations are numbers in system order."""

    def __init__(self, system: System, started: bool = True) -> None:
        self.system = system
        self._place = {name: integer(index) for index, name in enumerate(system.locations)}
        self.constraints: list[Term] = []
        self.frames: list[dict[str, Term]] = []
        self._choices: list[Term] = []
        self.extend()
        if started:
            self.constraints.append(equal(self._at(0), self._place[system.start]))
            self.constraints.append(self._on(system.initial, 0))

    def _at(self, index: int) -> Term:
        return variable(f"the location at {index}", "Int")  # no field is named with a space

    def _on(self, term: Term, index: int) -> Term:
        state = self.system.state()
        return substitute(term, {state[name]: value for name, value in self.frames[index].items()})

    def extend(self) -> None:
        """Add one more state, and the command that leads to it."""
        index = len(self.frames)
        self.frames.append({name: variable(f"{name} at {index}", sort) for name, sort in self.system.variables.items()})
        self.constraints.append(at_most(integer(0), self._at(index)))
        self.constraints.append(at_most(self._at(index), integer(len(self._place) - 1)))
        if index:
            self._step(index - 1)

    def _step(self, index: int) -> None:
        chosen = variable(f"the command at {index}", "Int")
        self._choices.append(chosen)
        self.constraints.append(at_most(integer(0), chosen))
        self.constraints.append(at_most(chosen, integer(len(self.system.commands) - 1)))
        state = self.system.state()
        after: dict[str, Term] = dict(self.frames[index])
        for position, command in enumerate(self.system.commands):
            here = {state[name]: value for name, value in self.frames[index].items()}
            for name, term in self.system.inputs(command).items():
                here[term] = variable(f"{name} at {index}", term.sort)
            taken = equal(chosen, integer(position))
            enabled = conjunction(
                equal(self._at(index), self._place[command.source]),
                substitute(command.guard, here),
                equal(self._at(index + 1), self._place[command.target]),
            )
            self.constraints.append(implies(taken, enabled))
            for name, value in command.updates.items():
                after[name] = choose(taken, substitute(value, here), after[name])
        self.constraints += [equal(self.frames[index + 1][name], value) for name, value in after.items()]

    def violation(self, index: int) -> Term:
        """State `index` is at the judged location and violates the property."""
        return conjunction(equal(self._at(index), self._place[self.system.judged]), self._on(self.system.bad, index))

    def apart(self) -> Term:
        """All states differ: the simple-path condition of k-induction."""
        different = []
        for left in range(len(self.frames)):
            for right in range(left):
                pairs = [(self._at(left), self._at(right))]
                pairs += [(self.frames[left][name], self.frames[right][name]) for name in self.frames[left]]
                different.append(disjunction(*(negate(equal(a, b)) for a, b in pairs)))
        return conjunction(*different)

    def decode(self, values: Mapping[str, bool | int]) -> Walk:
        """The walk that a model stands for."""
        names = self.system.locations
        states = []
        for index, frame in enumerate(self.frames):
            fields: dict[str, bool | int | str] = {
                name: values.get(term.arguments[0], False if term.sort == "Bool" else 0) for name, term in frame.items()
            }
            fields["location"] = names[int(values.get(self._at(index).arguments[0], 0))]
            states.append(fields)
        commands = tuple(self.system.commands[int(values.get(term.arguments[0], 0))].name for term in self._choices)
        return Walk(tuple(states), commands)
