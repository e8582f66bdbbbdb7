"""Scripts, traces and search states as JSON-able data, to cross between the parent and the child."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from ghostproof.turn.explore import Grid, Key, Move
from ghostproof.turn.scenario import Scenario
from ghostproof.turn.trace import PassEnd, Request, Script, ScriptTurn, Step, Trace


def script_of(data: Mapping[str, Any]) -> Script:
    """The script that `asdict` made `data` of."""
    turns = tuple(
        ScriptTurn(
            turn["budgets"],
            tuple(turn["environment"]),
            tuple(turn["response"]),
            tuple(turn["execution"]),
            tuple(turn.get("late", ())),  # sessions saved before there were late events have none
        )
        for turn in data["turns"]
    )
    return Script(tuple(data["tools"]), data["rest_tokens"], turns)


def _step_of(data: Mapping[str, Any]) -> Step | PassEnd:
    return Step(**data) if "actor" in data else PassEnd(**data)


def trace_of(data: Mapping[str, Any]) -> Trace:
    """The trace that `asdict` made `data` of."""
    requests = tuple(
        Request(
            item["turn"],
            tuple(_step_of(step) for step in item["steps"]),
            tuple(item["tools"]),
            item["numbers"],
            tuple(item["violations"]),
        )
        for item in data["requests"]
    )
    return Trace(
        data["pruner"],
        data["judged"],
        tuple(data["names"]),
        script_of(data["script"]),
        requests,
        tuple(data["budgets"]),
    )


def frozen(value: Any) -> Any:
    """Lists as tuples, all the way down: search states are hashable."""
    return tuple(frozen(item) for item in value) if isinstance(value, list) else value


def move_of(data: Any) -> Move:
    """The move that a list of its fields stands for."""
    return Move(*(frozen(part) for part in data))


def move_data(move: Move) -> list[Any]:
    """A move as a list of its fields."""
    return [move.budgets, move.response, move.execution, move.environment, move.late]


def scenario_data(scenario: Scenario) -> dict[str, Any]:
    """A scenario as data."""
    return asdict(scenario)


def scenario_of(data: Mapping[str, Any]) -> Scenario:
    """The scenario that `scenario_data` made `data` of."""
    return Scenario(**{name: frozen(value) for name, value in data.items()})


def grid_of(data: Mapping[str, Any]) -> Grid:
    """The grid that `asdict` made `data` of."""
    return Grid(**{name: frozen(value) for name, value in data.items()})


def key_of(data: Any) -> Key:
    """A search state from JSON."""
    key: Key = frozen(data)
    return key
