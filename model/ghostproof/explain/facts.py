"""The obligations of a proof, taken apart into facts that can each be left out.

An obligation says: what the invariant holds at the source of a command, and the command, exclude that a part of the
invariant fails at the target. Here the new values are variables of their own, and every assertion about them has a
name. Without the assertion "the pass leaves the tombstone", say, the pass may make of the tombstone what it likes; so
nothing that a pass is trusted with goes unnamed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ghostproof.lift.plain import LiftedPass, LiftedPruner
from ghostproof.lift.relation import Path, merge
from ghostproof.lift.single import pass_location
from ghostproof.lift.system import Command, System
from ghostproof.lift.term import (
    TRUE,
    Term,
    boolean,
    conjunction,
    equal,
    implies,
    negate,
    show,
    substitute,
    variable,
    variables_of,
)
from ghostproof.turn.explanation import Fact, Kind
from ghostproof.turn.tool import PRUNER_WRITES


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """One obligation: `background` and all of `named` exclude each other. It serves the fact `target`, if any.

    A question whose target is given up need not be answered.
    """

    name: str
    target: Fact | None
    background: Term
    named: Mapping[Fact, Term]

    def only(self, kept: frozenset[Fact]) -> Question:
        """The same question with nothing but `kept` to go by."""
        return Question(self.name, self.target, self.background, {f: t for f, t in self.named.items() if f in kept})


def parts(term: Term) -> Iterator[Term]:
    """The conjuncts of `term`, those of a negated disjunction included."""
    if term.op == "and":
        for part in term.arguments:
            yield from parts(part)
    elif term.op == "not" and term.arguments[0].op == "or":
        for part in term.arguments[0].arguments:
            yield from parts(negate(part))
    elif term is not TRUE:
        yield term


class Obligations:
    """The questions by which `invariant` proves `system`, the one-tool system of `pruner`."""

    def __init__(self, system: System, pruner: LiftedPruner, invariant: Mapping[str, Term]) -> None:
        self._system, self._pruner = system, pruner
        self._passes = {pass_location(place, item.name): item for place, item in enumerate(pruner.passes)}
        self.invariant = {
            place: {Fact("invariant", place, show(part)): part for part in parts(term)}
            for place, term in invariant.items()
        }
        self.questions = (*self._initiation(), *self._consecution(), self._safety())

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Every fact that some question may use."""
        return tuple(dict.fromkeys(fact for question in self.questions for fact in question.named))

    def actor(self, command: Command) -> str:
        """Who takes `command`: a pass, or the action of that name."""
        item = self._passes.get(command.source)
        return command.name if item is None else f"pass {item.name}"

    def _at(self, place: str) -> Mapping[Fact, Term]:
        return self.invariant.get(place, {})

    def _initiation(self) -> Iterator[Question]:
        start = {Fact("start", self._system.start, show(part)): part for part in parts(self._system.initial)}
        for fact, term in self._at(self._system.start).items():
            yield Question("initiation", fact, negate(term), start)

    def _safety(self) -> Question:
        return Question("safety", None, self._system.bad, self._at(self._system.judged))

    def _consecution(self) -> Iterator[Question]:
        for command in self._system.commands:
            for fact, term in self._at(command.target).items():
                read = variables_of(term)
                after, named = self._step(command, set(read))
                later = substitute(term, {read[name]: value for name, value in after.items()})
                yield Question(
                    f"consecution of {command.name!r}", fact, negate(later), {**self._at(command.source), **named}
                )

    def _step(self, command: Command, read: set[str]) -> tuple[dict[str, Term], dict[Fact, Term]]:
        """New values of the fields in `read` as variables, and what `command` says of them, fact by fact."""
        item = self._passes.get(command.source)
        written = set(command.updates)
        if item is not None and command.name == f"{item.name} visits":
            written |= PRUNER_WRITES | set(self._pruner.memory)
        sorts = self._system.variables
        after = {name: variable(f"{name} afterwards", sorts[name]) for name in sorts if name in written & read}
        named = dict(self._guards(command, item))
        if item is None:
            says = conjunction(*(equal(term, command.updates[name]) for name, term in after.items()))
            if says is not TRUE:
                named[Fact("effect", command.name, command.source)] = says
            return after, named
        for name, term in after.items():
            if name in self._pruner.sorts:
                named.update(_visited(item, name, term))
            else:
                named[Fact("budget", item.name, name)] = equal(term, command.updates[name])
        return after, named

    def _guards(self, command: Command, item: LiftedPass | None) -> Iterator[tuple[Fact, Term]]:
        if command.guard is TRUE:
            return
        if item is None:
            yield Fact("guard", command.name, show(command.guard)), command.guard
        elif command.target == command.source:
            yield Fact("visits", item.name, item.condition_name), command.guard
        else:
            yield (
                Fact("ends", item.name, item.condition_name, command.name.removeprefix(f"{item.name} ")),
                command.guard,
            )


def _visited(item: LiftedPass, name: str, after: Term) -> Iterator[tuple[Fact, Term]]:
    """What a visit makes of one field: where it gives it which value, and where it leaves it."""
    before = variable(name, after.sort)
    values = [path.assigned.get(name, before) for path in item.visit.paths]
    for value in dict.fromkeys(values):
        # The tests of a pass are a tree; folded, its leaves say where the field gets this value.
        leaves = tuple(
            Path(path.tests, {"here": boolean(own is value)}, None)
            for path, own in zip(item.visit.paths, values, strict=True)
        )
        when = merge(leaves, {"here": "Bool"}).updates["here"]
        kind: Kind = "kept" if value is before else "change"
        yield Fact(kind, item.name, show(value), show(when), name), implies(when, equal(after, value))


def judged_after(system: System, command: Command) -> Term:
    """The property fails once `command` was taken."""
    state = system.state()
    return substitute(system.bad, {state[name]: value for name, value in command.updates.items()})
