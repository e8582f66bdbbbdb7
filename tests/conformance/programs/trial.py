"""Runs the programs of this folder against vectors."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from ghostproof.conformance.harness import Run, run
from ghostproof.conformance.program import Program
from ghostproof.conformance.suite import Vector, shipped

HERE = Path(__file__).parent
VECTORS = shipped()
BY_ID = {vector.id: vector for vector in VECTORS}


def trial(command: Sequence[str], vectors: Sequence[Vector] = VECTORS, seconds: float = 10.0) -> Run:
    """A run of a command."""
    return run(lambda: Program(command, seconds=seconds, megabytes=2048), vectors)


def python(file: str, *arguments: str) -> list[str]:
    """The command of a program here."""
    return [sys.executable, str(HERE / file), *arguments]
