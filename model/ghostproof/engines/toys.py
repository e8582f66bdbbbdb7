"""Toy problems for the battery that every engine must pass: small systems whose answers are known by hand.

A toy is guarded commands with finite ranges. Its concrete reading enumerates the ranges and evaluates the same
commands, so that explicit search, unrolling and induction see one definition. A request is a visited state: the first
one is the initial state, and a walk of n requests takes n - 1 commands.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from ghostproof.engines.problem import Edge
from ghostproof.lift.system import Command, System
from ghostproof.lift.term import (
    FALSE,
    TRUE,
    Sort,
    Term,
    at_most,
    combine,
    conjunction,
    disjunction,
    equal,
    evaluate,
    integer,
    negate,
    substitute,
    variable,
)
from ghostproof.lift.unroll import CommandUnrolling
from ghostproof.turn.errors import InternalError
from ghostproof.turn.trace import Walk

BEGIN = "begin"
Value = bool | int


def _parts(state: Hashable) -> tuple[str, tuple[Value, ...]]:
    """Location and fields of a state of ours."""
    parts: tuple[str, tuple[Value, ...]] = state  # type: ignore[assignment]
    return parts


@dataclass(frozen=True, slots=True)
class Known:
    """What is true of a toy, found by hand: the requests of a shortest violation, or None where there is none.

    `states` and `transitions` count all that can be reached, the beginning included; `tokens` is the least cost of a
    shortest violation. Neither is said where it does not apply.
    """

    requests: int | None = None
    states: int = 0
    transitions: int = 0
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Toy:
    """A system with a range for every variable that starts free and for every input, and what is known of it."""

    system: System
    ranges: Mapping[str, Sequence[Value]]
    known: Known
    cost: Term = field(default_factory=lambda: integer(0))

    @property
    def name(self) -> str:
        """The system's name."""
        return self.system.name

    def exactly(self, tools: int) -> System | None:
        """A toy has no tools."""
        return None

    def unrolling(self, tools: int) -> Walks | None:
        """The walks of the one system there is."""
        return Walks(self) if tools == 1 else None

    def excludes_fewer(self, requests: int) -> System | None:
        """Nothing beyond the system itself."""
        return None

    def _valued(self, terms: Mapping[str, Term], place: Mapping[str, Value]) -> Iterator[dict[str, Value]]:
        free = [name for name in terms if name not in place]
        for chosen in product(*(self.ranges[name] for name in free)):
            yield {**place, **dict(zip(free, chosen, strict=True))}

    def states(self) -> Iterable[Hashable]:
        """One state before the first request."""
        return [(BEGIN,)]

    def edges(self, states: Sequence[Hashable]) -> list[list[Edge]]:
        """Every command from each state, for every value of its inputs."""
        return [list(self._edges(state)) for state in states]

    def _edges(self, state: Hashable) -> Iterator[Edge]:
        system = self.system
        if state == (BEGIN,):
            for values in self._valued(system.state(), {}):
                if evaluate(system.initial, values):
                    yield self._edge(BEGIN, system.start, values)
            return
        location, fields = _parts(state)
        here: dict[str, Value] = dict(zip(system.variables, fields, strict=True))
        for command in system.commands:
            if command.source != location:
                continue
            for values in self._valued(system.inputs(command), here):
                if evaluate(command.guard, values):
                    after = {name: evaluate(value, values) for name, value in command.updates.items()}
                    yield self._edge(command.name, command.target, {**here, **after})

    def _edge(self, label: str, location: str, values: Mapping[str, Value]) -> Edge:
        violates = location == self.system.judged and bool(evaluate(self.system.bad, values))
        return Edge(label, (location, tuple(values[name] for name in self.system.variables)), violates)

    def retrace(self, start: Hashable, labels: Sequence[Hashable]) -> Walk:
        """A walk with commands of these names whose last state is the only violation."""
        reached: list[tuple[Hashable, ...]] = [(start,)]
        for label in labels:
            reached = [(*walk, e.state) for walk in reached for e in self._edges(walk[-1]) if e.label == label]
        for walk in reached:
            if self.violates(walk[-1]):
                return self.walk(walk[1:], [str(label) for label in labels[1:]])
        raise InternalError("no walk along these commands ends in a violation")

    def violates(self, state: Hashable) -> bool:
        """Whether `state` is at the judged location and violates the property."""
        location, fields = _parts(state)
        values = dict(zip(self.system.variables, fields, strict=True))
        return bool(location == self.system.judged and evaluate(self.system.bad, values))

    def walk(self, states: Sequence[Hashable], commands: Sequence[str]) -> Walk:
        """States as a trace."""
        told: list[Mapping[str, bool | int | str]] = []
        for state in states:
            location, fields = _parts(state)
            told.append({**dict(zip(self.system.variables, fields, strict=True)), "location": location})
        return Walk(tuple(told), tuple(commands))

    @property
    def tools_max(self) -> int:
        """One system."""
        return 1

    def scope(self) -> str:
        """The ranges are all there is."""
        return "all ranges"


