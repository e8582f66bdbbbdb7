"""The reference as a program of the conformance suite: JSON lines on standard input and output.

It speaks protocol 1 (docs/conformance-protocol.md). A case gives its own state and sizes, so each is a session of its
own: one turn brings the tools into the state in which the case begins, and the next is the one that is asked about.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from typing import Any

from ghostproof_reference.arbiter import Arbiter
from ghostproof_reference.budget import Budget, JointBudget, SeparateBudgets
from ghostproof_reference.errors import BudgetExceeded, GhostToolInvariantError, Irreducible
from ghostproof_reference.gate import GateMode, ToolContextState, tombstone_line
from ghostproof_reference.order import Candidate
from ghostproof_reference.outcome import Action, Decision, Outcome
from ghostproof_reference.request import Call, CallGroup, Effect, Item, Request, Tombstone, Tool
from ghostproof_reference.settings import Lossy, Settings

Json = Mapping[str, Any]
CAPABILITIES = ("separate-budgets", "gate-evict", "gate-strict")
ROOM = 10**9
DECISIONS = {
    Action.EXPANDED: "expanded",
    Action.EVICTED: "evicted",
    Action.PRUNED: "pruned",
    Action.TOMBSTONED: "tombstoned",
}


class Case:
    """A case as a session of the arbiter."""

    def __init__(self, case: Json) -> None:
        self.case = case
        self.given: dict[str, Json] = {tool["name"]: tool for tool in case["tools"]}
        self.groups: dict[str, Json] = {item["id"]: item for item in case["history"] if item["kind"] == "calls"}

    def settings(self) -> Settings:
        """The settings that the case asks for; the visiting order is by the numbers that it gives."""
        keys: dict[str, Callable[[Json], int]] = {
            "declared": lambda tool: 0,
            "least-recently-called": lambda tool: -tool["idle_turns"],
            "least-frequently-called": lambda tool: tool["calls"],
            "largest-schema-first": lambda tool: -tool["schema_tokens"],
        }
        key = keys[self.case["order"]]

        def order(candidate: Candidate) -> int:
            return key(self.given[candidate.name])

        gate = GateMode(self.case["gate"])
        return Settings(gate=gate, order=order, lossy=Lossy.TOMBSTONE, request_tool=None)

    def tool(self, given: Json, *, pinned: bool) -> Tool:
        """A tool as it is declared: what is pinned and not shown was never shown, since no arbiter withholds it."""
        lossy, size = given["schema"] == "lossy", given["schema_tokens"]
        return Tool(
            given["name"],
            {"lossy": True} if lossy else {},
            effect=Effect(given["effect"]),
            pinned=pinned,
            deferred=given["pinned"] and given["schema"] == "withheld",
            lossy=lossy,
            full={} if lossy else None,
            version="1",
            tokens=size,
            full_tokens=size if lossy else None,
            tombstone_tokens=given["tombstone_tokens"],
        )

    def item(self, item: Json) -> Item:
        """An item of the history."""
        if item["kind"] == "tombstone":
            name = item["tool"]
            return Tombstone(name, tombstone_line(name, None), self.given[name]["tombstone_tokens"])
        calls = tuple(
            Call(call["tool"], f"{item['id']}.{number}", '{"value": 1}', version="1")
            for number, call in enumerate(item["calls"])
        )
        pinned = any(self.given[call["tool"]]["pinned"] for call in item["calls"])
        return CallGroup(calls, pinned=pinned, tokens=sum(call["tokens"] for call in item["calls"]))

    def begun(self) -> Arbiter:
        """A session whose last request showed what the case says it showed, and what the model has asked for since."""
        arbiter = Arbiter(self.settings())
        shown_now = {name for name, given in self.given.items() if given["schema"] != "withheld"}
        known = tuple(
            self.tool(given, pinned=given["pinned"] or name in shown_now) for name, given in self.given.items()
        )
        shown = sum(self.given[name]["schema_tokens"] for name in shown_now)
        budget = SeparateBudgets(ROOM, shown)
        arbiter.arbitrate(Request(known), budget)
        # No model asks for what it sees: what is requested and shown was asked for while it was gone, and returns.
        back = {name for name, given in self.given.items() if given["requested"] and given["schema"] == "shown"}
        if back:
            arbiter.arbitrate(Request(tuple(tool for tool in known if tool.name not in back)), budget)
        for name, given in self.given.items():
            if given["requested"]:
                arbiter.request_schema(name)
        return arbiter

    def budget(self) -> Budget:
        """The budgets of the case."""
        given = self.case["budgets"]
        if given["kind"] == "joint":
            return JointBudget(given["total"])
        return SeparateBudgets(given["arguments"], given["schemas"])

    def answer(self) -> dict[str, Any]:
        """What the arbiter does."""
        tools = tuple(self.tool(given, pinned=given["pinned"]) for given in self.given.values() if given["registered"])
        request = Request(tools, tuple(map(self.item, self.case["history"])), self.case["rest_tokens"])
        arbiter = self.begun()
        try:
            outcome = arbiter.arbitrate(request, self.budget())
        except GhostToolInvariantError as error:
            return {"outcome": "ghost-tool-invariant", "tools": [name for name in self.given if name in error.tools]}
        except BudgetExceeded as error:
            return {
                "outcome": "budget-exceeded",
                "budget": error.budget,
                "limit": error.limit,
                "needed": error.needed,
                "irreducible": [part(one) for one in error.irreducible],
            }
        return self.sent(outcome)

    def sent(self, outcome: Outcome) -> dict[str, Any]:
        """What is sent, and what was decided."""
        decisions = [self.decision(one) for one in outcome.decisions if one.action in DECISIONS]
        concerned = {one["tool"] for one in decisions if "tool" in one}
        concerned |= {
            call["tool"] for one in decisions if "group" in one for call in self.groups[one["group"]]["calls"]
        }
        kept = [{"decision": "kept", "tool": name} for name in self.given if name not in concerned]
        history = [placed(item) for item in outcome.request.history]
        shown = {tool.name: "lossy" if tool.lossy else "shown" for tool in outcome.request.tools}
        return {
            "outcome": "send",
            "decisions": [*decisions, *kept],
            "tools": [
                {
                    "name": name,
                    "schema": shown.get(name, "withheld"),
                    "arguments": any(name in called(item) for item in outcome.request.history),
                    "tombstone": {"kind": "tombstone", "tool": name} in history,
                }
                for name in self.given
            ],
            "history": history,
            "tokens": {"before": outcome.before.total, "after": outcome.after.total},
        }

    def decision(self, one: Decision) -> dict[str, Any]:
        """A decision in the words of the protocol."""
        word = DECISIONS[one.action]
        if one.action is Action.EVICTED:
            return {"decision": word, "group": group_of(one.item or "")}
        return {"decision": word, "tool": one.tool}

    def judge(self) -> dict[str, Any]:
        """Which tools are ghosts in the request as it stands."""
        history = self.case["history"]
        states = [
            ToolContextState(
                name,
                schema_resident=given["schema"] == "shown",
                argument_resident=any(name in called(self.item(item)) for item in history),
                tombstoned=any(item.get("tool") == name for item in history),
                is_mutation=self.tool(given, pinned=False).changes_state,
            )
            for name, given in self.given.items()
        ]
        ghosts = [state for state in states if state.is_ghost]
        mutations = [state.name for state in ghosts if state.is_mutation]
        return {"ghosts": [state.name for state in ghosts], "mutation_ghosts": mutations}


def part(one: Irreducible) -> dict[str, Any]:
    """A part of what does not fit."""
    kind, _, name = one.what.partition(" of " if " of " in one.what else " for ")
    if kind == "schema":
        return {"what": "schema", "tool": name, "tokens": one.tokens}
    if kind in ("tombstone", "reserve"):
        return {"what": "tombstone", "tool": name, "tokens": one.tokens}
    if kind == "rest":
        return {"what": "rest", "tokens": one.tokens}
    return {"what": "calls", "group": group_of(one.what), "tokens": one.tokens}


def group_of(label: str) -> str:
    """The id of the group whose calls a label names."""
    return label.removeprefix("calls ").partition(".")[0]


def called(item: Item) -> set[str]:
    """The tools that an item calls."""
    return {call.tool for call in item.calls} if isinstance(item, CallGroup) else set()


def placed(item: Item) -> dict[str, Any]:
    """An item of the history, by name."""
    if isinstance(item, CallGroup):
        return {"kind": "calls", "id": group_of(item.calls[0].id)}
    assert isinstance(item, Tombstone)
    return {"kind": "tombstone", "tool": item.tool}


def main() -> None:
    """Answer until the input ends."""
    for line in sys.stdin:
        message = json.loads(line)
        reply: dict[str, Any]
        if message["type"] == "hello":
            reply = {"type": "hello", "protocol": 1, "name": "ghostproof_reference", "version": "1"}
            reply["capabilities"] = list(CAPABILITIES)
        else:
            case = Case(message["case"])
            found = case.judge() if message["kind"] == "judge" else case.answer()
            reply = {"type": "answer", "id": message["id"], **found}
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
