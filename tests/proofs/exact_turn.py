"""N tools through one turn with exact sums, written down from `turn.session` and from nothing else.

It is what `lift.several` means, by other means: a state of its own after every visit, and a round that always goes to
the least of the tools not yet visited. Every moment says what it did to each tool, with the numbers that were read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ghostproof.lift.plain import (
    OTHERS,
    TURN,
    LiftedAction,
    LiftedPass,
    LiftedPruner,
    lift_costs,
    lift_open_response,
    lift_settle,
)
from ghostproof.lift.single import ENVIRONMENT, EXECUTION, PROMPT, RESPONSE, SETTLE, pass_location
from ghostproof.lift.term import (
    FALSE,
    TRUE,
    Term,
    at_most,
    choose,
    combine,
    conjunction,
    disjunction,
    equal,
    implies,
    integer,
    negate,
    substitute,
    variable,
)
from ghostproof.turn.budget import BUDGETS, TOTALS
from ghostproof.turn.tool import AT_LEAST

Fields = dict[str, Term]
Numbers = Mapping[Term, Term]
Taken = Callable[[str, int, LiftedAction], Term]


@dataclass(frozen=True, slots=True)
class Moment:
    """What happens between two locations, if `when` holds: each tool before and after, and what it read.

    `numbers` are the turn's at the start and at the end; `reads` has, tool by tool, what its visit or action was told.
    """

    name: str
    source: str
    target: str
    when: Term
    before: Sequence[Fields]
    after: Sequence[Fields]
    reads: Sequence[Numbers]
    numbers: tuple[Numbers, Numbers]


def any_state(pruner: LiftedPruner, label: str) -> Fields:
    """One tool in an arbitrary state."""
    return {name: variable(f"{label} {name}", sort) for name, sort in pruner.sorts.items()}


def in_domain(fields: Fields, calls_max: int | None = None) -> Term:
    """That the fields have values they can have, and no more than `calls_max` resident calls."""
    calls = fields["calls_resident"]
    return conjunction(
        *(at_most(integer(least), fields[name]) for name, least in AT_LEAST.items()),
        at_most(fields["calls_before_tombstone"], calls),
        TRUE if calls_max is None else at_most(calls, integer(calls_max)),
    )


def on(term: Term, fields: Fields, read: Numbers | None = None) -> Term:
    """`term` on one tool's fields, with what it is told of the rest."""
    return substitute(term, {**{variable(name, value.sort): value for name, value in fields.items()}, **(read or {})})


