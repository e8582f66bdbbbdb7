"""The models of real runtimes get the verdicts of the table, and one gate mends each of them."""

from __future__ import annotations

import re
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

from ghostproof import variants
from ghostproof.engines.problem import Bounds
from ghostproof.examine import examine
from ghostproof.host.admit import admit
from ghostproof.host.host import LocalHost
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.scenario import ANYTHING, ORDINARY_SESSION
from ghostproof.turn.verdict import Proved, Verdict
from ghostproof.variants.anthropic_context_editing import context_editing
from ghostproof.variants.arbitration import gate
from ghostproof.variants.pairwise_eviction import pairwise
from ghostproof.variants.refract_mcp import refract
from variants.table import RUNTIMES, Row

BOUNDS = Bounds(turns=6, tools=3)
# These stand for the seed and for habits, not for one runtime.
NOT_RUNTIMES = {"arbitration", "gates", "trims"}
# Two that prune no schema, so that a proof would say nothing, and one that only makes schemas lossy.
NEVER_HIDE = (context_editing, pairwise, refract)
SOLID = replace(
    ANYTHING,
    name="every action but a lossy showing, budgets free each turn",
    environment=tuple(name for name in ANYTHING.environment if name != "schema is shown lossily"),
)


def runtime_modules() -> list[str]:
    """The files of the package that stand for runtimes."""
    files = Path(variants.__path__[0]).glob("[!_]*.py")
    return sorted(file.stem for file in files if file.stem not in NOT_RUNTIMES)


# A long search, and a proof that runs into its limits. Under every action these are asked in CI all the same.
LONG = ("headroom's deferral", "tool_removal, trimmed by the client")


def in_ordinary_sessions() -> list[object]:
    """Each runtime, the long ones marked."""
    return [
        pytest.param(row, id=str(row), marks=[pytest.mark.slow] if row.pruner.name in LONG else []) for row in RUNTIMES
    ]


@pytest.mark.parametrize("row", in_ordinary_sessions())
def test_in_an_ordinary_session(row: Row) -> None:
    verdict = examine(LocalHost(row.pruner), ORDINARY_SESSION, NO_GHOST, BOUNDS)
    assert row.ordinary.met_by(verdict), verdict


@pytest.mark.parametrize("row", RUNTIMES, ids=str)
def test_under_every_action(row: Row) -> None:
    verdict = examine(LocalHost(row.pruner), ANYTHING, NO_GHOST, BOUNDS)
    assert row.everything.met_by(verdict), verdict


@pytest.mark.parametrize("row", [row for row in RUNTIMES if row.solid], ids=str)
def test_a_gate_by_declared_tools_fails_on_lossy_schemas_only(row: Row) -> None:
    assert isinstance(examine(LocalHost(row.pruner), SOLID, NO_GHOST, BOUNDS), Proved)


def mended(row: Row) -> Verdict:
    """The verdict under every action once the gate stands last."""
    pruner = Pruner(*row.pruner.passes, Pass(gate), memory=row.pruner.memory, name=f"{row.pruner.name}, gated")
    return examine(LocalHost(pruner), ANYTHING, NO_GHOST, BOUNDS)


@pytest.mark.parametrize("row", [row for row in RUNTIMES if row.pruner not in NEVER_HIDE], ids=str)
def test_the_gate_in_last_place_mends_it(row: Row) -> None:
    assert isinstance(mended(row), Proved)


def test_the_gate_in_last_place_mends_a_runtime_that_compresses() -> None:
    (row,) = (row for row in RUNTIMES if row.pruner is refract)
    verdict = mended(row)
    assert isinstance(verdict, Proved), verdict


@pytest.mark.parametrize("row", RUNTIMES, ids=str)
def test_it_is_admitted_as_anybodys_pruner_would_be(row: Row) -> None:
    lifted, compared = admit(row.pruner)
    assert lifted.name == row.pruner.name
    assert compared > 0


def test_every_model_of_a_runtime_is_in_the_table() -> None:
    found = {
        thing.name
        for name in runtime_modules()
        for thing in vars(import_module(f"ghostproof.variants.{name}")).values()
        if isinstance(thing, Pruner)
    }
    assert found == {row.pruner.name for row in RUNTIMES}
    assert len(found) == len(RUNTIMES)


@pytest.mark.parametrize("name", runtime_modules())
def test_a_model_names_its_runtime_and_a_source(name: str) -> None:
    """A version, a file, or a thread of a repository."""
    said = import_module(f"ghostproof.variants.{name}").__doc__ or ""
    assert re.search(r"\d+\.\d+\.\d+|\w\.(py|ts|rs)\b|\w #\d+", said)
