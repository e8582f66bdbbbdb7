"""Cases by systematic drawing: small tools, histories and budgets, each budget at the edge of a decision and beside it.

The draw is a fixed sequence: a linear congruential generator, so that no library's change of its own can move it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ghostproof.conformance.expect import expected
from ghostproof.conformance.refine import called, groups_of, honoured

Case = dict[str, Any]


class Draw:
    """A fixed sequence of choices (the multiplier and increment are Knuth's for 64 bits)."""

    def __init__(self, seed: int) -> None:
        self._state = seed

    def below(self, count: int) -> int:
        """A number from 0 to `count` - 1."""
        self._state = (self._state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self._state >> 33) % count

    def often(self, times: int, of: int) -> bool:
        """True `times` times out of `of`, on the whole."""
        return self.below(of) < times


def draw_case(draw: Draw, mode: str, separate: bool) -> Case:
    """One case of kind arbitrate, with room for everything."""
    count = 1 + draw.below(4)
    tools = [_tool(draw, name) for name in "abcd"[:count]]
    history = _history(draw, tools, mode)
    orders = ("declared", "least-recently-called", "least-frequently-called", "largest-schema-first")
    roomy = {"kind": "separate", "arguments": 99, "schemas": 99} if separate else {"kind": "joint", "total": 99}
    return {
        "tools": tools,
        "history": history,
        "rest_tokens": draw.below(3),
        "budgets": roomy,
        "order": orders[draw.below(4)],
        "gate": mode,
    }


def _tool(draw: Draw, name: str) -> Case:
    schema = ("shown", "shown", "shown", "lossy", "withheld")[draw.below(5)]
    return {
        "name": name,
        "effect": ("mutation", "reading", "unknown")[draw.below(3)],
        "schema": schema,
        "registered": schema != "withheld" or draw.often(2, 3),
        "requested": schema != "shown" and draw.often(1, 2),
        "pinned": draw.often(1, 6),
        "schema_tokens": 1 + draw.below(4),
        "tombstone_tokens": 1 + draw.below(2),
        "idle_turns": draw.below(4),
        "calls": draw.below(4),
    }


def _history(draw: Draw, tools: list[Case], mode: str) -> list[Case]:
    sizes = {tool["name"]: 1 + draw.below(3) for tool in tools}
    names = [tool["name"] for tool in tools]
    history: list[Case] = []
    for number in range(draw.below(4)):
        first = draw.below(len(names))
        members = [names[first]]
        if mode == "tombstone" and len(names) > 1 and draw.often(1, 4):
            members.append(names[(first + 1) % len(names)])
        calls = [{"tool": name, "tokens": sizes[name]} for name in members]
        history.append({"kind": "calls", "id": f"g{number + 1}", "calls": calls})
    if mode == "tombstone":
        for tool in tools:
            if tool["schema"] != "shown" and draw.often(1, 3):
                history.insert(draw.below(len(history) + 1), {"kind": "tombstone", "tool": tool["name"]})
    return history


def at_edges(case: Case) -> Iterator[Case]:
    """The case at each budget where the answer changes, and one token below it."""
    if case["budgets"]["kind"] == "joint":
        yield from _edges(case, lambda size: {"kind": "joint", "total": size})
        return
    yield from _edges(case, lambda size: {"kind": "separate", "arguments": size, "schemas": 99})
    yield from _edges(case, lambda size: {"kind": "separate", "arguments": 99, "schemas": size})
    roomy = sum(call["tokens"] for group in groups_of(case) for call in group["calls"])
    yield from _edges(case, lambda size: {"kind": "separate", "arguments": roomy, "schemas": size})


def _edges(case: Case, budgets: Any) -> Iterator[Case]:
    last = None
    for size in range(40):
        tried = {**case, "budgets": budgets(size)}
        answer = _without_limit(expected("arbitrate", tried))
        if last is not None and answer != last:
            yield {**case, "budgets": budgets(size - 1)}
            yield tried
        last = answer


def _without_limit(answer: Mapping[str, Any]) -> Case:
    return {name: value for name, value in answer.items() if name != "limit"}


def signature(case: Case, answer: Mapping[str, Any]) -> tuple[object, ...]:
    """What a case shows: two cases that show the same need not both be asked."""
    tools = {tool["name"]: tool for tool in case["tools"]}
    words = [one["decision"] for one in answer.get("decisions", ()) if one["decision"] != "kept"]
    facts = {
        "shared group": any(len(group["calls"]) > 1 for group in groups_of(case)),
        "pinned arguments": any(tools[name]["pinned"] for group in groups_of(case) for name in called(group)),
        "honoured": any(map(honoured, tools.values())),
        "not honoured": any(tool["requested"] and not tool["registered"] for tool in tools.values()),
        "lossy": any(tool["schema"] == "lossy" for tool in tools.values()),
        "tombstone": any(item["kind"] == "tombstone" for item in case["history"]),
    }
    return (
        answer["outcome"],
        answer.get("budget"),
        tuple(dict.fromkeys(words)),
        next((name for name, held in facts.items() if held), ""),
        case["order"] if words.count("pruned") > 1 else "",
        *rules(case, answer),
    )


def rules(case: Case, answer: Mapping[str, Any]) -> tuple[str, ...]:
    """The rules of the protocol that made this answer what it is."""
    tools = {tool["name"]: tool for tool in case["tools"]}
    decisions = answer.get("decisions", [])
    words = [one["decision"] for one in decisions]
    evicted = {one["group"] for one in decisions if one["decision"] == "evicted"}
    gone = [name for group in groups_of(case) if group["id"] in evicted for name in called(group)]
    after = {tool["name"]: tool for tool in answer.get("tools", []) if isinstance(tool, dict)}
    stood = {item["tool"] for item in case["history"] if item["kind"] == "tombstone"}
    first_prune = words.index("pruned") if "pruned" in words else len(words)
    found = {
        "A1": any(tool["requested"] for tool in tools.values()),
        "A2": bool(evicted),
        "A3": any(name in stood and not after[name]["arguments"] for name in gone),
        "A4": "pruned" in words,
        "A5": _spared(case, after),
        "A6": any(honoured(tools[name]) for name in gone) or "evicted" in words[first_prune:],
        "A7": bool(stood) or "tombstoned" in words or case["gate"] != "tombstone",
        "A8": answer["outcome"] == "budget-exceeded",
        "A9": case["budgets"]["kind"] == "separate",
        "A10": case["gate"] == "evict",
        "A11": case["gate"] == "strict",
        "A12": answer["outcome"] == "ghost-tool-invariant",
    }
    return tuple(name for name, held in found.items() if held) or ("A7",)


def _spared(case: Case, after: Mapping[str, Any]) -> bool:
    """A schema was left that pruning would have replaced by a tombstone as dear."""
    if case["budgets"]["kind"] != "joint" or case["gate"] != "tombstone":
        return False
    return any(
        after[tool["name"]]["schema"] == "shown"
        and after[tool["name"]]["arguments"]
        and not tool["pinned"]
        and not honoured(tool)
        and tool["schema_tokens"] <= tool["tombstone_tokens"]
        for tool in case["tools"]
        if tool["name"] in after
    )
