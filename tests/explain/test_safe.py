"""Why a proved pruner is safe, as the explanation says it."""

from __future__ import annotations

from explain.pruners import redundant
from ghostproof.engines.problem import Bounds
from ghostproof.examine import quiet
from ghostproof.explain.safe import why_safe
from ghostproof.lift.limits import Limits
from ghostproof.lift.plain import lift_pruner
from ghostproof.turn.explanation import WhySafe
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.scenario import ANYTHING, ORDINARY_SESSION, Scenario
from ghostproof.turn.verdict import Proved, Refuted
from ghostproof.variants.arbitration import argument_first
from ghostproof_proofs.t2_parts import alone


def why(pruner: Pruner, scenario: Scenario, bounds: Bounds | None = None) -> WhySafe:
    return why_safe(lift_pruner(pruner), scenario, NO_GHOST, bounds or Bounds(), quiet)


def test_without_the_gate_there_is_a_ghost_and_without_the_others_none() -> None:
    found = why(argument_first, ANYTHING)
    verdicts = {item.name: type(item.verdict) for item in found.without}
    assert verdicts == {"expand": Proved, "trim_history": Proved, "prune_schema": Proved, "gate": Refuted}
    assert {"pass prune_schema", "tool vanishes"} <= set(found.threats)
    assert not {"idle", "pass gate"} & set(found.threats)
    assert not found.open


def test_neither_of_two_gates_is_needed_though_the_proof_uses_one() -> None:
    found = why(redundant, ANYTHING)
    assert all(isinstance(item.verdict, Proved) for item in found.without)
    assert "gate_again" in {fact.where for fact in found.needed}


def test_where_order_keeps_it_safe_nothing_makes_a_ghost() -> None:
    found = why(alone.argument_first, ORDINARY_SESSION)
    assert found.threats == ()
    assert {item.name for item in found.without if isinstance(item.verdict, Refuted)} == {"trim_history"}


def test_what_runs_out_of_its_limits_is_not_determined() -> None:
    found = why(alone.argument_first, ORDINARY_SESSION, Bounds(limits=Limits(rlimit=1)))
    assert found.open
    assert found.needed == ()
