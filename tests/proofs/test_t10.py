"""T10's induction: each lemma can fail, the composition can fail, and plain runs of many tools agree with it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ghostproof.certify.recheck import recheck
from ghostproof.lift.limits import Limits
from ghostproof.lift.term import TRUE
from ghostproof.turn.budget import Turn, prompt_fits
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.session import Arbitration
from ghostproof.turn.tool import INITIAL, Tool
from ghostproof.turn.verdict import Disagreement, HoldsTo, Proved, Undetermined, Vacuous, Verdict
from ghostproof.variants.arbitration import gate, prune_schema, trim_history
from ghostproof_proofs.t10_arguments import NAME, refusals_are_exact, visits_are_steps, whole_turns
from ghostproof_proofs.t10_parts import schema_first_telling, telling, under_pressure, with_outcome
from ghostproof_proofs.t10_passes import OUTCOME, floor, prune_where_it_saves
from ghostproof_proofs.t10_totals import GATE, PRUNE, invariant, turn_of_totals


def made_of(trim: Pass, prune: Pass, last: Pass) -> Pruner:
    return with_outcome(trim, prune, last, name="made here")


def trim_one_kind(tool: Tool, turn: Turn) -> None:
    if not tool.pinned:
        tool.evict_call()


def prune_pinned_too(tool: Tool, turn: Turn) -> None:
    tool.hide_schema()


def gate_and_lose(tool: Tool, turn: Turn) -> None:
    gate(tool, turn)
    if tool.pinned:
        tool.tombstoned = False


def prune_only_large(tool: Tool, turn: Turn) -> None:
    if tool.schema_tokens > 1:
        prune_schema(tool, turn)


TRIM, PRUNE_PASS, LAST = under_pressure(trim_history), under_pressure(prune_schema), Pass(gate)


def reason(verdict: Verdict) -> str:
    assert isinstance(verdict, Undetermined), verdict
    assert verdict.engine == NAME
    return verdict.reason


@pytest.mark.parametrize(
    ("pruner", "lemma"),
    [
        pytest.param(
            made_of(under_pressure(trim_one_kind), PRUNE_PASS, LAST),
            "trim_one_kind: one more tool of a round that changes nothing",
            id="trimming leaves tombstones",
        ),
        pytest.param(
            made_of(TRIM, under_pressure(prune_pinned_too), LAST),
            "prune_pinned_too: a visit is a step of the totals",
            id="pruning lowers the floor",
        ),
        pytest.param(
            made_of(TRIM, under_pressure(prune_only_large), LAST),
            "prune_only_large: one more tool of a round that changes nothing",
            id="pruning keeps something",
        ),
        pytest.param(
            made_of(PRUNE_PASS, TRIM, LAST),
            "prune_schema: a visit is a step of the totals",
            id="schemas first: hiding raises demand",
        ),
        pytest.param(
            made_of(TRIM, PRUNE_PASS, Pass(gate_and_lose)),
            "one more tool: the totals stay in order",
            id="a gate that leaves something owed",
        ),
        pytest.param(
            made_of(replace(TRIM, until=lambda turn: turn.prompt_tokens <= turn.total_budget), PRUNE_PASS, LAST),
            "trim_history: its condition is that demand is within the budget",
            id="a condition without a reserve",
        ),
    ],
)
def test_a_lemma_that_is_false_fails_by_its_name(pruner: Pruner, lemma: str) -> None:
    assert reason(visits_are_steps(pruner)).startswith(lemma)


def test_a_pruning_that_never_acts_is_vacuous() -> None:
    def nothing(tool: Tool, turn: Turn) -> None:
        return None

    verdict = visits_are_steps(made_of(TRIM, under_pressure(nothing), LAST))
    assert isinstance(verdict, (Vacuous, Undetermined))


def test_pruning_whatever_it_saves_is_no_exact_refusal() -> None:
    assert "pruning that acts lowers demand" in reason(refusals_are_exact(telling))


@pytest.mark.parametrize("name", ["prune ends: a round changed nothing", "trim ends: a round changed nothing"])
def test_the_composition_needs_what_quiet_rounds_give(name: str) -> None:
    system = turn_of_totals()
    commands = tuple(replace(c, guard=TRUE) if c.name == name else c for c in system.commands)
    assert isinstance(recheck(replace(system, commands=commands), invariant(), Limits()), Disagreement)


@pytest.mark.parametrize("place", [PRUNE, GATE])
def test_the_composition_needs_its_invariant(place: str) -> None:
    weaker = {**invariant(), place: TRUE}
    assert isinstance(recheck(turn_of_totals(), weaker, Limits()), Disagreement)


def test_whole_turns_are_bounded_and_can_fail() -> None:
    assert isinstance(whole_turns(telling, 1), HoldsTo)
    refused = schema_first_telling(prune_where_it_saves)
    told = with_outcome(*refused.passes[2:4], LAST, name="refusing, schema-first")
    assert isinstance(whole_turns(told, 1), Undetermined)


def test_the_two_that_are_claimed_are_proved() -> None:
    assert isinstance(visits_are_steps(telling), Proved)


SIZE = st.integers(1, 4)
TOOLS = st.builds(
    lambda pinned, requested, shown, lossy, calls, line, sizes: Tool(
        {
            **INITIAL,
            **OUTCOME,
            "mutation": True,
            "pinned": pinned,
            "requested": requested,
            "schema_shown": shown,
            "schema_lossy": shown and lossy,
            "calls_resident": calls,
            "tombstone_resident": line,
            "schema_tokens": sizes[0],
            "argument_tokens": sizes[1],
            "tombstone_tokens": sizes[2],
        }
    ),
    *(st.booleans() for _ in range(4)),
    st.integers(0, 3),
    st.booleans(),
    st.tuples(SIZE, SIZE, SIZE),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(TOOLS, min_size=1, max_size=6), st.integers(0, 40), st.integers(0, 3))
def test_plain_turns_of_many_tools_end_as_claimed(tools: list[Tool], budget: int, rest: int) -> None:
    held = Pruner(*telling.passes[2:], memory=OUTCOME, name="after requests")
    lowest = rest + sum(floor(tool) for tool in tools)
    turn = Arbitration(held, tools, {"total_budget": budget}, rest)
    turn.run()
    used = turn.turn().prompt_tokens
    said = {tool.__dict__["budget_exceeded"] for tool in tools}
    assert said == {lowest > budget}
    assert used == lowest if lowest > budget else used <= budget
    assert prompt_fits(turn.turn()) == (lowest <= budget)
