"""Every tampering is rejected, and for the right reason, also when scripts and digests agree with it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from certify.bundles import ARGUMENT_FIRST, NEEDS_AN_INVARIANT, Attacker, certified, verified
from certify.tamperings import TAMPERINGS, Tampering

FILES = ["manifest.json", "manifest.sha256", "invariant.json", "invariant.txt", "passes.json", "system.json"]
FILES += ["witnesses.json", "obligations/initiation.smt2", "obligations/consecution-10.smt2", "obligations/safety.smt2"]


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return certified(ARGUMENT_FIRST, tmp_path_factory.mktemp("pristine") / "certificate")


@pytest.fixture
def bundle(pristine: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(pristine, tmp_path / "certificate"))


@pytest.fixture(scope="module")
def pristine_of_a_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("file")
    (folder / "mine.py").write_text(NEEDS_AN_INVARIANT)
    return certified(f"{folder}/mine.py:PRUNER", folder / "certificate")


@pytest.fixture
def bundle_of_a_file(pristine_of_a_file: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(pristine_of_a_file, tmp_path / "certificate"))


def rejected(folder: Path, reason: str, *options: str) -> None:
    code, said = verified(folder, *options)
    assert code == 1, said
    assert said.startswith("rejected: "), said
    assert reason in said, said


# ---- without recomputed digests -----------------------------------------------------------------------------------


@pytest.mark.parametrize("where", ["first", "middle", "last"])
@pytest.mark.parametrize("name", FILES)
def test_any_changed_byte(bundle: Path, name: str, where: str) -> None:
    content = bytearray((bundle / name).read_bytes())
    place = {"first": 0, "middle": len(content) // 2, "last": len(content) - 1}[where]
    content[place] ^= 1
    (bundle / name).write_bytes(content)
    if name.startswith("manifest"):
        rejected(bundle, "manifest.json is not what manifest.sha256 says")
    else:
        rejected(bundle, f"{name} is not what the manifest says")


def test_every_file_is_watched(bundle: Path) -> None:
    for file in sorted(file for file in bundle.rglob("*") if file.is_file()):
        content = file.read_bytes()
        file.write_bytes(content + b" ")
        rejected(bundle, " says")
        file.write_bytes(content)


def test_a_missing_file(bundle: Path) -> None:
    (bundle / "witnesses.json").unlink()
    rejected(bundle, "witnesses.json is missing")


def test_one_file_more(bundle: Path) -> None:
    (bundle / "README").write_text("trust me")
    rejected(bundle, "README is not what the manifest says")


# ---- by an attacker who recomputes whatever can be recomputed --------------------------------------------------------


@pytest.mark.parametrize(("tampering", "reason"), TAMPERINGS, ids=lambda item: getattr(item, "__name__", ""))
def test_a_tampering_that_everything_else_agrees_with(bundle: Path, tampering: Tampering, reason: str) -> None:
    attacker = Attacker(bundle)
    tampering(attacker)
    attacker.seal()
    rejected(bundle, reason)


def test_the_attacker_alone_changes_nothing(bundle: Path) -> None:
    """Else the rejections above could be the attacker's own doing."""
    before = {file: file.read_bytes() for file in bundle.rglob("*") if file.is_file()}
    Attacker(bundle).seal()
    assert {file: file.read_bytes() for file in bundle.rglob("*") if file.is_file()} == before


TRIVIAL = "; initiation\n(set-logic QF_LIA)\n(assert false)\n(check-sat)\n"


def test_scripts_replaced_by_trivial_ones(bundle: Path) -> None:
    attacker = Attacker(bundle)
    for name in [name for name in attacker.files if name.startswith("obligations/")]:
        attacker.files[name] = TRIVIAL
    attacker.seal(rewrite=False)
    rejected(bundle, "obligations/consecution-01.smt2 is not what follows from system and invariant")


def test_a_script_left_out(bundle: Path) -> None:
    attacker = Attacker(bundle)
    del attacker.files["obligations/consecution-05.smt2"]
    attacker.seal(rewrite=False)
    rejected(bundle, "obligations/consecution-05.smt2 is not what follows from system and invariant")


