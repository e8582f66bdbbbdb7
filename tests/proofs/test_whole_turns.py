"""T15 once more, by other means: a whole turn of N tools, from any state back to where it began, tool by tool.

The turn is the one of `exact_turn`, which shares no code with the projection: every tool's settling, environment
action, visits in the pass's own order, response and execution. Each moment must be a command of the one-tool system.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest

from ghostproof.lift.limits import Limits
from ghostproof.lift.plain import LiftedAction, LiftedPruner, lift_action, lift_pruner
from ghostproof.lift.several import SeveralTools
from ghostproof.lift.single import PROMPT, Conditions, pass_location, single_tool
from ghostproof.lift.smtlib import script
from ghostproof.lift.solver import Satisfiable, Unsatisfiable, ask_afresh
from ghostproof.lift.system import Command, System
from ghostproof.lift.term import (
    FALSE,
    Term,
    at_most,
    boolean,
    conjunction,
    constant,
    disjunction,
    equal,
    integer,
    negate,
    substitute,
    variable,
)
from ghostproof.turn.budget import BUDGETS
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.scenario import ANYTHING
from ghostproof.turn.tool import INITIAL
from ghostproof.variants.arbitration import argument_first, schema_first
from ghostproof_proofs.broken.projections import between
from ghostproof_proofs.t2_parts import oldest
from ghostproof_proofs.t3_cells import Cell, pruner_of
from proofs.exact_turn import ExactTurn, Fields, Moment, Numbers, any_state, in_domain

GATE_BETWEEN = pruner_of(Cell("argument-first", "tombstone", "between", "pruned this turn", "takes tombstones"))
ACTIONS = [
    [lift_action(action) for action in actions]
    for actions in (ANYTHING.environment_actions, ANYTHING.response_actions, ANYTHING.execution_actions)
]


def whole_turn(pruner: Pruner, tools: int, rounds: int) -> ExactTurn:
    """From any state in which no call is resident, though one may just have been made, once round."""
    lifted = lift_pruner(pruner)
    state = [any_state(lifted, f"tool {index + 1}") for index in range(tools)]
    budgets = {name: variable(name, "Int") for name in BUDGETS}
    rest = variable("rest", "Int")

    def taken(actor: str, tool: int, action: LiftedAction) -> Term:
        return variable(f"{actor} of tool {tool + 1} is {action.name}", "Bool")

    turn = ExactTurn(lifted, state, budgets, rest, calls_max=0, rounds=rounds, taken=taken)
    turn.facts += [in_domain(fields, 0) for fields in state]
    turn.facts += [at_most(integer(0), number) for number in (*budgets.values(), rest)]
    turn.settle()
    turn.environment(ACTIONS[0])
    turn.arbitrate()
    turn.respond(ACTIONS[1], ACTIONS[2])
    return turn


class Projection:
    """What it is for a moment to be a step of the one-tool system; the free truths are tried out, not named."""

    def __init__(self, pruner: LiftedPruner, system: System) -> None:
        self._pruner, self._system = pruner, system
        conditions = Conditions(pruner)
        tested = [item.condition for item in pruner.passes if item.condition is not None]
        self._kept = {c: holds for c in tested if (holds := conditions.holds(c)) is not None}
        self._tested_at = {pass_location(index, item.name) for index, item in enumerate(pruner.passes)} | {PROMPT}

    def _truths(self, numbers: Numbers, place: str, else_: Fields) -> Fields:
        """True ones where passes stand or have just ended; elsewhere they stay as they are."""
        if place not in self._tested_at:
            return else_
        return {holds.arguments[0]: substitute(c, numbers) for c, holds in self._kept.items()}

    def failures(self, moment: Moment) -> Iterator[Term]:
        """For each tool, that `moment` happens and is no step."""
        anything: Fields = {h.arguments[0]: variable(f"any {h.arguments[0]}", "Bool") for h in self._kept.values()}
        old = self._truths(moment.numbers[0], moment.source, anything)
        new = self._truths(moment.numbers[1], moment.target, old)
        for before, after, read in zip(moment.before, moment.after, moment.reads, strict=True):
            start, end = {**before, **old}, {**after, **new}
            same = conjunction(*(equal(start[name], end[name]) for name in self._system.variables))
            steps = [
                self._step(command, start, end, read)
                for command in self._system.commands
                if (command.source, command.target) == (moment.source, moment.target)
            ]
            yield conjunction(
                moment.when, negate(disjunction(same if moment.source == moment.target else FALSE, *steps))
            )

    def _step(self, command: Command, before: Fields, after: Fields, read: Numbers) -> Term:
        state = self._system.state()
        here = {**{state[name]: before[name] for name in state}, **read}
        free = [term for term in self._system.inputs(command).values() if term not in here]
        found = []
        for values in product((False, True), repeat=len(free)):
            at = {**here, **{term: boolean(value) for term, value in zip(free, values, strict=True)}}
            moved = (equal(after[n], substitute(command.updates.get(n, state[n]), at)) for n in state)
            found.append(conjunction(substitute(command.guard, at), *moved))
        return disjunction(*found)


def gap(turn: ExactTurn, system: System) -> list[Term]:
    """The facts of a turn whose passes end in its rounds, and that something in it is no step of `system`."""
    projection = Projection(turn.pruner, system)
    failures = [failure for moment in turn.moments for failure in projection.failures(moment)]
    return [*turn.facts, *turn.ended, disjunction(*failures)]


PRUNERS = [argument_first, schema_first, oldest.schema_first, GATE_BETWEEN, between]
COUNTS = [1, 2, *(pytest.param(count, marks=pytest.mark.slow) for count in (3, 4))]
# Behind the gate there are none.
FROM_GHOSTS = ("rebuild a call from a ghost", "ask for a ghost")
NEEDED = [
    command.name
    for command in single_tool(lift_pruner(argument_first), ANYTHING, NO_GHOST).commands
    if command.name not in FROM_GHOSTS
]


@pytest.mark.parametrize("tools", COUNTS)
@pytest.mark.parametrize("pruner", PRUNERS, ids=lambda pruner: pruner.name)
def test_every_moment_is_a_step_of_the_one_tool_system(pruner: Pruner, tools: int) -> None:
    turn = whole_turn(pruner, tools, rounds=4)
    assert isinstance(ask_afresh(script([*turn.facts, *turn.ended]), Limits()), Satisfiable)
    system = single_tool(turn.pruner, ANYTHING, NO_GHOST)
    assert isinstance(ask_afresh(script(gap(turn, system)), Limits()), Unsatisfiable)


@pytest.mark.parametrize("pruner", [argument_first, schema_first], ids=lambda pruner: pruner.name)
def test_every_pass_ends_within_the_rounds(pruner: Pruner) -> None:
    turn = whole_turn(pruner, 2, rounds=4)
    unfinished = negate(conjunction(*turn.ended))
    assert isinstance(ask_afresh(script([*turn.facts, unfinished]), Limits()), Unsatisfiable)
    short = whole_turn(pruner, 2, rounds=1)
    unfinished = negate(conjunction(*short.ended))
    assert isinstance(ask_afresh(script([*short.facts, unfinished]), Limits()), Satisfiable)


def test_every_kind_of_moment_happens() -> None:
    turn = whole_turn(argument_first, 2, rounds=4)
    kinds: dict[str, list[Term]] = {}
    for moment in turn.moments:
        kinds.setdefault(moment.name, []).append(moment.when)
    # Five between arbitrations, one a pass without a condition, three a pass with one.
    assert len(kinds) == 5 + 2 * 1 + 2 * 3
    for name, happens in kinds.items():
        query = script([*turn.facts, *turn.ended, disjunction(*happens)])
        assert isinstance(ask_afresh(query, Limits()), Satisfiable), name


@pytest.mark.parametrize("dropped", NEEDED)
def test_a_system_without_a_command_is_found_out(dropped: str) -> None:
    turn = whole_turn(argument_first, 2, rounds=4)
    system = single_tool(turn.pruner, ANYTHING, NO_GHOST)
    less = replace(system, commands=tuple(c for c in system.commands if c.name != dropped))
    assert isinstance(ask_afresh(script(gap(turn, less)), Limits()), Satisfiable)


@pytest.mark.parametrize("tools", [1, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("pruner", PRUNERS[:4], ids=lambda pruner: pruner.name)
def test_the_unrolled_sessions_send_the_same_two_requests(pruner: Pruner, tools: int) -> None:
    lifted, rounds = lift_pruner(pruner), 5
    sessions = SeveralTools(lifted, ANYTHING, NO_GHOST, tools, lambda item, calls: rounds, whole=True)
    sessions.extend()
    sessions.extend()
    current = [sessions.turns[0]]

    def taken(actor: str, tool: int, action: LiftedAction) -> Term:
        choice = getattr(current[0], actor)[tool]
        return equal(choice.term, integer(choice.names.index(action.name))) if action.name in choice.names else FALSE

    start = {name: constant(value) for name, value in {**INITIAL, **lifted.memory}.items()}
    state = [{**start, **fields} for fields in sessions.fixed]
    turn = ExactTurn(lifted, state, sessions.turns[0].budgets, sessions.rest, 0, rounds, taken)
    turn.environment(ACTIONS[0])
    turn.arbitrate()
    first = [dict(fields) for fields in turn.state]
    turn.respond(ACTIONS[1], ACTIONS[2])
    current[0] = sessions.turns[1]
    turn.budgets = current[0].budgets
    turn.settle()
    turn.environment(ACTIONS[0])
    turn.arbitrate()
    facts = [*sessions.constraints, *turn.facts, *turn.ended]
    assert isinstance(ask_afresh(script(facts), Limits()), Satisfiable)
    for mine, theirs in zip((first, turn.state), sessions.prompts, strict=True):
        differ = [
            negate(equal(own[name], other[name]))
            for own, other in zip(mine, theirs, strict=True)
            for name in lifted.sorts
        ]
        assert isinstance(ask_afresh(script([*facts, disjunction(*differ)]), Limits()), Unsatisfiable)
