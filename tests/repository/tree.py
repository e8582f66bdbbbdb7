"""The files of this checkout, and copies of it."""

from __future__ import annotations

import os
import shutil
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def project_files(root: Path = ROOT) -> Iterator[Path]:
    """Every file that git would not ignore, relative to the root, committed or not, in a fixed order."""
    ignored = [".git", *_ignored_names(root)]
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not _any_match(name, ignored))
        for name in sorted(names):
            if not _any_match(name, ignored):
                yield (Path(folder) / name).relative_to(root)


def copy_checkout(target: Path) -> Path:
    """A copy of this checkout as git would store it, without environments and caches."""
    for name in project_files():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target / name, follow_symlinks=False)
    return target


def settings() -> dict[str, Any]:
    """pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


def make_targets() -> set[str]:
    """What may follow `make` on a command line."""
    lines = (ROOT / "Makefile").read_text().splitlines()
    phony = (line.removeprefix(".PHONY:").split() for line in lines if line.startswith(".PHONY:"))
    return {target for targets in phony for target in targets if "/" not in target}


def _ignored_names(root: Path) -> list[str]:
    """.gitignore holds names and patterns of names only, which keeps this short."""
    file = root / ".gitignore"
    lines = file.read_text().split() if file.exists() else []
    return [line.strip("/") for line in lines if not line.startswith("#")]


def _any_match(name: str, patterns: list[str]) -> bool:
    return any(fnmatch(name, pattern) for pattern in patterns)
