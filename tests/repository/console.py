"""Runs the console blocks of a document and compares what they print.

A block marked `console` holds commands and their output:

    $ ghostproof check docs/examples/unsafe.py:PRUNER   # exit 1
    refuted: ... in 3 requests (… s)
    ...
    turn 3: ghost

- A line that starts with `$ ` is a command for sh; `> ` continues it. The lines that follow are what it prints,
  standard error included. It must end with exit code 0, or with N if the line ends in `# exit N`.
- `…` within a line stands for any text, a line `...` for any lines, also none. Spaces at the end of a line don't count.
- A block runs in a fresh copy of the checkout, in its root, 100 columns wide and without colour. Commands that need
  each other stand in one block. A block with a file name behind its language (```python mine.py) is written to that
  file before any later block of the document runs.
- `make prove` runs as `ghostproof prove`, `uv run ghostproof` as `ghostproof`. Other commands that set up or fetch
  (make, uv, pip, git, cd, pytest) are not run: their targets, extras and scripts must exist, and they must show no
  output, which nothing would check.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import ndiff
from pathlib import Path

from repository.markdown import Fence
from repository.tree import copy_checkout, make_targets, settings

EXIT = re.compile(r"\s+# exit (\d+)$")
TOO_LONG_S = 300


class WrongDocumentError(Exception):
    """What a block says is not so."""


@dataclass(frozen=True, slots=True)
class Command:
    """One command of a console block, the exit code and the output that the document promises."""

    text: str
    exit_code: int
    output: tuple[str, ...]


def commands(block: Fence) -> list[Command]:
    """The commands of a console block."""
    typed: list[tuple[list[str], list[str]]] = []
    for number, line in enumerate(block.lines, start=block.line):
        if line.startswith("$ "):
            typed.append(([line[2:]], []))
        elif not typed:
            raise WrongDocumentError(f"line {number}: a console block begins with a command: '$ ...'")
        elif line.startswith("> ") and not typed[-1][1] and typed[-1][0][-1].endswith("\\"):
            typed[-1][0].append(line[2:])
        else:
            typed[-1][1].append(line.rstrip())
    return [_command("\n".join(text), output) for text, output in typed]


def _command(text: str, output: list[str]) -> Command:
    found = EXIT.search(text)
    while output and not output[-1]:
        output.pop()
    return Command(EXIT.sub("", text), int(found[1]) if found else 0, tuple(output))


def matches(expected: Sequence[str], printed: Sequence[str]) -> bool:
    """Whether what was printed fits what the document shows, wildcards included."""
    pattern = "".join(
        r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line.rstrip()).replace("…", ".*") + r"\n"
        for line in expected
    )
    return re.fullmatch(pattern, "".join(f"{line.rstrip()}\n" for line in printed)) is not None


def to_run(text: str) -> str | None:
    """What stands for this command in a test: itself, an equivalent, or None where it is only checked."""
    parts = [_part(part.strip()) for part in text.split("&&")]
    return " && ".join(part for part in parts if part) or None


def _part(text: str) -> str | None:
    words = shlex.split(text, comments=True)
    match words:
        case ["make", *arguments]:
            return _make(text, arguments)
        case ["uv", "run", *rest] if rest:
            scripts = {*settings()["project"]["scripts"], "pytest", "python"}
            if rest[0] not in scripts:
                raise WrongDocumentError(f"'{text}': uv run knows {', '.join(sorted(scripts))}")
            return text.split(maxsplit=2)[2] if rest[0] == "ghostproof" else None
        case ["pip" | "uv", *_] | [_, "-m", "pip" | "venv", *_]:
            known = {*settings()["project"]["optional-dependencies"], *settings()["dependency-groups"]}
            named = re.split(r"[\s,]+", " ".join(re.findall(r"\[\s*(.*?)\s*\]", text)))
            if unknown := {name for name in named if name} - known:
                raise WrongDocumentError(f"'{text}': pyproject.toml has no extra {', '.join(unknown)}")
            return None
        case ["git" | "cd" | "pytest", *_] | []:
            return None
    return text


def _make(text: str, arguments: list[str]) -> str | None:
    targets = [word for word in arguments if "=" not in word]
    if unknown := [target for target in targets if target not in make_targets()]:
        raise WrongDocumentError(f"'{text}': the Makefile has no target {', '.join(unknown)}")
    if targets != ["prove"]:
        return None
    passed_on = [word.removeprefix("ARGS=") for word in arguments if word.startswith("ARGS=")]
    return " ".join(["ghostproof prove", *passed_on])


class Scratch:
    """A copy of the checkout in which `ghostproof` is the copy's own code."""

    def __init__(self, folder: Path) -> None:
        self.root = copy_checkout(folder / "ghostproof")
        self._bin = folder / "bin"
        self._bin.mkdir()
        self._script()
        self._metadata()

    def write(self, block: Fence) -> None:
        """The file that a titled block stands for."""
        (self.root / block.title).write_text(block.text)

    def run(self, block: Fence) -> None:
        """Run the block's commands in order and raise WrongDocumentError at the first that differs."""
        for command in commands(block):
            text = to_run(command.text)
            if text is None and command.output:
                raise WrongDocumentError(
                    f"'{command.text}' is not run by the tests, so what it prints must not be shown"
                )
            if text is not None:
                self._compare(command, text)

    def _compare(self, command: Command, text: str) -> None:
        done = subprocess.run(
            ["/bin/sh", "-c", text],
            cwd=self.root,
            env=self._environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=TOO_LONG_S,
            text=True,
            check=False,
        )
        printed = done.stdout.rstrip().splitlines()
        if done.returncode != command.exit_code:
            raise WrongDocumentError(
                f"'{command.text}' ended with {done.returncode}, not {command.exit_code}, and printed:\n{done.stdout}"
            )
        if not matches(command.output, printed):
            difference = "\n".join(ndiff(command.output, [line.rstrip() for line in printed]))
            raise WrongDocumentError(f"'{command.text}' prints something else (- document, + program):\n{difference}")

    def _environment(self) -> dict[str, str]:
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "GHOSTPROOF", "MAKE"))
        }
        roots = [self.root.parent / "metadata", self.root / "model", self.root / "proofs", self.root / "reference_impl"]
        path = [str(self._bin), str(Path(sys.executable).parent), kept.get("PATH", "")]
        return kept | {
            "PATH": os.pathsep.join(path),
            "PYTHONPATH": os.pathsep.join(map(str, roots)),
            "PYTHONUNBUFFERED": "1",
            "PYTHONIOENCODING": "utf-8",
            "COLUMNS": "100",
            "NO_COLOR": "1",
            "TERM": "dumb",
        }

    def _script(self) -> None:
        module, _, function = settings()["project"]["scripts"]["ghostproof"].partition(":")
        script = self._bin / "ghostproof"
        script.write_text(f"#!{sys.executable}\nimport sys\nfrom {module} import {function}\nsys.exit({function}())\n")
        script.chmod(0o755)

    def _metadata(self) -> None:
        """What an installation would write, so that entry points are found without one."""
        project = settings()["project"]
        folder = self.root.parent / "metadata" / f"ghostproof-{project['version']}.dist-info"
        folder.mkdir(parents=True)
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: ghostproof\nVersion: {project['version']}\n")
        sections = [
            f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in points.items())
            for group, points in project["entry-points"].items()
        ]
        (folder / "entry_points.txt").write_text("\n".join(sections))
