"""The layout holds: short files, one place for each import, nothing private, a cheap start."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from repository.tree import ROOT, project_files, settings

ROOTS = ("model", "proofs", "reference_impl")
SOURCES = [file for file in project_files() if file.parts[0] in ROOTS and file.suffix == ".py"]
PACKAGES = sorted({file.parent for file in SOURCES})
LINES_MAX = 400
# One file on purpose: who checks a certificate reads all of it, and nothing else.
LONGER = {Path("model/ghostproof/verifier/verify.py"): 499}


@pytest.mark.parametrize("source", SOURCES, ids=str)
def test_a_source_file_is_short(source: Path) -> None:
    count = len((ROOT / source).read_text().splitlines())
    assert count <= LONGER.get(source, LINES_MAX), f"{source} has {count} lines: which noun is missing?"


@pytest.mark.parametrize("package", PACKAGES, ids=str)
def test_an_init_file_is_a_docstring(package: Path) -> None:
    """Import the module that defines a name: then the arrow says where the thing lives."""
    if len(package.parts) == 1:
        assert not (ROOT / package / "__init__.py").exists(), f"{package} is a source root, not a package"
        return
    body = ast.parse((ROOT / package / "__init__.py").read_text()).body
    assert len(body) == 1
    assert isinstance(body[0], ast.Expr)
    assert isinstance(body[0].value, ast.Constant)
    assert isinstance(body[0].value.value, str)


def test_each_distributed_package_carries_its_types() -> None:
    for package in settings()["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]:
        assert (ROOT / package / "py.typed").exists()


# Written so that this file does not contain what it looks for.
PRIVATE = {
    "a path of somebody's machine": r"/wor[k]/|/roo[t]/|/home/[a-z]+/|/Users/[A-Za-z]+/|/tmp/ven[v]",
    "the host of a package registry": r"py[p]i\.org|python[h]osted|registry\.np[m]js|deb\.deb[i]an\.org",
    "a line about who or what wrote it": r"(?i)co-authored[-]by:|generated (with|by) \[",
    "the mark of an unfinished merge": r"(?m)^(<{7}|>{7}) ",
}


@pytest.mark.parametrize("what", PRIVATE)
def test_no_file_contains(what: str) -> None:
    found = [
        f"{file}:{number}"
        for file in project_files()
        for number, line in enumerate((ROOT / file).read_text(errors="replace").splitlines(), start=1)
        if re.search(PRIVATE[what], line)
    ]
    assert not found


def test_the_search_for_private_strings_finds_them() -> None:
    planted = ["/" + "work/x", "files.python" + "hosted.org", "Co-authored" + "-by: x", "<" * 7 + " HEAD"]
    for what, text in zip(PRIVATE, planted, strict=True):
        assert re.search(PRIVATE[what], text), what


# ---- imports ------------------------------------------------------------------------------------------------------


def test_every_package_stands_in_a_contract() -> None:
    """A new package must say what it may import: import-linter only looks at the ones it was told about."""
    named = {
        name
        for contract in settings()["tool"]["importlinter"]["contracts"]
        for name in contract.get("source_modules", [])
    }
    ours = {".".join(package.parts[1:]) for package in PACKAGES if len(package.parts) == 3}
    assert ours <= named


def imported(source: Path) -> set[str]:
    """Whole names of the modules that a file imports, wherever in the file."""
    names: set[str] = set()
    for node in ast.walk(ast.parse((ROOT / source).read_text())):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{source} imports relatively"
            names.add(node.module or "")
    return names


# Each file here is for an extra, and says so when it is missing.
ADAPTERS = "reference_impl/ghostproof_reference/adapters"
STANDARD_LIBRARY_ONLY = {"model/ghostproof/turn": "ghostproof.turn", "reference_impl": "ghostproof_reference"}


@pytest.mark.parametrize("folder", STANDARD_LIBRARY_ONLY)
def test_the_meaning_needs_the_standard_library_only(folder: str) -> None:
    own = STANDARD_LIBRARY_ONLY[folder]
    for source in SOURCES:
        if source.is_relative_to(folder) and not source.is_relative_to(ADAPTERS):
            foreign = {
                name
                for name in imported(source)
                if name.split(".")[0] not in sys.stdlib_module_names and name != own and not name.startswith(f"{own}.")
            }
            assert not foreign, f"{source} imports {foreign}"


HEAVY = ("z3", "cvc5", "networkx", "hypothesis", "rich", "langchain", "langchain_core", "langgraph", "asyncio")


def heavy_modules_after(start: str) -> list[str]:
    """Those that a new interpreter has loaded when it ends, having run `start`."""
    report = f"print('\\nheavy:', *[name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", f"import atexit, sys\natexit.register(lambda: {report})\n{start}\n"],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(str(ROOT / root) for root in ROOTS)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return done.stdout.splitlines()[-1].split()[1:]


def test_importing_the_command_line_loads_nothing_heavy() -> None:
    assert heavy_modules_after("import ghostproof.cli") == []


def test_help_loads_nothing_heavy() -> None:
    assert heavy_modules_after("from ghostproof.cli import main; sys.argv[1:] = ['--help']; sys.exit(main())") == []


def test_something_heavy_is_noticed() -> None:
    assert heavy_modules_after("import asyncio") == ["asyncio"]
