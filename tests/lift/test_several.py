"""Two readings of one definition: sessions as they run, and as they are unrolled for bounded model checking.

Random sessions are played by the plain functions; the unrolled constraints must hold of the same choices, and every
field of every tool must be the same in each request. Terms are evaluated, no solver is asked.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.corpus import CORPUS, SCENARIOS
from ghostproof.host.problem import Rounds
from ghostproof.lift.limits import Limits
from ghostproof.lift.plain import LiftedPruner, lift_pruner
from ghostproof.lift.several import Choice, SeveralTools
from ghostproof.lift.smtlib import script as smt_script
from ghostproof.lift.solver import Satisfiable, ask
from ghostproof.lift.term import Term, at_most, evaluate, integer, negate
from ghostproof.turn.budget import Turn, prompt_fits
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.scenario import Scenario
from ghostproof.turn.session import play
from ghostproof.turn.tool import Tool
from ghostproof.turn.trace import PassEnd, Script, ScriptTurn
from lift.sessions import cost_of, fields_of, random_script, starts_within_budget


@cache
def lifted(name: str) -> LiftedPruner:
    return lift_pruner(CORPUS[name])


@cache
def rounds_of(name: str) -> Rounds:
    return Rounds(lifted(name), Limits())


@cache
def unrolled(name: str, scenario: int, tools: int, turns: int, whole: bool) -> SeveralTools:
    sessions = SeveralTools(lifted(name), SCENARIOS[scenario], NO_GHOST, tools, rounds_of(name), whole)
    for _ in range(turns):
        sessions.extend()
    assert sessions.unsettled is None
    return sessions


def pinned_down(sessions: SeveralTools, script: Script) -> dict[str, bool | int]:
    """The values of all that is free in `sessions` under which they are the session of `script`."""
    values: dict[str, bool | int] = {}

    def assign(term: Term, value: bool | int) -> None:
        if term.op == "var":
            values[term.arguments[0]] = value

    def assign_choice(choice: Choice, name: str) -> None:
        # An action without effect on what is kept stands aside; then the first, which has none either, is taken.
        assign(choice.term, choice.names.index(name) if name in choice.names else 0)

    assign(sessions.rest, script.rest_tokens)
    for fields, fixed in zip(sessions.fixed, script.tools, strict=True):
        for name, term in fields.items():
            assign(term, fixed[name])
    for turn, played in zip(sessions.turns, script.turns, strict=True):
        for name, term in turn.budgets.items():
            assign(term, played.budgets[name])
        for choices, names in (
            (turn.environment, played.environment),
            (turn.response, played.response),
            (turn.execution, played.execution),
        ):
            for choice, name in zip(choices, names, strict=True):
                assign_choice(choice, name)
    return values


def agree(pruner: Pruner, scenario: Scenario, sessions: SeveralTools, script: Script, whole: bool) -> None:
    """Assert that both readings of `script` are the same session."""
    values = pinned_down(sessions, script)
    memo: dict[Term, bool | int] = {}
    held = [bool(evaluate(term, values, memo)) for term in sessions.constraints]
    within = starts_within_budget(sessions.pruner, script) or not scenario.starts_within_budget
    assert all(held) == within, [term for term, is_so in zip(sessions.constraints, held, strict=True) if not is_so]
    trace = play(pruner, script, NO_GHOST)
    kept = frozenset(sessions.prompts[0][0])
    if whole:
        assert kept == frozenset(trace.requests[0].tools[0])
    for request, prompt, violation in zip(trace.requests, sessions.prompts, sessions.violations, strict=True):
        read = [{name: evaluate(term, values, memo) for name, term in fields.items()} for fields in prompt]
        assert read == fields_of(request.tools, kept)
        assert evaluate(violation, values, memo) == bool(request.violations)
    decoded = sessions.decode(values)
    if whole:
        assert decoded == script
    elif within:
        again = play(pruner, decoded, NO_GHOST)
        for one, other in zip(trace.requests, again.requests, strict=True):
            assert fields_of(one.tools, kept) == fields_of(other.tools, kept)
            assert one.violations == other.violations


def session_of(
    choose: Callable[[Sequence[object]], object], name: str, scenario: int, tools: int, turns: int
) -> Script | None:
    return random_script(choose, CORPUS[name], SCENARIOS[scenario], lifted(name).budget_names, tools, turns)


shapes = st.tuples(
    st.sampled_from(sorted(CORPUS)),
    st.integers(0, len(SCENARIOS) - 1),
    st.sampled_from([(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2)]),
    st.booleans(),
)


@settings(max_examples=150)
@given(shapes, st.data())
def test_a_session_unrolled_is_the_session_played(
    shape: tuple[str, int, tuple[int, int], bool], data: st.DataObject
) -> None:
    name, scenario, (tools, turns), whole = shape
    script = session_of(lambda options: data.draw(st.sampled_from(options)), name, scenario, tools, turns)
    if script is not None:
        sessions = unrolled(name, scenario, tools, len(script.turns), whole)
        agree(CORPUS[name], SCENARIOS[scenario], sessions, script, whole)


def seeded_sessions(seed: int, count: int) -> list[tuple[str, int, Script]]:
    chance = random.Random(seed)
    found: list[tuple[str, int, Script]] = []
    while len(found) < count:
        name, scenario = chance.choice(sorted(CORPUS)), chance.randrange(len(SCENARIOS))
        tools, turns = chance.choice([(1, 3), (2, 2), (2, 3), (3, 2)])
        script = session_of(chance.choice, name, scenario, tools, turns)
        if script is not None:
            found.append((name, scenario, script))
    return found


def happened(name: str, script: Script) -> set[str]:
    """What of interest happens in the session of `script`."""
    trace = play(CORPUS[name], script, NO_GHOST)
    seen = set()
    for request in trace.requests:
        for step in request.steps:
            if isinstance(step, PassEnd):
                if step.visits > len(script.tools):
                    seen.add("a second round")
                if step.reason == "unchanged":
                    seen.add("a budget that cannot be met")
                if step.reason == "fits" and step.visits > 0:
                    seen.add("a pass that ends in the middle of a round")
            elif step.actor not in ("environment", "response", "execution"):
                seen.update(f"a pass changes {field}" for field in step.after)
        if request.violations:
            seen.add("a ghost")
        if any(tool["rejected"] for tool in request.tools):
            seen.add("a rejection")
        if any(tool["calls_resident"] > 1 for tool in request.tools):
            seen.add("several calls of one tool")
        if sum(bool(tool["calls_resident"]) for tool in request.tools) > 1:
            seen.add("calls of several tools")
    return seen


FLOORS = {
    "a second round": 5,
    "a budget that cannot be met": 20,
    "a pass that ends in the middle of a round": 20,
    "a pass changes schema_shown": 50,
    "a pass changes schema_lossy": 5,
    "a pass changes calls_resident": 20,
    "a pass changes tombstone_resident": 20,
    "a pass changes planned": 5,
    "a ghost": 20,
    "a rejection": 5,
    "several calls of one tool": 5,
    "calls of several tools": 10,
}


def test_the_sessions_that_are_compared_reach_what_matters() -> None:
    census = Counter(what for name, _, script in seeded_sessions(1, 600) for what in happened(name, script))
    assert {what: census[what] for what, least in FLOORS.items() if census[what] < least} == {}


def test_four_hundred_seeded_sessions_agree() -> None:
    for name, scenario, script in seeded_sessions(1, 400):
        sessions = unrolled(name, scenario, len(script.tools), len(script.turns), True)
        agree(CORPUS[name], SCENARIOS[scenario], sessions, script, True)


@pytest.mark.parametrize(
    ("played", "read"),
    [
        ("argument-first", "schema-first"),
        ("argument-first", "argument-first without a gate"),
        ("stale view", "by idle turns"),
        ("oldest item first", "schema-first"),
        ("watered down", "by idle turns"),
    ],
)
def test_canary_the_comparison_tells_pruners_apart(played: str, read: str) -> None:
    for name, _, script in seeded_sessions(2, 1500):
        if name != played or len(script.tools) > 2:
            continue
        sessions = unrolled(read, 0, len(script.tools), len(script.turns), False)
        values = pinned_down_loosely(sessions, script)
        trace = play(CORPUS[played], script, NO_GHOST)
        if [evaluate(violation, values) for violation in sessions.violations] != [
            bool(request.violations) for request in trace.requests
        ]:
            return
    raise AssertionError("no session tells them apart")


def pinned_down_loosely(sessions: SeveralTools, script: Script) -> dict[str, bool | int]:
    """As `pinned_down`, for a pruner that reads other budgets: those are 0."""
    budgets = {budget: 0 for turn in sessions.turns for budget in turn.budgets}
    turns = tuple(
        ScriptTurn({**budgets, **turn.budgets}, turn.environment, turn.response, turn.execution)
        for turn in script.turns
    )
    return pinned_down(sessions, Script(script.tools, script.rest_tokens, turns))


@pytest.mark.parametrize("name", ["argument-first", "schema-first", "hollow", "eviction planned"])
@pytest.mark.parametrize("tools", [1, 2])
def test_what_a_solver_finds_replays_to_the_same_requests(name: str, tools: int) -> None:
    scenario = 1
    sessions = unrolled(name, scenario, tools, 2, False)
    wanted = [
        *(violation for violation in sessions.violations),
        *(negate(violation) for violation in sessions.violations),
        *(at_most(integer(1), fields["calls_resident"]) for fields in sessions.prompts[-1]),
        *(negate(fields["schema_shown"]) for fields in sessions.prompts[-1]),
    ]
    found = 0
    for goal in wanted:
        answer = ask(smt_script([*sessions.constraints, goal]), Limits())
        if not isinstance(answer, Satisfiable):
            continue
        found += 1
        script = sessions.decode(answer.values)
        trace = play(CORPUS[name], script, NO_GHOST)
        values = pinned_down(sessions, script)
        assert all(evaluate(term, values) for term in sessions.constraints)
        assert evaluate(goal, values)
        for request, prompt in zip(trace.requests, sessions.prompts, strict=True):
            read = [{field: evaluate(term, values) for field, term in fields.items()} for fields in prompt]
            assert read == fields_of(request.tools, frozenset(prompt[0]))
    assert found >= 3


def test_the_rest_of_the_prompt_is_counted_where_a_condition_reads_it() -> None:
    sessions = unrolled("argument-first", 0, 1, 1, True)
    script = Script(
        ({"mutation": True, "pinned": False, "schema_tokens": 2, "argument_tokens": 1, "tombstone_tokens": 1},),
        3,
        (ScriptTurn({"total_budget": 4}, ("idle",), (), ()),),
    )
    agree(CORPUS["argument-first"], SCENARIOS[0], sessions, script, True)
    assert play(CORPUS["argument-first"], script, NO_GHOST).requests[0].tools[0]["schema_shown"] is False


def test_all_tools_act_on_what_was_known_before_any_of_them_acts() -> None:
    # A rebuilt call is rejected; its tool is called anew, and at the same moment another recovers from the rebuilt one.
    turns = (
        (("arguments appear", "idle"), ("silent", "silent"), ("no execution", "no execution")),
        (("tool vanishes", "idle"), ("rebuild a call from a ghost", "silent"), ("reject", "no execution")),
        (("tool returns", "idle"), ("call", "recover by sibling"), ("accept", "accept")),
        (("idle", "idle"), (), ()),
    )
    scenario = Scenario(
        "a recovery",
        environment=("idle", "arguments appear", "tool vanishes", "tool returns"),
        responses=("silent", "call", "rebuild a call from a ghost", "recover by sibling"),
    )
    nothing = Pruner(name="nothing")
    fixed = {"mutation": True, "pinned": False, "schema_tokens": 1, "argument_tokens": 1, "tombstone_tokens": 1}
    script = Script((fixed, fixed), 0, tuple(ScriptTurn({}, *acted) for acted in turns))
    sessions = SeveralTools(lift_pruner(nothing), scenario, NO_GHOST, 2, lambda item, calls: None, whole=True)
    for _ in turns:
        sessions.extend()
    values = pinned_down(sessions, script)
    assert [evaluate(fields["rebuilt"], values) for fields in sessions.prompts[-1]] == [False, True]
    agree(nothing, scenario, sessions, script, whole=True)


def test_the_cost_of_a_session_is_the_cost_of_its_trace() -> None:
    for name, scenario, script in seeded_sessions(3, 200):
        sessions = unrolled(name, scenario, len(script.tools), len(script.turns), True)
        trace = play(CORPUS[name], script, NO_GHOST, budgets=sessions.pruner.budget_names)
        assert evaluate(sessions.cost, pinned_down(sessions, script)) == cost_of(trace, SCENARIOS[scenario])[2]


def test_a_pass_whose_rounds_have_no_known_bound_ends_the_unrolling() -> None:
    def count_down(tool: Tool, turn: Turn) -> None:
        tool.patience = tool.patience + 1  # type: ignore[attr-defined]

    endless = lift_pruner(Pruner(Pass(count_down, until=prompt_fits), memory={"patience": 0}))
    sessions = SeveralTools(endless, SCENARIOS[0], NO_GHOST, 1, Rounds(endless, Limits()))
    sessions.extend()
    assert sessions.unsettled == "count_down"


def trim_slowly(tool: Tool, turn: Turn) -> None:
    """Every second visit evicts."""
    if tool.waited:  # type: ignore[attr-defined]
        tool.evict_call()
    tool.waited = not tool.waited and tool.calls_resident > 0  # type: ignore[attr-defined]


def test_rounds_are_as_many_as_the_slowest_tool_needs() -> None:
    slow = lift_pruner(Pruner(Pass(trim_slowly, until=prompt_fits), memory={"waited": False}))
    rounds = Rounds(slow, Limits())
    assert [rounds(slow.passes[0], calls) for calls in (0, 1, 2)] == [1, 2, 4]
    fast = lift_pruner(CORPUS["argument-first"])
    trimming = next(item for item in fast.passes if item.name == "trim_history")
    assert [Rounds(fast, Limits())(trimming, calls) for calls in (0, 1, 2)] == [1, 2, 3]
