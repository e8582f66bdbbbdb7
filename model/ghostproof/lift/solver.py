"""The one door to z3. Questions go in as SMT-LIB text, answers come out as plain data.

Limits are solver steps (`rlimit`) first and wall-clock time as a guard. An unknown is classified by the limit that was
set, never by the solver's wording. Engines share one context, since a new one costs more than most questions; checkers
ask in a fresh one.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import z3

from ghostproof.lift.horn import horn_script
from ghostproof.lift.limits import Limits
from ghostproof.lift.smtlib import MARK, Printer, plain_name, script, shuffled
from ghostproof.lift.system import System
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
    scaled,
    variable,
)


@dataclass(frozen=True, slots=True)
class Satisfiable:
    """A model: the value of each declared constant the solver assigned; others may take any value."""

    values: Mapping[str, bool | int]


@dataclass(frozen=True, slots=True)
class Unsatisfiable:
    """There is no model."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """No answer within the limits, or an incomplete procedure: `reason` says which."""

    reason: str


Answer = Satisfiable | Unsatisfiable | Unknown


@dataclass(frozen=True, slots=True)
class Core:
    """There is no model, and the named assertions `names` alone, with the background, already exclude one."""

    names: frozenset[str]


@dataclass
class Spent:
    """Solver time of this process in seconds, so that it can be shown apart from everything else; and z3's steps."""

    seconds: float = 0.0
    questions: int = 0
    steps: int = 0


SPENT = Spent()


def _python_value(value: Any) -> bool | int:
    if z3.is_int_value(value):
        return int(value.as_long())
    return bool(z3.is_true(value))


def _classify(limits: Limits, seconds: float, said: str) -> str:
    if seconds * 1000 >= limits.timeout_ms * 0.95:
        return f"the wall-clock guard of {limits.timeout_ms} ms ran out"
    if any(word in said for word in ("canceled", "resource", "max.")):
        return f"the limit of {limits.rlimit} solver steps ran out"
    return f"the solver gave up: {said}"


class Questions:
    """Several questions about the same assertions, which are read once. Each question adds its own for itself."""

    def __init__(self, assertions: Iterable[Term], limits: Limits) -> None:
        # One printer for all: the solver remembers what was declared and defined, also beyond a pop.
        self._printer = Printer()
        for term in assertions:
            self._printer.assume(term)
        self._limits = limits
        self._solver = _solver(self._printer.take(), limits, None)

    def ask(self, *extra: Term) -> Answer:
        """Whether the assertions and `extra` can hold together."""
        for term in extra:
            self._printer.assume(term)
        self._solver.push()
        self._solver.from_string(self._printer.take())
        answer = _answer(self._solver, self._limits)
        self._solver.pop()
        return answer


def ask(text: str, limits: Limits) -> Answer:
    """One question to a new solver in the context that all questions of an engine share."""
    return _answer(_solver(text, limits, None), limits)


def core_of(background: Term, named: Mapping[str, Term], limits: Limits) -> Satisfiable | Core | Unknown:
    """Whether `background` and all of `named` can hold together; if not, a few of `named` that exclude it."""
    chosen = {name: variable(f"assertion {place}", "Bool") for place, name in enumerate(named)}
    text = script([background, *(implies(chosen[name], term) for name, term in named.items())])
    solver = _solver(text, limits, None)
    solver.set("core.minimize", True)
    labels = {f"{MARK}{term.arguments[0]}": name for name, term in chosen.items()}
    answer = _answer(solver, limits, *map(z3.Bool, labels))
    if isinstance(answer, Unsatisfiable):
        return Core(frozenset(labels[str(label)] for label in solver.unsat_core()))
    return answer


def ask_afresh(text: str, limits: Limits) -> Answer:
    """One question in a context of its own, for who must not rely on anything that happened before."""
    return _answer(_solver(text, limits, z3.Context()), limits)


def _solver(text: str, limits: Limits, context: Any) -> Any:
    # The core solver itself: the default one spends 160 ms on choosing tactics before a question of 5 ms.
    solver = z3.SimpleSolver(ctx=context)
    solver.set("rlimit", limits.rlimit)
    solver.set("timeout", limits.timeout_ms)
    solver.set("random_seed", limits.seed)
    solver.from_string(shuffled(text, limits.order))
    return solver


def _answer(solver: Any, limits: Limits, *assumed: Any) -> Answer:
    """What the solver says. An error other than running into a limit is raised, and never turned into unknown."""
    steps = _steps(solver)
    started = time.perf_counter()
    result = solver.check(*assumed)
    spent = time.perf_counter() - started
    _account(spent, _steps(solver) - steps)
    if result == z3.unsat:
        return Unsatisfiable()
    if result == z3.sat:
        model = solver.model()
        # A model also lists macros, even those of earlier questions in the same context; only variables are marked.
        values = {str(one.name()): model[one] for one in model.decls() if str(one.name()).startswith(MARK)}
        return Satisfiable({plain_name(name): _python_value(value) for name, value in values.items()})
    return Unknown(_classify(limits, spent, solver.reason_unknown()))


