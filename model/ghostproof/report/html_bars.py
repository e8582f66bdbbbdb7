"""Token budgets as bars: what each budget pays for, stacked, against the budget, with the numbers in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ghostproof.report.markup import Markup, element
from ghostproof.report.words import count
from ghostproof.turn.budget import totals
from ghostproof.turn.tool import Tool
from ghostproof.turn.trace import Snapshot

# What each budget pays for: the name of the whole, and the parts of it. A prompt without any budget is shown whole.
PAYS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "total_budget": ("prompt", ("schema", "arguments", "tombstone", "rest")),
    "schema_budget": ("schemas", ("schema",)),
    "argument_budget": ("history", ("arguments", "tombstone")),
    "": ("prompt", ("schema", "arguments", "tombstone", "rest")),
}


def _parts(tools: Iterable[Snapshot], rest: int) -> dict[str, int]:
    sums = totals(Tool(tool) for tool in tools)
    return {
        "schema": sums["schema_tokens"],
        "arguments": sums["argument_tokens"],
        "tombstone": sums["tombstone_tokens"],
        "rest": rest,
        "owed": sums["tombstone_demand_tokens"] - sums["tombstone_tokens"],
    }


def scales(
    budgets: Sequence[str], states: Iterable[Sequence[Snapshot]], numbers: Iterable[Mapping[str, int]], rest: int
) -> dict[str, int]:
    """For each budget the most tokens that any of its bars has to show."""
    most = dict.fromkeys(budgets or ("",), 1)
    spent = [_parts(tools, rest) for tools in states]
    given = list(numbers)
    for name in most:
        _, kinds = PAYS[name]
        owed = ("owed",) if "rest" in kinds else ()
        used = [sum(parts[kind] for kind in (*kinds, *owed)) for parts in spent]
        most[name] = max([1, *used, *(turn[name] for turn in given if name)])
    return most


def bar(
    budgets: Sequence[str], tools: Sequence[Snapshot], numbers: Mapping[str, int], scale: Mapping[str, int]
) -> Markup:
    """A bar for each budget of the pruner, one under the other."""
    parts = _parts(tools, numbers["rest_tokens"])
    return Markup("".join(_bar(name, parts, numbers, scale[name]) for name in budgets or ("",)))


def _bar(name: str, parts: Mapping[str, int], numbers: Mapping[str, int], most: int) -> Markup:
    whole, kinds = PAYS[name]
    spent = sum(parts[kind] for kind in kinds)
    owed = parts["owed"] if "rest" in kinds else 0
    limit = numbers[name] if name else None
    pieces = [
        element("span", class_=f"piece {kind}", style=f"width:{_share(parts[kind], most)}")
        for kind in kinds
        if parts[kind]
    ]
    if owed:
        pieces.append(element("span", class_="piece owed", style=f"width:{_share(owed, most)}"))
    over = limit is not None and spent > limit
    if limit is not None:
        pieces.append(element("span", class_="limit", style=f"left:{_share(limit, most)}"))
    spending = count(spent, "token") if limit is None else f"{spent:,} of {count(limit, 'token')}"
    said = f"{whole} {spending}" + (", over budget" if over else "")
    said += f", {owed:,} owed for tombstones" if owed else ""
    return element(
        "div",
        element("div", *pieces, class_="track", aria_hidden="true"),
        element("span", said, class_="said"),
        class_=f"bar{' over' if over else ''}",
    )


def _share(tokens: int, most: int) -> str:
    # Integers first: sizes of a session may be larger than any float.
    return f"{min(10000, tokens * 10000 // most) / 100:g}%"
