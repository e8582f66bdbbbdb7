"""One rule of the reference broken at a time, where only a session shows it: the comparison says what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from differential.session import Disagreement, Runtime, Session, Sizes
from differential.turns import send
from ghostproof_reference import history, inventory, passes
from ghostproof_reference.budget import JointBudget, SeparateBudgets
from ghostproof_reference.gate import GateMode
from ghostproof_reference.request import CallGroup

NAMES = tuple(f"t{place}" for place in range(14))
ROOM = SeparateBudgets(999, 999)
Patch = Callable[[pytest.MonkeyPatch], None]


def session(**runtime: Any) -> Session:
    """Fourteen tools, of which two were called at once and one alone."""
    found = Session(dict.fromkeys(NAMES, Sizes()), Runtime(**runtime))
    send(found, ROOM)
    if found.runtime.gate is GateMode.TOMBSTONE:
        found.call(["t0", "t1"])
        send(found, ROOM)
    found.call(["t2"])
    send(found, ROOM)
    return found


def migration() -> None:
    found = session()
    found.migrate("t2")
    send(found, ROOM)


def migration_and_compaction() -> None:
    found = session()
    found.migrate("t2")
    send(found, ROOM)
    found.compact(1)
    send(found, ROOM)


def compression() -> None:
    found = session()
    found.compress("t2")
    send(found, ROOM)


def compaction() -> None:
    found = session()
    found.vanish("t2")
    send(found, ROOM)
    found.compact(1)
    send(found, ROOM)


def strict() -> None:
    found = session(gate=GateMode.STRICT)
    found.vanish("t2")
    send(found, ROOM)


def pressure() -> None:
    found = session()
    send(found, JointBudget(3 + 14 * 6 + 3))


def request() -> None:
    found = session()
    found.vanish("t2")
    send(found, ROOM)
    found.request("t2")
    send(found, ROOM)
    found.come_back("t2")
    send(found, ROOM)


def tombstone_lost_twice() -> None:
    found = session(keeps="sent")
    found.vanish("t2")
    send(found, ROOM)
    for _ in range(2):
        found.lose_tombstone("t2")
        send(found, ROOM)
        send(found, ROOM)


def strangers(**runtime: Any) -> None:
    """Calls of two tools that were never declared, the later named one first."""
    sizes = {name: Sizes(stranger=name in ("t12", "t13")) for name in NAMES}
    found = Session(sizes, Runtime(**runtime))
    send(found, ROOM)
    found.hand_over(["t13"])
    found.hand_over(["t12"])
    send(found, ROOM)


def strangers_evicted() -> None:
    strangers(gate=GateMode.EVICT)


def returned_beside_a_tombstone() -> None:
    found = session()
    found.vanish("t2")
    send(found, ROOM)
    found.come_back("t2")
    send(found, ROOM)


SCRIPTS = (
    migration, migration_and_compaction, compression, compaction, strict, pressure, request, tombstone_lost_twice,
    returned_beside_a_tombstone, strangers, strangers_evicted,
)  # fmt: skip


def no_version_is_old(self: inventory.Inventory, record: Any) -> bool:
    return False


def versions_forgotten(self: history.History, entry: Any) -> dict[str, None]:
    return {call.tool: None for call in entry.item.calls}


def known_backwards(self: passes.Turn) -> None:
    records = self.inventory.records
    for name in reversed(list(records)):
        records[name] = records.pop(name)
    GATE(self)


def never_strict(self: passes.Turn) -> None:
    if self.inventory.settings.gate is not GateMode.STRICT:
        GATE(self)


def once_tombstoned(self: passes.Turn, record: Any) -> bool:
    """A tombstone that was written once is taken to stand for ever."""
    seen = vars(self.history).setdefault("seen", set())
    ghost = GHOST(self, record) and record.name not in seen
    seen |= {record.name} if ghost else set()
    return ghost


def compressed_anyway(self: inventory.Inventory, record: Any) -> Any:
    return record.tool if record.declared and not record.withheld else None


def lossy_counts(self: inventory.Inventory, record: Any) -> bool:
    return bool(record.showings) or compressed_anyway(self, record) is not None


def results_dropped(self: history.History, entry: Any) -> None:
    if isinstance(entry.item, CallGroup):
        entry.item = replace(entry.item, results=())
    ADD(self, entry)


def calls_split(self: history.History, entry: Any) -> None:
    if isinstance(entry.item, CallGroup) and len(entry.item.calls) > 1:
        first = entry.item.calls[0]
        results = tuple(result for result in entry.item.results if result.call_id == first.id)
        entry.item = replace(entry.item, calls=(first,), results=results)
    ADD(self, entry)


def unguarded(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(inventory.Inventory, "shown", compressed_anyway)
    patch.setattr(inventory.Inventory, "schema_resident", lossy_counts)


def swap(owner: Any, name: str, value: Any) -> Patch:
    return lambda patch: patch.setattr(owner, name, value)


GATE, GHOST, ADD = passes.Turn.gate, passes.Turn._is_ghost, history.History._add

FAULTS: dict[str, tuple[Patch, str]] = {
    "stale after migration not seen": (
        swap(inventory.Inventory, "_outdated", no_version_is_old), r"^t2: 0 notices are sent, and owed is True",
    ),
    "stale after a rewrite not seen": (
        swap(history.History, "_versions", versions_forgotten), r"^t2: 0 notices are sent, and owed is True",
    ),
    "compression unguarded": (unguarded, r"^t2: a ghost is sent"),
    "tombstone lost at compaction": (swap(passes.Turn, "_is_ghost", once_tombstoned), r"^t2: a ghost is sent"),
    "strict does not raise": (
        swap(passes.Turn, "gate", never_strict), r"^t2: a ghost is sent",
    ),
    "orphan result left": (swap(history.History, "_add", results_dropped), r"^orphan: g1 has calls without results"),
    "gate in another order": (
        swap(passes.Turn, "gate", known_backwards), r"expected .*tombstoned.*t13.* found .*tombstoned.*t12",
    ),
    "parallel calls split": (swap(history.History, "_add", calls_split), r"^t1: calls_resident is 1 in the model"),
}  # fmt: skip


def play() -> None:
    for script in SCRIPTS:
        script()


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_that_needs_a_session_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    broken, reason = FAULTS[name]
    broken(monkeypatch)
    with pytest.raises(Disagreement, match=reason):
        play()


def test_the_reference_as_it_is_disagrees_in_none_of_the_scripts() -> None:
    play()
