"""The passes of one turn, in the only order that is offered: expand, evict arguments, prune schemas, and the gate last.

Each writes down what it decided. A change that would save nothing is taken back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ghostproof_reference.errors import GhostToolInvariantError
from ghostproof_reference.gate import GateMode, enforce_evict_or_tombstone, notice_line
from ghostproof_reference.history import History
from ghostproof_reference.inventory import Inventory
from ghostproof_reference.order import Candidate
from ghostproof_reference.outcome import Action, Decision
from ghostproof_reference.record import Entry, ToolRecord, called
from ghostproof_reference.request import Notice, Tombstone
from ghostproof_reference.settings import Migration
from ghostproof_reference.spending import Spending

Excess = Callable[[], int]
"""By how many tokens a budget is exceeded as things stand, owed tombstones included; not above 0 if it fits."""


class Turn:
    """The passes over one prompt, and the decisions so far."""

    def __init__(self, inventory: Inventory, history: History) -> None:
        self.inventory = inventory
        self.history = history
        self.decisions: list[Decision] = []
        self._spared: dict[str, None] = {}

    def _decide(self, action: Action, subject: ToolRecord | Entry, reason: str, before: int) -> None:
        tool, item = (subject.name, None) if isinstance(subject, ToolRecord) else (None, subject.label)
        after = self.inventory.totals.demand
        self.decisions.append(Decision(action, tool, item, reason, before, after))

    def _spare(self, record: ToolRecord, reason: str) -> None:
        """A schema that a pass considers and leaves; written down once a turn."""
        if record.name not in self._spared:
            self._spared[record.name] = None
            self._decide(Action.KEPT, record, reason, self.inventory.totals.demand)

    # ---- before the budgets -----------------------------------------------------------------------------------------

    def migrate(self, migrated: Iterable[ToolRecord]) -> None:
        """Withhold what changed under resident arguments, where that is the setting."""
        inventory = self.inventory
        if inventory.settings.migration is Migration.REFRESH:
            return
        for record in migrated:
            before = inventory.totals.demand
            pinned = record.tool is not None and record.tool.pinned
            shown = inventory.shown(record) is not None
            if shown and not pinned and not record.requested and self._withhold(record):
                self._decide(Action.PRUNED, record, "its schema changed under resident arguments", before)

    def expand(self) -> None:
        """Show every schema that the model requested, before anything is pruned."""
        inventory = self.inventory
        for record in [record for record in inventory.records.values() if record.requested]:
            before = inventory.totals.demand
            if not record.declared:
                self._decide(Action.REFUSED, record, "requested, and not declared in this request", before)
                continue
            inventory.set(record, protected=True, withheld=False, unabridged=True)
            inventory.journal.push(inventory.expanded, record)
            if inventory.schema_resident(record):
                inventory.set(record, acknowledged=record.version)
                self._decide(Action.EXPANDED, record, "requested by the model", before)
            else:
                self._decide(Action.REFUSED, record, "requested, and only a lossy schema is known", before)

    # ---- the budgets ------------------------------------------------------------------------------------------------

    def spend(self, spending: Spending) -> None:
        """Others' arguments give way first, then others' schemas, then the arguments of what is requested.

        With a pair of budgets no schema makes room for arguments, and pruning comes last. It goes round again while
        that is not enough and the last round changed something: evicting what showed a schema may make room only once
        the arguments behind it are gone.
        """
        changed = True
        while changed and (spending.excess() > 0 or spending.schema_excess() > 0):
            changed = self.evict(self.evictable_of_others(), spending.excess)
            if spending.joint:
                changed |= self.prune(spending.schema_excess)
            changed |= self.evict(self.evictable(), spending.excess)
            changed |= self.prune(spending.schema_excess)

    # ---- evict arguments --------------------------------------------------------------------------------------------

    def evict(self, entries: Iterable[Entry], excess: Excess) -> bool:
        """Evict call groups and showings, the oldest first, until the budget fits. Returns whether any went."""
        evicted = False
        for entry in entries:
            over = excess()
            if over <= 0:
                break
            if entry.evicted:
                continue
            mark, decided = self.inventory.mark(), len(self.decisions)
            self._evict(entry, "the budget is exceeded")
            if excess() < over:
                evicted = True
            else:
                self.inventory.roll_back(mark)
                del self.decisions[decided:]
        return evicted

    def evictable(self) -> Iterable[Entry]:
        """All that may be evicted, oldest first."""
        return self.history.evictable.values()

    def evictable_of_others(self) -> Iterable[Entry]:
        """The same without the arguments of tools whose schemas are requested in this turn."""
        if not self.inventory.expanded:
            return self.evictable()
        records = self.inventory.records
        return (entry for entry in self.evictable() if not any(records[name].protected for name in called(entry)))

    def _evict(self, entry: Entry, reason: str) -> None:
        before = self.inventory.totals.demand
        touched = self.history.concerned(entry)
        revealed = [record for record in touched if record.name in entry.shows]
        revealed = [record for record in revealed if self.inventory.schema_resident(record)]
        self.history.remove(entry)
        self._decide(Action.EVICTED, entry, reason, before)
        for record in touched:
            self._cascade(record, record in revealed)

    def _cascade(self, record: ToolRecord, was_revealed: bool) -> None:
        """What losing an item means for the schema of its tool, decided in the same turn."""
        before = self.inventory.totals.demand
        if was_revealed and not self.inventory.schema_resident(record):
            self._decide(Action.PRUNED, record, "what showed its schema was evicted", before)
        elif record.groups:
            return
        elif record.tombstone is not None:
            self._clear(record.tombstone, record, "its last arguments were evicted")
        elif self.inventory.shown(record) is not None:
            self._decide(Action.KEPT, record, "its last arguments were evicted: it may be pruned freely", before)

    # ---- prune schemas ----------------------------------------------------------------------------------------------

    def prune(self, excess: Excess) -> bool:
        """Withhold schemas in the visiting order until the budget fits. Returns whether any went."""
        if excess() <= 0:
            return False
        pruned = False
        for record in self._candidates():
            over = excess()
            if over <= 0:
                break
            if record.tool is not None and record.tool.pinned:
                self._spare(record, "pinned")
            elif record.protected:
                self._spare(record, "requested by the model")
            else:
                mark, decided, before = self.inventory.mark(), len(self.decisions), self.inventory.totals.demand
                if not self._withhold(record):
                    continue
                if excess() < over:
                    self._decide(Action.PRUNED, record, "the budget is exceeded", before)
                    pruned = True
                else:
                    self.inventory.roll_back(mark)
                    del self.decisions[decided:]
                    self._spare(record, "its tombstone is no smaller than its schema")
        return pruned

    def _candidates(self) -> list[ToolRecord]:
        order = self.inventory.settings.order
        return sorted(
            self.inventory.shown_tools(),
            key=lambda record: order(
                Candidate(
                    name=record.name,
                    index=record.index,
                    calls=record.calls,
                    last_called=record.last_called,
                    schema_tokens=record.schema_tokens,
                    argument_resident=bool(record.groups),
                    changes_state=record.changes_state,
                )
            ),
        )

    def _withhold(self, record: ToolRecord) -> bool:
        """Withhold a schema, in the way that the gate allows. Returns False, with the reason written down, if none."""
        inventory = self.inventory
        mark = inventory.mark()
        inventory.set(record, withheld=True, unabridged=False)
        if not record.groups or inventory.schema_resident(record):
            return True
        mode = inventory.settings.gate
        if mode is GateMode.STRICT:
            inventory.roll_back(mark)
            self._spare(record, "its arguments are resident and no tombstone is accepted")
            return False
        if mode is GateMode.EVICT and not self._evict_all(record, "its schema is pruned"):
            inventory.roll_back(mark)
            self._spare(record, "its arguments are pinned and no tombstone is accepted")
            return False
        return True

    def _evict_all(self, record: ToolRecord, reason: str) -> bool:
        """Evict every group with arguments of a tool. False, and nothing done, if one is pinned."""
        entries = [self.history.kept[ordinal] for ordinal in record.groups]
        if any(entry.pinned for entry in entries):
            return False
        for entry in entries:
            self._evict(entry, reason)
        return True

    # ---- the gate ---------------------------------------------------------------------------------------------------

    def gate(self) -> None:
        """Every tool, every turn: evict or tombstone. Raises GhostToolInvariantError where neither may be done."""
        mode = self.inventory.settings.gate
        ghosts = [] if mode is GateMode.OFF else [r for r in self.inventory.records.values() if self._is_ghost(r)]
        if mode is GateMode.STRICT and ghosts:
            raise GhostToolInvariantError([record.name for record in ghosts], "no tombstone is accepted")
        if mode is GateMode.EVICT:
            # Evicting one may take the last arguments of the next along, since parallel calls go together; and it may
            # take what showed the schema of another, which is a ghost only then.
            while ghosts:
                kept = [r for r in ghosts if r.groups and not self._evict_all(r, "its schema is gone")]
                if kept:
                    raise GhostToolInvariantError([record.name for record in kept], "they are pinned")
                ghosts = [record for record in self.inventory.records.values() if self._is_ghost(record)]
        if mode is GateMode.TOMBSTONE:
            for record in ghosts:
                self._tombstone(record)
        for record in self.inventory.records.values():
            if record.tombstone is not None or record.notice is not None or record.stale:
                self._settle_markers(record)
            if self.inventory.compression_refused(record):
                reason = "its arguments are resident: the full schema is shown"
                self._decide(Action.REFUSED, record, reason, self.inventory.totals.demand)

    def _is_ghost(self, record: ToolRecord) -> bool:
        return bool(record.groups) and record.tombstone is None and not self.inventory.schema_resident(record)

    def _tombstone(self, record: ToolRecord) -> None:
        inventory = self.inventory
        if not inventory.tombstone_accepted(record):
            return
        ours = inventory.settings.request_tool
        line = enforce_evict_or_tombstone(inventory.state(record), request_tool=None if ours is None else ours.name)
        assert line is not None
        size, before = record.tombstone_tokens, inventory.totals.demand
        self.history.append(Tombstone(record.name, line, size))
        self._decide(Action.TOMBSTONED, record, "arguments are resident and the schema is not", before)

    def _settle_markers(self, record: ToolRecord) -> None:
        """A marker stands exactly where it is needed: at most one a tool, gone when the schema is back."""
        inventory = self.inventory
        if record.tombstone is not None and not inventory.tombstone_owed(record):
            resident = inventory.schema_resident(record)
            why = "its schema is shown" if resident else "its arguments are gone, or need no tombstone"
            self._clear(record.tombstone, record, why)
        owed = inventory.notice_owed(record)
        if record.notice is not None and not owed:
            self._clear(record.notice, record, "no stale arguments stand beside its schema")
        elif owed and record.notice is None:
            size, before = record.notice_tokens, inventory.totals.demand
            self.history.append(Notice(record.name, notice_line(record.name), size))
            self._decide(Action.NOTIFIED, record, "its arguments were made by another version of its schema", before)

    def _clear(self, entry: Entry, record: ToolRecord, reason: str) -> None:
        before = self.inventory.totals.demand
        self.history.remove(entry)
        self._decide(Action.CLEARED, record, reason, before)
