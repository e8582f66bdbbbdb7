"""Runs the command as users do, in a process of its own, with claims that a test writes."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "docs" / "examples"

CATALOGUE = """
from ghostproof.turn.claim import Claim, Expected, Obligation
from ghostproof.turn.verdict import *

def claim(name, *questions):
    return Claim(name, f"title of {name}", "a statement", "a reason", "a sentence", questions)

def obligation(label, discharge, expected=Proved):
    return Obligation(label, f"{label} is so", discharge, Expected(expected))

"""
"""What the catalogues of these tests begin with."""


def catalogue(folder: Path, source: str) -> Path:
    """A folder to put on the path in which our own claims are those of `source`."""
    package = folder / "claims_of_a_test" / "ghostproof_proofs"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "catalogue.py").write_text(CATALOGUE + textwrap.dedent(source))
    return package.parent


def plug_in(folder: Path, source: str, name: str = "other") -> Path:
    """A folder to put on the path that holds an installed plug-in whose claims are those of `source`."""
    place = folder / f"plug_in_{name}"
    metadata = place / f"{name}-1.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text(f"[ghostproof.claims]\n{name} = {name}_claims:CLAIMS\n")
    (place / f"{name}_claims.py").write_text(CATALOGUE + textwrap.dedent(source))
    return place


def environment(*path: Path) -> dict[str, str]:
    """The environment of a run: `path` first, then this checkout."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "FORCE_COLOR"))}
    roots = [*path, ROOT / "model", ROOT / "proofs", ROOT / "reference_impl"]
    return kept | {"PYTHONPATH": os.pathsep.join(map(str, roots)), "COLUMNS": "100", "PYTHONIOENCODING": "utf-8"}


def ghostproof(*arguments: str, path: tuple[Path, ...] = (), cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """The finished run, its output captured."""
    return subprocess.run(
        [sys.executable, "-m", "ghostproof", *arguments],
        env=environment(*path),
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