@dataclass
class ExactTurn:
    """One turn after another of the tools in `state`. `facts` say what happened, `moments` tell it step by step.

    `taken(actor, tool, action)` says when a tool takes an action. No tool has more than `calls_max` resident calls at
    first. `rounds` bounds the rounds of a pass; sessions whose passes need more are left out.
    """

    pruner: LiftedPruner
    state: list[Fields]
    budgets: Mapping[str, Term]
    rest: Term
    calls_max: int
    rounds: int
    taken: Taken
    facts: list[Term] = field(default_factory=list)
    moments: list[Moment] = field(default_factory=list)
    ended: list[Term] = field(default_factory=list)
    _names: dict[Term, Term] = field(default_factory=dict)

    def numbers(self) -> dict[Term, Term]:
        """Every number that a visit or a condition can read, as exact sums over the tools."""
        read: dict[Term, Term] = {variable(TURN + "rest_tokens", "Int"): self.rest}
        read.update({variable(TURN + name, "Int"): self.budgets.get(name, integer(0)) for name in BUDGETS})
        for name in TOTALS:
            total = integer(0)
            for fields in self.state:
                total = combine(total, self._cost(name, fields))
            read[variable(TURN + name, "Int")] = self._name(total)
        return read

    def _cost(self, name: str, fields: Fields) -> Term:
        if name != "argument_tokens":
            return on(lift_costs()[name], fields)
        # A product of two unknowns, as a case for each number of calls there can be.
        cost, size = integer(0), integer(0)
        for calls in range(1, self.calls_max + 1):
            size = combine(size, fields["argument_tokens"])
            cost = choose(equal(fields["calls_resident"], integer(calls)), size, cost)
        return cost

    def _name(self, term: Term) -> Term:
        """A variable that stands for `term`, so that terms stay small."""
        if term.op in ("var", "true", "false") or (term.op == "linear" and len(term.arguments) == 1):
            return term
        if term not in self._names:
            self._names[term] = variable(f"value {len(self._names) + 1}", term.sort)
            self.facts.append(equal(self._names[term], term))
        return self._names[term]

    def _changed(self, fields: Fields, updates: Mapping[str, Term], when: Term, read: Numbers) -> Fields:
        after = {name: choose(when, on(value, fields, read), fields[name]) for name, value in updates.items()}
        return {**fields, **{name: self._name(value) for name, value in after.items()}}

    def _note(
        self,
        name: str,
        ends: tuple[str, str],
        when: Term,
        before: Sequence[Fields],
        reads: Sequence[Numbers],
        old: Numbers,
    ) -> None:
        after = list(self.state)
        self.moments.append(Moment(name, *ends, when, before, after, reads, (old, self.numbers())))

    def settle(self) -> None:
        """The last response settles."""
        before, old = list(self.state), self.numbers()
        self.calls_max += 1
        self.state = [self._changed(fields, lift_settle(), TRUE, {}) for fields in self.state]
        self._note("last response settles", (SETTLE, ENVIRONMENT), TRUE, before, [{}] * len(before), old)

    def environment(self, actions: Sequence[LiftedAction]) -> None:
        """The environment acts on every tool."""
        if any(action.name == "arguments appear" for action in actions):
            self.calls_max += 1
        self._act("environment", actions, (ENVIRONMENT, self._place(0)))

    def respond(self, responses: Sequence[LiftedAction], executions: Sequence[LiftedAction]) -> None:
        """The request is out: the model answers, the executor acts."""
        before, old = list(self.state), self.numbers()
        self.state = [self._changed(fields, lift_open_response(), TRUE, {}) for fields in self.state]
        self._note("request is sent", (PROMPT, RESPONSE), TRUE, before, [{}] * len(before), old)
        self._act("response", responses, (RESPONSE, EXECUTION))
        self._act("execution", executions, (EXECUTION, SETTLE))

    def _act(self, actor: str, actions: Sequence[LiftedAction], ends: tuple[str, str]) -> None:
        before, old = list(self.state), self.numbers()
        reads = [self._others(index) for index in range(len(before))]
        for index, fields in enumerate(before):
            choices = [self.taken(actor, index, action) for action in actions]
            self.facts.append(disjunction(*choices))
            after = dict(fields)
            for position, (action, chosen) in enumerate(zip(actions, choices, strict=True)):
                self.facts += [negate(conjunction(chosen, other)) for other in choices[:position]]
                self.facts.append(implies(chosen, on(action.guard, fields, reads[index])))
                for name, value in action.updates.items():
                    after[name] = choose(chosen, on(value, fields, reads[index]), after[name])
            self.state[index] = {name: self._name(value) for name, value in after.items()}
        self._note(actor, ends, TRUE, before, reads, old)

    def _others(self, index: int) -> Numbers:
        rest = [fields for position, fields in enumerate(self.state) if position != index]
        rejected = disjunction(*(fields["rejected"] for fields in rest))
        rebuilt = disjunction(*(conjunction(fields["rejected"], fields["rebuilt"]) for fields in rest))
        return {variable(OTHERS + "rejected", "Bool"): rejected, variable(OTHERS + "rebuilt", "Bool"): rebuilt}

    def _place(self, index: int) -> str:
        return pass_location(index, self.pruner.passes[index].name) if index < len(self.pruner.passes) else PROMPT

    def arbitrate(self) -> None:
        """All passes in the pruner's order."""
        for index, item in enumerate(self.pruner.passes):
            if item.condition is None:
                self._visit_all(item, (self._place(index), self._place(index + 1)))
            else:
                self._go_round(item, item.condition, self._place(index), self._place(index + 1))

    def _visit_all(self, item: LiftedPass, ends: tuple[str, str]) -> None:
        before, old, count = list(self.state), self.numbers(), len(self.state)
        reads: list[dict[Term, Term]] = [{} for _ in before]
        for slot in self._round(item):
            numbers = self.numbers()
            for index in range(count):
                for name, value in numbers.items():
                    reads[index][name] = choose(slot[index], value, reads[index].get(name, integer(0)))
                self.state[index] = self._changed(self.state[index], item.visit.updates, slot[index], numbers)
        self._note(f"{item.name} visits every tool", ends, TRUE, before, reads, old)

    def _go_round(self, item: LiftedPass, condition: Term, here: str, there: str) -> None:
        ended = FALSE
        for _ in range(self.rounds):
            changed = FALSE
            for slot in self._round(item):
                numbers, still = self.numbers(), list(self.state)
                fits = self._name(substitute(condition, numbers))
                told = [numbers] * len(still)
                self._note(
                    f"{item.name} ends: fits", (here, there), conjunction(negate(ended), fits), still, told, numbers
                )
                ended = self._name(disjunction(ended, fits))
                for index, fields in enumerate(still):
                    visited = conjunction(negate(ended), slot[index])
                    moved = conjunction(visited, on(item.visit.changed, fields, numbers))
                    changed = self._name(disjunction(changed, moved))
                    self.state[index] = self._changed(fields, item.visit.updates, visited, numbers)
                self._note(f"{item.name} visits", (here, here), negate(ended), still, told, numbers)
            quiet = conjunction(negate(ended), negate(changed))
            numbers = self.numbers()
            told = [numbers] * len(self.state)
            self._note(f"{item.name} ends: unchanged", (here, there), quiet, list(self.state), told, numbers)
            ended = self._name(disjunction(ended, quiet))
        self.ended.append(ended)

    def _round(self, item: LiftedPass) -> list[list[Term]]:
        """Slot by slot, tool by tool, whether it is this tool's turn: always the least of those not yet visited.

        Keys are read once, when the round starts; of equal ones the tool declared first comes first.
        """
        keys = [on(item.order, fields) for fields in self.state]
        keys = [self._name(choose(k, integer(1), integer(0)) if k.sort == "Bool" else k) for k in keys]
        count = len(keys)
        done = [FALSE] * count
        slots = []
        for _ in range(count):
            slot = []
            for tool in range(count):
                least = [
                    disjunction(
                        done[other], at_most(combine(keys[tool], integer(1 if other < tool else 0)), keys[other])
                    )
                    for other in range(count)
                    if other != tool
                ]
                slot.append(self._name(conjunction(negate(done[tool]), *least)))
            done = [self._name(disjunction(done[tool], slot[tool])) for tool in range(count)]
            slots.append(slot)
        return slots
