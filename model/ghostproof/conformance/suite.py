"""The vectors that ship with ghostproof, and how they stand in their file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from importlib.resources import files
from typing import Any

VERSION = "1.1.0"
"""Of the suite: the first number changes when an answer that was right becomes wrong."""

SCHEMA = 1
"""Of the file: how a vector is written down."""

CAPABILITIES = ("separate-budgets", "gate-evict", "gate-strict")
FILE = "vectors.json"
COUNTEREXAMPLES = "counterexamples.json"
"""Cases that the claims' refutations gave, with where each comes from; of the other refutations, why they gave none."""

ISSUED = "issued.txt"
"""Every id ever issued with the suite that first had it, and with the one that retired it, if any."""


@dataclass(frozen=True, slots=True)
class Vector:
    """One case with its answer. `needs` are capabilities: a vector that needs none is required."""

    id: str
    kind: str
    title: str
    origin: str
    rules: tuple[str, ...]
    needs: tuple[str, ...]
    case: Mapping[str, Any]
    expected: Mapping[str, Any]

    @property
    def required(self) -> bool:
        """Whether every program has to answer it."""
        return not self.needs

    @property
    def reason(self) -> str:
        """Why it is required or optional."""
        return f"optional: needs {', '.join(self.needs)}" if self.needs else "required: every gate decides this"


def identify(kind: str, case: Mapping[str, Any]) -> str:
    """The id of a case: a digest of what is asked, so that it can never come to mean something else."""
    text = json.dumps([kind, case], sort_keys=True, separators=(",", ":"))
    return f"{kind[0]}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def needs(case: Mapping[str, Any]) -> tuple[str, ...]:
    """The capabilities that a program must have to be asked this."""
    found = ["separate-budgets"] if case.get("budgets", {}).get("kind") == "separate" else []
    return (*found, f"gate-{case['gate']}") if case.get("gate", "tombstone") != "tombstone" else tuple(found)


def render(vectors: Iterable[Vector]) -> str:
    """The text of the file: one vector a line, sorted by id."""
    lines = []
    for vector in sorted(vectors, key=lambda one: one.id):
        shown = asdict(vector) | {"required": vector.required, "reason": vector.reason}
        lines.append(json.dumps(shown, sort_keys=True, separators=(",", ":")))
    return f'{{"schema": {SCHEMA}, "suite": "{VERSION}", "vectors": [\n' + ",\n".join(lines) + "\n]}\n"


def parse(text: str) -> list[Vector]:
    """The vectors of a file. Raises ValueError for a schema that is not known here."""
    document = json.loads(text)
    if document["schema"] != SCHEMA:
        raise ValueError(f"vectors are written in schema {document['schema']}, and this ghostproof knows {SCHEMA}")
    return [
        Vector(
            **{name: str(one[name]) for name in ("id", "kind", "title", "origin")},
            rules=tuple(one["rules"]),
            needs=tuple(one["needs"]),
            case=one["case"],
            expected=one["expected"],
        )
        for one in document["vectors"]
    ]


def shipped() -> list[Vector]:
    """The vectors of this version."""
    return parse(read(FILE))


def read(name: str) -> str:
    """The text of a file beside the vectors."""
    return files("ghostproof.conformance").joinpath("vectors", name).read_text(encoding="utf-8")
