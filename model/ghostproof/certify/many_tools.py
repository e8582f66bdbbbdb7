"""Any number of tools at once, without a one-tool system in between: every variable is a relation over the tools.

The commands are made of the same lifted functions as everything else. Three things are abstracted, each so that more
can happen and never less. Integers: a comparison that the property makes is a relation, every other comparison is open
at each step. The turn's numbers: budget conditions are open, and so is what a visit reads of them. What a tool knows of
the others (a rejection elsewhere) is open. A pass visits tools in any order, and any tool as often as it likes; one
without a condition ends when every tool has been visited.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ghostproof.certify.enumerate import lifted_out
from ghostproof.lift.plain import (
    LiftedAction,
    LiftedPass,
    LiftedPruner,
    judgement,
    lift_action,
    lift_open_response,
    lift_settle,
)
from ghostproof.lift.quantified import HERE
from ghostproof.lift.single import ENVIRONMENT, EXECUTION, LATE, PROMPT, RESPONSE, SETTLE, pass_location, route
from ghostproof.lift.system import Command, System
from ghostproof.lift.term import (
    FALSE,
    TRUE,
    Sort,
    Term,
    choose,
    conjunction,
    constant,
    disjunction,
    equal,
    negate,
    rebuild,
    show,
    substitute,
    variable,
)
from ghostproof.turn.property import Property
from ghostproof.turn.scenario import Scenario
from ghostproof.turn.tool import INITIAL

VISITED = variable("has been visited in this pass", "Bool")
BEFORE = "before the last pass"


class Relations:
    """Terms about one tool as terms over relations: each comparison of integers becomes a relation of its own name.

    `tracked` are the comparisons that the property makes: they are state, the others are inputs.
    """

    def __init__(self, sorts: Mapping[str, Sort], judged: Term) -> None:
        self._sorts = sorts
        self.tracked = {show(atom): atom for atom in _comparisons(lifted_out(judged, {}))}

    def of(self, term: Term) -> Term:
        """`term` with each comparison replaced."""
        flat = lifted_out(term, {})
        return _replaced(flat, {atom: variable(show(atom), "Bool") for atom in _comparisons(flat)})

    @property
    def variables(self) -> dict[str, Sort]:
        """Every boolean field, every tracked comparison, and whether the tool has been visited."""
        flags: dict[str, Sort] = {name: sort for name, sort in self._sorts.items() if sort == "Bool"}
        return {**flags, **dict.fromkeys((*self.tracked, str(VISITED.arguments[0])), "Bool")}

    def updates(self, updates: Mapping[str, Term]) -> dict[str, Term]:
        """What `updates` of fields say of the relations."""
        moved = {variable(name, self._sorts[name]): value for name, value in updates.items()}
        after = {name: self.of(value) for name, value in updates.items() if self._sorts[name] == "Bool"}
        after.update({name: self.of(substitute(atom, moved)) for name, atom in self.tracked.items()})
        return {name: value for name, value in after.items() if value is not variable(name, "Bool")}

    def initial(self, scenario: Scenario, memory: Mapping[str, bool | int]) -> Term:
        """How every tool stands at the start of a session, as far as relations tell."""
        begins = {**INITIAL, **memory, **scenario.fixed}
        values = {variable(name, self._sorts[name]): constant(value) for name, value in begins.items()}
        known = {name: substitute(self.tracked.get(name, variable(name, "Bool")), values) for name in self.variables}
        return conjunction(*(equal(variable(n, "Bool"), v) for n, v in known.items() if v in (TRUE, FALSE)))


def _comparisons(term: Term) -> list[Term]:
    found: dict[Term, None] = {}
    stack, seen = [term], set()
    while stack:
        top = stack.pop()
        if top in seen:
            continue
        seen.add(top)
        if top.op in ("nonpositive", "zero"):
            found[top] = None
        else:
            stack.extend(top.children)
    return list(found)


def _replaced(term: Term, names: Mapping[Term, Term]) -> Term:
    if term in names:
        return names[term]
    return rebuild(term, {child: _replaced(child, names) for child in term.children})


def _stage(
    name: str, actions: Sequence[LiftedAction], ends: tuple[str, str], known: Relations, also: Mapping[str, Term]
) -> Command:
    """All tools act at the same moment, each by an action of its own: the first of those that it takes."""
    takes = [variable(f"takes: {action.name}", "Bool") for action in actions[:-1]] + [TRUE]
    guard, after = TRUE, {name: variable(name, "Bool") for name in known.variables}
    for action, taken in zip(reversed(actions), reversed(takes), strict=True):
        guard = choose(taken, known.of(action.guard), guard)
        updates = known.updates(action.updates)
        after = {n: choose(taken, updates.get(n, variable(n, "Bool")), value) for n, value in after.items()}
    moved = {n: value for n, value in after.items() if value is not variable(n, "Bool")}
    return Command(name, *ends, guard, {**moved, **also})


def _pass(item: LiftedPass, ends: tuple[str, str], known: Relations) -> Iterator[Command]:
    updates = known.updates(item.visit.updates)
    moved = {name: choose(HERE, value, variable(name, "Bool")) for name, value in updates.items()}
    visited = str(VISITED.arguments[0])
    yield Command(f"{item.name} visits a tool", ends[0], ends[0], TRUE, {**moved, visited: disjunction(VISITED, HERE)})
    over = VISITED if item.condition is None else TRUE
    yield Command(f"{item.name} ends", *ends, over, {visited: FALSE})


def whole_turn(pruner: LiftedPruner, scenario: Scenario, judged: Property) -> System:
    """Sessions of any number of tools under `pruner` in `scenario`."""
    bad = judgement(judged)
    known = Relations(pruner.sorts, bad)
    way = route(pruner.passes, scenario)
    fresh = {str(VISITED.arguments[0]): FALSE}
    environment, late, response, execution = (
        [lift_action(action) for action in table]
        for table in (
            scenario.environment_actions,
            scenario.late_actions,
            scenario.response_actions,
            scenario.execution_actions,
        )
    )
    commands = [
        Command("last response settles", SETTLE, ENVIRONMENT, TRUE, known.updates(lift_settle())),
        _stage("the environment acts", environment, (ENVIRONMENT, way.entry), known, fresh),
    ]
    for item, ends in zip(pruner.passes, way.ends, strict=True):
        commands += _pass(item, ends, known)
    if late:
        commands.append(_stage("something comes late", late, (LATE, way.after_late), known, fresh))
    commands += [
        Command("request is sent", PROMPT, RESPONSE, TRUE, known.updates(lift_open_response())),
        _stage("the model answers", response, (RESPONSE, EXECUTION), known, {}),
        _stage("the executor acts", execution, (EXECUTION, SETTLE), known, {}),
    ]
    return System(
        f"any number of tools under {pruner.name}: {scenario.name}",
        known.variables,
        ENVIRONMENT,
        known.initial(scenario, pruner.memory),
        tuple(commands),
        PROMPT,
        known.of(bad),
    )


def last_pass(item: LiftedPass, sorts: Mapping[str, Sort], judged: Property) -> System:
    """Any number of tools, each in any state whatever, and one pass before the request."""
    bad = judgement(judged)
    known = Relations(sorts, bad)
    here = pass_location(0, item.name)
    begins = Command(f"{item.name} begins", BEFORE, here, TRUE, {str(VISITED.arguments[0]): FALSE})
    commands = (begins, *_pass(item, (here, PROMPT), known))
    return System(f"any pruner, then {item.name}", known.variables, BEFORE, TRUE, commands, PROMPT, known.of(bad))


def visited_is_safe(system: System, always: Term = TRUE) -> dict[str, Term]:
    """The invariant: in the last pass whoever has been visited is safe, and at the request everyone is.

    `always` is said of every tool everywhere besides.
    """
    safe = negate(system.bad)
    last = next(c.source for c in system.commands if c.target == system.judged)
    extra = {last: disjunction(negate(VISITED), safe), system.judged: safe}
    return {
        place: conjunction(always, extra.get(place, TRUE))
        for place in system.locations
        if always is not TRUE or place in extra
    }


def abstracted(system: System) -> tuple[str, ...]:
    """What is open at each step: comparisons, what is known of other tools, and the choice of actions."""
    names: dict[str, None] = {}
    for command in system.commands:
        names.update(dict.fromkeys(name for name in system.inputs(command) if name != HERE.arguments[0]))
    return tuple(names)
