"""One rule of the reference broken at a time: the comparison with the model notices, and says what is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from differential.compared import disagreement
from differential.transitions import Walk
from ghostproof.conformance.suite import FILE, parse, read
from ghostproof_reference import inventory, passes, spending
from ghostproof_reference.budget import JointBudget

VECTORS = [dict(vector.case) for vector in parse(read(FILE)) if vector.kind == "arbitrate" and vector.required]
CASES = VECTORS + list(Walk(((2, 2, 1), (2, 1, 1)), 2).cases())[::40]
Patch = Callable[[pytest.MonkeyPatch], None]


def swap(owner: Any, name: str, value: Any) -> Patch:
    return lambda patch: patch.setattr(owner, name, value)


def newest_first(turn: passes.Turn) -> Any:
    return reversed(list(turn.history.evictable.values()))


def all_evictable(turn: passes.Turn) -> Any:
    return turn.evictable()


def pinned_too(turn: passes.Turn) -> Any:
    return list(turn.history.kept.values())


def tombstones_not_counted(totals: inventory.Totals) -> int:
    return totals.schemas + totals.arguments + totals.texts + totals.rest


def rest_not_counted(totals: inventory.Totals) -> int:
    return totals.schemas + totals.arguments + totals.owed + totals.texts


def too_strict(limits: spending.Spending) -> int:
    return EXCESS(limits) + isinstance(limits.budget, JointBudget)


def too_lax(limits: spending.Spending) -> int:
    return EXCESS(limits) - isinstance(limits.budget, JointBudget)


def schemas_first(turn: passes.Turn, limits: spending.Spending) -> None:
    turn.prune(limits.schema_excess)
    turn.evict(turn.evictable(), limits.excess)


def gate_before(turn: passes.Turn, limits: spending.Spending) -> None:
    GATE(turn)
    SPEND(turn, limits)


def reversed_ties(turn: passes.Turn) -> Any:
    return list(reversed(CANDIDATES(turn)))


def never_expand(turn: passes.Turn) -> None:
    return None


def prune_requested(turn: passes.Turn, excess: passes.Excess) -> bool:
    for record in turn.inventory.records.values():
        record.protected = False
    return PRUNE(turn, excess)


def nothing(*given: Any) -> None:
    return None


def reading_left_out(self: inventory.Inventory, record: Any) -> bool:
    return bool(record.changes_state)


def lossy_is_resident(self: inventory.Inventory, record: Any) -> bool:
    return self.shown(record) is not None


def gate_too_early(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(passes.Turn, "spend", gate_before)
    patch.setattr(passes.Turn, "gate", nothing)


def allow_one_more(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(spending.Spending, "excess", too_lax)
    patch.setattr(spending.Spending, "schema_excess", too_lax)


GATE, SPEND, PRUNE = passes.Turn.gate, passes.Turn.spend, passes.Turn.prune
CANDIDATES = passes.Turn._candidates
EXCESS = spending.Spending.schema_excess

FAULTS: dict[str, tuple[Patch, str]] = {
    "newest evicted first": (swap(passes.Turn, "evictable", newest_first), r"expected .*evicted.* found .*evicted"),
    "requested give way with the others": (
        swap(passes.Turn, "evictable_of_others", all_evictable),
        r"expected .*evicted.*g3.* found .*evicted.*g2",
    ),
    "pinned evicted": (swap(passes.Turn, "evictable", pinned_too), r"^evicted c: not an enabled visit"),
    "tombstone not counted": (
        swap(inventory.Totals, "demand", property(tombstones_not_counted)),
        r"^tokens: .* are sent, and the budget is",
    ),
    "rest not counted": (
        swap(inventory.Totals, "demand", property(rest_not_counted)),
        r"^tokens: .* are sent, and the budget is",
    ),
    "budget one too strict": (
        swap(spending.Spending, "excess", too_strict),
        r"^evicted .*: not allowed where the prompt fits",
    ),
    "budget one too lax": (
        allow_one_more,
        r"^tokens: .* are sent, and the budget is",
    ),
    "schemas first": (swap(passes.Turn, "spend", schemas_first), r"expected .*evicted.* found .*pruned"),
    "gate before pruning": (
        gate_too_early,
        r"found .*tombstoned",
    ),
    "visiting order reversed": (swap(passes.Turn, "_candidates", reversed_ties), r"expected .*pruned.* found .*pruned"),
    "expansion not honoured": (swap(passes.Turn, "expand", never_expand), r"expected .*expanded"),
    "thrash in the same turn": (swap(passes.Turn, "prune", prune_requested), r"^pruned .*: not an enabled visit"),
    "no gate": (swap(passes.Turn, "gate", nothing), r"a ghost is sent"),
    "reading tools left out": (swap(inventory.Inventory, "tombstone_accepted", reading_left_out), r"^tokens.before"),
    "lossy taken as resident": (swap(inventory.Inventory, "schema_resident", lossy_is_resident), r"^tokens.before"),
    "no cascade": (
        swap(passes.Turn, "_settle_markers", nothing),
        r"after its decisions .*False\), and sent is .*True\)",
    ),
    "no check of the budget": (swap(spending.Spending, "check", nothing), r"^tokens: .* are sent, and the budget is"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_noticed_for_its_reason(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    broken, reason = FAULTS[name]
    broken(monkeypatch)
    said = next((said for said in map(disagreement, CASES) if said), None)
    assert said is not None
    assert re.search(reason, said), said


def test_the_reference_as_it_is_disagrees_nowhere() -> None:
    assert len(CASES) > 500
    assert [said for said in map(disagreement, CASES) if said] == []
