"""N tools with exact token sizes and budgets, unrolled turn by turn: what bounded model checking solves.

Everything that is free is a variable: the sizes, the budgets, the rest of the prompt, and each turn's actions. Visiting
orders are encoded by rank: slot s of a round visits the one tool whose rank is s.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ghostproof.lift.dependence import fields_that_matter
from ghostproof.lift.plain import (
    OTHERS,
    TURN,
    LiftedAction,
    LiftedPass,
    LiftedPruner,
    judgement,
    lift_action,
    lift_costs,
    lift_open_response,
    lift_settle,
)
from ghostproof.lift.term import (
    FALSE,
    TRUE,
    Term,
    at_most,
    choose,
    combine,
    conjunction,
    constant,
    disjunction,
    equal,
    implies,
    integer,
    negate,
    substitute,
    variable,
)
from ghostproof.turn.action import Action
from ghostproof.turn.property import Property
from ghostproof.turn.pruner import rendering
from ghostproof.turn.scenario import Scenario
from ghostproof.turn.tool import AT_LEAST, FIXED, INITIAL
from ghostproof.turn.trace import Script, ScriptTurn

Fields = dict[str, Term]
SIZES = ("schema_tokens", "argument_tokens", "tombstone_tokens")


@dataclass
class Choice:
    """One free choice of an action: its variable, and the names its values stand for."""

    term: Term
    names: tuple[str, ...]


@dataclass
class TurnVariables:
    """What is free in one turn."""

    budgets: dict[str, Term]
    environment: list[Choice]
    response: list[Choice]
    execution: list[Choice]
    late: list[Choice]


@dataclass(frozen=True, slots=True)
class PassEffect:
    """What one pass made of one tool in one turn: its fields before and after the whole pass."""

    turn: int
    name: str
    before: Fields
    after: Fields


class SeveralTools:
    """The unrolled sessions of `tools` tools. `constraints` say what a session is, `violations[k]` that request k+1
    fails.

    `rounds` says how many rounds suffice for a pass when no tool has more than a given number of resident calls; it
    returns None when no number is known, which ends the unrolling with `unsettled` naming the pass. Fields on which the
    property cannot depend are left out, unless the `whole` state is asked for.
    """

    def __init__(
        self,
        pruner: LiftedPruner,
        scenario: Scenario,
        judged: Property,
        tools: int,
        rounds: Callable[[LiftedPass, int], int | None],
        whole: bool = False,
    ) -> None:
        self.pruner, self.scenario, self.tools = pruner, scenario, tools
        self._bad = judgement(judged)
        self._rounds = rounds
        self._kept = frozenset(pruner.sorts) if whole else fields_that_matter(pruner, scenario, judged)
        self._reads = pruner.reads_in(scenario)
        self._costs = lift_costs()
        self.constraints: list[Term] = []
        self.violations: list[Term] = []
        self.turns: list[TurnVariables] = []
        self.unsettled: str | None = None
        self._calls_max = 0
        self.fixed = [self._fixed_fields(index) for index in range(tools)]
        self.rest = variable("rest tokens", "Int") if "rest_tokens" in self._reads else integer(0)
        if self.rest.op == "var":
            self.constraints.append(at_most(integer(0), self.rest))
        start = {name: constant(value) for name, value in {**INITIAL, **pruner.memory}.items() if name in self._kept}
        self._state: list[Fields] = [{**start, **self.fixed[index]} for index in range(tools)]
        self.visits: list[PassEffect] = []
        self.prompts: list[list[Fields]] = []

    def _fixed_fields(self, index: int) -> Fields:
        fields: Fields = {}
        for name, kind in FIXED.items():
            if name not in self._kept:
                continue
            if name in self.scenario.fixed:
                fields[name] = constant(self.scenario.fixed[name])
                continue
            fields[name] = variable(f"tool {index + 1} {name}", "Bool" if kind is bool else "Int")
            if name in AT_LEAST:
                self.constraints.append(at_most(integer(AT_LEAST[name]), fields[name]))
        return fields

    @property
    def cost(self) -> Term:
        """The sum of all sizes, budgets and the rest, in tokens; sizes nobody reads count as 1."""
        total = self.rest
        for fields in self.fixed:
            for size in SIZES:
                total = combine(total, fields.get(size, integer(1)))
        seen: set[Term] = set()
        for turn in self.turns:
            for term in turn.budgets.values():
                if term not in seen:
                    seen.add(term)
                    total = combine(total, term)
        return total

    @property
    def events(self) -> Term:
        """How many choices are not the first of their table: what happens beyond idle tools and silence."""
        total = integer(0)
        for turn in self.turns:
            for choice in (*turn.environment, *turn.late, *turn.response):
                total = combine(total, choose(equal(choice.term, integer(0)), integer(0), integer(1)))
        return total

    def extend(self) -> None:
        """Unroll one more turn, up to its request."""
        number = len(self.turns) + 1
        if number > 1:
            self._respond(self.turns[-1], number - 1)
            for fields in self._state:
                self._apply(fields, lift_settle(), TRUE, {})
            self._calls_max += 1
        budgets = self._budgets(number)
        turn = TurnVariables(budgets, [], [], [], [])
        self.turns.append(turn)
        if number == 1:
            self.constraints.append(substitute(self.pruner.start(self.scenario), self._numbers(budgets)))
        turn.environment += self._happen(f"turn {number} environment", self.scenario.environment_actions)
        split = rendering(self.pruner.passes)
        self._arbitrate(number, self.pruner.passes[:split], budgets)
        if self.scenario.late:
            turn.late += self._happen(f"turn {number} late", self.scenario.late_actions)
        self._arbitrate(number, self.pruner.passes[split:], budgets)
        self.prompts.append([dict(fields) for fields in self._state])
        self.violations.append(disjunction(*(self._on(self._bad, fields) for fields in self._state)))

    def _happen(self, label: str, table: Sequence[Action]) -> list[Choice]:
        """One action of `table` for each tool, all at the same moment."""
        if any(action.name == "arguments appear" for action in table):
            self._calls_max += 1
        known = [self._others(index) for index in range(self.tools)]
        actions = [lift_action(action) for action in table]
        return [self._act(label, index, actions, known[index], optional=True) for index in range(self.tools)]

    def _arbitrate(self, number: int, passes: Sequence[LiftedPass], budgets: Mapping[str, Term]) -> None:
        for item in passes:
            before = [dict(fields) for fields in self._state]
            self._run_pass(item, budgets)
            self.visits += [
                PassEffect(number, item.name, old, dict(new)) for old, new in zip(before, self._state, strict=True)
            ]

    def _respond(self, turn: TurnVariables, number: int) -> None:
        for fields in self._state:
            self._apply(fields, lift_open_response(), TRUE, {})
        for label, table, chosen in (
            ("response", self.scenario.response_actions, turn.response),
            ("execution", self.scenario.execution_actions, turn.execution),
        ):
            actions = [lift_action(action) for action in table]
            known = [self._others(index) for index in range(self.tools)]
            for index in range(self.tools):
                chosen.append(
                    self._act(f"turn {number} {label}", index, actions, known[index], optional=label == "response")
                )

    def _budgets(self, number: int) -> dict[str, Term]:
        prefix = "" if self.scenario.constant_budgets else f"turn {number} "
        budgets = {name: variable(prefix + name, "Int") for name in self.pruner.budget_names}
        for term in budgets.values():
            bound = at_most(integer(0), term)
            if bound not in self.constraints:
                self.constraints.append(bound)
        return budgets

    def _others(self, index: int) -> dict[Term, Term]:
        rejected, rebuilt = FALSE, FALSE
        if "rejected" in self._kept:
            for position, fields in enumerate(self._state):
                if position != index:
                    rejected = disjunction(rejected, fields["rejected"])
                    if "rebuilt" in self._kept:
                        rebuilt = disjunction(rebuilt, conjunction(fields["rejected"], fields["rebuilt"]))
        return {variable(OTHERS + "rejected", "Bool"): rejected, variable(OTHERS + "rebuilt", "Bool"): rebuilt}

    def _on(self, term: Term, fields: Fields, extra: Mapping[Term, Term] | None = None) -> Term:
        sorts = self.pruner.sorts
        return substitute(
            term, {**{variable(name, sorts[name]): value for name, value in fields.items()}, **(extra or {})}
        )

    def _apply(self, fields: Fields, updates: Mapping[str, Term], when: Term, extra: Mapping[Term, Term]) -> None:
        after = {
            name: choose(when, self._on(value, fields, extra), fields[name])
            for name, value in updates.items()
            if name in self._kept
        }
        fields.update(after)

    def _act(
        self, label: str, index: int, actions: Sequence[LiftedAction], others: Mapping[Term, Term], optional: bool
    ) -> Choice:
        """One action for one tool. With `optional` the first does nothing and is always there, and actions without
        effect on what is kept stand aside; without it, one of all actions is taken."""
        fields = self._state[index]
        telling = [action for action in actions if set(action.updates) & self._kept]
        if telling and not optional:
            telling = list(actions)
        offered = ([actions[0]] if optional and actions[0] not in telling else []) + telling
        choice = Choice(variable(f"{label} of tool {index + 1}", "Int"), tuple(action.name for action in offered))
        if len(offered) <= 1 and (not offered or offered[0].guard is TRUE):
            choice.term = integer(0)
            if not offered:
                return choice
        else:
            self.constraints.append(at_most(integer(0), choice.term))
            self.constraints.append(at_most(choice.term, integer(len(offered) - 1)))
        before = dict(fields)
        for position, action in enumerate(offered):
            taken = equal(choice.term, integer(position))
            self.constraints.append(implies(taken, self._on(action.guard, before, others)))
            for name, value in action.updates.items():
                if name in self._kept:
                    fields[name] = choose(taken, self._on(value, before, others), fields[name])
        return choice

    def _numbers(self, budgets: Mapping[str, Term]) -> dict[Term, Term]:
        numbers: dict[Term, Term] = {}
        for name in self._reads:
            if name in budgets:
                total = budgets[name]
            elif name == "rest_tokens":
                total = self.rest
            else:
                total = integer(0)
                for fields in self._state:
                    total = combine(total, self._total(name, fields))
            numbers[variable(TURN + name, "Int")] = total
        return numbers

    def _total(self, name: str, fields: Fields) -> Term:
        if name != "argument_tokens":
            return self._on(self._costs[name], fields)
        # calls_resident * argument_tokens, kept linear: calls_resident is at most _calls_max in every unrolled session.
        total = integer(0)
        for count in range(1, self._calls_max + 1):
            there = at_most(integer(count), fields["calls_resident"])
            total = combine(total, choose(there, fields["argument_tokens"], integer(0)))
        return total

    def _ranks(self, item: LiftedPass) -> list[list[Term]]:
        """`result[slot][tool]` says that the tool is visited in that slot."""
        keys = [self._on(item.order, fields) for fields in self._state]
        count = self.tools
        before = [[FALSE] * count for _ in range(count)]
        for left in range(count):
            for right in range(left + 1, count):
                before[left][right] = at_most(keys[left], keys[right])
                before[right][left] = negate(before[left][right])
        slots = []
        for slot in range(count):
            row = []
            for tool in range(count):
                ahead = integer(0)
                for other in range(count):
                    if other != tool:
                        ahead = combine(ahead, choose(before[other][tool], integer(1), integer(0)))
                row.append(equal(ahead, integer(slot)))
            slots.append(row)
        return slots

    def _run_pass(self, item: LiftedPass, budgets: Mapping[str, Term]) -> None:
        if item.condition is None:
            rounds: int | None = 1
        else:
            rounds = self._rounds(item, self._calls_max)
            if rounds is None:
                self.unsettled = item.name
                return
        ended = FALSE
        for _ in range(rounds or 0):
            changed = FALSE
            for row in self._ranks(item):
                numbers = self._numbers(budgets)
                if item.condition is not None:
                    ended = disjunction(ended, substitute(item.condition, numbers))
                going = negate(ended)
                for fields, here in zip(self._state, row, strict=True):
                    visited = conjunction(going, here)
                    if visited is FALSE:
                        continue
                    if item.condition is not None:
                        changed = disjunction(
                            changed, conjunction(visited, self._on(item.visit.changed, fields, numbers))
                        )
                    self._apply(fields, item.visit.updates, visited, numbers)
            ended = disjunction(ended, negate(changed))

    def decode(self, values: Mapping[str, bool | int]) -> Script:
        """The session that a solver's model stands for; what the model leaves open takes its least value."""

        def read(term: Term, least: bool | int) -> bool | int:
            if term.op == "var":
                return values.get(term.arguments[0], least)
            return term.arguments[0] if term.op == "linear" else term is TRUE

        def pick(choices: Sequence[Choice]) -> tuple[str, ...]:
            return tuple(c.names[int(read(c.term, 0))] if c.names else "" for c in choices)

        tools = []
        for fields in self.fixed:
            tool: dict[str, bool | int] = {}
            for name, kind in FIXED.items():
                # What nothing depends on is told as the seed's case: a tool that changes state, not pinned.
                unread: bool | int = name == "mutation" if kind is bool else AT_LEAST[name]
                default = self.scenario.fixed.get(name, unread)
                tool[name] = read(fields[name], default) if name in fields else default
            tools.append(tool)
        turns = tuple(
            ScriptTurn(
                {name: int(read(term, 0)) for name, term in turn.budgets.items()},
                pick(turn.environment),
                pick(turn.response),
                pick(turn.execution),
                pick(turn.late),
            )
            for turn in self.turns
        )
        return Script(tuple(tools), int(read(self.rest, 0)), turns)