class Walks:
    """The unrolled walks of a toy, one more state at each extension."""

    unsettled: str | None = None

    def __init__(self, toy: Toy) -> None:
        self.toy = toy
        self._unrolled = CommandUnrolling(toy.system)
        self._ranged: list[Term] = []
        self.constraints: list[Term] = []
        self.violations: list[Term] = []

    @property
    def cost(self) -> Term:
        """The toy's cost, of the initial state."""
        first = self._unrolled.frames[0]
        return substitute(self.toy.cost, {term: first[name] for name, term in self.toy.system.state().items()})

    @property
    def events(self) -> Term:
        """Commands are not weighed."""
        return integer(0)

    def extend(self) -> None:
        """One more request."""
        if self.violations:
            self._unrolled.extend()
        index = len(self.violations)
        self.violations.append(self._unrolled.violation(index))
        terms = self.toy.system.state() if index == 0 else self._inputs()
        for name, term in terms.items():
            if name in self.toy.ranges and term.sort == "Int":
                at = variable(f"{name} at {max(index - 1, 0)}", term.sort)
                self._ranged.append(disjunction(*(equal(at, integer(value)) for value in self.toy.ranges[name])))
        self.constraints = [*self._unrolled.constraints, *self._ranged]

    def _inputs(self) -> dict[str, Term]:
        found: dict[str, Term] = {}
        for command in self.toy.system.commands:
            found.update(self.toy.system.inputs(command))
        return found

    def replay(self, values: Mapping[str, bool | int]) -> Walk:
        """The walk of a model, taken step by step. InternalError when it is none or does not end in a violation."""
        walk = self._unrolled.decode(values)
        at = [(step["location"], tuple(step[name] for name in self.toy.system.variables)) for step in walk.states]
        before: list[Hashable] = [(BEGIN,), *at[:-1]]
        for state, label, following in zip(before, (BEGIN, *walk.commands), at, strict=True):
            if not any(edge.label == label and edge.state == following for edge in self.toy.edges([state])[0]):
                raise InternalError(f"the command {label!r} does not lead from {state} to {following}")
        if not self.toy.violates(at[-1]) or any(self.toy.violates(state) for state in at[:-1]):
            raise InternalError("the walk does not end in its only violation")
        return walk


# ---- the toys ------------------------------------------------------------------------------------------------------

_x, _y = variable("x", "Int"), variable("y", "Int")
_by, _size = variable("by", "Int"), variable("size", "Int")
HERE = "here"


def _is(term: Term, value: int) -> Term:
    return equal(term, integer(value))


def _below(term: Term, value: int) -> Term:
    return at_most(term, integer(value - 1))


def _plus(term: Term, value: int) -> Term:
    return combine(term, integer(value))


def _stay(name: str, guard: Term, **updates: Term) -> Command:
    return Command(name, HERE, HERE, guard, updates)


def _one_place(
    name: str, variables: Mapping[str, Sort], initial: Term, commands: tuple[Command, ...], bad: Term
) -> System:
    return System(name, variables, HERE, initial, commands, HERE, bad)


_AROUND = (
    _stay("up", _below(_x, 5), x=_plus(_x, 1)),
    _stay("back to 0", _is(_x, 5), x=integer(0)),
)
_TWO = (
    _stay("both up", _below(_x, 3), x=_plus(_x, 1), y=_plus(_y, 1)),
    _stay("both back", _is(_x, 3), x=integer(0), y=integer(0)),
)
_AWAY = (
    _stay("0 to 1", _is(_x, 0), x=integer(1)),
    _stay("1 to 0", _is(_x, 1), x=integer(0)),
    _stay("3 to 4", _is(_x, 3), x=integer(4)),
    _stay("4 to 5", _is(_x, 4), x=integer(5)),
)

_A, _B, _TURN = variable("a", "Int"), variable("b", "Int"), variable("turn of a", "Bool")
_WANTS, _CRITICAL = integer(1), integer(2)


def _critical(name: str, waiting: bool) -> System:
    """Two processes that want, enter and leave; `waiting` lets one enter only when the other does not want or waits."""
    commands = []
    for who, me, other, mine in (("a", _A, _B, _TURN), ("b", _B, _A, negate(_TURN))):
        free = disjunction(equal(other, integer(0)), mine) if waiting else TRUE
        yielding = FALSE if who == "a" else TRUE
        wants = Command(f"{who} wants", HERE, HERE, _is(me, 0), {who: _WANTS, "turn of a": yielding})
        enters = Command(f"{who} enters", HERE, HERE, conjunction(_is(me, 1), free), {who: _CRITICAL})
        leaves = Command(f"{who} leaves", HERE, HERE, _is(me, 2), {who: integer(0)})
        commands += [wants, enters, leaves]
    initial = conjunction(_is(_A, 0), _is(_B, 0), _TURN)
    both = conjunction(_is(_A, 2), _is(_B, 2))
    return _one_place(name, {"a": "Int", "b": "Int", "turn of a": "Bool"}, initial, tuple(commands), both)


