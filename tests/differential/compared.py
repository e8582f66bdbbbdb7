"""One arbitration by the model and by the reference, and where they part."""

from __future__ import annotations

from typing import Any

from ghostproof.conformance.compare import difference
from ghostproof.conformance.expect import expected
from ghostproof.conformance.refine import called, groups_of, schema_word, tools_of
from ghostproof.turn.budget import Turn, prompt_fits, schemas_fit
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.session import Arbitration
from ghostproof.turn.tool import Tool
from ghostproof.variants.arbitration import expand, gate, prune_schema
from ghostproof.variants.trims import trim_calls
from ghostproof_reference.__main__ import Case

VISITS = {"expanded": expand, "evicted": trim_calls, "pruned": prune_schema, "tombstoned": gate}
"""The model's visit that a decision of the reference must be."""


def disagreement(case: dict[str, Any], wanted: dict[str, Any] | None = None) -> str | None:
    """What the model does not allow, or else where its argument-first pruner answers otherwise; None if nowhere.

    `wanted` is that pruner's answer, where it is known.
    """
    answer = Case(case).answer()
    return forbidden(case, answer) or difference(wanted or expected("arbitrate", case), answer)


def forbidden(case: dict[str, Any], answer: dict[str, Any]) -> str | None:
    """The first decision that is no enabled visit of the model, or what the model's tools then are and the answer not.

    The order of visits is left free: only whether each may be taken where it is taken.
    """
    return _Visits(case).forbid(answer) if answer["outcome"] == "send" else None


class _Visits:
    """The tools of one case as the model has them, and what may be done to them."""

    def __init__(self, case: dict[str, Any]) -> None:
        self.tools = {tool["name"]: mapped for tool, mapped in zip(case["tools"], tools_of(case), strict=True)}
        self.groups = {group["id"]: called(group) for group in groups_of(case)}
        self.budgets, self.rest = case["budgets"], case["rest_tokens"]
        self.tombstones = case["gate"] == "tombstone"

    def forbid(self, answer: dict[str, Any]) -> str | None:
        for decision in answer["decisions"]:
            if decision["decision"] != "kept" and (said := self.take(decision)):
                return said
        # The gate also takes what no longer stands over arguments.
        for tool in self.tools.values():
            if not tool.arguments_resident:
                tool.tombstoned = False
        return self.left(answer["tools"]) or self.spent(answer["tokens"]["after"])

    def turn(self) -> Turn:
        """The numbers as they stand now, in tokens."""
        total = {"total_budget": self.budgets["total"]} if "total" in self.budgets else {}
        pair = {} if total else {f"{one}_budget": self.budgets[f"{one}s"] for one in ("argument", "schema")}
        return Arbitration(Pruner(), list(self.tools.values()), {**total, **pair}, self.rest).turn()

    def fits(self, word: str, turn: Turn) -> bool:
        """Whether the budget that this decision is to make room in holds."""
        if "total" in self.budgets:
            return prompt_fits(turn)
        if word == "pruned":
            return schemas_fit(turn)
        reserved = sum(tool.tombstone_tokens for tool in self.tools.values() if tool.arguments_resident)
        return turn.argument_tokens + reserved <= turn.argument_budget

    def take(self, decision: dict[str, Any]) -> str | None:
        """Visit the tools that a decision concerns. In the other modes the gate evicts too, whatever fits."""
        word, turn = decision["decision"], self.turn()
        concerned = self.groups[decision["group"]] if word == "evicted" else [decision["tool"]]
        if self.tombstones and word in ("evicted", "pruned") and self.fits(word, turn):
            return f"{word} {', '.join(concerned)}: not allowed where the prompt fits"
        for name in concerned:
            tool = self.tools[name]
            before = dict(tool.__dict__)
            VISITS[word](tool, turn)
            if tool.__dict__ == before:
                return f"{word} {name}: not an enabled visit of the model"
            if word == "evicted" and not tool.arguments_resident:
                tool.tombstoned = False
        return None

    def left(self, said: list[dict[str, Any]]) -> str | None:
        """What is sent, tool by tool."""
        for (name, tool), one in zip(self.tools.items(), said, strict=True):
            if tool.ghost:
                return f"{name}: a ghost is sent"
            if (found := _residency(tool)) != (wanted := (one["schema"], one["arguments"], one["tombstone"])):
                return f"{name}: after its decisions {found}, and sent is {wanted}"
        return None

    def spent(self, said: int) -> str | None:
        """What the request costs, in tokens."""
        turn, budgets = self.turn(), self.budgets
        if turn.prompt_tokens != said:
            return f"tokens: after its decisions {turn.prompt_tokens}, and said are {said}"
        if "total" in budgets:
            over = turn.prompt_tokens > budgets["total"]
            return f"tokens: {turn.prompt_tokens} are sent, and the budget is {budgets['total']}" if over else None
        if turn.history_tokens > budgets["arguments"] or turn.schema_tokens > budgets["schemas"]:
            return f"tokens: {turn.history_tokens} and {turn.schema_tokens} are sent, and the budgets are {budgets}"
        return None


def _residency(tool: Tool) -> tuple[str, bool, bool]:
    return schema_word(tool), tool.arguments_resident, tool.tombstoned
