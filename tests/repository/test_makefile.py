"""The Makefile on machines that lack something: one clear line, and nothing half made."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from repository.tree import ROOT, make_targets

MAKE = shutil.which("make")
pytestmark = pytest.mark.skipif(MAKE is None, reason="make is not installed")

TOO_OLD = "#!/bin/sh\nexit 1\n"
WITHOUT_VENV = '#!/bin/sh\ncase "$2" in *ensurepip*) exit 1;; *version_info*) exit 0;; esac\nexit 99\n'


def make(folder: Path, *arguments: str, **programs: str) -> subprocess.CompletedProcess[str]:
    """`make` in a folder with our Makefile, on a machine that has these programs and no others."""
    shutil.copy(ROOT / "Makefile", folder)
    shutil.copy(ROOT / "pyproject.toml", folder)
    path = folder / "path"
    path.mkdir()
    for name, text in programs.items():
        (path / name).write_text(text)
        (path / name).chmod(0o755)
    return subprocess.run(
        [str(MAKE), *arguments],
        cwd=folder,
        env={"PATH": str(path), "HOME": str(folder)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def complaint(done: subprocess.CompletedProcess[str]) -> str:
    """The one line that is not make's own report of the failed target."""
    assert done.returncode == 2
    ours, makes = done.stderr.splitlines()
    assert makes.startswith("make: ***")
    return ours


@pytest.mark.parametrize("target", ["prove", "test", "lint", "benchmark"])
def test_without_python(tmp_path: Path, target: str) -> None:
    assert complaint(make(tmp_path, target)).startswith("ghostproof: needs Python 3.11 or later")
    assert not (tmp_path / ".venv").exists()


def test_with_an_old_python(tmp_path: Path) -> None:
    assert "needs Python 3.11 or later" in complaint(make(tmp_path, "prove", python3=TOO_OLD))


def test_with_an_old_python_that_was_asked_for(tmp_path: Path) -> None:
    done = make(tmp_path, "prove", "PYTHON=python3.9", **{"python3": WITHOUT_VENV, "python3.9": TOO_OLD})
    assert "python3.9 is not" in complaint(done)


def test_without_the_venv_module(tmp_path: Path) -> None:
    line = complaint(make(tmp_path, "prove", python3=WITHOUT_VENV))
    assert "python3 cannot make environments" in line
    assert "python3-venv" in line


def test_without_the_venv_module_uv_takes_over(tmp_path: Path) -> None:
    uv = f'#!{sys.executable}\nimport sys\nprint("uv", *sys.argv[1:], file=sys.stderr)\nsys.exit(1)\n'
    done = make(tmp_path, "prove", python3=WITHOUT_VENV, uv=uv)
    assert "uv venv --quiet --clear --seed --python python3 .venv" in done.stderr.splitlines()


def test_help_lists_every_target(tmp_path: Path) -> None:
    listed = set(re.findall(r"^make (\S+)", make(tmp_path).stdout, re.MULTILINE))
    assert listed == make_targets() - {"help"}
