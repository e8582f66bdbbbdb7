"""Bundles for the tests: made once, verified in this process, and tampered with by an attacker who knows the format."""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

from ghostproof import cli
from ghostproof.certify.bundle import MANIFEST, SEAL, as_json, digest, scripts, spelled
from ghostproof.verifier import verify

ARGUMENT_FIRST = "ghostproof.variants.arbitration:argument_first"

# Its gate is not last, so its invariant has something to say at every place from there on.
NEEDS_AN_INVARIANT = """
from ghostproof.turn.budget import Turn, prompt_fits
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.tool import Tool

PATIENCE = 7


def hide(tool: Tool, turn: Turn) -> None:
    if tool.schema_shown and not tool.pinned:
        tool.hide_schema()


def gate(tool: Tool, turn: Turn) -> None:
    if tool.arguments_resident and not tool.schema_resident:
        tool.tombstoned = True


def forget(tool: Tool, turn: Turn) -> None:
    if tool.idle_turns > PATIENCE and not tool.pinned:
        tool.evict_call()


PRUNER = Pruner(Pass(hide, until=prompt_fits), Pass(gate), Pass(forget, until=prompt_fits), name="gate, then forget")
"""


@contextlib.contextmanager
def searchable() -> Iterator[None]:
    """Child processes find what this process finds."""
    path = os.pathsep.join(place for place in sys.path if isinstance(place, str))
    with patch.dict(os.environ, {"PYTHONPATH": path}):
        yield


def run(function: Callable[[], int]) -> tuple[int, str]:
    """The exit code of `function`, and what it said."""
    said = io.StringIO()
    with searchable(), contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = function()
    return code, said.getvalue()


def certified(target: str, folder: Path, *options: str) -> Path:
    """A bundle of `target` in `folder`."""
    code, said = run(lambda: cli.main(["certify", target, "-o", str(folder), *options]))
    assert code == 0, said
    return folder


def verified(folder: Path, *options: str) -> tuple[int, str]:
    """The verifier's exit code and answer."""
    with patch.object(sys, "argv", ["verify.py", str(folder), *options]):
        return run(verify.main)


class Attacker:
    """Changes a bundle and makes its scripts and digests agree with the change, as anybody can."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files: dict[str, Any] = {}
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                text = file.read_text()
                self.files[file.relative_to(folder).as_posix()] = json.loads(text) if file.suffix == ".json" else text

    @property
    def manifest(self) -> dict[str, Any]:
        """What manifest.json holds."""
        data: dict[str, Any] = self.files[MANIFEST]
        return data

    @property
    def system(self) -> dict[str, Any]:
        """What system.json holds."""
        data: dict[str, Any] = self.files["system.json"]
        return data

    @property
    def invariant(self) -> dict[str, str]:
        """What invariant.json holds."""
        data: dict[str, str] = self.files["invariant.json"]
        return data

    def command(self, name: str) -> dict[str, Any]:
        """The bundled command of this name."""
        return next(item for item in self.system["commands"] if item["name"] == name)

    def item(self, name: str) -> dict[str, Any]:
        """The bundled pass of this name."""
        return next(item for item in self.files["passes.json"]["passes"] if item["name"] == name)

    def rewrite_scripts(self) -> None:
        """Scripts that follow from system and invariant as they now are."""
        self.files = {name: data for name, data in self.files.items() if not name.startswith("obligations/")}
        self.files |= {f"obligations/{name}.smt2": text for name, text in scripts(self.system, self.invariant)}
        self.files["invariant.txt"] = spelled(self.invariant)

    def seal(self, *, rewrite: bool = True) -> None:
        """Write everything, digests recomputed, and with `rewrite` the scripts as well."""
        if rewrite:
            self.rewrite_scripts()
        for file in self.folder.rglob("*"):
            if file.is_file():
                file.unlink()
        texts = {name: data if isinstance(data, str) else as_json(data) for name, data in self.files.items()}
        self.manifest["files"] = {
            name: digest(text) for name, text in sorted(texts.items()) if name not in (MANIFEST, SEAL)
        }
        texts[MANIFEST] = as_json(self.manifest)
        texts[SEAL] = f"{digest(texts[MANIFEST])}  {MANIFEST}\n"
        for name, text in texts.items():
            (self.folder / name).parent.mkdir(exist_ok=True)
            (self.folder / name).write_text(text)
