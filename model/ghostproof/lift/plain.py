"""Lifts the plain functions of `turn`: visits, orders, budget conditions, actions. One place knows their signatures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from ghostproof.lift.relation import Relation, explore, sort_of, symbolic_record
from ghostproof.lift.symbol import Fork, SymbolicBool, symbol
from ghostproof.lift.term import TRUE, Sort, Term, conjunction, subterms, variable, variables_of
from ghostproof.turn.action import Action, Others
from ghostproof.turn.budget import BUDGETS, FITS, TOTALS, Turn
from ghostproof.turn.environment import settle
from ghostproof.turn.property import Property
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.response import open_response
from ghostproof.turn.scenario import Scenario
from ghostproof.turn.tool import FIXED, INITIAL, Tool, Value

# Variables that are not fields of the tool carry a prefix, so that a memory field can never be taken for one.
TURN = "turn."
OTHERS = "others."


def tool_sorts(memory: Mapping[str, Value]) -> dict[str, Sort]:
    """The sort of every field of a tool, the pruner's memory included."""
    fields: dict[str, Sort] = {name: sort_of(kind) for name, kind in FIXED.items()}
    fields.update({name: sort_of(type(value)) for name, value in {**INITIAL, **memory}.items()})
    return fields


def symbolic_turn(fork: Fork) -> Turn:
    """A turn whose numbers are all unknown."""
    return Turn(**{name: symbol(variable(TURN + name, "Int"), fork) for name in Turn.__slots__})


def _symbolic_others(fork: Fork) -> Others:
    return Others(
        bool_of(symbol(variable(OTHERS + "rejected", "Bool"), fork)),
        bool_of(symbol(variable(OTHERS + "rebuilt", "Bool"), fork)),
    )


def bool_of(value: bool | int) -> bool:
    """A symbolic boolean, typed as plain code expects it."""
    return value  # type: ignore[return-value]


def on_tool(function: Callable[[Tool, Fork], object], sorts: Mapping[str, Sort]) -> Relation:
    """Lift a function of one tool; the fork lets it make further symbolic arguments."""

    def run(fork: Fork) -> tuple[Mapping[str, object], object]:
        tool = Tool(symbolic_record(sorts, fork))
        returned = function(tool, fork)
        return tool.__dict__, returned

    return explore(run, sorts)


def lift_visit(item: Pass, sorts: Mapping[str, Sort]) -> Relation:
    """The relation of one visit; the turn's numbers are the variables `turn.*`."""
    return on_tool(lambda tool, fork: item.visit(tool, symbolic_turn(fork)), sorts)


def lift_order(item: Pass, sorts: Mapping[str, Sort]) -> Relation:
    """The key of a visiting order; it returns an integer and changes nothing. A flag sorts as 0 or 1."""

    def key(tool: Tool) -> object:
        value: object = item.order(tool)
        return (1 if value else 0) if isinstance(value, (bool, SymbolicBool)) else value

    return on_tool(lambda tool, fork: key(tool), sorts)


def lift_condition(condition: Callable[[Turn], bool]) -> Relation:
    """A budget condition over the variables `turn.*`; it is tested for truth, as a pass tests it."""
    return explore(lambda fork: ({}, bool(condition(symbolic_turn(fork)))), {})


@dataclass(frozen=True, slots=True)
class LiftedAction:
    """An action with its guard and effect as terms."""

    name: str
    sentence: str
    guard: Term
    updates: Mapping[str, Term]


_BASE_SORTS: dict[str, Sort] = tool_sorts({})


@cache
def lift_action(action: Action) -> LiftedAction:
    """Guard and effect of `action`; actions never touch a pruner's memory."""
    guard = on_tool(lambda tool, fork: action.guard(tool, _symbolic_others(fork)), _BASE_SORTS).returned
    effect = on_tool(lambda tool, fork: action.effect(tool, _symbolic_others(fork)), _BASE_SORTS)
    assert guard is not None, action.name
    return LiftedAction(action.name, action.sentence, guard, effect.updates)


@cache
def lift_settle() -> Mapping[str, Term]:
    """What happens to a tool when the last response settles."""
    return on_tool(lambda tool, fork: settle(tool), _BASE_SORTS).updates


@cache
def lift_open_response() -> Mapping[str, Term]:
    """What happens to a tool before the model answers."""
    return on_tool(lambda tool, fork: open_response(tool), _BASE_SORTS).updates


