"""One tool among any number of others, as a transition system: the other tools are what its free inputs stand for.

A pass sees the others only through budget conditions, its visiting order and the turn's numbers. Here the numbers are
inputs, free at every read, and the order is whichever the run takes. A budget condition tested by several passes is a
variable: between a test and the next change of anything its truth stands, and after a change it is free; so is one that
implies another pass's. Safety of this
system is safety for every number of tools, every size and every budget (claim T15 checks the bridge).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ghostproof.lift.plain import (
    TURN,
    LiftedAction,
    LiftedPass,
    LiftedPruner,
    judgement,
    lift_action,
    lift_open_response,
    lift_settle,
)
from ghostproof.lift.pressure import truth_after
from ghostproof.lift.relation import Relation
from ghostproof.lift.system import Command, System
from ghostproof.lift.term import (
    TRUE,
    Sort,
    Term,
    at_most,
    combine,
    conjunction,
    constant,
    disjunction,
    equal,
    integer,
    negate,
    substitute,
    value_of,
    variable,
)
from ghostproof.turn.property import Property
from ghostproof.turn.pruner import rendering
from ghostproof.turn.scenario import Scenario
from ghostproof.turn.tool import AT_LEAST, FIXED, INITIAL

SETTLE, ENVIRONMENT, PROMPT, RESPONSE, EXECUTION = "settle", "environment", "prompt", "response", "execution"
LATE = "late"


def pass_location(index: int, name: str) -> str:
    """The location at which pass number `index` is about to visit or to end."""
    return f"pass {index + 1} {name}"


@dataclass(frozen=True, slots=True)
class Route:
    """The locations between the environment and the request: where the first pass or what comes late begins, the ends
    of each pass, and where late events lead."""

    entry: str
    ends: tuple[tuple[str, str], ...]
    after_late: str


def route(passes: Sequence[LiftedPass], scenario: Scenario) -> Route:
    """The way of a turn; late events, where there are any, stand before the passes at render."""
    places = [pass_location(index, item.name) for index, item in enumerate(passes)] + [PROMPT]
    split = rendering(passes)
    targets = [LATE if scenario.late and index == split else place for index, place in enumerate(places)]
    return Route(targets[0], tuple(zip(places, targets[1:], strict=False)), places[split])


class Conditions:
    """The budget conditions whose truth one pass can hand to another, as variables, and what frees them.

    A condition that several passes test, and one that implies or is implied by another pass's, keeps its truth while
    nothing changes; freed together, they keep their implications.
    """

    def __init__(self, pruner: LiftedPruner) -> None:
        tested = [(item.condition, item.condition_name) for item in pruner.passes if item.condition is not None]
        terms = [condition for condition, _ in tested]
        distinct = dict(tested)
        self._implied_by = {
            weak: [strong for strong in distinct if strong is not weak and condition_implies(strong, weak)]
            for weak in distinct
        }
        linked = {term for weak, strong in self._implied_by.items() if strong for term in (weak, *strong)}
        names = Counter(distinct.values())
        self._kept = {
            condition: f"{name} holds" if names[name] == 1 else f"{name} holds ({place})"
            for place, (condition, name) in enumerate(distinct.items())
            if terms.count(condition) > 1 or condition in linked
        }

    @property
    def variables(self) -> dict[str, Sort]:
        """One boolean a condition that is kept."""
        return dict.fromkeys(self._kept.values(), "Bool")

    def holds(self, condition: Term) -> Term | None:
        """The variable of a condition; None for one that tells no other pass anything and is free at each test."""
        name = self._kept.get(condition)
        return None if name is None else variable(name, "Bool")

    def freed(self) -> dict[str, Term]:
        """Updates that make every kept condition free, but for what one says of another."""
        free = {condition: variable(f"{name} afterwards", "Bool") for condition, name in self._kept.items()}
        return {
            name: disjunction(free[condition], *(free[strong] for strong in self._implied_by[condition]))
            for condition, name in self._kept.items()
        }

    def after(self, visit: Relation) -> dict[str, Term]:
        """Updates for a visit to this tool or another: what it cannot make fail stays true."""
        freed = self.freed()
        return {n: truth_after(c, variable(n, "Bool"), freed[n], visit) for c, n in self._kept.items()}


def condition_implies(strong: Term, weak: Term) -> bool:
    """Whether `strong` implies `weak` for all numbers of a turn, by comparing coefficients; False where it cannot tell.

    Every number is at least 0, and the demand for tombstones is at least the tombstones that are there.
    """
    if strong.op != "nonpositive" or weak.op != "nonpositive":
        return False
    demand = variable(TURN + "tombstone_demand_tokens", "Int")
    there = variable(TURN + "tombstone_tokens", "Int")
    owed = {demand: combine(there, variable(TURN + "tombstones still owed", "Int"))}
    excess = substitute(combine(weak.arguments[0], strong.arguments[0], -1), owed)
    known = value_of(excess)
    if known is not None:
        return int(known) <= 0
    if excess.op != "linear":
        return False
    base, pairs = excess.arguments[0], excess.arguments[1:]
    return int(base) <= 0 and all(term.op == "var" and factor < 0 for term, factor in pairs)


def initial_condition(scenario: Scenario, memory: Mapping[str, bool | int]) -> Term:
    """How one tool stands when a session starts: fixed fields free within their sorts, all else as in `INITIAL`."""
    parts = []
    for name, kind in FIXED.items():
        sort: Sort = "Bool" if kind is bool else "Int"
        if name in scenario.fixed:
            parts.append(equal(variable(name, sort), constant(scenario.fixed[name])))
        elif name in AT_LEAST:
            parts.append(at_most(integer(AT_LEAST[name]), variable(name, sort)))
    for name, value in {**INITIAL, **memory}.items():
        sort = "Bool" if isinstance(value, bool) else "Int"
        parts.append(equal(variable(name, sort), constant(value)))
    return conjunction(*parts)


def _acting(action: LiftedAction, source: str, target: str, extra: Mapping[str, Term]) -> Command:
    return Command(action.name, source, target, action.guard, {**action.updates, **extra})


def _pass_commands(pruner: LiftedPruner, conditions: Conditions, way: Route) -> list[Command]:
    commands = []
    for item, (here, there) in zip(pruner.passes, way.ends, strict=True):
        freed = conditions.after(item.visit)
        visited = {**item.visit.updates, **freed}
        if item.condition is None:
            commands.append(Command(f"{item.name} visits", here, there, TRUE, visited))
            continue
        holds = conditions.holds(item.condition)
        fails = TRUE if holds is None else negate(holds)
        commands.append(Command(f"{item.name} ends: fits", here, there, TRUE if holds is None else holds, {}))
        commands.append(Command(f"{item.name} visits", here, here, fails, visited))
        if freed:  # also where no other pass tests this condition: the visit may move those that others share
            commands.append(Command(f"{item.name} visits another tool", here, here, fails, freed))
        unchanged = conjunction(fails, negate(item.visit.changed))
        commands.append(Command(f"{item.name} ends: a round changed nothing", here, there, unchanged, {}))
    return commands


def single_tool(pruner: LiftedPruner, scenario: Scenario, judged: Property) -> System:
    """The system of one tool under `pruner` in `scenario`."""
    conditions = Conditions(pruner)
    way = route(pruner.passes, scenario)
    first = way.entry
    commands = [Command("last response settles", SETTLE, ENVIRONMENT, TRUE, lift_settle())]
    commands += [
        _acting(lift_action(action), ENVIRONMENT, first, conditions.freed()) for action in scenario.environment_actions
    ]
    commands += _pass_commands(pruner, conditions, way)
    commands += [_acting(lift_action(a), LATE, way.after_late, conditions.freed()) for a in scenario.late_actions]
    commands.append(Command("request is sent", PROMPT, RESPONSE, TRUE, lift_open_response()))
    commands += [_acting(lift_action(a), RESPONSE, EXECUTION, {}) for a in scenario.response_actions]
    commands += [_acting(lift_action(a), EXECUTION, SETTLE, {}) for a in scenario.execution_actions]
    return System(
        f"one tool under {pruner.name}: {scenario.name}",
        {**pruner.sorts, **conditions.variables},
        ENVIRONMENT,
        initial_condition(scenario, pruner.memory),
        tuple(commands),
        PROMPT,
        judgement(judged),
    )
