"""Runs SPIN on a program of ours, with the options that the command advises."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

MISSING = [program for program in ("spin", "gcc") if shutil.which(program) is None]
WHY_NOT = f"not compared with SPIN, since there is no {' and no '.join(MISSING)} (Debian: apt install spin gcc)"


@dataclass(frozen=True, slots=True)
class Said:
    """What one search said: whether an assertion failed, how many states it stored, and all of its words."""

    violated: bool
    states: int
    text: str


class Pan:
    """The compiled search of one program."""

    def __init__(self, text: str, folder: Path) -> None:
        self._folder = folder
        (folder / "model.pml").write_text(text)
        self._run("spin", "-a", "-o2", "model.pml")
        self._run("gcc", "-O1", "-DSAFETY", "-DREACH", "-DNOREDUCE", "-o", "pan", "pan.c")

    def _run(self, *command: str) -> str:
        done = subprocess.run(
            command, cwd=self._folder, capture_output=True, text=True, errors="replace", check=False, timeout=120
        )
        assert done.returncode == 0, (done.stdout + done.stderr)[:2000]
        return done.stdout

    def search(self, depth: int) -> Said:
        """The search to `depth` steps."""
        text = self._run("./pan", f"-m{depth}", "-w16")
        stored = re.search(r"(\d+) states, stored", text)
        assert stored, text
        errors = re.search(r"errors: (\d+)", text)
        assert errors, text
        violated = "assertion violated" in text
        assert violated == (errors[1] != "0"), text  # nothing but the property may fail
        return Said(violated, int(stored[1]), text)
