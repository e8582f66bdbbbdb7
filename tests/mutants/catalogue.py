"""Reads the catalogue: `model.toml`, `pruners.toml` and `checker.toml`, refusing whatever is not named here.

An entry names one replacement in one file, the fate that it must meet, and who brings that fate about.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
FILES = ("model.toml", "pruners.toml", "checker.toml")
# What a check answers, and the word with which its answer begins.
CHECKED = {"refuted": "refuted", "vacuous": "vacuous", "invalid": "invalid pruner", "disagreement": "disagreement"}
KILLED, EQUIVALENT = "killed", "equivalent"


class WrongCatalogueError(Exception):
    """An entry that cannot be meant: which, and what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Killer:
    """A test by its identifier, or a check: a target, a property and a scenario for `ghostproof check`."""

    test: str = ""
    check: str = ""
    judged: str = "no_ghost"
    scenario: str = "everything"

    def __str__(self) -> str:
        return self.test or f"check {self.check}, {self.judged}, {self.scenario}"


@dataclass(frozen=True, slots=True)
class Mutant:
    """In `file`, `old` becomes `new`; then `killer` must bring about `fate`, with `says` in what it says.

    `killed` is a failed test. `refuted` needs the requests and tools of the minimal session; `vacuous`, `invalid` and
    `disagreement` are answers of a check as well. `equivalent` changes no answer of the killer, and `reason` says why
    it cannot.
    """

    name: str
    file: str
    old: str
    new: str
    fate: str
    killer: Killer
    says: str = ""
    reason: str = ""
    requests: int = 0
    tools: int = 0
    quick: bool = False

    @property
    def declared(self) -> str:
        """The fate in words."""
        match self.fate:
            case "refuted":
                return f"refuted for {self.killer.judged} in {self.requests} requests, {self.tools} tools"
            case _:
                return CHECKED.get(self.fate, self.fate)


def mutants() -> list[Mutant]:
    """Every entry, in the order of the files. Raises WrongCatalogueError."""
    found = []
    for file in FILES:
        document = tomllib.loads((FOLDER / file).read_text(encoding="utf-8"))
        if set(document) != {"mutant"}:
            raise WrongCatalogueError(f"{file} holds something else than [[mutant]]")
        found += [mutant(entry) for entry in document["mutant"]]
    names = [item.name for item in found]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise WrongCatalogueError(f"there twice: {', '.join(sorted(twice))}")
    return found


def mutant(entry: Mapping[str, Any]) -> Mutant:
    """One entry. Raises WrongCatalogueError."""
    of_killer = {field.name for field in fields(Killer)}
    own = {field.name for field in fields(Mutant)} - {"killer"}
    name = entry.get("name")
    unknown = set(entry) - own - of_killer
    if unknown:
        raise WrongCatalogueError(f"{name}: unknown keys {', '.join(sorted(unknown))}")
    try:
        killer = Killer(**{key: value for key, value in entry.items() if key in of_killer})
        made = Mutant(killer=killer, **{key: value for key, value in entry.items() if key in own})
    except TypeError as lacking:
        raise WrongCatalogueError(f"{name}: {lacking}") from lacking
    _check(made)
    return made


def _check(made: Mutant) -> None:
    killer = made.killer
    rules = {
        "one killer, a test or a check": bool(killer.test) != bool(killer.check),
        "a fate": made.fate in (*CHECKED, KILLED, EQUIVALENT),
        "a test where it is killed, a check where a check answers": (made.fate == KILLED) <= bool(killer.test)
        and (made.fate in CHECKED) <= bool(killer.check),
        "a sign, or for an equivalent one a reason": bool(made.reason if made.fate == EQUIVALENT else made.says),
        "requests and tools where it is refuted": (made.fate == "refuted") == (made.requests > 0 and made.tools > 0),
    }
    for rule, kept in rules.items():
        if not kept:
            raise WrongCatalogueError(f"{made.name}: it must have {rule}")
