"""The history of a session, indexed so that a turn costs what changed in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ghostproof_reference.equality import canonical_text, same_item
from ghostproof_reference.errors import MalformedRequestError
from ghostproof_reference.inventory import Inventory
from ghostproof_reference.record import Entry, ToolRecord, called
from ghostproof_reference.request import Call, CallGroup, Item, Notice, Showing, Text, Tombstone
from ghostproof_reference.sent import SentHistory
from ghostproof_reference.tokens import tokens
from ghostproof_reference.validate import check_item

CallKey = tuple[str, str, str]
"""What makes a call the same as one before: its id, its tool, and its arguments."""


class History:
    """Every item that the runtime gave, and those that are in the prompt, our own tombstones and notices among them."""

    def __init__(self, inventory: Inventory) -> None:
        self.inventory = inventory
        self.journal = inventory.journal
        self.given: list[Item] = []
        """The history as the runtime gave it, evicted items included."""
        self.entries: list[Entry] = []
        """What stands for each of `given`."""
        self.kept: dict[int, Entry] = {}
        """What is in the prompt, by ordinal and in order; with what leaves it in this turn."""
        self.sent = SentHistory()
        """The items of the last request that was sent."""
        self.evictable: dict[int, Entry] = {}
        """Those that may be evicted, oldest first."""
        self.call_ids: dict[str, None] = {}
        """Ids of the calls in `given`, evicted ones included."""
        self.counted: dict[CallKey, None] = {}
        """All calls ever seen: each counts once, however often the history is given."""
        self.joined: dict[int, Item] = {}
        """What joins the prompt in this turn."""
        self.made_by: dict[CallKey, str | None] = {}
        """By which version each call that left the prompt was made: a rewritten history may bring it back."""
        self.gone: dict[int, Entry] = {}
        """What leaves the prompt in this turn."""
        self.next_ordinal = 0

    def settle(self) -> None:
        """The turn is sent: what was evicted leaves the index."""
        self.sent = self.sent.followed(self.joined, self.gone)
        self.joined = {}
        for ordinal in self.gone:
            self.kept.pop(ordinal, None)
            self.evictable.pop(ordinal, None)
        self.gone.clear()

    def resident(self) -> list[Entry]:
        """What is in the prompt, in order."""
        return [entry for entry in self.kept.values() if not entry.evicted]

    # ---- what the runtime gives -------------------------------------------------------------------------------------

    def follow(self, history: Sequence[Item]) -> None:
        """The history is this one from now on: what it shares with the last one is left as it is."""
        if not isinstance(history, tuple | list | SentHistory):
            raise MalformedRequestError("history", f"not a sequence of items: {history!r:.80}")
        common = _shared(history, self.given)
        if common < len(self.given):
            sent = list(self.sent)
            # Where it shares more with what was given, it is that one cut short: what was evicted of it stays so.
            if len(sent) > common and _shared(history, sent) == len(sent):
                self._adopt(sent)
                common = len(sent)
        self.extend(history[common:], self._truncate(common))

    def _adopt(self, sent: list[Item]) -> None:
        """The runtime keeps what we sent last as its history."""
        self.journal.set(self, "entries", list(self.kept.values()))
        self.journal.set(self, "given", sent)
        ids = {call.id: None for item in sent if isinstance(item, CallGroup) for call in item.calls}
        self.journal.set(self, "call_ids", ids)

    def _truncate(self, length: int) -> set[object]:
        """Forget what was given beyond `length`, and the markers behind it. Returns what of it had been evicted.

        A marker that is among what is left of `given` stays, wherever the one that we carry for it stands.
        """
        evicted: set[object] = set()
        if length == len(self.given):
            return evicted
        while len(self.given) > length:
            self.journal.drop(self.given)
            entry = self.journal.drop(self.entries)
            if isinstance(entry.item, CallGroup):
                for call in entry.item.calls:
                    self.journal.pop(self.call_ids, call.id)
            if entry.evicted:
                evicted.add(_identity(entry.item))
        last = self.entries[-1].ordinal if self.entries else -1
        markers = [item for item in self.given if isinstance(item, Tombstone | Notice)]
        for entry in reversed(self.kept.values()):
            if entry.ordinal <= last:
                break
            if entry.item not in markers:
                self.remove(entry)
        return evicted

    def extend(self, items: Iterable[Item], evicted: set[object] | None = None) -> None:
        """The runtime appends to the history. What is in `evicted` stays so."""
        for item in items:
            label = check_item(item, f"history[{len(self.given)}]")
            entry = self._entry(item, label)
            if isinstance(item, CallGroup):
                self._count_calls(item, entry.ordinal)
            self.journal.push(self.given, item)
            self.journal.push(self.entries, entry)
            entry.evicted = bool(evicted and _identity(item) in evicted) or self._stands_already(item)
            if not entry.evicted:
                self._add(entry)

    def _count_calls(self, group: CallGroup, ordinal: int) -> None:
        for call in group.calls:
            if call.id in self.call_ids:
                raise MalformedRequestError(f"call {call.id!r}", "two calls have this id")
            self.journal.put(self.call_ids, call.id, None)
            if _key(call) not in self.counted:
                record = self.inventory.record(call.tool)
                self.journal.put(self.counted, _key(call), None)
                self.journal.set(record, "calls", record.calls + 1)
                self.journal.set(record, "last_called", ordinal)

    def _stands_already(self, item: Item) -> bool:
        """Whether it is a marker of ours that comes back beside the one that we carry."""
        if not isinstance(item, Tombstone | Notice):
            return False
        record = self.inventory.record(item.tool)
        return (record.tombstone if isinstance(item, Tombstone) else record.notice) is not None

    # ---- what is in the prompt --------------------------------------------------------------------------------------

    def append(self, marker: Tombstone | Notice) -> None:
        """A marker of ours joins the end of the prompt."""
        self._add(self._entry(marker, f"{type(marker).__name__.lower()} of {marker.tool}"))

    def _entry(self, item: Item, label: str) -> Entry:
        size = tokens(label, item.text(), self.inventory.settings.count, item.tokens)
        entry = Entry(self.next_ordinal, item, label, size)
        self.journal.set(self, "next_ordinal", entry.ordinal + 1)
        return entry

    def _add(self, entry: Entry) -> None:
        self.journal.put(self.kept, entry.ordinal, entry)
        self.journal.put(self.joined, entry.ordinal, entry.item)
        item, inventory = entry.item, self.inventory
        match item:
            case Text():
                inventory.totals.texts += entry.tokens
            case Tombstone():
                inventory.set(inventory.record(item.tool), tombstone=entry)
            case Notice():
                inventory.set(inventory.record(item.tool), notice=entry)
            case CallGroup() | Showing():
                inventory.totals.arguments += entry.tokens
                if not item.pinned:
                    self.journal.put(self.evictable, entry.ordinal, entry)
                inventory.change(self.concerned(entry), lambda: self._join(entry))

    def remove(self, entry: Entry) -> None:
        """An item leaves the prompt; the index follows when the turn is sent."""
        self.journal.set(entry, "evicted", True)
        self.journal.put(self.gone, entry.ordinal, entry)
        item, inventory = entry.item, self.inventory
        match item:
            case Text():
                inventory.totals.texts -= entry.tokens
            case Tombstone():
                inventory.set(inventory.record(item.tool), tombstone=None)
            case Notice():
                inventory.set(inventory.record(item.tool), notice=None)
            case CallGroup() | Showing():
                inventory.totals.arguments -= entry.tokens
                inventory.change(self.concerned(entry), lambda: self._leave(entry))

    def concerned(self, entry: Entry) -> list[ToolRecord]:
        """The tools whose arguments or schemas stand in an item."""
        return [self.inventory.record(name) for name in dict.fromkeys((*called(entry), *entry.shows))]

    def _join(self, entry: Entry) -> None:
        for name in entry.shows:
            self.journal.put(self.inventory.records[name].showings, entry.ordinal, None)
        made_by = self._versions(entry)
        for name in called(entry):
            record = self.inventory.records[name]
            self.inventory.size_markers(record)
            version = made_by[name] or record.version
            self.journal.put(record.groups, entry.ordinal, version)
            if version not in (None, record.version) and record.version is not None:
                self.journal.set(record, "stale", record.stale + 1)
                if self._is_new(entry):
                    # What was shown on request was shown before these arguments came.
                    self.journal.set(record, "acknowledged", None)

    def _versions(self, entry: Entry) -> dict[str, str | None]:
        calls = entry.item.calls if isinstance(entry.item, CallGroup) else ()
        return {call.tool: call.version or self.made_by.get(_key(call)) for call in calls}

    def _is_new(self, entry: Entry) -> bool:
        return isinstance(entry.item, CallGroup) and not any(_key(call) in self.made_by for call in entry.item.calls)

    def _leave(self, entry: Entry) -> None:
        for name in entry.shows:
            self.journal.pop(self.inventory.records[name].showings, entry.ordinal)
        left: dict[str, str | None] = {}
        for name in called(entry):
            record = self.inventory.records[name]
            version = self.journal.pop(record.groups, entry.ordinal)
            left[name] = version
            if version not in (None, record.version) and record.version is not None:
                self.journal.set(record, "stale", record.stale - 1)
        for call in entry.item.calls if isinstance(entry.item, CallGroup) else ():
            self.journal.put(self.made_by, _key(call), left.get(call.tool))


def _shared(history: Sequence[Item], known: Sequence[Item]) -> int:
    """How many items two histories share at their beginning."""
    differs = (place for place, (new, old) in enumerate(zip(history, known, strict=False)) if not same_item(new, old))
    return next(differs, min(len(history), len(known)))


def _key(call: Call) -> CallKey:
    return call.id, call.tool, call.arguments


def _identity(item: Item) -> object:
    """What makes an item of a rewritten history the same as one before. An id alone may stand for another call now."""
    if isinstance(item, CallGroup):
        return tuple(map(_key, item.calls)), item.results
    return (item.shows, canonical_text(item.payload)) if isinstance(item, Showing) else item
