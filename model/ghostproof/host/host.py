"""The interface to a pruner's plain functions, and the host that runs trusted ones in this process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ghostproof.lift.plain import LiftedPruner, lift_pruner
from ghostproof.turn.explore import Explorers, Grid, Key, Move
from ghostproof.turn.property import Property
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.scenario import Scenario
from ghostproof.turn.session import check_names, play
from ghostproof.turn.trace import Script, Trace
from ghostproof.turn.wander import wander

Reached = tuple[Move, Key, bool]


class Host(Protocol):
    """Whoever can run the plain functions of one pruner."""

    @property
    def lifted(self) -> LiftedPruner:
        """The pruner as terms."""

    def play(self, script: Script, judged: Property) -> Trace:
        """The session of `script`."""

    def wander(self, scenario: Scenario, judged: Property) -> list[Trace]:
        """Sessions by chance."""

    def starts(self, scenario: Scenario, judged: Property, grid: Grid) -> list[Key]:
        """The initial states of an explicit search."""

    def moves(self, scenario: Scenario, judged: Property, grid: Grid, states: Sequence[Key]) -> list[list[Reached]]:
        """Every move from each of `states`."""

    def script(self, scenario: Scenario, judged: Property, grid: Grid, start: Key, moves: Sequence[Move]) -> Script:
        """The session from `start` along `moves`."""


class LocalHost:
    """Runs a pruner of our own, or of a claim, in this process."""

    def __init__(self, pruner: Pruner) -> None:
        check_names(pruner.name, pruner.passes)
        self._pruner = pruner
        self._lifted = lift_pruner(pruner)
        self._explorers = Explorers(pruner, self._lifted.budget_names, self._lifted.tested_budgets)

    @property
    def lifted(self) -> LiftedPruner:
        """The pruner as terms."""
        return self._lifted

    def play(self, script: Script, judged: Property) -> Trace:
        """The session of `script`, run here."""
        return play(self._pruner, script, judged, budgets=self._lifted.budget_names)

    def wander(self, scenario: Scenario, judged: Property) -> list[Trace]:
        """Sessions by chance, run here."""
        lifted = self._lifted
        return wander(
            self._pruner, scenario, judged, lifted.budget_names, lifted.tested_budgets, patience=lifted.patience
        )

    def starts(self, scenario: Scenario, judged: Property, grid: Grid) -> list[Key]:
        """The initial states of an explicit search."""
        return list(self._explorers.of(scenario, judged, grid).starts())

    def moves(self, scenario: Scenario, judged: Property, grid: Grid, states: Sequence[Key]) -> list[list[Reached]]:
        """Every move from each of `states`."""
        explorer = self._explorers.of(scenario, judged, grid)
        return [list(explorer.moves(state)) for state in states]

    def script(self, scenario: Scenario, judged: Property, grid: Grid, start: Key, moves: Sequence[Move]) -> Script:
        """The session from `start` along `moves`."""
        return self._explorers.of(scenario, judged, grid).script(start, moves)
