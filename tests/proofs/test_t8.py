"""T8: each condition turned the other way changes the answer, and what is judged of calls is what the model did."""

from __future__ import annotations

import random

import pytest

from ghostproof.engines.problem import Bounds
from ghostproof.examine import examine
from ghostproof.host.host import LocalHost
from ghostproof.turn.action import Others
from ghostproof.turn.environment import ENVIRONMENT, settle
from ghostproof.turn.property import NO_GHOST, Property
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.response import EXECUTION, open_response
from ghostproof.turn.scenario import ANYTHING, Scenario
from ghostproof.turn.session import Arbitration, new_tool, others_of
from ghostproof.turn.trace import Step, Trace
from ghostproof.turn.verdict import HoldsTo, Proved, Refuted, Undetermined, Vacuous
from ghostproof_proofs.absences import ALWAYS_IN_VIEW, NO_GHOST_TO_ANSWER, NO_REJECTIONS, NO_TOMBSTONES, NOTHING_HIDDEN
from ghostproof_proofs.ancestry import NO_REJECTION, ORDINARY_R2, STALE_R2
from ghostproof_proofs.broken.conditions import evict_what_is_idle
from ghostproof_proofs.conditions import (
    NO_ARGUMENTS,
    NO_GHOST_OF_FAILURE,
    NO_REBUILT_CALL,
    NO_REBUILT_READING,
    NO_UNCALLED_GHOST,
    NOTHING_APPEARS,
    R1,
    evict_everything,
    fresh_copy,
    kept_copy,
    retaining,
    stripping,
)
from ghostproof_proofs.free_pruning import SETTLED
from ghostproof_proofs.sessions import breach, observed
from ghostproof_proofs.shield import shielded
from ghostproof_proofs.t8_conditions import sparing_readers
from ghostproof_proofs.t9_arguments import never

NOBODY = Others(rejected=False, rebuilt=False)
SOON = Bounds(turns=3, tools=1)


def refuting(pruner: Pruner, scenario: Scenario, judged: Property) -> Trace:
    verdict = examine(LocalHost(pruner), scenario, judged, SOON, "bmc")
    assert isinstance(verdict, Refuted)
    assert isinstance(verdict.trace, Trace)
    return verdict.trace


@pytest.mark.parametrize(
    ("pruner", "scenario", "judged"),
    [
        (stripping, ANYTHING, NO_GHOST),
        (retaining, ANYTHING, NO_REBUILT_READING),
        (sparing_readers, R1, NO_REBUILT_CALL),
        (Pruner(*sparing_readers.passes[:-1], name="no gate"), R1, NO_REBUILT_CALL),
        (retaining, ANYTHING, NO_UNCALLED_GHOST),
        (retaining, NOTHING_APPEARS, NO_GHOST),
        (kept_copy, ANYTHING, NO_GHOST),
    ],
    ids=["stripped", "no R1", "no R2", "no gate", "appear", "called", "vanishing"],
)
def test_what_is_proved_fails_without_its_premise(pruner: Pruner, scenario: Scenario, judged: Property) -> None:
    assert refuting(pruner, scenario, judged)


def test_only_evicting_everything_sends_no_arguments() -> None:
    assert isinstance(shielded(Pass(evict_everything), NO_ARGUMENTS), Proved)
    assert isinstance(shielded(Pass(evict_what_is_idle), NO_ARGUMENTS), Undetermined)


def test_a_kept_copy_is_not_proved_free_of_rejections_where_schemas_migrate_behind_it() -> None:
    assert isinstance(never(kept_copy, STALE_R2, NO_REJECTION, frozenset()), Undetermined)
    assert isinstance(observed(fresh_copy, STALE_R2, breach(NO_REJECTION), SOON), HoldsTo)


