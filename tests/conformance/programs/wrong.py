"""Arbiters that each break one rule of the protocol: `python wrong.py NAME`.

Each says in its first line which rule it breaks and how; `REJECTED` in the tests says which vector shows it.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from conformance.programs.right import Arbiter, Json, serve


class NoGate(Arbiter):
    """A7: never writes a tombstone."""

    def gate(self) -> None:
        return


class GateSparesPinned(Arbiter):
    """A7: leaves pinned tools out of the gate."""

    def owed(self, tool: Json) -> bool:
        return not tool["pinned"] and super().owed(tool)


class GateSparesUnknown(Arbiter):
    """J2: takes an unknown effect for reading."""

    def mutation(self, tool: Json) -> bool:
        return bool(tool["effect"] == "mutation")


class LossyIsResident(Arbiter):
    """J1: takes a lossy schema for the real one."""

    def resident(self, tool: Json) -> bool:
        return bool(tool["schema"] != "withheld")


class TombstoneEverywhere(Arbiter):
    """A7: tombstones every tool without a schema, whether or not there are arguments."""

    def gate(self) -> None:
        for tool in self.tools:
            if not self.resident(tool) and not self.tombstone(tool):
                self.append_tombstone(tool)
                self.decide("tombstoned", tool)


class TombstoneInFront(Arbiter):
    """A7: writes a tombstone at the beginning of the history, where no cache keeps its prefix."""

    def append_tombstone(self, tool: Json) -> None:
        self.history.insert(0, {"kind": "tombstone", "tool": tool["name"]})


class TombstoneAgain(Arbiter):
    """A7: moves a tombstone that stands to the end."""

    def gate(self) -> None:
        for tool in self.tools:
            self.clear(tool)
        super().gate()


class NewestFirst(Arbiter):
    """A2: evicts the newest group first."""

    def oldest_first(self) -> list[Json]:
        return self.groups()[::-1]


class EvictsPinned(Arbiter):
    """A2: evicts groups of pinned tools."""

    def evictable(self, group: Json, spare: bool) -> bool:
        return not any(spare and self.honoured(tool) for tool in self.members(group))


class SplitsGroups(Arbiter):
    """A2: spares a group only for the tool it calls first, as if the calls of one message were apart."""

    def evictable(self, group: Json, spare: bool) -> bool:
        first = group["calls"][0]["tool"]
        tools = [tool for tool in self.tools if tool["name"] == first]
        return not any(tool["pinned"] or (spare and self.honoured(tool)) for tool in tools)


class NoCascade(Arbiter):
    """A3: leaves the tombstone of an evicted tool to count until the gate."""

    def demand(self) -> int:
        over_nothing = (t for t in self.tools if self.tombstone(t) and not self.arguments(t))
        return super().demand() + sum(int(tool["tombstone_tokens"]) for tool in over_nothing)


class SchemaFirst(Arbiter):
    """A2: prunes schemas before it evicts arguments."""

    def spend(self) -> None:
        self.prune()
        super().spend()


class DeclaredOrder(Arbiter):
    """A4: ignores the visiting order."""

    def visiting(self) -> list[Json]:
        return self.tools


class PrunesPinned(Arbiter):
    """A4: prunes pinned schemas."""

    def prunable(self, tool: Json) -> bool:
        return super().prunable({**tool, "pinned": False})


class PrunesWithoutSaving(Arbiter):
    """A5: prunes a schema for a tombstone that is as dear."""

    def saves(self, tool: Json) -> bool:
        return True


class PrunesRequested(Arbiter):
    """A1: prunes what it has just expanded."""

    def prunable(self, tool: Json) -> bool:
        return super().prunable({**tool, "requested": False})


class IgnoresRequests(Arbiter):
    """A1: honours no request."""

    def honoured(self, tool: Json) -> bool:
        return False


class ShowsVanished(Arbiter):
    """A1: shows the schema of a tool that the executor does not have."""

    def honoured(self, tool: Json) -> bool:
        return bool(tool["requested"])


class KeepsOldTombstone(Arbiter):
    """A1: leaves the tombstone of a tool that it shows."""

    def clear(self, tool: Json) -> None:
        if not self.resident(tool):
            super().clear(tool)

    def gate(self) -> None:
        for tool in self.tools:
            if self.owed(tool) and not self.tombstone(tool):
                self.append_tombstone(tool)
                self.decide("tombstoned", tool)


class RequestedGiveWayFirst(Arbiter):
    """A6: evicts the arguments of requested tools along with the others."""

    def evictable(self, group: Json, spare: bool) -> bool:
        return super().evictable(group, spare=False)


class RequestedNeverGiveWay(Arbiter):
    """A6: never evicts the arguments of requested tools."""

    def evictable(self, group: Json, spare: bool) -> bool:
        return super().evictable(group, spare=True)


class ForgetsReserve(Arbiter):
    """A2: counts tombstones only once they are written."""

    def demand(self) -> int:
        written = sum(int(tool["tombstone_tokens"]) for tool in self.tools if self.owed(tool) and self.tombstone(tool))
        return super().demand() - self.owed_tokens() + written


class OneTooStrict(Arbiter):
    """A2: takes a prompt that is exactly as large as its budget for too large."""

    def within(self, needed: int, limit: int) -> bool:
        return needed < limit


class OneTooLax(Arbiter):
    """A8: allows one token more than the budget."""

    def within(self, needed: int, limit: int) -> bool:
        return needed <= limit + 1


class SendsAnyway(Arbiter):
    """A8: sends a prompt that does not fit."""

    def exceeded(self) -> Json | None:
        return None


class ForgetsRest(Arbiter):
    """A8: leaves out of the demand what no pass can change."""

    def demand(self) -> int:
        return super().demand() - int(self.case["rest_tokens"])


class NoSeparateReserve(Arbiter):
    """A9: reserves no tombstone in the argument budget of a pair."""

    def reserve(self) -> int:
        return 0


class EvictModeKeepsArguments(Arbiter):
    """A10: prunes the schema alone and leaves the arguments to the gate."""

    def evict_all(self, tool: Json) -> None:
        if tool["schema"] == "withheld" or not self.prunable(tool):
            super().evict_all(tool)


class StrictPrunes(Arbiter):
    """A11: prunes the schema of a tool with arguments where no tombstone may be written."""

    def prunable(self, tool: Json) -> bool:
        if self.mode != "strict":
            return super().prunable(tool)
        return tool["schema"] != "withheld" and not tool["pinned"] and not self.honoured(tool)


class StrictStaysSilent(Arbiter):
    """A12: sends a ghost that it may do nothing about."""

    def ghost(self, tool: Json) -> bool:
        return self.mode != "strict" and super().ghost(tool)


WRONG: dict[str, type[Arbiter]] = {one.__name__: one for one in Arbiter.__subclasses__()}

if __name__ == "__main__":
    serve(WRONG[sys.argv[1]])
