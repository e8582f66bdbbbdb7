"""Sessions by chance, the same ones each time: played traces in which much of what can happen happens.

They are witnesses, and nothing follows from what they lack: who misses something there has to search.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ghostproof.turn.action import Action, Others
from ghostproof.turn.budget import BUDGETS, FITS, Turn, totals
from ghostproof.turn.property import Property
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.response import CALL
from ghostproof.turn.scenario import Scenario
from ghostproof.turn.session import new_tool, play, run
from ghostproof.turn.tool import FIXED, Tool, Value
from ghostproof.turn.trace import Request, Script, ScriptTurn, Step, Trace

TOOLS, TURNS = 2, 10
SIZE_MAX, BUDGET_MAX = 3, 12
SESSIONS_MAX, SESSIONS_WITHOUT_NEWS = 100, 10
LONG_SESSIONS, LONG_TURNS_MIN, LONG_TURNS_MAX = 6, 3, 300
"""How many sessions go on for as long as the pruner waits, and how many turns it may wait, at least and at most."""


@dataclass(slots=True)
class _Chance:
    """The choices of one turn, made when they are due, and kept."""

    dice: random.Random
    tables: Mapping[str, Sequence[Action]]
    budgets: Mapping[str, int]
    liveliness: float
    habit: str = ""
    taken: dict[str, list[str]] = field(default_factory=dict)

    def choose(self, actor: str, index: int, tool: Tool, others: Others) -> str | None:
        """The habit where it is enabled, else the first that is, where nothing happens; or any, by the liveliness."""
        enabled = [action.name for action in self.tables[actor] if action.guard(tool, others)]
        if not enabled:
            return None
        usual = self.habit if self.habit in enabled else enabled[0]
        name = self.dice.choice(enabled) if self.dice.random() < self.liveliness else usual
        self.taken.setdefault(actor, []).append(name)
        return name

    def scripted(self) -> ScriptTurn:
        """What was chosen, to be played again."""
        return ScriptTurn(self.budgets, **{actor: tuple(self.taken.get(actor, ())) for actor in self.tables})


def wander(
    pruner: Pruner,
    scenario: Scenario,
    judged: Property,
    budgets: Sequence[str],
    tested: Sequence[str],
    *,
    patience: int = 0,
) -> list[Trace]:
    """Sessions of `pruner`, each of which shows something that none before it does.

    `budgets` are those that exist for this pruner, `tested` those that its passes' conditions read. `patience` is how
    many turns it may wait before it acts: if that is long, some sessions go on for so long after their first turns, in
    half of them quietly, and in half of them all tools are called in each turn.
    Raises PrunerError when a pass misbehaves.
    """
    dice = random.Random(0)
    kept: list[Trace] = []
    seen: set[Hashable] = set()
    quiet = 0
    wait = patience + 2 if LONG_TURNS_MIN <= patience <= LONG_TURNS_MAX else 0
    for number in range(SESSIONS_MAX):
        habits = ["" if number % 2 else CALL.name] * (wait if number < LONG_SESSIONS else 0)
        script, shown = _session(dice, pruner, scenario, judged, budgets, tested, habits)
        quiet += 1
        # Where a tool could do nothing at all the session is none that a script can tell.
        if not shown <= seen and all(len(names) in (0, TOOLS) for turn in script.turns for names in _names(turn)):
            quiet = 0
            seen |= shown
            kept.append(play(pruner, script, judged, budgets=budgets))
        if quiet == SESSIONS_WITHOUT_NEWS:
            break
    return kept


def _session(
    dice: random.Random,
    pruner: Pruner,
    scenario: Scenario,
    judged: Property,
    budgets: Sequence[str],
    tested: Sequence[str],
    habits: Sequence[str],
) -> tuple[Script, set[Hashable]]:
    tables = {
        "environment": scenario.environment_actions,
        "late": scenario.late_actions,
        "response": scenario.response_actions,
        "execution": scenario.execution_actions,
    }
    fixed = tuple(_fixed(dice, scenario) for _ in range(TOOLS))
    first = _budgets(dice, budgets)
    if scenario.starts_within_budget:
        tools = [new_tool(fields, pruner.memory) for fields in fixed]
        while not _fits(tools, first, tested):
            first = {name: value + 1 for name, value in first.items()}
    later = [first if scenario.constant_budgets else _budgets(dice, budgets) for _ in (*range(TURNS - 1), *habits)]
    # What needs many idle turns comes in quiet sessions, what needs many events in lively ones.
    liveliness = dice.random()
    pace = [(liveliness, "")] * TURNS + [(0.0, habit) for habit in habits]
    turns = [_Chance(dice, tables, chosen, *how) for chosen, how in zip((first, *later), pace, strict=True)]
    requests = run(pruner, fixed, 0, turns, judged)
    return Script(fixed, 0, tuple(turn.scripted() for turn in turns)), set(_shown(requests))


def _names(turn: ScriptTurn) -> tuple[tuple[str, ...], ...]:
    return turn.environment, turn.late, turn.response, turn.execution


def _fixed(dice: random.Random, scenario: Scenario) -> dict[str, Value]:
    free: dict[str, Value] = {
        name: dice.random() < 0.5 if kind is bool else dice.randint(1, SIZE_MAX) for name, kind in FIXED.items()
    }
    return {**free, **scenario.fixed}


def _budgets(dice: random.Random, names: Sequence[str]) -> dict[str, int]:
    return {name: dice.randint(0, BUDGET_MAX) for name in names}


def _fits(tools: Sequence[Tool], budgets: Mapping[str, int], tested: Sequence[str]) -> bool:
    turn = Turn(**totals(tools), rest_tokens=0, **{**dict.fromkeys(BUDGETS, 0), **budgets})
    return all(FITS[name](turn) for name in tested)


def _shown(requests: Sequence[Request]) -> Iterator[Hashable]:
    """Which actions were taken, what each pass did to which field, and whether a request carries arguments."""
    for request in requests:
        for step in request.steps:
            if isinstance(step, Step):
                yield step.actor, step.action
                for name, value in step.after.items():
                    yield step.actor, name, value if isinstance(value, bool) else None
        if any(tool["calls_resident"] for tool in request.tools):
            yield "arguments"
