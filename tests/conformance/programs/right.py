"""An arbiter written from docs/conformance-protocol.md alone, cut so that each rule can be broken by itself.

The wrong programs import it and replace one method. It shares no code with the model or the reference.
"""

from __future__ import annotations

import json
import sys
from typing import Any

Json = dict[str, Any]
ORDERS = {
    "declared": lambda tool: 0,
    "least-recently-called": lambda tool: -tool["idle_turns"],
    "least-frequently-called": lambda tool: tool["calls"],
    "largest-schema-first": lambda tool: -tool["schema_tokens"],
}


class Arbiter:
    """One case."""

    def __init__(self, case: Json) -> None:
        self.case = case
        self.tools: list[Json] = [dict(tool) for tool in case["tools"]]
        self.history: list[Json] = list(case["history"])
        self.decisions: list[Json] = []
        self.concerned: set[str] = set()
        self.budgets: Json = case.get("budgets", {})
        self.mode = case.get("gate", "tombstone")

    # ---- words

    def groups(self, name: str | None = None) -> list[Json]:
        return [item for item in self.history if item["kind"] == "calls" and (name is None or self.calls(item, name))]

    def calls(self, group: Json, name: str) -> bool:
        return any(call["tool"] == name for call in group["calls"])

    def members(self, group: Json) -> list[Json]:
        return [tool for tool in self.tools if self.calls(group, tool["name"])]

    def tombstone(self, tool: Json) -> bool:
        return any(item["kind"] == "tombstone" and item["tool"] == tool["name"] for item in self.history)

    def arguments(self, tool: Json) -> bool:
        return bool(self.groups(tool["name"]))

    def resident(self, tool: Json) -> bool:
        return bool(tool["schema"] == "shown")

    def ghost(self, tool: Json) -> bool:
        return self.arguments(tool) and not self.resident(tool) and not self.tombstone(tool)

    def mutation(self, tool: Json) -> bool:
        return bool(tool["effect"] != "reading")

    def owed(self, tool: Json) -> bool:
        return self.mode == "tombstone" and self.arguments(tool) and not self.resident(tool)

    def honoured(self, tool: Json) -> bool:
        return bool(tool["requested"] and tool["registered"])

    def clear(self, tool: Json) -> None:
        name = tool["name"]
        self.history = [item for item in self.history if item["kind"] != "tombstone" or item["tool"] != name]

    def decide(self, word: str, tool: Json) -> None:
        self.decisions.append({"decision": word, "tool": tool["name"]})
        self.concerned.add(tool["name"])

    # ---- sums

    def group_tokens(self) -> int:
        return sum(call["tokens"] for group in self.groups() for call in group["calls"])

    def schema_tokens(self) -> int:
        return sum(tool["schema_tokens"] for tool in self.tools if tool["schema"] != "withheld")

    def owed_tokens(self) -> int:
        return sum(tool["tombstone_tokens"] for tool in self.tools if self.owed(tool))

    def demand(self) -> int:
        return int(self.schema_tokens() + self.group_tokens() + self.owed_tokens() + self.case["rest_tokens"])

    def reserve(self) -> int:
        if self.mode != "tombstone":
            return 0
        return sum(tool["tombstone_tokens"] for tool in self.tools if self.arguments(tool))

    def joint(self) -> bool:
        return bool(self.budgets["kind"] == "joint")

    def argument_sum(self) -> tuple[int, int]:
        if self.joint():
            return self.demand(), self.budgets["total"]
        return self.group_tokens() + self.reserve(), self.budgets["arguments"]

    def schema_sum(self) -> tuple[int, int]:
        if self.joint():
            return self.demand(), self.budgets["total"]
        return self.schema_tokens(), self.budgets["schemas"]

    def within(self, needed: int, limit: int) -> bool:
        return needed <= limit

    def arguments_fit(self) -> bool:
        return self.within(*self.argument_sum())

    def schemas_fit(self) -> bool:
        return self.within(*self.schema_sum())

    # ---- the steps

    def expand(self) -> None:
        for tool in self.tools:
            if self.honoured(tool):
                tool["schema"] = "shown"
                self.clear(tool)
                self.decide("expanded", tool)

    def evictable(self, group: Json, spare: bool) -> bool:
        return not any(tool["pinned"] or (spare and self.honoured(tool)) for tool in self.members(group))

    def oldest_first(self) -> list[Json]:
        return self.groups()

    def trim(self, spare: bool) -> None:
        for group in self.oldest_first():
            if self.arguments_fit():
                return
            if self.evictable(group, spare):
                self.evict(group)

    def evict(self, group: Json) -> None:
        self.history = [item for item in self.history if item is not group]
        self.decisions.append({"decision": "evicted", "group": group["id"]})
        for tool in self.members(group):
            self.concerned.add(tool["name"])
            self.cascade(tool)

    def cascade(self, tool: Json) -> None:
        if not self.arguments(tool):
            self.clear(tool)

    def visiting(self) -> list[Json]:
        return sorted(self.tools, key=ORDERS[self.case["order"]])

    def saves(self, tool: Json) -> bool:
        if not self.joint() or self.mode != "tombstone" or not (self.arguments(tool) and self.resident(tool)):
            return True
        return bool(tool["schema_tokens"] > tool["tombstone_tokens"])

    def prunable(self, tool: Json) -> bool:
        if self.mode == "strict" and self.arguments(tool):
            return False
        return tool["schema"] != "withheld" and not tool["pinned"] and not self.honoured(tool) and self.saves(tool)

    def prune(self) -> None:
        for tool in self.visiting():
            if self.schemas_fit():
                return
            if self.prunable(tool):
                if self.mode == "evict":
                    self.evict_all(tool)
                tool["schema"] = "withheld"
                self.decide("pruned", tool)

    def evict_all(self, tool: Json) -> None:
        for group in self.groups(tool["name"]):
            self.evict(group)

    def gate(self) -> None:
        for tool in self.tools:
            if self.mode == "evict" and self.ghost(tool) and not tool["pinned"]:
                self.evict_all(tool)
            elif self.owed(tool) and not self.tombstone(tool):
                self.append_tombstone(tool)
                self.decide("tombstoned", tool)
            elif not self.owed(tool):
                self.clear(tool)

    def append_tombstone(self, tool: Json) -> None:
        self.history.append({"kind": "tombstone", "tool": tool["name"]})

    def spend(self) -> None:
        self.trim(spare=True)
        if self.joint():
            self.prune()
        self.trim(spare=False)
        self.prune()

    # ---- the answers

    def judge(self) -> Json:
        ghosts = [tool for tool in self.tools if self.ghost(tool)]
        mutations = [tool["name"] for tool in ghosts if self.mutation(tool)]
        return {"ghosts": [tool["name"] for tool in ghosts], "mutation_ghosts": mutations}

    def answer(self) -> Json:
        before = self.demand()
        self.expand()
        self.spend()
        self.gate()
        ghosts = [tool["name"] for tool in self.tools if self.ghost(tool)]
        if ghosts:
            return {"outcome": "ghost-tool-invariant", "tools": ghosts}
        return self.exceeded() or self.sent(before)

    def exceeded(self) -> Json | None:
        calls = [
            {"what": "calls", "group": group["id"], "tokens": sum(call["tokens"] for call in group["calls"])}
            for group in self.groups()
        ]
        schemas = [
            {"what": "schema", "tool": tool["name"], "tokens": tool["schema_tokens"]}
            for tool in self.tools
            if tool["schema"] != "withheld"
        ]
        tombstones = [
            {"what": "tombstone", "tool": tool["name"], "tokens": tool["tombstone_tokens"]}
            for tool in self.tools
            if self.owed(tool)
        ]
        reserved = [
            {"what": "tombstone", "tool": tool["name"], "tokens": tool["tombstone_tokens"]}
            for tool in self.tools
            if self.arguments(tool) and self.mode == "tombstone"
        ]
        rest = [{"what": "rest", "tokens": self.case["rest_tokens"]}] if self.case["rest_tokens"] else []
        if self.joint():
            asked = [("total", self.argument_sum(), [*schemas, *calls, *tombstones, *rest])]
        else:
            asked = [("arguments", self.argument_sum(), [*calls, *reserved]), ("schemas", self.schema_sum(), schemas)]
        for budget, (needed, limit), parts in asked:
            if not self.within(needed, limit):
                return {
                    "outcome": "budget-exceeded",
                    "budget": budget,
                    "limit": limit,
                    "needed": needed,
                    "irreducible": parts,
                }
        return None

    def sent(self, before: int) -> Json:
        kept = [{"decision": "kept", "tool": t["name"]} for t in self.tools if t["name"] not in self.concerned]
        return {
            "outcome": "send",
            "decisions": [*self.decisions, *kept],
            "tools": [
                {
                    "name": tool["name"],
                    "schema": tool["schema"],
                    "arguments": self.arguments(tool),
                    "tombstone": self.tombstone(tool),
                }
                for tool in self.tools
            ],
            "history": [{key: item[key] for key in ("kind", "id", "tool") if key in item} for item in self.history],
            "tokens": {"before": before, "after": self.demand()},
        }


def serve(
    arbiter: type[Arbiter], capabilities: tuple[str, ...] = ("separate-budgets", "gate-evict", "gate-strict")
) -> None:
    """Answer until the input ends."""
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            reply: Json = {"type": "hello", "protocol": 1, "name": arbiter.__name__, "version": "1"}
            reply["capabilities"] = list(capabilities)
        else:
            case = arbiter(message["case"])
            found = case.judge() if message["kind"] == "judge" else case.answer()
            reply = {"type": "answer", "id": message["id"], **found}
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve(Arbiter)