@cache
def lift_costs() -> Mapping[str, Term]:
    """Each of the turn's totals for one tool; the argument total is kept apart because it is a product."""
    lifted: dict[str, Term] = {}
    for name, cost in TOTALS.items():
        if name == "argument_tokens":
            continue
        returned = on_tool(lambda tool, fork, c=cost: c(tool), _BASE_SORTS).returned  # type: ignore[misc]
        assert returned is not None
        lifted[name] = returned
    return lifted


@cache
def lift_fits(budget: str) -> Term:
    """That the prompt is within `budget`, over the variables `turn.*`."""
    returned = lift_condition(FITS[budget]).returned
    assert returned is not None
    return returned


@dataclass(frozen=True, slots=True)
class LiftedPass:
    """A pass as terms: the visit, the key of its order, and its condition if it has one."""

    name: str
    visit: Relation
    order: Term
    order_name: str
    condition: Term | None
    condition_name: str
    at_render: bool = False


@dataclass(frozen=True, slots=True)
class LiftedPruner:
    """Everything the engines need of a pruner; plain data, so that it can cross a process boundary."""

    name: str
    memory: Mapping[str, Value]
    passes: tuple[LiftedPass, ...]

    @property
    def sorts(self) -> dict[str, Sort]:
        """The sort of every field of a tool under this pruner."""
        return tool_sorts(self.memory)

    @property
    def turn_reads(self) -> tuple[str, ...]:
        """The turn's numbers that some visit or condition reads."""
        found: dict[str, None] = {}
        for item in self.passes:
            names = dict(item.visit.reads)
            if item.condition is not None:
                names.update(variables_of(item.condition))
            found.update(dict.fromkeys(name[len(TURN) :] for name in names if name.startswith(TURN)))
        return tuple(found)

    @property
    def budget_names(self) -> tuple[str, ...]:
        """The budgets that exist for this pruner: those it reads."""
        return tuple(name for name in BUDGETS if name in self.turn_reads)

    @property
    def tested_budgets(self) -> tuple[str, ...]:
        """The budgets that the condition of some pass reads."""
        tested = variables_of(*(item.condition for item in self.passes if item.condition is not None))
        return tuple(name for name in BUDGETS if TURN + name in tested)

    @property
    def patience(self) -> int:
        """How many turns may have to pass before a pass does what it does: the largest constant in a test of a tool's
        history, such as its idle turns.
        """
        tests = [test for item in self.passes for path in item.visit.paths for test, _ in path.tests]
        sums = (term for term in subterms(*tests) if term.op == "linear" and term.arguments[1:])
        changing = {*self.sorts} - {*FIXED}
        return max((abs(term.arguments[0]) for term in sums if {*variables_of(term)} <= changing), default=0)

    def start(self, scenario: Scenario) -> Term:
        """What `scenario` asks of the first prompt before anything is pruned, over the variables `turn.*`."""
        if not scenario.starts_within_budget:
            return TRUE
        return conjunction(*(lift_fits(name) for name in self.tested_budgets))

    def reads_in(self, scenario: Scenario) -> tuple[str, ...]:
        """The turn's numbers that its sessions in `scenario` depend on."""
        started = [name[len(TURN) :] for name in variables_of(self.start(scenario))]
        return tuple(dict.fromkeys((*self.turn_reads, *started)))


def lift_pass(item: Pass, sorts: Mapping[str, Sort]) -> LiftedPass:
    """One pass. Raises Unsupported where a function cannot be lifted."""
    order = lift_order(item, sorts)
    condition = lift_condition(item.until) if item.until is not None else None
    assert order.returned is not None
    return LiftedPass(
        item.name,
        lift_visit(item, sorts),
        order.returned,
        getattr(item.order, "__name__", "a key function"),
        condition.returned if condition is not None else None,
        getattr(item.until, "__name__", "a condition") if item.until is not None else "",
        item.at_render,
    )


def lift_pruner(pruner: Pruner) -> LiftedPruner:
    """The whole pruner, trusted: no source check and no comparison (see `lift.worker` for foreign ones)."""
    sorts = tool_sorts(pruner.memory)
    return LiftedPruner(pruner.name, dict(pruner.memory), tuple(lift_pass(item, sorts) for item in pruner.passes))


@cache
def judgement(judged: Property) -> Term:
    """When `judged` is violated, as a term over one tool's fields and the memory it reads."""
    return _of_property(judged, judged.violated)


@cache
def antecedent(judged: Property) -> Term:
    """When `judged` says something about a tool, as a term like its judgement."""
    return _of_property(judged, judged.antecedent)


def _of_property(judged: Property, test: Callable[[Tool], bool]) -> Term:
    returned = on_tool(lambda tool, fork: test(tool), tool_sorts(judged.memory)).returned
    assert returned is not None
    return returned
