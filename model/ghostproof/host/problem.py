"""One pruner in one scenario with one property, as the engines need it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cached_property

from ghostproof.certify.enumerate import NotEnumerable, first_failure
from ghostproof.engines.problem import Edge
from ghostproof.host.host import Host
from ghostproof.lift.exact import exact_system
from ghostproof.lift.limits import Limits
from ghostproof.lift.plain import LiftedPass, LiftedPruner
from ghostproof.lift.several import SeveralTools
from ghostproof.lift.single import PROMPT, SETTLE, single_tool
from ghostproof.lift.smtlib import script
from ghostproof.lift.solver import Unsatisfiable, ask
from ghostproof.lift.system import Command, System
from ghostproof.lift.term import (
    TRUE,
    Term,
    at_most,
    conjunction,
    integer,
    substitute,
    variable,
)
from ghostproof.turn.errors import InternalError
from ghostproof.turn.explore import Grid, Key, Move
from ghostproof.turn.property import Property
from ghostproof.turn.scenario import Scenario
from ghostproof.turn.trace import Script, Trace

VIOLATED = "violated"
ROUNDS_BEYOND_CALLS = 4


class Rounds:
    """How many rounds of a pass suffice when no tool has more than so many resident calls: after them nothing changes.

    Established by enumeration or a solver: however the turn's numbers change between visits, the visit after the last
    one that counts leaves the tool as it is.
    """

    def __init__(self, pruner: LiftedPruner, limits: Limits) -> None:
        self._pruner, self._limits = pruner, limits
        self._known: dict[tuple[object, ...], tuple[int | None, int | None]] = {}

    def __call__(self, item: LiftedPass, calls_max: int, tools: int = 1) -> int | None:
        """The number for so many tools, or None when none is known.

        Each visit is followed by none that changes anything, or else each round but the last changes some tool, and a
        tool can be changed only so often: then `tools` times as many rounds suffice.
        """
        key = (item.visit.changed, tuple(item.visit.updates.items()), calls_max)
        if key not in self._known:
            steady = self._find(item, calls_max, every_visit_changes=False)
            changes = self._find(item, calls_max, every_visit_changes=True) if steady is None else None
            self._known[key] = (steady, changes)
        steady, changes = self._known[key]
        return steady if steady is not None or changes is None else changes * tools

    def _find(self, item: LiftedPass, calls_max: int, *, every_visit_changes: bool) -> int | None:
        """The least number of visits after which none changes the tool, up to ROUNDS_BEYOND_CALLS more than the calls.

        With `every_visit_changes`, only visits that change something are counted: how many of them there can be.
        """
        sorts = self._pruner.sorts
        state = {name: variable(name, sort) for name, sort in sorts.items()}
        fields = dict(state)
        domain = conjunction(
            at_most(integer(0), state["calls_resident"]),
            at_most(state["calls_resident"], integer(calls_max)),
            at_most(integer(0), state["calls_before_tombstone"]),
        )
        for visits in range(calls_max + ROUNDS_BEYOND_CALLS + 1):
            current = {state[name]: value for name, value in fields.items()}
            fresh = {
                term: variable(f"{name} at visit {visits}", "Int")
                for name, term in item.visit.reads.items()
                if name not in sorts
            }
            changed = substitute(item.visit.changed, {**current, **fresh})
            if self._impossible(conjunction(domain, changed)):
                return visits
            if every_visit_changes:
                domain = conjunction(domain, changed)
            for name, value in item.visit.updates.items():
                fields[name] = substitute(value, {**current, **fresh})
        return None

    def _impossible(self, formula: Term) -> bool:
        try:
            return first_failure(formula)[0] is None
        except NotEnumerable:
            return isinstance(ask(script([formula]), self._limits), Unsatisfiable)


class Sessions(SeveralTools):
    """Unrolled sessions that can be played."""

    def __init__(
        self, host: Host, scenario: Scenario, judged: Property, tools: int, rounds: Rounds, whole: bool = False
    ) -> None:
        super().__init__(host.lifted, scenario, judged, tools, lambda item, calls: rounds(item, calls, tools), whole)
        self._host, self._judged = host, judged

    def replay(self, values: Mapping[str, bool | int]) -> Trace:
        """Play the session of a model. InternalError when its last request is not the violation it should be."""
        trace = self._host.play(self.decode(values), self._judged)
        if not trace.requests[-1].violations or any(request.violations for request in trace.requests[:-1]):
            raise InternalError("a counterexample of the solver does not replay by the plain functions")
        return trace


class PrunerProblem:
    """A pruner, run by `host`, in `scenario`, judged by `judged`."""

    def __init__(self, host: Host, scenario: Scenario, judged: Property, grid: Grid, limits: Limits) -> None:
        self.host, self.scenario, self.judged, self.grid = host, scenario, judged, grid
        self.name = f"{host.lifted.name}: {judged.name}: {scenario.name}"
        self.rounds = Rounds(host.lifted, limits)

    @cached_property
    def system(self) -> System:
        """One tool among any number."""
        return single_tool(self.host.lifted, self.scenario, self.judged)

    def exactly(self, tools: int) -> System | None:
        """Exactly `tools` tools, for unbounded proof at small N."""
        return exact_system(self.host.lifted, self.scenario, self.judged, tools)

    def unrolling(self, tools: int, whole: bool = False) -> Sessions:
        """The exact sessions of `tools` tools; `whole` keeps fields that the property cannot depend on."""
        return Sessions(self.host, self.scenario, self.judged, tools, self.rounds, whole)

    def play(self, script: Script) -> Trace:
        """The session of `script`, by the plain functions."""
        return self.host.play(script, self.judged)

    @cached_property
    def wandered(self) -> list[Trace]:
        """Sessions by chance, by the plain functions."""
        return self.host.wander(self.scenario, self.judged)

    def excludes_fewer(self, requests: int) -> System | None:
        """The one-tool system cut off after `requests` - 1 requests, each judged: one copy of the turn for each."""
        base = self.system
        commands = []
        for number in range(1, requests):
            here = {place: f"request {number}: {place}" for place in base.locations}
            there = f"request {number + 1}: {SETTLE}"
            for command in base.commands:
                if (command.source == SETTLE and number == 1) or (command.source == PROMPT and number == requests - 1):
                    continue
                target = there if command.target == SETTLE else here[command.target]
                commands.append(Command(command.name, here[command.source], target, command.guard, command.updates))
            commands.append(Command("the request is judged", here[PROMPT], VIOLATED, base.bad, {}))
        name = f"{base.name}, before request {requests}"
        start = f"request 1: {base.start}"
        return System(name, base.variables, start, base.initial, tuple(commands), VIOLATED, TRUE)

    def states(self) -> Iterable[Hashable]:
        """The initial states of the grid."""
        return self.host.starts(self.scenario, self.judged, self.grid)

    def edges(self, states: Sequence[Hashable]) -> list[list[Edge]]:
        """Every move from each state, by the plain functions."""
        keys: list[Key] = list(states)  # type: ignore[arg-type]  # our own states
        rows = self.host.moves(self.scenario, self.judged, self.grid, keys)
        return [[Edge(move, key, bad) for move, key, bad in row] for row in rows]

    def retrace(self, start: Hashable, labels: Sequence[Hashable]) -> Trace:
        """The session along `labels`, played."""
        moves: list[Move] = list(labels)  # type: ignore[arg-type]  # our own labels
        start_key: Key = start  # type: ignore[assignment]
        played = self.host.script(self.scenario, self.judged, self.grid, start_key, moves)
        return self.play(played)

    @property
    def tools_max(self) -> int:
        """The most tools of the grid."""
        return self.grid.tools

    def scope(self) -> str:
        """Which sizes and budgets explicit search covers."""
        return str(self.grid)
