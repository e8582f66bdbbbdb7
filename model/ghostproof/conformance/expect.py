"""What a case must be answered with: the passes run by the plain functions of the model, and read back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ghostproof.conformance.passes import Plan, end_reserve, hide_for_reserve, sweep
from ghostproof.conformance.refine import Json, called, groups_of, memory_of, schema_word, tools_of
from ghostproof.turn.budget import Turn
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.session import Arbitration
from ghostproof.turn.tool import Tool
from ghostproof.turn.trace import Step


def expected(kind: str, case: Mapping[str, Json]) -> dict[str, Json]:
    """The answer to a case of this kind, without its type and id."""
    return judged(case) if kind == "judge" else _Turn(case).answer()


def judged(case: Mapping[str, Json]) -> dict[str, Json]:
    """Which tools are ghosts in a request as it is sent."""
    ghosts = [(given["name"], tool) for given, tool in zip(case["tools"], tools_of(case), strict=True) if tool.ghost]
    return {
        "ghosts": [name for name, _ in ghosts],
        "mutation_ghosts": [name for name, tool in ghosts if tool.mutation],
    }


class _Turn:
    """One case under arbitration."""

    def __init__(self, case: Mapping[str, Json]) -> None:
        self.case = case
        self.groups = groups_of(case)
        self.names = [tool["name"] for tool in case["tools"]]
        self.tools = tools_of(case)
        self.memory = memory_of(case)
        self.mode = case["gate"]
        self.steps: list[Step] = []
        given = case["budgets"]
        self.joint = given["kind"] == "joint"
        self.budgets = (
            {"total_budget": given["total"]}
            if self.joint
            else {"argument_budget": given["arguments"], "schema_budget": given["schemas"]}
        )
        self.plan = Plan(given["kind"], case["order"], self.mode, len(self.groups))

    def run(self, *passes: Pass) -> Turn:
        """Run passes and give the numbers that they leave."""
        pruner = Pruner(*passes, memory=self.memory, name="the suite")
        arbitration = Arbitration(pruner, self.tools, self.budgets, self.case["rest_tokens"])
        arbitration.run()
        self.steps += [step for step in arbitration.steps if isinstance(step, Step)]
        return arbitration.turn()

    def demand(self, turn: Turn) -> int:
        """The demand: tombstones count where they are owed, and none is owed but in mode tombstone."""
        return turn.demand_tokens if self.mode == "tombstone" else turn.prompt_tokens

    def answer(self) -> dict[str, Json]:
        plan = self.plan
        before = self.demand(self.run(Pass(sweep)))
        self.run(*plan.opening)
        if self.joint:
            trimmed = self.run(*plan.trim_others, *plan.pruning, *plan.trim_all, *plan.pruning)
        else:
            if plan.reserves:
                self.run(Pass(hide_for_reserve, name="reserve"))
            trimmed = self.run(*plan.trim_others, *plan.trim_all)
            if plan.reserves:
                self.run(Pass(end_reserve, name="reserve"))
            self.run(*plan.pruning)
        sent = self.run(*plan.closing)
        ghosts = [name for name, tool in zip(self.names, self.tools, strict=True) if tool.ghost]
        if ghosts:
            return {"outcome": "ghost-tool-invariant", "tools": ghosts}
        return self.exceeded(trimmed, sent) or self.sent(before, self.demand(sent))

    def exceeded(self, trimmed: Turn, sent: Turn) -> dict[str, Json] | None:
        """What does not fit, if anything."""
        plan, given = self.plan, self.case["budgets"]
        if self.joint:
            if plan.schemas_fit(sent):
                return None
            rest = self.case["rest_tokens"]
            parts = [*self.schemas(), *self.calls(), *self.tombstones()]
            parts += [{"what": "rest", "tokens": rest}] if rest else []
            return _exceeded("total", given["total"], self.demand(sent), parts)
        # After trimming nothing but the gate of mode evict, and pruning in that mode, takes arguments.
        trimmed = trimmed if plan.reserves else sent
        if not plan.argument_fits(trimmed):
            needed = trimmed.argument_tokens + (trimmed.tombstone_demand_tokens if plan.reserves else 0)
            return _exceeded("arguments", given["arguments"], needed, [*self.calls(), *self.reserved()])
        if not plan.schemas_fit(sent):
            return _exceeded("schemas", given["schemas"], sent.schema_tokens, self.schemas())
        return None

    def holds(self, number: int) -> bool:
        """Whether a group is still in the history."""
        return any(getattr(tool, f"holds_{number}") for tool in self.tools)

    def schemas(self) -> list[Json]:
        """The shown schemas as irreducible parts."""
        named = zip(self.names, self.tools, strict=True)
        return [
            {"what": "schema", "tool": name, "tokens": tool.schema_tokens} for name, tool in named if tool.schema_shown
        ]

    def calls(self) -> list[Json]:
        """The remaining groups as irreducible parts."""
        return [
            {"what": "calls", "group": group["id"], "tokens": sum(call["tokens"] for call in group["calls"])}
            for number, group in enumerate(self.groups)
            if self.holds(number)
        ]

    def tombstones(self) -> list[Json]:
        """The tombstones as irreducible parts."""
        named = zip(self.names, self.tools, strict=True)
        return [
            {"what": "tombstone", "tool": name, "tokens": tool.tombstone_tokens}
            for name, tool in named
            if tool.tombstone_resident
        ]

    def reserved(self) -> list[Json]:
        """The tombstones for which the argument budget of a pair keeps room, as irreducible parts."""
        named = zip(self.names, self.tools, strict=True) if self.plan.reserves else ()
        return [
            {"what": "tombstone", "tool": name, "tokens": tool.tombstone_tokens}
            for name, tool in named
            if tool.arguments_resident
        ]

    def sent(self, before: int, after: int) -> dict[str, Json]:
        """The answer of a turn that is sent."""
        decisions = self.decisions()
        written = [one["tool"] for one in decisions if one["decision"] == "tombstoned"]
        standing = {name for name, tool in zip(self.names, self.tools, strict=True) if tool.tombstoned}
        return {
            "outcome": "send",
            "decisions": decisions,
            "tools": [_residency(name, tool) for name, tool in zip(self.names, self.tools, strict=True)],
            "history": [
                *self.left(standing - set(written)),
                *({"kind": "tombstone", "tool": name} for name in written),
            ],
            "tokens": {"before": before, "after": after},
        }

    def left(self, standing: set[str]) -> list[Json]:
        """The items that were there and stay."""
        numbers = {group["id"]: number for number, group in enumerate(self.groups)}
        kept: list[Json] = []
        for item in self.case["history"]:
            if item["kind"] == "tombstone" and item["tool"] in standing:
                kept.append({"kind": "tombstone", "tool": item["tool"]})
            elif item["kind"] == "calls" and self.holds(numbers[item["id"]]):
                kept.append({"kind": "calls", "id": item["id"]})
        return kept

    def decisions(self) -> list[Json]:
        """What was decided, in order, and which tools nothing concerned."""
        found: list[Json] = []
        evicted: list[str] = []
        concerned: set[str] = set()
        for step in self.steps:
            name = self.names[step.tool]
            gone = [key for key, value in step.after.items() if key.startswith("holds_") and not value]
            for number in sorted(int(key.removeprefix("holds_")) for key in gone):
                group = self.groups[number]
                if group["id"] not in evicted:
                    evicted.append(group["id"])
                    found.append({"decision": "evicted", "group": group["id"]})
                    concerned.update(called(group))
            if word := _decision(step):
                found.append({"decision": word, "tool": name})
                concerned.add(name)
        return [*found, *({"decision": "kept", "tool": name} for name in self.names if name not in concerned)]


def _decision(step: Step) -> str | None:
    if step.action == "expand":
        return "expanded"
    if step.action == "prune":
        return "pruned"
    return "tombstoned" if step.action == "gate" and step.after.get("tombstone_resident") is True else None


def _residency(name: str, tool: Tool) -> dict[str, Json]:
    return {
        "name": name,
        "schema": schema_word(tool),
        "arguments": tool.arguments_resident,
        "tombstone": tool.tombstoned,
    }


def _exceeded(budget: str, limit: int, needed: int, parts: Sequence[Json]) -> dict[str, Json]:
    return {
        "outcome": "budget-exceeded",
        "budget": budget,
        "limit": limit,
        "needed": needed,
        "irreducible": list(parts),
    }
