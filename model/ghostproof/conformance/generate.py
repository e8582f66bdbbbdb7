"""Makes the vectors from the model: `python -m ghostproof.conformance.generate`. The same bytes every time."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ghostproof.conformance import paths
from ghostproof.conformance.draw import Case, Draw, at_edges, draw_case, rules, signature
from ghostproof.conformance.expect import expected
from ghostproof.conformance.suite import COUNTEREXAMPLES, FILE, ISSUED, VERSION, Vector, identify, needs, read, render

DRAWS = (
    ("tombstone", False, 500),
    ("tombstone", True, 60),
    ("evict", False, 30),
    ("evict", True, 30),
    ("strict", False, 30),
    ("strict", True, 80),
)
"""Gate mode, separate budgets, how many cases are drawn. Each is asked at every edge of its budget."""


def drawn(mode: str, separate: bool, count: int) -> Iterator[Vector]:
    """The smallest case of each kind that a draw shows."""
    found: dict[tuple[object, ...], tuple[tuple[int, int], Case]] = {}
    draw = Draw(1)
    for _ in range(count):
        for case in at_edges(draw_case(draw, mode, separate)):
            shown = signature(case, expected("arbitrate", case))
            size = (len(case["tools"]), len(case["history"]))
            if shown not in found or size < found[shown][0]:
                found[shown] = (size, case)
    for _, case in found.values():
        yield vector("arbitrate", case, "drawn, at the edge of a budget")


def judged(count: int = 400) -> Iterator[Vector]:
    """Requests as they are sent: every combination of what makes a ghost, found among drawn histories."""
    found: dict[tuple[object, ...], Case] = {}
    draw = Draw(2)
    for _ in range(count):
        case = draw_case(draw, "tombstone", separate=False)
        asked = {"tools": case["tools"], "history": case["history"]}
        for tool in asked["tools"]:
            called = any(call["tool"] == tool["name"] for item in asked["history"] for call in item.get("calls", []))
            marked = any(item.get("tool") == tool["name"] for item in asked["history"])
            found.setdefault((tool["schema"], called, marked, tool["effect"], tool["pinned"]), asked)
    for asked in found.values():
        yield vector("judge", asked, "drawn")


def from_paths() -> Iterator[Vector]:
    """One for each path of each pass, at its guards' boundaries."""
    for origin, case in paths.cases():
        yield vector("arbitrate", case, origin)


def from_counterexamples() -> Iterator[Vector]:
    """The turns in which broken pruners of the claims fail (`ghostproof_proofs.counterexamples`), as far as a case can
    say them."""
    for one in json.loads(read(COUNTEREXAMPLES)):
        if "case" in one:
            yield vector("arbitrate", one["case"], one["origin"])


def vector(kind: str, case: Mapping[str, Any], origin: str) -> Vector:
    """The vector that asks this."""
    answer = expected(kind, case)
    obeyed = ("J1", "J2") if kind == "judge" else rules(dict(case), answer)
    return Vector(identify(kind, case), kind, _title(answer), origin, obeyed, needs(case), case, answer)


def _title(answer: Mapping[str, Any]) -> str:
    if "ghosts" in answer:
        return f"ghosts: {', '.join(answer['ghosts']) or 'none'}"
    if answer["outcome"] == "budget-exceeded":
        return f"the {answer['budget']} budget is exceeded"
    if answer["outcome"] == "ghost-tool-invariant":
        return f"nothing may be done about {', '.join(answer['tools'])}"
    return ", ".join(f"{one['decision']} {one.get('tool', one.get('group'))}" for one in answer["decisions"])


def distinct(vectors: Iterable[Vector]) -> list[Vector]:
    """Each case once; the first origin counts."""
    found: dict[str, Vector] = {}
    for one in vectors:
        found.setdefault(one.id, one)
    return list(found.values())


def everything() -> list[Vector]:
    """The whole suite."""
    vectors = [*from_counterexamples(), *from_paths(), *judged()]
    for mode, separate, count in DRAWS:
        vectors += drawn(mode, separate, count)
    return distinct(vectors)


def issued(before: str, vectors: Iterable[Vector]) -> str:
    """The register of ids, brought up to date: one a line, with the suite that issued it and the one that retired it.

    Raises ValueError if a retired id would be used again.
    """
    now = {one.id for one in vectors}
    register: dict[str, list[str]] = {}
    for line in before.splitlines():
        name, *versions = line.split()
        register[name] = versions
    for name, versions in register.items():
        if len(versions) == 2 and name in now:
            raise ValueError(f"{name} was retired by suite {versions[1]} and cannot be used again")
        if len(versions) == 1 and name not in now:
            versions.append(VERSION)
    for name in now - register.keys():
        register[name] = [VERSION]
    return "".join(f"{name} {' '.join(versions)}\n" for name, versions in sorted(register.items()))


def main() -> None:
    """Write the vectors and the register."""
    folder = Path(__file__).parent / "vectors"
    folder.mkdir(exist_ok=True)
    vectors = everything()
    register = read(ISSUED) if (folder / ISSUED).exists() else ""
    (folder / ISSUED).write_text(issued(register, vectors), encoding="utf-8")
    (folder / FILE).write_text(render(vectors), encoding="utf-8")


if __name__ == "__main__":
    main()
