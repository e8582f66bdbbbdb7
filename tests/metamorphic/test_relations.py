"""Renaming, permuting, adding, scaling, idling, shuffling: none of it changes a verdict or the length of a refutation.

Each relation is a function of a checker, so that each also has a canary: a checker that is not even-handed, and is
found out by it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.corpus import CORPUS, HANDED_OVER, ORDINARY_UNPINNED, SCENARIOS
from ghostproof.engines import bmc as bmc_module
from ghostproof.engines.bmc import bmc
from ghostproof.engines.explicit import explicit
from ghostproof.engines.problem import Bounds
from ghostproof.examine import examine
from ghostproof.host.host import LocalHost
from ghostproof.host.problem import PrunerProblem
from ghostproof.lift.limits import Limits
from ghostproof.lift.smtlib import script as smt_script
from ghostproof.lift.term import Term
from ghostproof.turn.errors import InternalError
from ghostproof.turn.explore import Grid
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.scenario import Scenario
from ghostproof.turn.session import play
from ghostproof.turn.tool import Tool
from ghostproof.turn.trace import Script, ScriptTurn, Trace
from ghostproof.turn.verdict import HoldsTo, Refuted, Undetermined, Verdict
from lift.sessions import random_script

pytestmark = pytest.mark.slow

LIMITS = Limits(rlimit=20_000_000)
Size = tuple[str, tuple[int, ...]]
Checker = Callable[[Pruner], Verdict]
Player = Callable[[Pruner, Script], Trace]


def told(verdict: Verdict) -> Size:
    """The kind of a verdict, and the size of a counterexample."""
    return type(verdict).__name__, verdict.trace.size if isinstance(verdict, Refuted) else ()


def examined(pruner: Pruner) -> Verdict:
    return examine(LocalHost(pruner), HANDED_OVER, NO_GHOST, Bounds(turns=3, tools=2, limits=LIMITS))


def played(pruner: Pruner, script: Script) -> Trace:
    return play(pruner, script, NO_GHOST)


def ghosts(trace: Trace) -> list[tuple[int, ...]]:
    """Which tools are ghosts, request by request."""
    return [request.violations for request in trace.requests]


# ---- renaming -------------------------------------------------------------------------------------------------------

# Those whose memory a visit reads by name cannot be renamed from here; they are renamed as passes.
RENAMED = ("argument-first", "schema-first", "schema-first without a gate", "gate on pruned tools", "stale view")


def renamed(pruner: Pruner) -> Pruner:
    """The same passes under other names, in another order of the alphabet."""
    passes = (replace(item, name=f"{chr(ord('z') - place)} pass") for place, item in enumerate(pruner.passes))
    return Pruner(*passes, memory=pruner.memory, name=f"not {pruner.name}")


def renaming_changes(name: str, check: Checker) -> bool:
    return told(check(CORPUS[name])) != told(check(renamed(CORPUS[name])))


@pytest.mark.parametrize("name", RENAMED)
def test_names_of_passes_do_not_matter(name: str) -> None:
    assert not renaming_changes(name, examined)


def test_names_of_memory_do_not_matter() -> None:
    def noting(field: str) -> Pruner:
        def hide(tool: Tool, turn: object) -> None:
            tool.hide_schema()
            setattr(tool, field, True)

        def gate(tool: Tool, turn: object) -> None:
            if getattr(tool, field) and tool.calls_resident > 1:
                tool.tombstoned = True
            setattr(tool, field, False)

        return Pruner(Pass(hide), Pass(gate), memory={field: False}, name="notes")

    assert told(examined(noting("noted"))) == told(examined(noting("zz"))) == ("Refuted", (1, 1))


def test_canary_a_checker_that_goes_by_a_name() -> None:
    def partial(pruner: Pruner) -> Verdict:
        kept = (item for item in pruner.passes if item.name != "gate")
        return examined(Pruner(*kept, memory=pruner.memory, name=pruner.name))

    assert renaming_changes("argument-first", partial)


# ---- tools ----------------------------------------------------------------------------------------------------------


def on_grid(name: str, scenario: Scenario, grid: Grid) -> Verdict:
    problem = PrunerProblem(LocalHost(CORPUS[name]), scenario, NO_GHOST, grid, LIMITS)
    return explicit(problem, Bounds(turns=2, tools=grid.tools)).verdict


def exactly(name: str, tools: int) -> Verdict:
    """bmc over up to so many tools; where none is a ghost, up to so many."""
    problem = PrunerProblem(LocalHost(CORPUS[name]), HANDED_OVER, NO_GHOST, Grid(), LIMITS)
    return bmc(problem, Bounds(turns=2, tools=tools, limits=LIMITS)).verdict


@pytest.mark.parametrize("name", ["argument-first", "schema-first", "eviction planned", "by idle turns"])
def test_tools_that_are_not_needed_change_nothing(name: str) -> None:
    assert told(exactly(name, 2)) == told(exactly(name, 3))


def swapped(script: Script) -> Script:
    """The same session with the tools in the opposite order."""

    def turned(turn: ScriptTurn) -> ScriptTurn:
        return ScriptTurn(turn.budgets, turn.environment[::-1], turn.response[::-1], turn.execution[::-1])

    return replace(script, tools=script.tools[::-1], turns=tuple(map(turned, script.turns)))


# A pass without a budget condition visits every tool once, whatever the order.
UNORDERED = ("stale view", "by idle turns")


def swapping_changes(name: str, script: Script, run: Player) -> bool:
    last = len(script.tools) - 1
    turned = [tuple(sorted(last - tool for tool in found)) for found in ghosts(run(CORPUS[name], swapped(script)))]
    return ghosts(run(CORPUS[name], script)) != turned


def session(seed: int, names: Sequence[str], scenario: Scenario, tools: int = 2) -> tuple[str, Script]:
    chance = random.Random(seed)
    while True:
        name = chance.choice(list(names))
        budgets = LocalHost(CORPUS[name]).lifted.budget_names
        found = random_script(chance.choice, CORPUS[name], scenario, budgets, tools, 3)
        if found is not None:
            return name, found


@settings(max_examples=60)
@given(st.integers(0, 10_000))
def test_the_order_of_tools_does_not_matter_where_no_pass_stops(seed: int) -> None:
    name, script = session(seed, UNORDERED, SCENARIOS[0])
    assert not swapping_changes(name, script, played)


def test_canary_a_checker_that_judges_the_first_tool_only() -> None:
    def first(pruner: Pruner, script: Script) -> Trace:
        trace = played(pruner, script)
        requests = (replace(one, violations=tuple(v for v in one.violations if v == 0)) for one in trace.requests)
        return replace(trace, requests=tuple(requests))

    found = [session(seed, UNORDERED, SCENARIOS[0]) for seed in range(60)]
    assert any(swapping_changes(name, script, first) for name, script in found)


# ---- numbers --------------------------------------------------------------------------------------------------------

# Conditions compare tokens with tokens: none of these knows an amount of its own.
LINEAR = tuple(name for name in CORPUS if name not in ("watered down",))


def scaled(script: Script, factor: int) -> Script:
    """Every size and budget so many times as large."""
    tools = ({n: v * factor if n.endswith("_tokens") else v for n, v in tool.items()} for tool in script.tools)
    turns = (replace(turn, budgets={n: v * factor for n, v in turn.budgets.items()}) for turn in script.turns)
    return Script(tuple(tools), script.rest_tokens * factor, tuple(turns))


def scaling_changes(name: str, script: Script, factor: int, run: Player) -> bool:
    return ghosts(run(CORPUS[name], script)) != ghosts(run(CORPUS[name], scaled(script, factor)))


@settings(max_examples=100)
@given(st.integers(0, 10_000), st.sampled_from([2, 3, 10, 1000]))
def test_the_unit_of_tokens_does_not_matter(seed: int, factor: int) -> None:
    name, script = session(seed, LINEAR, SCENARIOS[seed % len(SCENARIOS)])
    assert not scaling_changes(name, script, factor, played)


@pytest.mark.parametrize("name", ["argument-first", "schema-first", "eviction planned"])
def test_a_grid_of_larger_units_has_the_same_states(name: str) -> None:
    small = on_grid(name, HANDED_OVER, Grid(tools=2, budgets=(0, 1, 2, 3)))
    large = on_grid(name, HANDED_OVER, Grid(tools=2, sizes=(7,), budgets=(0, 7, 14, 21)))
    assert told(small) == told(large)
    if isinstance(small, HoldsTo) and isinstance(large, HoldsTo):
        assert small.explored == large.explored


def test_canary_a_checker_that_rounds() -> None:
    def rounding(pruner: Pruner, script: Script) -> Trace:
        rounded = (replace(t, budgets={n: v // 2 * 2 for n, v in t.budgets.items()}) for t in script.turns)
        return played(pruner, replace(script, turns=tuple(rounded)))

    def differs(name: str, script: Script) -> bool:
        try:
            return scaling_changes(name, script, 2, rounding)
        except InternalError:  # with other budgets the session is not even possible
            return True

    assert any(differs(*session(seed, LINEAR, SCENARIOS[0])) for seed in range(60))


# ---- time -----------------------------------------------------------------------------------------------------------


def with_an_idle_turn(script: Script) -> Script:
    """The session after a turn in which nothing happens and everything fits."""
    count = len(script.tools)
    roomy = {name: 1_000_000 for turn in script.turns for name in turn.budgets}
    idle = ScriptTurn(roomy, ("idle",) * count, ("silent",) * count, ("no execution",) * count)
    return replace(script, turns=(idle, *script.turns))


# What goes by idle turns is another pruner after one more of them.
TIMELESS = tuple(name for name in CORPUS if name not in ("by idle turns", "stale view", "hollow", "eviction planned"))


def idling_changes(name: str, script: Script, run: Player) -> bool:
    return ghosts(run(CORPUS[name], script)) != ghosts(run(CORPUS[name], with_an_idle_turn(script)))[1:]


@settings(max_examples=100)
@given(st.integers(0, 10_000))
def test_an_idle_turn_before_it_all_changes_nothing(seed: int) -> None:
    name, script = session(seed, TIMELESS, HANDED_OVER)
    assert not idling_changes(name, script, played)


def test_canary_a_checker_that_looks_at_two_requests_only() -> None:
    def short(pruner: Pruner, script: Script) -> Trace:
        trace = played(pruner, script)
        late = (replace(one, violations=one.violations if one.turn <= 2 else ()) for one in trace.requests)
        return replace(trace, requests=tuple(late))

    found = [session(seed, TIMELESS, HANDED_OVER) for seed in range(100)]
    assert any(idling_changes(name, script, short) for name, script in found)


# ---- the solver -----------------------------------------------------------------------------------------------------

SHUFFLED = ("schema-first", "argument-first", "schema-first without a gate")


def by_bmc(name: str, seed: int) -> Verdict:
    limits = replace(LIMITS, seed=seed, order=seed)
    problem = PrunerProblem(LocalHost(CORPUS[name]), ORDINARY_UNPINNED, NO_GHOST, Grid(), limits)
    return bmc(problem, Bounds(turns=2, tools=2, limits=limits)).verdict


@pytest.mark.parametrize("name", SHUFFLED)
def test_seeds_and_the_order_of_assertions_do_not_matter(name: str) -> None:
    expected = by_bmc(name, 0)
    assert not isinstance(expected, Undetermined)
    for seed in (1, 2, 3):
        assert told(by_bmc(name, seed)) == told(expected)


def losing(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """From now on bmc asks without one of its assertions."""

    def script(assertions: Sequence[Term], **options: Any) -> str:
        lost = random.Random(seed).randrange(len(assertions))
        return smt_script([*assertions[:lost], *assertions[lost + 1 :]], **options)

    monkeypatch.setattr(bmc_module, "script", script)


def test_canary_a_checker_that_loses_an_assertion(monkeypatch: pytest.MonkeyPatch) -> None:
    expected, found = told(by_bmc("argument-first", 0)), []
    for seed in range(20):
        losing(monkeypatch, seed)
        try:
            found.append(told(by_bmc("argument-first", seed)))
        except Exception as refused:  # a session that does not replay is noticed as well
            found.append((type(refused).__name__, ()))
    assert any(answer != expected for answer in found)
