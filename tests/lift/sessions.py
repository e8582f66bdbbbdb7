"""Random sessions, played step by step by the plain functions, so that every chosen action is one that is enabled."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from ghostproof.lift.plain import LiftedPruner
from ghostproof.turn.action import Action
from ghostproof.turn.environment import settle
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.response import open_response
from ghostproof.turn.scenario import Scenario
from ghostproof.turn.session import Arbitration, new_tool, others_of
from ghostproof.turn.tool import FIXED, Tool, Value
from ghostproof.turn.trace import Script, ScriptTurn, Trace

T = TypeVar("T")
Choose = Callable[[Sequence[T]], T]

SIZES = (1, 1, 2, 3, 5)
BUDGETS_TRIED = (0, 1, 2, 3, 4, 5, 6, 8, 12)


def fixed_fields(choose: Callable[..., Value], scenario: Scenario) -> dict[str, Value]:
    """The fixed fields of one tool that `scenario` admits."""
    return {
        name: scenario.fixed[name] if name in scenario.fixed else choose((False, True) if kind is bool else SIZES)
        for name, kind in FIXED.items()
    }


def _all_act(choose: Callable[..., Action], tools: Sequence[Tool], actions: Sequence[Action]) -> tuple[str, ...] | None:
    known = [others_of(tools, index) for index in range(len(tools))]
    enabled = [[a for a in actions if a.guard(tool, others)] for tool, others in zip(tools, known, strict=True)]
    if not all(enabled):
        return None
    chosen = [choose(options) for options in enabled]
    for tool, action, others in zip(tools, chosen, known, strict=True):
        action.effect(tool, others)
    return tuple(action.name for action in chosen)


def random_script(
    choose: Callable[..., object],
    pruner: Pruner,
    scenario: Scenario,
    budget_names: Sequence[str],
    tools: int,
    turns: int,
) -> Script | None:
    """A session of at most `turns` requests that `scenario` admits, its start apart; None where it has none at all."""
    pick: Callable[..., Action] = choose  # type: ignore[assignment]
    value: Callable[..., int] = choose  # type: ignore[assignment]
    fields = tuple(fixed_fields(value, scenario) for _ in range(tools))
    state = [new_tool(fixed, pruner.memory) for fixed in fields]
    constant = {name: value(BUDGETS_TRIED) for name in budget_names}
    played: list[ScriptTurn] = []
    answered: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    for number in range(1, turns + 1):
        if number > 1:
            for tool in state:
                open_response(tool)
            response = _all_act(pick, state, scenario.response_actions)
            execution = _all_act(pick, state, scenario.execution_actions)
            if response is None or execution is None:
                break
            answered = (response, execution)
            for tool in state:
                settle(tool)
        environment = _all_act(pick, state, scenario.environment_actions)
        if environment is None:
            break
        budgets = constant if scenario.constant_budgets else {name: value(BUDGETS_TRIED) for name in budget_names}
        Arbitration(pruner, state, budgets, 0).run()
        if played:
            last = played[-1]
            played[-1] = ScriptTurn(last.budgets, last.environment, *answered)
        played.append(ScriptTurn(budgets, environment, (), ()))
    return Script(fields, 0, tuple(played)) if played else None


def starts_within_budget(pruner: LiftedPruner, script: Script) -> bool:
    """Whether the first prompt, all schemas and no history, is within each budget that a condition reads."""
    schemas = sum(fixed["schema_tokens"] for fixed in script.tools)
    spent = {"schema_budget": schemas, "argument_budget": 0, "total_budget": schemas + script.rest_tokens}
    return all(
        spent[name] <= budget for name, budget in script.turns[0].budgets.items() if name in pruner.tested_budgets
    )


def cost_of(trace: Trace, scenario: Scenario) -> tuple[int, int, int]:
    """Requests sent, tools, and the sum of all sizes, budgets and the rest; a constant budget counts once."""
    tools, turns = trace.script.tools, trace.script.turns
    sizes = sum(value for tool in tools for name, value in tool.items() if name.endswith("_tokens"))
    paid = turns[:1] if scenario.constant_budgets else turns
    budgets = sum(turn.budgets[name] for turn in paid for name in trace.budgets)
    return (*trace.size, sizes + budgets + trace.script.rest_tokens)


def fields_of(snapshots: Sequence[Mapping[str, Value]], names: frozenset[str]) -> list[dict[str, Value]]:
    """The named fields of each tool."""
    return [{name: value for name, value in fields.items() if name in names} for fields in snapshots]
