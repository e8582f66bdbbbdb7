"""Reads `manifest.toml` into typed entries, refusing whatever the schema below does not name."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

from ghostproof.turn.environment import ENVIRONMENT_BY_NAME
from ghostproof.turn.explore import Grid
from ghostproof.turn.property import PROPERTIES
from ghostproof.turn.response import RESPONSE_BY_NAME
from ghostproof.turn.scenario import ANYTHING, ORDINARY_SESSION, Scenario
from ghostproof.turn.tool import FIXED

FOLDER = Path(__file__).parent
FILE = FOLDER / "manifest.toml"
VERDICTS = ("Proved", "ProvedUpTo", "Refuted", "Vacuous")
BUILT_IN = {"ordinary": ORDINARY_SESSION, "everything": ANYTHING}


@dataclass(frozen=True, slots=True)
class Explicit:
    """The grid that is enumerated, and how many states it has within `turns` requests, none of which violates.

    `fits` says that the counterexample lies on the grid: one request more finds it.
    """

    turns: int
    states: int
    fits: bool = True
    tools: int = 1
    sizes: tuple[int, ...] = (1,)
    budgets: tuple[int, ...] = (0, 1, 2, 3, 4)
    pinned: tuple[bool, ...] = (False,)
    mutation: tuple[bool, ...] = (True,)

    @property
    def grid(self) -> Grid:
        """As the engine takes it."""
        return Grid(self.tools, self.sizes, self.budgets, self.pinned, self.mutation)


@dataclass(frozen=True, slots=True)
class Without:
    """The scenario less what the fault needs, and the verdict there."""

    verdict: str
    actions: tuple[str, ...] = ()
    fixed: Mapping[str, bool | int] | None = None
    constant_budgets: bool | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the manifest: what is asked, and what every engine must answer."""

    target: str
    reason: str
    verdict: str
    scenario: str
    explicit: Explicit
    judged: str = "no_ghost"
    requests: int = 0
    tools: int = 0
    tokens: int = 0
    without: Without | None = None

    def __str__(self) -> str:
        return f"{self.target}-{self.scenario}-{self.judged}".replace(" ", "-")

    @property
    def minimal(self) -> tuple[int, int, int]:
        """Requests, tools and tokens of a minimal counterexample; zeros where there is none."""
        return (self.requests, self.tools, self.tokens)


def _made(kind: type[Any], table: Mapping[str, Any], where: str) -> Any:
    known = {field.name: field for field in fields(kind)}
    unknown = set(table) - set(known)
    assert not unknown, f"{where}: unknown keys {sorted(unknown)}"
    needed = {name for name, field in known.items() if field.default is MISSING}
    assert needed <= set(table), f"{where}: lacks {sorted(needed - set(table))}"
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in table.items()}
    for name, value in values.items():
        expected = str(known[name].type)
        _check_type(value, expected, f"{where}.{name}")
    return kind(**values)


def _check_type(value: object, expected: str, where: str) -> None:
    base = expected.split(" | ")[0]
    if base.startswith("tuple["):
        inner = base.removeprefix("tuple[").split(",")[0]
        assert isinstance(value, tuple), f"{where} is no list"
        assert value or where.endswith("actions"), f"{where} is empty"
        for item in value:
            _check_type(item, inner, where)
    elif base in ("str", "int", "bool"):
        assert type(value).__name__ == base, f"{where} is no {base}"


def scenarios() -> dict[str, Scenario]:
    """The scenarios by name: the two that ship, and those of the manifest, which differ from `ordinary` as stated."""
    found = dict(BUILT_IN)
    for name, table in _document()["scenario"].items():
        changed: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in table.items()
        }
        scenario = replace(ORDINARY_SESSION, name=name, **changed)
        assert set(scenario.environment) <= set(ENVIRONMENT_BY_NAME), f"scenario {name}"
        assert set(scenario.responses) <= set(RESPONSE_BY_NAME), f"scenario {name}"
        assert set(scenario.fixed) <= set(FIXED), f"scenario {name}"
        found[name] = scenario
    return found


def reduced(scenario: Scenario, without: Without) -> Scenario:
    """`scenario` less what `without` names."""
    named = set(scenario.environment) | set(scenario.responses)
    assert set(without.actions) <= named, f"{without.actions} are not all in scenario {scenario.name}"
    return replace(
        scenario,
        name=f"{scenario.name}, reduced",
        environment=tuple(name for name in scenario.environment if name not in without.actions),
        responses=tuple(name for name in scenario.responses if name not in without.actions),
        constant_budgets=scenario.constant_budgets if without.constant_budgets is None else without.constant_budgets,
        fixed={**scenario.fixed, **(without.fixed or {})},
    )


@cache
def _document() -> dict[str, Any]:
    return tomllib.loads(FILE.read_text())


def entries() -> list[Entry]:
    """Every entry, checked against the schema. Raises AssertionError with the place of the first thing wrong."""
    document = _document()
    assert set(document) == {"scenario", "pruner"}
    known = scenarios()
    found = []
    for number, table in enumerate(document["pruner"], start=1):
        where = f"pruner {number} ({table.get('target')})"
        parts = dict(table)
        parts["explicit"] = _made(Explicit, table.get("explicit", {}), f"{where}.explicit")
        if "without" in table:
            parts["without"] = _made(Without, table["without"], f"{where}.without")
        entry: Entry = _made(Entry, parts, where)
        assert entry.verdict in VERDICTS, where
        assert entry.scenario in known, f"{where}: no scenario {entry.scenario}"
        assert entry.judged in PROPERTIES, where
        refuted = entry.verdict == "Refuted"
        assert all((size > 0) == refuted for size in entry.minimal), f"{where}: sizes of a counterexample"
        assert re.fullmatch(r"[A-Z][^.]*\.", entry.reason), f"{where}: the reason is no one sentence"
        found.append(entry)
    return found
