"""The parent's side: a foreign pruner in a child process with a deadline and a memory limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from types import TracebackType
from typing import Any

from ghostproof.host.data import key_of, move_data, move_of, scenario_data, script_of, trace_of
from ghostproof.host.host import Reached
from ghostproof.lift.plain import LiftedPruner
from ghostproof.lift.transport import unpack_pruner
from ghostproof.sandbox.process import Sandbox
from ghostproof.turn.errors import PrunerError
from ghostproof.turn.explore import Grid, Key, Move
from ghostproof.turn.property import Property
from ghostproof.turn.scenario import Scenario
from ghostproof.turn.trace import Script, Trace

SOON = 1.0
"""Seconds after which a long search answers with what it has: the deadline is for a pruner that hangs."""


class ForeignHost:
    """Starts the child at once; `lifted` waits for it. Every method may raise PrunerError."""

    def __init__(self, target: str, *, seconds: float, megabytes: int) -> None:
        self._target = target
        self._soon = min(SOON, seconds / 8)
        self._sandbox = Sandbox("ghostproof.host.worker:handle", seconds=seconds, megabytes=megabytes, name=target)
        self._sandbox.send({"do": "lift", "target": target})
        self._lifted: LiftedPruner | None = None
        self.compared = 0
        self.places: dict[str, tuple[str, int]] = {}

    def __enter__(self) -> ForeignHost:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._sandbox.close()

    @property
    def lifted(self) -> LiftedPruner:
        """The pruner as terms, once the child has admitted it."""
        if self._lifted is None:
            reply: Any = self._sandbox.receive()
            if self._sandbox.printed:
                raise PrunerError(
                    self._target,
                    f"prints when it is loaded or run: {self._sandbox.printed.strip()[:60]!r}",
                    "remove the output; a pass may not have effects outside the tool",
                )
            self.compared = reply["compared"]
            self.places = {name: (path, line) for name, (path, line) in reply["places"].items()}
            self._lifted = unpack_pruner(reply["pruner"])
        return self._lifted

    def _ask(self, message: dict[str, Any]) -> Any:
        _ = self.lifted  # its reply is the first: a later question must not take it for its own
        return self._sandbox.ask(message)

    def play(self, script: Script, judged: Property) -> Trace:
        """The session of `script`, run in the child."""
        return trace_of(self._ask({"do": "play", "script": asdict(script), "judged": judged.name})["trace"])

    def wander(self, scenario: Scenario, judged: Property) -> list[Trace]:
        """Sessions by chance, run in the child."""
        asked = {"do": "wander", "scenario": scenario_data(scenario), "judged": judged.name}
        return [trace_of(trace) for trace in self._ask(asked)["traces"]]

    def _search(self, do: str, scenario: Scenario, judged: Property, grid: Grid, **more: Any) -> Any:
        return self._ask(
            {"do": do, "scenario": scenario_data(scenario), "judged": judged.name, "grid": asdict(grid), **more}
        )

    def starts(self, scenario: Scenario, judged: Property, grid: Grid) -> list[Key]:
        """The initial states of an explicit search."""
        return [key_of(state) for state in self._search("starts", scenario, judged, grid)["states"]]

    def moves(self, scenario: Scenario, judged: Property, grid: Grid, states: Sequence[Key]) -> list[list[Reached]]:
        """Every move from each of `states`."""
        rows: list[list[Reached]] = [[] for _ in states]
        reply = self._search("moves", scenario, judged, grid, states=list(states), soon=self._soon)
        while True:
            for place, move, key, bad in reply["moves"]:
                rows[place].append((move_of(move), key_of(key), bad))
            if not reply["more"]:
                return rows
            reply = self._ask({"do": "more", "soon": self._soon})

    def script(self, scenario: Scenario, judged: Property, grid: Grid, start: Key, moves: Sequence[Move]) -> Script:
        """The session from `start` along `moves`."""
        data = [move_data(move) for move in moves]
        return script_of(self._search("script", scenario, judged, grid, start=start, moves=data)["script"])
