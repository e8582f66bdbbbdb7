"""What a visit can do to a budget condition: found by a solver, and true of every small state."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

import pytest

from ghostproof.lift.plain import lift_condition, lift_visit, tool_sorts
from ghostproof.lift.pressure import truth_after
from ghostproof.lift.term import Term, variable
from ghostproof.turn.budget import (
    Turn,
    arguments_fit,
    prompt_fits,
    prompt_fits_as_it_stands,
    schemas_fit,
    totals,
)
from ghostproof.turn.pruner import Condition, Pass, Visit
from ghostproof.turn.session import new_tool
from ghostproof.turn.tool import Tool
from ghostproof.variants.arbitration import expand, gate, prune_schema, trim_history
from ghostproof.variants.gates import evict_gate, evict_or_tombstone_gate
from ghostproof.variants.trims import trim_arguments_first, trim_calls

HOLDS, FREED = variable("holds", "Bool"), variable("freed", "Bool")
VISITS: tuple[Visit, ...] = (
    expand,
    gate,
    prune_schema,
    trim_history,
    evict_gate,
    evict_or_tombstone_gate,
    trim_arguments_first,
    trim_calls,
)
CONDITIONS: tuple[Condition, ...] = (prompt_fits, prompt_fits_as_it_stands, schemas_fit, arguments_fit)


def enough(turn: Turn) -> bool:
    """A condition that gets worse as less is shown."""
    return turn.schema_tokens >= turn.schema_budget


def strictly(turn: Turn) -> bool:
    """The same bound as `schemas_fit`, but for equality."""
    return turn.schema_tokens < turn.schema_budget


def either(turn: Turn) -> bool:
    """Not a bound on a sum."""
    return turn.schema_tokens <= turn.schema_budget or turn.argument_tokens <= turn.argument_budget


def said(condition: Condition, visit: Visit) -> str:
    lifted = lift_condition(condition).returned
    assert lifted is not None
    after: Term = truth_after(lifted, HOLDS, FREED, lift_visit(Pass(visit), tool_sorts({})))
    return {HOLDS: "stays", FREED: "free"}.get(after, "eases")


@pytest.mark.parametrize(
    ("condition", "visit", "effect"),
    [
        (prompt_fits, gate, "eases"),
        (prompt_fits, evict_gate, "eases"),
        (prompt_fits, trim_calls, "eases"),
        (prompt_fits, expand, "free"),
        # Hiding a schema may cost a tombstone that is longer.
        (prompt_fits, prune_schema, "free"),
        (prompt_fits_as_it_stands, gate, "free"),
        (prompt_fits_as_it_stands, prune_schema, "eases"),
        (schemas_fit, gate, "stays"),
        (schemas_fit, trim_history, "stays"),
        (strictly, prune_schema, "eases"),
        (enough, prune_schema, "free"),
        (either, prune_schema, "free"),
        (either, gate, "stays"),
    ],
    ids=lambda part: getattr(part, "__name__", part),
)
def test_effect(condition: Condition, visit: Visit, effect: str) -> None:
    assert said(condition, visit) == effect


def small_states() -> Iterator[Callable[[], Tool]]:
    flags = [False, True]
    for schema, arguments, tombstone, calls in product((1, 2), (1, 3), (1, 2), (0, 1, 2)):
        for shown, lossy, there, requested in product(flags, repeat=4):
            values = {
                **new_tool({}, {}).__dict__,
                "mutation": arguments == 1,
                "pinned": False,
                "schema_tokens": schema,
                "argument_tokens": arguments,
                "tombstone_tokens": tombstone,
                "calls_resident": calls,
                "schema_shown": shown,
                "schema_lossy": lossy,
                "tombstone_resident": there,
                "requested": requested,
            }
            yield lambda values=values: Tool(values)  # type: ignore[misc]


@pytest.mark.parametrize("condition", [*CONDITIONS, enough, strictly, either], ids=lambda part: part.__name__)
@pytest.mark.parametrize("visit", VISITS, ids=lambda part: part.__name__)
def test_the_effect_is_true_of_every_small_state(condition: Condition, visit: Visit) -> None:
    effect = said(condition, visit)
    if effect == "free":
        return
    for made, budget in product(small_states(), range(9)):
        tool = made()

        def holds(tool: Tool = tool, budget: int = budget) -> bool:
            return condition(Turn(**totals([tool]), rest_tokens=0, **dict.fromkeys(BUDGETS, budget)))

        before = holds()
        visit(tool, Turn(**totals([tool]), rest_tokens=0, **dict.fromkeys(BUDGETS, budget)))
        after = holds()
        assert (before == after) if effect == "stays" else (after or not before)


BUDGETS = ("schema_budget", "argument_budget", "total_budget")
