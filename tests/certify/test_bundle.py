"""A bundle of a proof verifies, with a program of its own; what is not proved has none."""

from __future__ import annotations

import ast
import itertools
import json
import subprocess
import sys
from pathlib import Path

import pytest

from certify.bundles import ARGUMENT_FIRST, NEEDS_AN_INVARIANT, certified, run, searchable, verified
from ghostproof import cli
from ghostproof.turn.budget import Turn
from ghostproof.turn.tool import FIXED, INITIAL, Tool
from ghostproof.verifier import verify

VERIFIER = Path(verify.__file__)
LINES_MAX = 500


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return certified(ARGUMENT_FIRST, tmp_path_factory.mktemp("bundle") / "certificate")


def contents(folder: Path) -> dict[str, bytes]:
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_argument_first_verifies_by_the_program_alone(bundle: Path) -> None:
    with searchable():
        done = subprocess.run([sys.executable, VERIFIER, bundle], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "verified" in done.stdout
    assert "tested, not proved" in done.stdout


def test_the_command_line_runs_that_program(bundle: Path) -> None:
    code, said = run(lambda: cli.main(["verify", str(bundle)]))
    assert code == 0
    assert said.startswith(f"verified: {ARGUMENT_FIRST}: no_ghost")


def test_the_verifier_is_one_short_file_that_shares_no_code() -> None:
    source = VERIFIER.read_text()
    assert len(source.splitlines()) < LINES_MAX
    imported: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            imported.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            imported.add(node.module or "")
    assert {name for name in imported if name.partition(".")[0] not in sys.stdlib_module_names} == {"z3", "cvc5"}


def test_the_same_command_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("once", "again"):
        command = [sys.executable, "-m", "ghostproof", "certify", ARGUMENT_FIRST, "-o", str(tmp_path / name)]
        with searchable():
            subprocess.run(command, capture_output=True, check=True)
    assert contents(tmp_path / "once") == contents(tmp_path / "again")


# The other tests here are about everything.
@pytest.mark.parametrize("scenario", [pytest.param("everything", marks=pytest.mark.slow), "ordinary", "history"])
def test_each_scenario_and_the_other_property(scenario: str, tmp_path: Path) -> None:
    """Certifying verifies: the verifier's own statement of the model is that of the model."""
    options = ("--property", "no_mutation_ghost", "--scenario", scenario)
    certified(ARGUMENT_FIRST, tmp_path / "certificate", *options)


def test_a_proof_that_needs_an_invariant(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(NEEDS_AN_INVARIANT)
    folder = certified(f"{tmp_path}/mine.py:PRUNER", tmp_path / "certificate")
    assert len(json.loads((folder / "invariant.json").read_text())) > 1
    (tmp_path / "mine.py").rename(tmp_path / "moved.py")
    code, said = verified(folder)
    assert code == 2
    hint = "--pruner path.py:NAME says where it is now"
    assert said == f"nothing to verify: there is no {tmp_path}/mine.py here; {hint}\n"


@pytest.mark.slow
def test_a_pruner_that_waits_longer_than_a_search_has_witnesses_by_chance(tmp_path: Path) -> None:
    source = NEEDS_AN_INVARIANT.replace("if tool.schema_shown and", "if tool.idle_turns > 20 and tool.schema_shown and")
    assert source != NEEDS_AN_INVARIANT
    (tmp_path / "mine.py").write_text(source)
    folder = certified(f"{tmp_path}/mine.py:PRUNER", tmp_path / "certificate")
    witnesses = json.loads((folder / "witnesses.json").read_text())
    assert max(len(one["requests"]) for one in witnesses) > 20


def test_the_pruner_may_stand_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(NEEDS_AN_INVARIANT)
    folder = certified(f"{tmp_path}/mine.py:PRUNER", tmp_path / "certificate")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "mine.py").rename(tmp_path / "elsewhere" / "mine.py")
    code, said = verified(folder, "--pruner", f"{tmp_path}/elsewhere/mine.py:PRUNER")
    assert code == 0, said


def test_a_refuted_pruner_has_no_certificate(tmp_path: Path) -> None:
    target = "ghostproof.variants.arbitration:schema_first"
    code, said = run(lambda: cli.main(["certify", target, "-o", str(tmp_path / "certificate")]))
    assert code == 1
    assert said.splitlines()[-1] == "no certificate: there is no proof to certify"
    assert not list(tmp_path.iterdir())


def test_a_proof_by_budget_conditions_has_none_and_says_so(tmp_path: Path) -> None:
    target = str(Path(__file__).parents[1] / "corpus" / "sound_order.py") + ":order_alone"
    code, said = run(lambda: cli.main(["certify", target, "-o", str(tmp_path / "c"), "--scenario", "ordinary"]))
    assert code == 3
    assert "no certificate: the proof needs what budget conditions tell each other" in said
    assert not list(tmp_path.iterdir())


def test_a_folder_that_may_not_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ghostproof.certifying.os.access", lambda place, mode: False)
    code, said = run(lambda: cli.main(["certify", ARGUMENT_FIRST, "-o", str(tmp_path / "certificate")]))
    assert code == 2
    assert f"cannot be written: {tmp_path} may not be written" in said
    assert not list(tmp_path.iterdir())


def test_only_a_bundle_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    code, said = run(lambda: cli.main(["certify", ARGUMENT_FIRST, "-o", str(tmp_path)]))
    assert code == 2
    assert "holds something else" in said
    assert (tmp_path / "notes.txt").read_text() == "mine"
    folder = certified(ARGUMENT_FIRST, tmp_path / "certificate")
    certified(ARGUMENT_FIRST, folder, "--property", "no_mutation_ghost")
    assert "no_mutation_ghost" in verified(folder)[1]
    assert {file.name for file in tmp_path.iterdir()} == {"notes.txt", "certificate"}


def test_nothing_to_verify(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "nowhere"):
        code, said = verified(place)
        assert code == 2
        assert "is no certificate bundle" in said


# ---- the verifier's own tool and turn are those of the model -------------------------------------------------------

FREE = ("schema_shown", "schema_lossy", "tombstone_resident", "schema_current", "evidence_resident", "truncated")
PLACES = [(calls, before) for calls in range(4) for before in range(calls + 1)]


@pytest.mark.parametrize("name", verify.METHODS)
def test_each_method_means_what_it_means_in_the_model(name: str) -> None:
    for flags, (calls, before) in itertools.product(itertools.product([False, True], repeat=len(FREE)), PLACES):
        values = {**{field: kind(1) for field, kind in FIXED.items()}, **INITIAL, **dict(zip(FREE, flags, strict=True))}
        values |= {"calls_resident": calls, "calls_before_tombstone": before if values["tombstone_resident"] else 0}
        ours, theirs = verify.Record(**values), Tool(values)
        for tool in (ours, theirs):
            field, assigned, value = name.partition(" = ")
            if assigned:
                setattr(tool, field, value == "True")
            else:
                getattr(tool, name)()
        assert vars(ours) == vars(theirs), values
        read = [field for field in dir(Tool) if isinstance(getattr(Tool, field), property)]
        assert {field: getattr(ours, field) for field in read} == {field: getattr(theirs, field) for field in read}


def test_each_method_and_property_of_a_tool_is_there() -> None:
    public = {name for name in vars(Tool) if not name.startswith("_")} - {*FIXED, *INITIAL}
    assert public <= {*verify.METHODS, *verify.READS}


def test_each_property_of_a_turn_is_there() -> None:
    values = {name: 3**place for place, name in enumerate(Turn.__slots__)}
    assert set(values) == set(verify.NUMBERS)
    ours, theirs = verify.Record(**values), Turn(**values)
    read = [name for name in vars(Turn) if isinstance(getattr(Turn, name), property)]
    assert {name: getattr(ours, name) for name in read} == {name: getattr(theirs, name) for name in read}
