"""States a second: our explicit search, and minicheck, a small explicit-state checker, on the same systems.

    python benchmarks/explicit.py [--runs 5]          (pip install minicheck)

minicheck takes a function from a state to labelled successors. First it gets the plain functions as anybody would hand
them over: each combination of actions is taken on tools of its own, then arbitration runs, and nothing is kept. Then it
gets the very moves that our search explores, so that only the two searches differ. Both must find as many states and no
violation, or there is no ratio. Process time, medians of several runs in turn. Ends with 3 without minicheck.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parent.parent / "model")]

from ghostproof.engines.explicit import explicit  # noqa: E402
from ghostproof.engines.problem import Bounds  # noqa: E402
from ghostproof.host.host import LocalHost  # noqa: E402
from ghostproof.host.problem import PrunerProblem  # noqa: E402
from ghostproof.lift.limits import Limits  # noqa: E402
from ghostproof.turn.action import Action  # noqa: E402
from ghostproof.turn.budget import prompt_fits  # noqa: E402
from ghostproof.turn.environment import settle  # noqa: E402
from ghostproof.turn.explore import Explorer, Grid  # noqa: E402
from ghostproof.turn.property import NO_GHOST  # noqa: E402
from ghostproof.turn.response import open_response  # noqa: E402
from ghostproof.turn.scenario import ANYTHING, ORDINARY_SESSION, Scenario  # noqa: E402
from ghostproof.turn.session import Arbitration, new_tool, others_of  # noqa: E402
from ghostproof.turn.tool import Tool  # noqa: E402
from ghostproof.turn.verdict import HoldsTo  # noqa: E402
from ghostproof.variants.arbitration import argument_first  # noqa: E402

AIM = 2.0
BUDGETS = ("total_budget",)  # what argument-first reads
State = tuple[Any, ...]
Successors = Callable[[State], Iterator[tuple[str, State]]]
BEGINNING: State = ("beginning", (), ())
OUR_TOOL = Explorer(argument_first, ANYTHING, NO_GHOST, Grid(), BUDGETS, BUDGETS).tool


@dataclass(frozen=True, slots=True)
class System:
    """A scenario of argument-first, a grid, and how many requests."""

    name: str
    scenario: Scenario
    grid: Grid
    turns: int


SYSTEMS = (
    System("ordinary sessions, 1 and 2 tools, 5 requests", ORDINARY_SESSION, Grid(budgets=(3, 4, 6)), 5),
    System("every action, 1 tool, 4 requests", ANYTHING, Grid(tools=1, budgets=(0, 2, 3)), 4),
)


def ours(system: System) -> int:
    """The states that our search finds. Raises SystemExit for any other answer."""
    problem = PrunerProblem(LocalHost(argument_first), system.scenario, NO_GHOST, system.grid, Limits())
    found = explicit(problem, Bounds(turns=system.turns)).verdict
    if not isinstance(found, HoldsTo):
        raise SystemExit(f"{system.name}: explicit search says {found}")
    return found.explored


class Plainly:
    """The successors of a state by the plain functions, for whoever keeps nothing."""

    def __init__(self, system: System) -> None:
        self.scenario, self.grid = system.scenario, system.grid
        explorer = Explorer(argument_first, system.scenario, NO_GHOST, system.grid, BUDGETS, BUDGETS)
        self.starts = list(explorer.starts())

    def __call__(self, state: State) -> Iterator[tuple[str, State]]:
        stage, frozen, constant = state
        tools = [Tool(dict(fields)) for fields in frozen]
        if state == BEGINNING:
            names = ("mutation", "pinned", "schema_tokens", "argument_tokens", "tombstone_tokens")
            for _, fixed, budgets in self.starts:
                new = [new_tool(dict(zip(names, values, strict=True)), {}) for values in fixed]
                yield "start", ("start", as_state(new), budgets)
        elif stage == "start":
            yield from self.sent(tools, constant, first=True)
        else:
            for tool in tools:
                open_response(tool)
            for response, answered in taken(tools, self.scenario.response_actions):
                for execution, executed in taken(answered, self.scenario.execution_actions):
                    for tool in executed:
                        settle(tool)
                    for label, reached in self.sent(executed, constant, first=False):
                        yield f"{response} {execution} {label}", reached

    def sent(self, tools: Sequence[Tool], constant: State, first: bool) -> Iterator[tuple[str, State]]:
        """What can be sent when the response has settled."""
        for budgets in [constant] if constant else [(("total_budget", value),) for value in self.grid.budgets]:
            fits = prompt_fits(Arbitration(argument_first, tools, dict(budgets), 0).turn())
            if first and self.scenario.starts_within_budget and not fits:
                continue
            for environment, acted in taken(tools, self.scenario.environment_actions):
                Arbitration(argument_first, acted, dict(budgets), 0).run()
                yield f"{budgets} {environment}", ("sent", as_state(acted), constant)


def as_state(tools: Sequence[Tool]) -> State:
    """The tools as a state that can be compared."""
    return tuple(tuple(tool.__dict__.items()) for tool in tools)


def taken(tools: Sequence[Tool], actions: Sequence[Action]) -> Iterator[tuple[str, list[Tool]]]:
    """Each combination of enabled actions, and the tools after it."""
    known = [others_of(tools, index) for index in range(len(tools))]
    enabled = [[a for a in actions if a.guard(tool, others)] for tool, others in zip(tools, known, strict=True)]
    for chosen in product(*enabled):
        after = [Tool(tool.__dict__) for tool in tools]
        for tool, action, others in zip(after, chosen, known, strict=True):
            action.effect(tool, others)
        yield " ".join(action.name for action in chosen), after


def our_moves(system: System) -> Successors:
    """The successors of a state as our own search has them."""
    explorer = Explorer(argument_first, system.scenario, NO_GHOST, system.grid, BUDGETS, BUDGETS)

    def successors(state: State) -> Iterator[tuple[str, State]]:
        if state == BEGINNING:
            for start in explorer.starts():
                yield "start", start
        else:
            for move, reached, _ in explorer.moves(state):
                yield move, reached  # type: ignore[misc]  # a label may be anything

    return successors


def by_minicheck(system: System, successors: Successors, ghost: Callable[[State], bool]) -> int:
    """The states that minicheck finds, beside the one that all begins with. Raises SystemExit for any other answer."""
    minicheck = import_module("minicheck")
    depths = {BEGINNING: -1}  # breadth first: the first depth at which a state is met is its own

    def within(state: State) -> list[tuple[str, State]]:
        depth = depths[state] + 1
        if depth > system.turns:
            return []
        found = list(successors(state))
        for _, reached in found:
            depths.setdefault(reached, depth)
        return found

    def safe(state: dict[str, Any]) -> bool:
        return not ghost((state["stage"], state["tools"], state["budgets"]))

    fields = ("stage", "tools", "budgets")
    model = minicheck.Protocol("argument-first", True, fields, BEGINNING, within, {"no_ghost": safe})
    found = minicheck.check_safety(model)
    if not found["exhaustive"] or not found["properties"]["no_ghost"]["holds"]:
        raise SystemExit(f"{system.name}: minicheck says {found}")
    return int(found["reachable_states"]) - 1


def plain_ghost(state: State) -> bool:
    """A ghost in a state of `Plainly`."""
    return state[0] == "sent" and any(Tool(dict(fields)).ghost for fields in state[1])


def our_ghost(state: State) -> bool:
    """A ghost in a state of our own search."""
    return state[0] == "sent" and any(OUR_TOOL(values).ghost for values in state[1])


def timed(search: Callable[[System], int], system: System) -> tuple[float, int]:
    """Process time in seconds, and the states found."""
    started = time.process_time()
    states = search(system)
    return time.process_time() - started, states


def on_plain_functions(system: System) -> int:
    """minicheck given the plain functions."""
    return by_minicheck(system, Plainly(system), plain_ghost)


def on_our_moves(system: System) -> int:
    """minicheck given the moves of our search."""
    return by_minicheck(system, our_moves(system), our_ghost)


def main() -> int:
    """Print one line a comparison."""
    parser = argparse.ArgumentParser(description="Explicit search against minicheck, as ratios.")
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    if find_spec("minicheck") is None:
        print("NOT MEASURED: minicheck is not installed (pip install minicheck)")
        return 3
    for system in SYSTEMS:
        for words, theirs, aim in (
            ("plain functions", on_plain_functions, f" (aim {AIM:g} or more)"),
            ("our moves", on_our_moves, ""),
        ):
            pairs = [(timed(ours, system), timed(theirs, system)) for _ in range(runs)]
            states = {count for pair in pairs for _, count in pair}
            if len(states) != 1:
                raise SystemExit(f"{system.name}: the searches find {sorted(states)} states")
            ratio = statistics.median(b[0] / a[0] for a, b in pairs)
            fast = states.pop() / statistics.median(a[0] for a, _ in pairs)
            print(f"{system.name}: {ratio:.2f} times minicheck's states a second, {words}{aim}; ours {fast:.0f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
