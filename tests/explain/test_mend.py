"""Suggestions: proved of the changed pruner, smallest first, and none where none helps."""

from __future__ import annotations

from dataclasses import replace

import pytest

from explain.pruners import deferred, never_hides, no_gate, planned, stale_view
from ghostproof.engines.problem import Bounds
from ghostproof.examine import examine, quiet
from ghostproof.explain import mend
from ghostproof.explain.changes import catalogue, changed, combined
from ghostproof.host.host import LocalHost
from ghostproof.host.terms import TermHost
from ghostproof.lift.plain import lift_pruner
from ghostproof.turn.explanation import Mended
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.scenario import ANYTHING, ORDINARY_SESSION, Scenario
from ghostproof.turn.trace import Trace
from ghostproof.turn.verdict import Refuted
from ghostproof.variants.arbitration import argument_first, schema_first

GATE = "add the evict-or-tombstone gate as last pass: every tool, every turn"
CASCADE = "add the cascade: the eviction of a tool's last call clears its tombstone"
AT_ONCE = "evict at once where pass planning_gate sets eviction_planned, instead of later"


def mended(pruner: Pruner, scenario: Scenario) -> Mended:
    return mend.mended(lift_pruner(pruner), scenario, NO_GHOST, Bounds(), quiet)


@pytest.mark.parametrize(
    ("pruner", "scenario", "expected"),
    [
        pytest.param(schema_first, ANYTHING, {GATE, "swap passes gate and trim_history"}, id="schema-first"),
        pytest.param(no_gate, ANYTHING, {GATE}, id="no gate"),
        pytest.param(planned, ORDINARY_SESSION, {GATE, AT_ONCE}, id="eviction planned"),
        pytest.param(stale_view, ANYTHING, {GATE}, id="stale view"),
        pytest.param(deferred, ANYTHING, {GATE, CASCADE}, id="no cascade", marks=pytest.mark.slow),
    ],
)
def test_what_mends_it(pruner: Pruner, scenario: Scenario, expected: set[str]) -> None:
    assert isinstance(examine(LocalHost(pruner), scenario, NO_GHOST, Bounds()), Refuted)
    found = mended(pruner, scenario)
    assert expected <= {change for suggestion in found.suggestions for change in suggestion.changes}
    for suggestion in found.suggestions:
        assert len(suggestion.changes) == 1
        assert {"z3", "cvc5"} <= {item.by for item in suggestion.verdict.checked}


def test_what_is_not_suggested_was_not_proved() -> None:
    lifted = lift_pruner(schema_first)
    suggested = {change for suggestion in mended(schema_first, ANYTHING).suggestions for change in suggestion.changes}
    others = [change for (change,) in combined(catalogue(lifted))[0] if change.said not in suggested]
    assert others
    for change in others:
        verdict = examine(TermHost(changed(lifted, (change,))), ANYTHING, NO_GHOST, Bounds(turns=3, tools=2))
        assert isinstance(verdict, Refuted), change.said


def test_a_pruner_that_no_change_mends() -> None:
    assert isinstance(examine(LocalHost(never_hides), ANYTHING, NO_GHOST, Bounds()), Refuted)
    found = mended(never_hides, ANYTHING)
    assert found.suggestions == ()
    assert found.open == (mend.NEVER_HIDES,)


def test_a_search_that_was_not_finished_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mend, "SECONDS", -1.0)
    found = mended(no_gate, ANYTHING)
    assert found.suggestions == ()
    assert any("were not tried" in text for text in found.open)


def test_combinations_come_in_order_of_size() -> None:
    sizes = [{len(chosen) for chosen in group} for group in combined(catalogue(lift_pruner(planned)))]
    assert sizes == [{1}, {2}, {3}, {4}]


def test_evaluated_terms_do_what_the_functions_do() -> None:
    refuted = examine(LocalHost(schema_first), ANYTHING, NO_GHOST, Bounds())
    assert isinstance(refuted, Refuted)
    assert isinstance(refuted.trace, Trace)
    lifted = lift_pruner(schema_first)
    assert TermHost(lifted).play(refuted.trace.script, NO_GHOST) == refuted.trace
    other = replace(lifted, passes=lift_pruner(argument_first).passes)
    assert not any(request.violations for request in TermHost(other).play(refuted.trace.script, NO_GHOST).requests)
