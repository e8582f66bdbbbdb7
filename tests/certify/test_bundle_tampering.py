"""Every tampering is rejected, and for the right reason, also when scripts and digests agree with it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from certify.bundles import ARGUMENT_FIRST, NEEDS_AN_INVARIANT, Attacker, certified, verified
from ghostproof.verifier import verify

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

Tampering = Callable[[Attacker], None]


def drop_command(attacker: Attacker) -> None:
    attacker.system["commands"].remove(attacker.command("tool vanishes"))


def add_command(attacker: Attacker) -> None:
    attacker.system["commands"].append({**attacker.command("idle"), "name": "idle again"})


def flip_guard(attacker: Attacker) -> None:
    command = attacker.command("tool returns")
    command["guard"] = f"(not {command['guard']})"


def never_enabled(attacker: Attacker) -> None:
    attacker.command("gate visits")["guard"] = "false"


def redirect(attacker: Attacker) -> None:
    attacker.command("tool vanishes")["target"] = "prompt"


def drop_update(attacker: Attacker) -> None:
    del attacker.command("tool vanishes")["updates"]["schema_shown"]


def change_update(attacker: Attacker) -> None:
    attacker.command("arguments appear")["updates"]["calls_resident"] = "0"


def weaken_property(attacker: Attacker) -> None:
    attacker.system["bad"] = f"(and |mutation| {attacker.system['bad']})"


def no_property(attacker: Attacker) -> None:
    attacker.system["bad"] = "false"


def narrow_start(attacker: Attacker) -> None:
    attacker.system["initial"] = f"(and {attacker.system['initial']} |pinned|)"


def impossible_start(attacker: Attacker) -> None:
    attacker.system["initial"] = "false"


def judge_elsewhere(attacker: Attacker) -> None:
    attacker.system["judged"] = "settle"


def one_variable_more(attacker: Attacker) -> None:
    attacker.system["variables"]["safe"] = "Bool"


def inject_an_assertion(attacker: Attacker) -> None:
    attacker.command("idle")["guard"] = "true) (assert false"


def speak_of_an_input(attacker: Attacker) -> None:
    attacker.invariant["prompt"] = f"(and |others.rejected| {attacker.invariant['prompt']})"


def write_it_otherwise(attacker: Attacker) -> None:
    attacker.system["bad"] = attacker.system["bad"].replace("(and ", "(and  ")


def weaken_invariant(attacker: Attacker) -> None:
    attacker.invariant["prompt"] = "true"


def strengthen_invariant(attacker: Attacker) -> None:
    attacker.invariant["prompt"] = "false"


def assume_at_the_start(attacker: Attacker) -> None:
    attacker.invariant["environment"] = "|pinned|"


def invariant_of_nowhere(attacker: Attacker) -> None:
    attacker.invariant["nowhere"] = "false"


def drop_path(attacker: Attacker) -> None:
    attacker.item("gate")["paths"].pop()


def drop_idle_path(attacker: Attacker) -> None:
    """The path of pinned tools: it assigns nothing, so the system stays as it is, and its boundaries go untested."""
    paths = attacker.item("trim_history")["paths"]
    paths.remove(next(path for path in paths if not path["assigned"]))


def repeat_path(attacker: Attacker) -> None:
    paths = attacker.item("trim_history")["paths"]
    paths.append(paths[0])


def flip_outcome(attacker: Attacker) -> None:
    test = attacker.item("gate")["paths"][0]["tests"][0]
    test[1] = not test[1]


def drop_pass(attacker: Attacker) -> None:
    attacker.files["passes.json"]["passes"].pop(0)


def unconditional(attacker: Attacker) -> None:
    attacker.item("trim_history")["conditional"] = False


def remember_more(attacker: Attacker) -> None:
    attacker.files["passes.json"]["memory"]["patience"] = 3


def remember_a_field(attacker: Attacker) -> None:
    attacker.files["passes.json"]["memory"]["schema_shown"] = False


def drop_a_witness(attacker: Attacker) -> None:
    attacker.files["witnesses.json"] = []


def impossible_witness(attacker: Attacker) -> None:
    steps = attacker.files["witnesses.json"][0]["requests"][0]["steps"]
    steps.insert(0, ["tool returns", 0, {}])


def embellished_witness(attacker: Attacker) -> None:
    attacker.files["witnesses.json"][0]["requests"][0]["tools"][0]["calls"] = 99


def forged_witness(attacker: Attacker) -> None:
    """The environment hides the schema, and an input of the gate's visit pretends that it was still shown."""
    tool = dict(attacker.files["witnesses.json"][0]["tools"][0])
    state, steps = {**tool, **verify.START}, []
    for name, inputs in (("arguments appear", {}), ("tool vanishes", {}), ("gate visits", {"schema_shown": True})):
        updates = {field: verify.parse(text) for field, text in attacker.command(name)["updates"].items()}
        state |= {field: verify.evaluate(value, {**state, **inputs}) for field, value in updates.items()}
        steps.append([name, 0, inputs])
    attacker.files["witnesses.json"] = [{"tools": [tool], "requests": [{"steps": steps, "tools": [state]}]}]


