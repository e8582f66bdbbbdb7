"""The first difference between an answer and the expected one, in one line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ghostproof.report.printable import printable

UNORDERED = {"irreducible"}
MEMBERS = {
    "judge": ("ghosts", "mutation_ghosts"),
    "send": ("outcome", "decisions", "tools", "history", "tokens"),
    "budget-exceeded": ("outcome", "budget", "limit", "needed", "irreducible"),
    "ghost-tool-invariant": ("outcome", "tools"),
}
"""What is compared, in this order."""


def difference(expected: Mapping[str, Any], answer: Mapping[str, Any]) -> str | None:
    """Where `answer` first differs, what was expected there and what was found; None if nowhere."""
    for member in MEMBERS[expected.get("outcome", "judge")]:
        if member not in answer:
            return f"{member}: missing, expected {_show(expected[member])}"
        wanted, found = expected[member], answer[member]
        if member in UNORDERED and isinstance(found, list):
            wanted, found = _sorted(wanted), _sorted(found)
        if said := _differ(member, wanted, found):
            return said
    return None


def _differ(place: str, wanted: Any, found: Any) -> str | None:
    if isinstance(wanted, dict) and isinstance(found, dict):
        for name, value in wanted.items():
            if name not in found:
                return f"{place}.{name}: missing, expected {_show(value)}"
            if said := _differ(f"{place}.{name}", value, found[name]):
                return said
        return None
    if isinstance(wanted, list) and isinstance(found, list):
        for number, (one, other) in enumerate(zip(wanted, found, strict=False), start=1):
            if said := _differ(f"{place}, number {number}", one, other):
                return f"{place}, number {number}: expected {_show(one)}, found {_show(other)}"
        if len(wanted) > len(found):
            return f"{place}, number {len(found) + 1}: expected {_show(wanted[len(found)])}, found the end of the list"
        if len(found) > len(wanted):
            return f"{place}, number {len(wanted) + 1}: expected the end of the list, found {_show(found[len(wanted)])}"
        return None
    # In JSON, true is not 1.
    same = type(wanted) is type(found) and wanted == found
    return None if same else f"{place}: expected {_show(wanted)}, found {_show(found)}"


def _sorted(parts: list[Any]) -> list[Any]:
    return sorted(parts, key=lambda part: json.dumps(part, sort_keys=True))


def _show(value: Any) -> str:
    return printable(json.dumps(value, ensure_ascii=False), 160)
