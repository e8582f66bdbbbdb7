"""One arbitration by the model and by the reference, and where they part."""

from __future__ import annotations

from typing import Any

from ghostproof.conformance.compare import difference
from ghostproof.conformance.expect import expected
from ghostproof.conformance.refine import called, groups_of, tools_of
from ghostproof.turn.budget import Turn, prompt_fits
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.session import Arbitration
from ghostproof.turn.tool import Tool
from ghostproof.variants.arbitration import expand, gate, prune_schema
from ghostproof.variants.trims import trim_calls
from ghostproof_reference.__main__ import Case

VISITS = {"expanded": expand, "evicted": trim_calls, "pruned": prune_schema, "tombstoned": gate}
"""The model's visit that a decision of the reference must be."""


def disagreement(case: dict[str, Any]) -> str | None:
    """What the model does not allow, or else where its argument-first pruner answers otherwise; None if nowhere."""
    answer = Case(case).answer()
    return forbidden(case, answer) or difference(expected("arbitrate", case), answer)


def forbidden(case: dict[str, Any], answer: dict[str, Any]) -> str | None:
    """The first decision that is no enabled visit of the model, or what the model's tools then are and the answer not.

    The order of visits is left free: only whether each may be taken where it is taken. Joint budgets, mode tombstone.
    """
    if answer["outcome"] != "send":
        return None
    names = [tool["name"] for tool in case["tools"]]
    by_name = dict(zip(names, tools_of(case), strict=True))
    groups = {group["id"]: called(group) for group in groups_of(case)}
    total, rest = case["budgets"]["total"], case["rest_tokens"]

    def numbers() -> Turn:
        return Arbitration(Pruner(), list(by_name.values()), {"total_budget": total}, rest).turn()

    for decision in answer["decisions"]:
        word = decision["decision"]
        if word == "kept":
            continue
        turn = numbers()
        concerned = groups[decision["group"]] if word == "evicted" else [decision["tool"]]
        if word in ("evicted", "pruned") and prompt_fits(turn):
            return f"{word} {', '.join(concerned)}: not allowed where the prompt fits"
        for name in concerned:
            before = dict(by_name[name].__dict__)
            VISITS[word](by_name[name], turn)
            if by_name[name].__dict__ == before:
                return f"{word} {name}: not an enabled visit of the model"
            if word == "evicted" and not by_name[name].arguments_resident:
                by_name[name].tombstoned = False
    # The gate also takes what no longer stands over arguments.
    for tool in by_name.values():
        if not tool.arguments_resident:
            tool.tombstoned = False
    for name, said in zip(names, answer["tools"], strict=True):
        if by_name[name].ghost:
            return f"{name}: a ghost is sent"
        if (found := _residency(by_name[name])) != (wanted := (said["schema"], said["arguments"], said["tombstone"])):
            return f"{name}: after its decisions {found}, and sent is {wanted}"
    tokens = numbers().prompt_tokens
    if tokens != answer["tokens"]["after"]:
        return f"tokens: after its decisions {tokens}, and said are {answer['tokens']['after']}"
    return f"tokens: {tokens} are sent, and the budget is {total}" if tokens > total else None


def _residency(tool: Tool) -> tuple[str, bool, bool]:
    schema = "withheld" if not tool.schema_shown else "lossy" if tool.schema_lossy else "shown"
    return schema, tool.arguments_resident, tool.tombstoned
