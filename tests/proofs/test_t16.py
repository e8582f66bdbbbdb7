"""T16: each statement about the seed's listing fails of a listing for which it is false."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ghostproof.turn.trace import Walk
from ghostproof.turn.verdict import HoldsTo, Proved, Refuted, Vacuous, Verdict
from ghostproof_proofs.listing_compared import (
    CALLS,
    Listing,
    Rule,
    compared,
    no_plan_tombstones_a_mutation_tool,
    one_mutation_ghost_aborts_the_plan,
    plans,
    tools,
)
from ghostproof_proofs.seed_listing import (
    GhostToolInvariantError,
    ToolContextState,
    enforce_evict_or_tombstone,
    plan_turn_pruning,
)
from ghostproof_proofs.t16_listing import STATEMENTS


def mended(state: ToolContextState) -> str | None:
    """The listing as its last comment begins."""
    try:
        return enforce_evict_or_tombstone(state)
    except GhostToolInvariantError:
        return f"[TOOL TOMBSTONE] '{state.name}' schema withheld; request re-expansion before calling."


def raising_always(state: ToolContextState) -> str | None:
    if enforce_evict_or_tombstone(state):
        raise GhostToolInvariantError
    return None


def evicting(state: ToolContextState) -> str | None:
    if state.is_mutation and not state.schema_resident:
        state.argument_resident = False
    return enforce_evict_or_tombstone(state)


def without_arguments_test(state: ToolContextState) -> str | None:
    return None if state.schema_resident or state.tombstoned else f"'{state.name}' withheld"


def silent(state: ToolContextState) -> str | None:
    return None


@pytest.mark.parametrize(
    ("statement", "rule"),
    [
        ("raises where it should repair", mended),
        ("raises where it should repair", raising_always),
        ("its error misses half", raising_always),
        ("evicts nothing", evicting),
        ("agrees elsewhere", without_arguments_test),
        ("agrees elsewhere", silent),
    ],
)
def test_a_statement_fails_where_it_is_false(statement: str, rule: Rule) -> None:
    assert isinstance(compared(STATEMENTS[statement]), Proved)
    verdict = compared(STATEMENTS[statement], Listing(rule))
    assert isinstance(verdict, Refuted)
    assert isinstance(verdict.trace, Walk)
    assert verdict.trace.size == (1, 1)


def test_a_listing_that_does_nothing_makes_a_statement_vacuous() -> None:
    assert compared(STATEMENTS["evicts nothing"], Listing(silent)) == Vacuous(
        ("a tombstone that is not recorded",), "enumeration"
    )


def planned_with(rule: Rule) -> Listing:
    def plan(states: list[ToolContextState]) -> list[str]:
        return [line for state in states if (line := rule(state))]

    return Listing(rule, plan)


@pytest.mark.parametrize("discharge", [no_plan_tombstones_a_mutation_tool, one_mutation_ghost_aborts_the_plan])
def test_a_mended_listing_serves_tools_that_change_state(discharge: Callable[..., Verdict]) -> None:
    assert isinstance(discharge(), HoldsTo)
    assert isinstance(discharge(planned_with(mended)), Refuted)


def test_a_plan_that_serves_nobody_is_vacuous() -> None:
    assert isinstance(no_plan_tombstones_a_mutation_tool(planned_with(silent)), Vacuous)


def test_an_aborted_plan_loses_what_was_planned() -> None:
    reading = ToolContextState("search", False, True, False, False)
    changing = ToolContextState("update", False, True, False, True)
    assert plan_turn_pruning([reading]) == [
        "[TOOL TOMBSTONE] 'search' schema withheld; request re-expansion before calling."
    ]
    with pytest.raises(GhostToolInvariantError, match="mutation tool 'update'"):
        plan_turn_pruning([reading, changing])


def test_every_state_and_every_plan_is_tried() -> None:
    assert len(list(tools())) == 2**4 * (CALLS + 1)
    assert len(list(plans())) == sum(16**count for count in range(4))