def test_an_invariant_that_reads_better_than_it_is(bundle: Path) -> None:
    attacker = Attacker(bundle)
    attacker.files["invariant.txt"] = "at prompt: everything is fine\n"
    attacker.seal(rewrite=False)
    rejected(bundle, "invariant.txt is not what follows from system and invariant")


# ---- another pruner ---------------------------------------------------------------------------------------------


def drop_conjuncts(text: str) -> list[str]:
    """`text` without each of the parts of its outermost conjunction, or of a negated disjunction."""
    from ghostproof.verifier.verify import parse, render

    term = parse(text)
    assert isinstance(term, tuple)
    if term[0] == "and":
        return [render(("and", *term[1:place], *term[place + 1 :])) for place in range(1, len(term))]
    return ["true"]


@pytest.mark.slow
def test_each_conjunct_of_the_invariant_is_needed(bundle_of_a_file: Path) -> None:
    places = [place for place, text in Attacker(bundle_of_a_file).invariant.items() if text != "true"]
    for place in places:
        original = Attacker(bundle_of_a_file)
        for weaker in drop_conjuncts(original.invariant[place]):
            attacker = Attacker(bundle_of_a_file)
            attacker.invariant[place] = weaker
            attacker.seal()
            rejected(bundle_of_a_file, ".smt2: the invariant does not hold up")
            original.seal()


def test_a_pruner_edited_after_it_was_certified(bundle_of_a_file: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(NEEDS_AN_INVARIANT.replace("PATIENCE = 7", "PATIENCE = 8"))
    rejected(
        bundle_of_a_file,
        "the pruner is not the certified one: mine.py changed",
        "--pruner",
        f"{tmp_path}/mine.py:PRUNER",
    )


EDITS = {
    "another constant": ("PATIENCE = 7", "PATIENCE = 8"),
    "no test of pins": ("if tool.schema_shown and not tool.pinned", "if tool.schema_shown"),
    "one test more": ("if tool.idle_turns > PATIENCE", "if tool.calls != 4321 and tool.idle_turns > PATIENCE"),
    "another effect": ("tool.evict_call()", "tool.evict_all_calls()"),
    "no gate": ("tool.tombstoned = True", "pass"),
    "the same effect by hand": ("tool.hide_schema()", "tool.schema_shown = tool.schema_lossy = False"),
    "an order that acts": ("Pass(gate)", "Pass(gate, order=lambda tool: tool.hide_schema() or 0)"),
    "a condition of its own": ("Pass(gate)", "Pass(gate, until=prompt_fits)"),
    "another order of passes": (
        "Pass(gate), Pass(forget, until=prompt_fits)",
        "Pass(forget, until=prompt_fits), Pass(gate)",
    ),
}


@pytest.mark.parametrize("edit", EDITS)
def test_the_certificate_of_another_pruner(bundle_of_a_file: Path, tmp_path: Path, edit: str) -> None:
    """The attacker names the other pruner and its digest; everything else is the certificate of the first."""
    from ghostproof.certify.bundle import digest, reproduce

    source = NEEDS_AN_INVARIANT.replace(*EDITS[edit])
    assert source != NEEDS_AN_INVARIANT
    (tmp_path / "mine.py").write_text(source)
    attacker = Attacker(bundle_of_a_file)
    target = f"{tmp_path}/mine.py:PRUNER"
    attacker.manifest["pruner"] |= {"target": target, "sources": {"mine.py": digest(source)}}
    attacker.manifest["reproduce"] = reproduce(target, "no_ghost", "everything")
    attacker.seal()
    rejected(bundle_of_a_file, "the pruner ")


def test_a_pruner_that_takes_too_long(bundle_of_a_file: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("while True:\n    pass\n" + NEEDS_AN_INVARIANT)
    options = ("--pruner", f"{tmp_path}/mine.py:PRUNER", "--deadline", "1")
    code, said = verified(bundle_of_a_file, *options)
    assert (code, said) == (3, "no answer: the pruner takes longer than 1 seconds; --deadline allows it more\n")
