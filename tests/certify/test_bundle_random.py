"""Random changes of the bundled system, with scripts and digests recomputed: none verifies unless it means the same."""

from __future__ import annotations

import copy
import shutil
from pathlib import Path
from typing import Any

import pytest
import z3
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from certify.bundles import Attacker, certified, verified
from ghostproof.certify.bundle import INPUTS
from ghostproof.verifier.verify import parse

SMALL = """
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.tool import Tool
from ghostproof.turn.budget import Turn


def hide(tool: Tool, turn: Turn) -> None:
    if not tool.pinned:
        tool.hide_schema()


def gate(tool: Tool, turn: Turn) -> None:
    if tool.arguments_resident and not tool.schema_resident:
        tool.tombstoned = True


PRUNER = Pruner(Pass(hide, until=lambda turn: turn.prompt_tokens <= turn.total_budget), Pass(gate), name="small")
"""


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("small")
    (folder / "small.py").write_text(SMALL)
    return certified(f"{folder}/small.py:PRUNER", folder / "certificate")


def parts(text: str) -> list[tuple[int, int]]:
    """Where each term of a text begins and ends: variables, constants and applications."""
    found, opened, place = [], [], 0
    while place < len(text):
        character = text[place]
        if character == "(":
            opened.append(place)
        elif character == ")":
            found.append((opened.pop(), place + 1))
        elif character not in " ":
            end = text.index("|", place + 1) + 1 if character == "|" else place
            while character != "|" and end < len(text) and text[end] not in " ()":
                end += 1
            if text[place - 1] != "(" or place == 0:
                found.append((place, end))
            place = end
            continue
        place += 1
    return found


def sort_of(text: str, sorts: dict[str, str]) -> str:
    """Bool or Int."""
    term = parse(text)
    while isinstance(term, tuple) and term[0] == "ite":
        term = term[2]
    if isinstance(term, str):
        return sorts[term]
    boolean = isinstance(term, bool) or (isinstance(term, tuple) and term[0] not in ("+", "*"))
    return "Bool" if boolean else "Int"


@st.composite
def mutated(draw: st.DrawFn, text: str, sorts: dict[str, str]) -> str:
    """`text` with one of its terms negated, replaced by another of its sort, or shifted by one."""
    begin, end = draw(st.sampled_from(parts(text)))
    part = text[begin:end]
    names = [f"|{name}|" for name, sort in sorts.items() if sort == sort_of(part, sorts)]
    if sort_of(part, sorts) == "Bool":
        other = draw(st.sampled_from([f"(not {part})", "true", "false", *names]))
    else:
        other = draw(st.sampled_from([f"(+ {part} 1)", f"(+ {part} (- 1))", "0", *names]))
    return text[:begin] + other + text[end:]


@st.composite
def changed(draw: st.DrawFn, system: dict[str, Any]) -> dict[str, Any]:
    """One change of a system, of any kind."""
    system = copy.deepcopy(system)
    sorts = {**system["variables"], **INPUTS}
    commands = system["commands"]
    command = draw(st.sampled_from(commands))
    kind = draw(st.sampled_from(["guard", "update", "no update", "new update", "end", "drop", "swap", "start", "bad"]))
    event(kind)
    updates = command["updates"]
    if kind == "guard":
        command["guard"] = draw(mutated(command["guard"], sorts))
    elif kind in ("update", "no update"):
        assume(updates)
        name = draw(st.sampled_from(sorted(updates)))
        if kind == "update":
            updates[name] = draw(mutated(updates[name], sorts))
        else:
            del updates[name]
    elif kind == "new update":
        name = draw(st.sampled_from(sorted(system["variables"])))
        updates[name] = draw(st.sampled_from([f"|{n}|" for n, s in sorts.items() if s == sorts[name]]))
    elif kind == "end":
        places = sorted({item["target"] for item in commands})
        command[draw(st.sampled_from(["source", "target"]))] = draw(st.sampled_from(places))
    elif kind == "drop":
        commands.remove(command)
    elif kind == "swap":
        other = draw(st.sampled_from(commands))
        command["guard"], other["guard"] = other["guard"], command["guard"]
    else:
        key = "initial" if kind == "start" else "bad"
        system[key] = draw(mutated(system[key], system["variables"]))
    return system


def same_meaning(left: dict[str, Any], right: dict[str, Any]) -> bool:
    """Whether two systems have the same commands between the same places, start alike and are judged alike."""

    def ends(system: dict[str, Any]) -> list[tuple[str, str, str]]:
        return [(item["name"], item["source"], item["target"]) for item in system["commands"]]

    if ends(left) != ends(right):
        return False
    pairs = [(left["initial"], right["initial"]), (left["bad"], right["bad"])]
    for one, other in zip(left["commands"], right["commands"], strict=True):
        pairs.append((one["guard"], other["guard"]))
        names = {**one["updates"], **other["updates"]}
        pairs += [(one["updates"].get(n, f"|{n}|"), other["updates"].get(n, f"|{n}|")) for n in names]
    sorts = {**left["variables"], **INPUTS}
    declared = "".join(f"(declare-const |{name}| {sort})" for name, sort in sorts.items())
    differs = " ".join(f"(distinct {one} {other})" for one, other in pairs)
    solver = z3.Solver()
    solver.from_string(f"{declared}(assert (or false {differs}))")
    answer = solver.check()
    assert answer != z3.unknown
    return bool(answer == z3.unsat)


@pytest.mark.slow
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
def test_no_changed_system_verifies(pristine: Path, tmp_path: Path, data: st.DataObject) -> None:
    folder = tmp_path / "certificate"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(pristine, folder)
    attacker = Attacker(folder)
    before = copy.deepcopy(attacker.system)
    after = data.draw(changed(before))
    assume(after != before)
    attacker.files["system.json"] = after
    attacker.seal()
    code, said = verified(folder)
    if same_meaning(before, after):
        event("means the same")
        assert code in (0, 1), said
    else:
        assert code == 1, said
        assert said.startswith("rejected: "), said
        event(said.split(":")[1].strip()[:20])


def test_the_oracle_tells_meanings_apart(pristine: Path) -> None:
    system = Attacker(pristine).system
    assert same_meaning(system, copy.deepcopy(system))
    other = copy.deepcopy(system)
    other["commands"][1]["guard"] = "(or true |pinned|)"
    assert same_meaning(system, other)
    other["commands"][1]["guard"] = "|pinned|"
    assert not same_meaning(system, other)
