"""One rule of the reference broken at a time: the comparison with the model notices, and says what is wrong.

The rules are those of docs/conformance-protocol.md. What is raised passes through and fails the test: a fault that only
crashes is not noticed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from differential.compared import disagreement
from differential.transitions import JOINT, SEPARATE, Case, Setting, Walk
from ghostproof.conformance.suite import FILE, parse, read
from ghostproof_reference import inventory, passes, spending
from ghostproof_reference.budget import JointBudget
from ghostproof_reference.outcome import Action

ALL_ONE = ((1, 1, 1), (1, 1, 1))
MIXED = ((2, 2, 1), (2, 1, 1))
VECTORS = [(dict(one.case), dict(one.expected)) for one in parse(read(FILE)) if one.kind == "arbitrate"]


def walked(setting: Setting, every: int) -> list[tuple[Case, Case]]:
    """Some transitions of two turns, each with what the model answers."""
    return [(case, wanted) for _, case, wanted in list(Walk(setting, 2).transitions())[::every]]


def cases() -> Sequence[tuple[Case, Case]]:
    modes = (
        walked(Setting(MIXED, JOINT[:4], pinned=(True, False), gate=gate), 20)
        for gate in ("tombstone", "evict", "strict")
    )
    pairs = walked(Setting(ALL_ONE, SEPARATE[1:2]), 1)
    return [*VECTORS, *walked(Setting(MIXED), 40), *pairs, *(pair for some in modes for pair in some)]


CASES = cases()
Patch = Callable[[pytest.MonkeyPatch], None]


@dataclass(frozen=True, slots=True)
class Fault:
    """A rule of the protocol, the reference broken in it, and what the comparison must say, as a pattern."""

    rule: str
    broken: Patch
    says: str


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


def prune_for_nothing(turn: passes.Turn, excess: passes.Excess) -> bool:
    pruned = False
    for record in turn._candidates():
        over = excess()
        pinned = record.tool is not None and record.tool.pinned
        if over > 0 and not pinned and not record.protected and turn._withhold(record):
            turn._decide(Action.PRUNED, record, "the budget is exceeded", turn.inventory.totals.demand)
            pruned = pruned or excess() < over
    return pruned


def owed_only(totals: inventory.Totals) -> int:
    return totals.arguments + totals.owed


def withhold_at_once(turn: passes.Turn, record: Any) -> bool:
    turn.inventory.set(record, withheld=True, unabridged=False)
    return True


def evict_pinned(turn: passes.Turn, record: Any, reason: str) -> bool:
    for entry in [turn.history.kept[ordinal] for ordinal in record.groups]:
        turn._evict(entry, reason)
    return True


def evict_one(turn: passes.Turn, record: Any, reason: str) -> bool:
    entries = [turn.history.kept[ordinal] for ordinal in record.groups]
    if any(entry.pinned for entry in entries):
        return False
    turn._evict(entries[0], reason)
    return True


GATE, SPEND, PRUNE = passes.Turn.gate, passes.Turn.spend, passes.Turn.prune
CANDIDATES = passes.Turn._candidates
EXCESS = spending.Spending.schema_excess

FAULTS = {
    "expansion not honoured": Fault("A1", swap(passes.Turn, "expand", never_expand), r"expected .*expanded"),
    "newest evicted first": Fault(
        "A2", swap(passes.Turn, "evictable", newest_first), r"expected .*evicted.* found .*evicted"
    ),
    "pinned evicted": Fault("A2", swap(passes.Turn, "evictable", pinned_too), r"^evicted c: not an enabled visit"),
    "budget one too strict": Fault(
        "A2", swap(spending.Spending, "excess", too_strict), r"^evicted .*: not allowed where the prompt fits"
    ),
    "no cascade": Fault(
        "A3",
        swap(passes.Turn, "_settle_markers", nothing),
        r"after its decisions .*False\), and sent is .*True\)",
    ),
    "schemas first": Fault("A4", swap(passes.Turn, "spend", schemas_first), r"expected .*evicted.* found .*pruned"),
    "visiting order reversed": Fault(
        "A4", swap(passes.Turn, "_candidates", reversed_ties), r"expected .*pruned.* found .*pruned"
    ),
    "thrash in the same turn": Fault(
        "A4", swap(passes.Turn, "prune", prune_requested), r"^pruned .*: not an enabled visit"
    ),
    "pruned where it saves nothing": Fault("A5", swap(passes.Turn, "prune", prune_for_nothing), r"found .*pruned"),
    "requested give way with the others": Fault(
        "A6",
        swap(passes.Turn, "evictable_of_others", all_evictable),
        r"expected .*evicted.*g3.* found .*evicted.*g2",
    ),
    "gate before pruning": Fault("A7", gate_too_early, r"found .*tombstoned"),
    "no gate": Fault("A7", swap(passes.Turn, "gate", nothing), r"a ghost is sent"),
    "reading tools left out": Fault(
        "A7", swap(inventory.Inventory, "tombstone_accepted", reading_left_out), r"^tokens.before"
    ),
    "lossy taken as resident": Fault(
        "A7", swap(inventory.Inventory, "schema_resident", lossy_is_resident), r"^tokens.before"
    ),
    "budget one too lax": Fault("A8", allow_one_more, r"^tokens: .* are sent, and the budget is"),
    "tombstone not counted": Fault(
        "A8",
        swap(inventory.Totals, "demand", property(tombstones_not_counted)),
        r"^tokens: .* are sent, and the budget is",
    ),
    "rest not counted": Fault(
        "A8", swap(inventory.Totals, "demand", property(rest_not_counted)), r"^tokens: .* are sent, and the budget is"
    ),
    "no check of the budget": Fault(
        "A8", swap(spending.Spending, "check", nothing), r"^tokens: .* are sent, and the budgets? (is|are)"
    ),
    "nothing reserved": Fault(
        "A9", swap(inventory.Totals, "history_demand", property(owed_only)), r"expected .*evicted.* found .*pruned"
    ),
    "schemas of a pair pruned before all arguments": Fault(
        "A9", swap(spending.Spending, "joint", property(lambda limits: True)), r"expected .*evicted.* found .*pruned"
    ),
    "one group evicted of several": Fault(
        "A10", swap(passes.Turn, "_evict_all", evict_one), r"expected .*evicted.* found .*pruned"
    ),
    "pruned beside arguments": Fault(
        "A11", swap(passes.Turn, "_withhold", withhold_at_once), r'found "ghost-tool-invariant"$'
    ),
    "pinned evicted by the gate": Fault(
        "A12", swap(passes.Turn, "_evict_all", evict_pinned), r'expected "ghost-tool-invariant"'
    ),
}


def first_disagreement() -> str | None:
    return next((said for case, wanted in CASES if (said := disagreement(case, wanted))), None)


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_noticed_for_its_reason(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fault = FAULTS[name]
    fault.broken(monkeypatch)
    said = first_disagreement()
    assert said is not None
    assert re.search(fault.says, said), said


def test_a_crash_is_not_taken_for_a_disagreement(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passes.Turn, "gate", lambda turn: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        first_disagreement()


def test_each_rule_of_arbitration_is_broken_by_a_fault() -> None:
    told = (Path(__file__).parents[2] / "docs" / "conformance-protocol.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\*\*(A\d+) ", told)) == {fault.rule for fault in FAULTS.values()}


def test_the_reference_as_it_is_disagrees_nowhere() -> None:
    assert len(CASES) > 500
    assert first_disagreement() is None