def claim_more(attacker: Attacker) -> None:
    attacker.manifest["verdict"] = "Proved twice"


def other_line(attacker: Attacker) -> None:
    attacker.manifest["reproduce"] += " && echo verified"


def other_property(attacker: Attacker) -> None:
    attacker.manifest["property"] = "no_mutation_ghost"
    attacker.manifest["reproduce"] = attacker.manifest["reproduce"].replace("no_ghost", "no_mutation_ghost")


def narrow_scenario(attacker: Attacker) -> None:
    attacker.manifest["scenario"] = "ordinary"
    attacker.manifest["reproduce"] = attacker.manifest["reproduce"].replace("everything", "ordinary")


TAMPERINGS: list[tuple[Tampering, str]] = [
    (drop_command, "system: there must be 'tool vanishes' where there is 'tool returns'"),
    (add_command, "system: there must be 'nothing' where there is 'idle again'"),
    (flip_guard, "system: 'tool returns' is not what the model and the paths say"),
    (never_enabled, "system: 'gate visits' is not what the model and the paths say"),
    (redirect, "system: there must be 'tool vanishes'"),
    (drop_update, "system: 'tool vanishes' is not what the model and the paths say"),
    (change_update, "system: 'arguments appear' is not what the model and the paths say"),
    (weaken_property, "system: 'bad' is not what the model says"),
    (no_property, "system: 'bad' is not what the model says"),
    (narrow_start, "system: 'initial' is not what the model says"),
    (impossible_start, "system: 'initial' is not what the model says"),
    (judge_elsewhere, "system: judged elsewhere"),
    (one_variable_more, "system: its variables are not a tool's under this pruner"),
    (inject_an_assertion, "not in the one form of terms used here"),
    (speak_of_an_input, "may not speak of others.rejected"),
    (write_it_otherwise, "not in the one form of terms used here"),
    (weaken_invariant, "obligations/safety.smt2: the invariant does not hold up"),
    (strengthen_invariant, "obligations/consecution-"),
    (assume_at_the_start, "obligations/initiation.smt2: the invariant does not hold up"),
    (invariant_of_nowhere, "the invariant speaks of a place that is not there"),
    (drop_path, "pass gate: "),
    (drop_idle_path, "pass trim_history: not one path for each visit"),
    (repeat_path, "pass trim_history: not one path for each visit"),
    (flip_outcome, "pass gate: "),
    (drop_pass, "the pruner has another name, memory or passes than the bundle"),
    (unconditional, "the pruner has another name, memory or passes than the bundle"),
    (remember_more, "system: its variables are not a tool's under this pruner"),
    (remember_a_field, "names that could be taken for something else: ['schema_shown']"),
    (drop_a_witness, "witnesses.json: no session in which a pass hides a schema"),
    (impossible_witness, "witnesses.json: 'tool returns' cannot happen where it does"),
    (embellished_witness, "witnesses.json: a request is not what its steps lead to"),
    (forged_witness, "witnesses.json: "),
    (claim_more, "the manifest claims something else"),
    (other_line, "the manifest claims something else"),
    (other_property, "system: 'bad' is not what the model says"),
    (narrow_scenario, "system: there must be"),
]


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