@pytest.mark.parametrize(
    ("scenario", "judged", "absent"),
    [
        (SETTLED, NO_GHOST, NOTHING_HIDDEN | NO_GHOST_TO_ANSWER | NO_TOMBSTONES | ALWAYS_IN_VIEW),
        (ORDINARY_R2, NO_REJECTION, NOTHING_HIDDEN | NO_GHOST_TO_ANSWER | NO_TOMBSTONES | NO_REJECTIONS),
    ],
    ids=["lossless", "masked"],
)
def test_of_what_is_said_to_be_absent_nothing_occurs(
    scenario: Scenario, judged: Property, absent: frozenset[str]
) -> None:
    verdict = never(kept_copy, scenario, judged, frozenset())
    assert isinstance(verdict, Vacuous)
    assert set(verdict.which) <= absent
    assert "a pass hides a schema" in verdict.which


def test_the_migration_unmasks_the_copy_and_no_ghost_is_sent() -> None:
    verdict = observed(kept_copy, STALE_R2, breach(NO_REJECTION))
    assert isinstance(verdict, Refuted)
    assert isinstance(verdict.trace, Trace)
    first, second = verdict.trace.requests
    told = {step.action for request in (first, second) for step in request.steps if isinstance(step, Step)}
    assert told >= {"schema migrates behind a cache", "call", "reject"}
    assert first.tools[0]["compressed"] is True
    assert first.tools[0]["schema_current"] is False
    assert second.tools[0]["rejected"] is True
    assert not first.violations
    assert not second.violations


def test_a_rejected_call_leaves_arguments_like_any_other() -> None:
    last = refuting(retaining, SETTLED, NO_GHOST_OF_FAILURE).requests[-1].tools[0]
    assert (last["calls"], last["calls_resident"], last["rejected"], last["schema_shown"]) == (1, 1, True, False)


def test_a_gate_that_spares_readers_leaves_only_their_calls_to_be_rebuilt() -> None:
    no_despite = tuple(name for name in ANYTHING.responses if name != "call despite the tombstone")
    trace = refuting(sparing_readers, Scenario("R2", responses=no_despite), NO_REBUILT_CALL)
    assert [trace.script.tools[tool]["mutation"] for tool in trace.requests[-1].violations] == [False]


def test_a_call_is_judged_rebuilt_exactly_when_the_last_response_rebuilt_it() -> None:
    found: set[tuple[str, bool]] = set()
    for seed in range(20):
        found |= judged_calls(random.Random(seed))
    # Workarounds of rebuilt calls bear their mark and are not judged rebuilt.
    assert found >= {("rebuild a call from a ghost", True), ("recover by sibling", False), ("call", False)}
    rebuilding = ("rebuild a call from a ghost", "call despite the tombstone")
    assert all(judged == (action in rebuilding) for action, judged in found)


def judged_calls(dice: random.Random) -> set[tuple[str, bool]]:
    """Each tool's last answer in a random session, and whether the next request is judged to carry a rebuilt call."""
    fixed = {"pinned": False, "schema_tokens": 1, "argument_tokens": 1, "tombstone_tokens": 1}
    tools = [new_tool({**fixed, "mutation": mutation}, {}) for mutation in (True, True, False)]
    answers = ["silent"] * 3
    found: set[tuple[str, bool]] = set()
    for _ in range(30):
        for tool in tools:
            settle(tool)
            dice.choice([a for a in ENVIRONMENT if a.guard(tool, NOBODY)]).effect(tool, NOBODY)
        Arbitration(retaining, tools, {"schema_budget": dice.randint(0, 3)}, 0).run()
        found |= {(answer, NO_REBUILT_CALL.violated(tool)) for tool, answer in zip(tools, answers, strict=True)}
        for tool in tools:
            assert NO_REBUILT_READING.violated(tool) == (NO_REBUILT_CALL.violated(tool) and not tool.mutation)
            open_response(tool)
        seen = [others_of(tools, place) for place in range(3)]
        taken = [
            dice.choice([a for a in ANYTHING.response_actions if a.guard(tool, others)])
            for tool, others in zip(tools, seen, strict=True)
        ]
        for tool, action, others in zip(tools, taken, seen, strict=True):
            action.effect(tool, others)
            dice.choice([a for a in EXECUTION if a.guard(tool, NOBODY)]).effect(tool, NOBODY)
        answers = [action.name for action in taken]
    return found