def _steps(solver: Any) -> int:
    """z3's count of steps, which runs on through all questions of a context."""
    counted: int = solver.statistics().get_key_value("rlimit count")
    return counted


def _account(seconds: float, steps: int) -> None:
    SPENT.seconds += seconds
    SPENT.questions += 1
    SPENT.steps += steps


@dataclass(frozen=True, slots=True)
class Invariant:
    """What Spacer believes: a term for each location. Nothing rests on it until the obligations are discharged."""

    by_location: Mapping[str, Term] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reachable:
    """Spacer believes that a violation is reachable."""


def find_invariant(system: System, limits: Limits) -> Invariant | Reachable | Unknown:
    """Ask Spacer for an inductive invariant of `system`, one predicate a location."""
    fixedpoint = z3.Fixedpoint(ctx=z3.Context())
    # Preprocessing that merges or drops predicates would lose the invariant of their locations.
    fixedpoint.set(
        engine="spacer",
        **{
            "xform.slice": False,
            "xform.inline_eager": False,
            "xform.inline_linear": False,
            "spacer.random_seed": limits.seed,
            "rlimit": limits.rlimit,
            "timeout": limits.timeout_ms,
        },
    )
    state = list(system.state().values())
    text, predicates = horn_script(system)
    started = time.perf_counter()
    try:
        queries = fixedpoint.parse_string(shuffled(text, limits.order))
        result = fixedpoint.query(queries[0])
    except z3.Z3Exception as error:  # Spacer raises when it runs into a limit
        spent = time.perf_counter() - started
        _account(spent, _steps(fixedpoint))
        return Unknown(_classify(limits, spent, str(error)))
    _account(time.perf_counter() - started, _steps(fixedpoint))
    if result == z3.sat:
        return Reachable()
    if result == z3.unknown:
        return Unknown(_classify(limits, 0.0, fixedpoint.reason_unknown()))
    found: dict[str, Term] = {}
    for rule in fixedpoint.get_rules():
        for declaration in _predicates(rule):
            location = predicates.get(declaration.name())
            if location is not None and location not in found:
                cover = fixedpoint.get_cover_delta(-1, declaration)
                found[location] = _term_of(cover, state)
    return Invariant(found)


def _predicates(rule: Any) -> list[Any]:
    body = rule.body() if z3.is_quantifier(rule) else rule
    atoms = []
    stack = [body]
    while stack:
        item = stack.pop()
        if z3.is_app(item):
            if item.decl().kind() == z3.Z3_OP_UNINTERPRETED and z3.is_bool(item):
                atoms.append(item.decl())
            else:
                stack.extend(item.children())
    return atoms


def _term_of(item: Any, variables: list[Term]) -> Term:
    """A z3 expression over bound variables as a term; the variables are numbered in declaration order."""
    if z3.is_var(item):
        bound: int = z3.get_var_index(item)
        return variables[bound]
    if z3.is_true(item):
        return TRUE
    if z3.is_false(item):
        return FALSE
    if z3.is_int_value(item):
        return integer(int(item.as_long()))
    parts = [_term_of(child, variables) for child in item.children()]
    match item.decl().kind():
        case z3.Z3_OP_NOT:
            return negate(parts[0])
        case z3.Z3_OP_AND:
            return conjunction(*parts)
        case z3.Z3_OP_OR:
            return disjunction(*parts)
        case z3.Z3_OP_IMPLIES:
            return disjunction(negate(parts[0]), parts[1])
        case z3.Z3_OP_EQ | z3.Z3_OP_IFF:
            return equal(parts[0], parts[1])
        case z3.Z3_OP_ITE:
            return choose(*parts)
        case z3.Z3_OP_LE:
            return at_most(parts[0], parts[1])
        case z3.Z3_OP_GE:
            return at_most(parts[1], parts[0])
        case z3.Z3_OP_LT:
            return negate(at_most(parts[1], parts[0]))
        case z3.Z3_OP_GT:
            return negate(at_most(parts[0], parts[1]))
        case z3.Z3_OP_ADD:
            total = integer(0)
            for part in parts:
                total = combine(total, part)
            return total
        case z3.Z3_OP_SUB:
            total = parts[0]
            for part in parts[1:]:
                total = combine(total, part, -1)
            return total
        case z3.Z3_OP_UMINUS:
            return scaled(parts[0], -1)
        case z3.Z3_OP_MUL:
            if z3.is_int_value(item.arg(0)):
                return scaled(parts[1], int(item.arg(0).as_long()))
    raise z3.Z3Exception(f"unexpected operator in an invariant: {item.decl()}")