_GATE = variable("open", "Bool")


def _door(name: str, closes: bool) -> System:
    """A door between two places; what is judged is judged in one of them only."""
    commands = (
        Command("go in", "outside", "inside", TRUE, {"open": TRUE}),
        Command("come out", "inside", "outside", TRUE, {"open": negate(_GATE) if closes else _GATE}),
    )
    return System(name, {"open": "Bool"}, "outside", negate(_GATE), commands, "outside", _GATE)


def _heap(name: str, least: int) -> System:
    """A heap that grows by its own step, which is chosen once; too high is wrong."""
    commands = (_stay("grow", _below(_x, 6), x=combine(_x, _size)),)
    initial = conjunction(_is(_x, 0), at_most(integer(1), _size), at_most(_size, integer(4)))
    return _one_place(name, {"x": "Int", "size": "Int"}, initial, commands, at_most(integer(least), _x))


def _sums(name: str, most: int) -> System:
    """A counter that grows by an input."""
    small = conjunction(at_most(integer(1), _by), at_most(_by, integer(2)), _below(_x, 4))
    commands = (_stay("add", small, x=combine(_x, _by)), _stay("rest", TRUE))
    return _one_place(name, {"x": "Int"}, _is(_x, 0), commands, at_most(integer(most + 1), _x))


_bits = (False, True)

TRUE_TOYS: tuple[Toy, ...] = (
    Toy(
        _one_place("a counter that goes round", {"x": "Int"}, _is(_x, 0), _AROUND, at_most(integer(6), _x)),
        {"x": range(6)},
        Known(states=7, transitions=7),
    ),
    Toy(
        _one_place(
            "two counters in step",
            {"x": "Int", "y": "Int"},
            conjunction(_is(_x, 0), _is(_y, 0)),
            _TWO,
            negate(equal(_x, _y)),
        ),
        {"x": (0,), "y": (0,)},
        Known(states=5, transitions=5),
    ),
    Toy(
        # Not inductive: from the unreachable 3 it takes two steps to 5, and nothing leads to 3.
        _one_place("a bad end that is out of reach", {"x": "Int"}, _is(_x, 0), _AWAY, _is(_x, 5)),
        {"x": (0,)},
        Known(states=3, transitions=3),
    ),
    Toy(
        # 0 away, 1 waiting, 2 inside. All of (0..2, 0..2) but (2, 2); (0, 0) and (1, 1) with either turn: 10 states.
        _critical("two processes that wait for each other", waiting=True),
        {"a": (0,), "b": (0,), "turn of a": _bits},
        Known(states=11, transitions=17),
    ),
    Toy(
        _door("a door that closes behind", closes=True),
        {"open": _bits},
        Known(states=3, transitions=3),
    ),
    Toy(
        _heap("a heap that stops in time", least=10),
        {"x": (0,), "size": (1, 2, 3, 4)},
        Known(states=18, transitions=17),
    ),
    Toy(
        _sums("a sum that stops in time", most=5),
        {"x": (0,), "by": (0, 1, 2, 3)},
        Known(states=7, transitions=15),
    ),
)

FALSE_TOYS: tuple[Toy, ...] = (
    Toy(
        _one_place("a counter that reaches 4", {"x": "Int"}, _is(_x, 0), _AROUND, _is(_x, 4)),
        {"x": range(6)},
        Known(5),
    ),
    Toy(
        _one_place("wrong from the start", {"x": "Int"}, at_most(_x, integer(1)), _AROUND, _is(_x, 1)),
        {"x": (0, 1)},
        Known(1),
    ),
    Toy(
        _critical("two processes that do not wait", waiting=False),
        {"a": (0,), "b": (0,), "turn of a": _bits},
        Known(5),
    ),
    Toy(
        _door("a door that stays open", closes=False),
        {"open": _bits},
        Known(3),
    ),
    Toy(
        # Fewest requests first, and only then the least size: one step of 3 or 4 does not reach 6, two of 3 do.
        _heap("a heap that grows too high", least=6),
        {"x": (0,), "size": (1, 2, 3, 4)},
        Known(3, tokens=3),
        cost=_size,
    ),
    Toy(
        _sums("a sum that goes too far", most=4),
        {"x": (0,), "by": (0, 1, 2, 3)},
        Known(4),
    ),
)

TOYS = TRUE_TOYS + FALSE_TOYS
