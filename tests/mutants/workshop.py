"""Copies of the checkout in which mutants live: one to copy from, and one for each mutant while it is tried."""

from __future__ import annotations

import compileall
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mutants.catalogue import Mutant
from repository.tree import ROOT, project_files

ROOTS = ("model", "proofs", "reference_impl", "tests")


class StaleError(Exception):
    """The text that a mutant replaces is not there exactly once: the catalogue has to follow the source."""


class Workshop:
    """A folder with an untouched copy, whose compiled modules all later copies share."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.untouched = folder / "untouched"
        for name in project_files():
            if name.parts[0] in (*ROOTS, "docs") or len(name.parts) == 1:
                (self.untouched / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, self.untouched / name)
        for root in ROOTS[:-1]:
            compileall.compile_dir(self.untouched / root, quiet=1)

    @contextmanager
    def mutated(self, mutant: Mutant) -> Iterator[Path]:
        """A copy with the mutant in place, for as long as the context lasts. Raises StaleError."""
        with tempfile.TemporaryDirectory(dir=self._folder) as folder:
            copy = Path(folder) / "copy"
            shutil.copytree(self.untouched, copy)
            mutate(copy / mutant.file, mutant)
            yield copy


def mutate(file: Path, mutant: Mutant) -> None:
    """Put the mutant into `file`. Raises StaleError."""
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    found = text.count(mutant.old)
    if found != 1:
        raise StaleError(f"the text to replace occurs {found} times in {mutant.file}")
    file.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
    # A change of equal length within the second would pass for what was compiled before.
    for compiled in (file.parent / "__pycache__").glob(f"{file.stem}.*.pyc"):
        compiled.unlink()


def environment(copy: Path) -> dict[str, str]:
    """The environment in which a child sees `copy` and nothing else of ours; Hypothesis tries the same every time."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "FORCE_COLOR"))}
    path = [str(copy / root) for root in ROOTS]
    elsewhere = [place for place in sys.path if place and not Path(place).is_relative_to(ROOT)]
    return kept | {"PYTHONPATH": os.pathsep.join([*path, *elsewhere]), "CI": "1", "COLUMNS": "100"}
