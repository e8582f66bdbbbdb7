"""A claim that cannot fail proves nothing: each break here must change a verdict, for the reason it was made for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from ghostproof.engines.problem import Bounds
from ghostproof.examine import examine
from ghostproof.host.admit import admit
from ghostproof.host.host import LocalHost
from ghostproof.lift import plain
from ghostproof.lift.relation import Path, Relation, Run, explore, merge
from ghostproof.lift.term import TRUE, Sort
from ghostproof.settle import settle
from ghostproof.turn.action import Others
from ghostproof.turn.claim import Claim, Question
from ghostproof.turn.environment import ENVIRONMENT_BY_NAME
from ghostproof.turn.errors import InternalError, PrunerError
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.scenario import ANYTHING, ORDINARY_SESSION
from ghostproof.turn.tool import Tool
from ghostproof.turn.trace import Step, Trace
from ghostproof.turn.verdict import Proved, Refuted, Undetermined, Vacuous, Verdict
from ghostproof.variants.arbitration import argument_first, gate, prune, schema_first, trim
from ghostproof_proofs.broken.gates import gate_for_unpinned
from ghostproof_proofs.shield import shielded
from ghostproof_proofs.t1_argument_first import T1, instance_of_shield
from ghostproof_proofs.t4_shield import GATES


def verdict_of(claim: Claim, question: Question) -> Verdict:
    return settle(replace(claim, questions=(question,)), Bounds()).answers[0].verdict


def first_question() -> Question:
    question = T1.questions[0]
    assert isinstance(question, Question)
    return question


def test_t1_is_an_instance_of_t4() -> None:
    last = argument_first.passes[-1]
    assert last.visit is GATES["tombstone"] is gate
    assert last.until is None
    assert isinstance(instance_of_shield(), Proved)


def test_without_its_gate_argument_first_is_no_longer_proved() -> None:
    ungated = Pruner(*argument_first.passes[:-1], name="ungated")
    verdict = verdict_of(T1, replace(first_question(), pruner=ungated))
    assert isinstance(verdict, Refuted)
    assert not first_question().expected.met_by(verdict)
    assert not isinstance(instance_of_shield(ungated), Proved)


def test_the_switch_is_all_that_differs_and_turning_it_sends_a_ghost() -> None:
    expand = argument_first.passes[0]
    assert argument_first.passes == (expand, *trim, *prune)
    turned = Pruner(expand, *prune, *trim, name="turned")
    assert turned.passes == schema_first.passes
    verdict = verdict_of(T1, replace(first_question(), pruner=turned, scenario=ORDINARY_SESSION))
    assert isinstance(verdict, Refuted)
    assert isinstance(verdict.trace, Trace)
    # For the reason of T2c: the pass that comes last takes the tombstone that the gate had written.
    last = verdict.trace.requests[-1]
    taken = [s for s in last.steps if isinstance(s, Step) and s.after.get("tombstone_resident") is False]
    assert {step.actor for step in taken} == {"trim_history"}
    assert {step.tool for step in taken} >= set(last.violations)


@pytest.mark.parametrize("name", ["tombstone is lost", "tool returns", "arguments appear"])
def test_a_witness_misses_the_action_that_was_deleted(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(tool: Tool, others: Others) -> bool:
        return False

    monkeypatch.setitem(ENVIRONMENT_BY_NAME, name, replace(ENVIRONMENT_BY_NAME[name], guard=never))
    verdict = verdict_of(T1, first_question())
    assert isinstance(verdict, Vacuous)
    assert f"environment: {name}" in verdict.which


def test_a_witness_misses_a_pass_that_does_nothing() -> None:
    def nothing(tool: Tool, turn: object) -> None:
        return None

    passes = (argument_first.passes[0], Pass(nothing), *argument_first.passes[2:])
    verdict = verdict_of(T1, replace(first_question(), pruner=Pruner(*passes, name="idle")))
    assert verdict == Vacuous(("pass nothing changes something",), "induction")


def dropping(unwanted: Callable[[Path], bool]) -> Callable[[Run, Mapping[str, Sort]], Relation]:
    """The lifting, with every path forgotten that is `unwanted`."""

    def lossy(run: Run, sorts: Mapping[str, Sort]) -> Relation:
        relation = explore(run, sorts)
        kept = tuple(path for path in relation.paths if not unwanted(path))
        return merge(kept, sorts) if kept and len(kept) < len(relation.paths) else relation

    return lossy


def forgetting(unwanted: Callable[[Path], bool]) -> Callable[[Run, Mapping[str, Sort]], Relation]:
    """The lifting, where every path that is `unwanted` changes nothing."""

    def lossy(run: Run, sorts: Mapping[str, Sort]) -> Relation:
        paths = explore(run, sorts).paths
        return merge(tuple(replace(path, assigned={}) if unwanted(path) else path for path in paths), sorts)

    return lossy


def writes_tombstone(path: Path) -> bool:
    return path.assigned.get("tombstone_resident") is TRUE


def takes_tombstone(path: Path) -> bool:
    value = path.assigned.get("tombstone_resident")
    return value is not None and value is not TRUE and "schema_shown" not in path.assigned


def test_a_lifting_that_forgets_what_the_gate_does_is_found_out_by_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain, "explore", forgetting(writes_tombstone))
    with pytest.raises(InternalError, match="does not replay"):
        examine(LocalHost(argument_first), ANYTHING, NO_GHOST, Bounds())


def test_a_lifting_that_drops_the_trims_path_is_found_out_by_the_other_engines(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(plain, "explore", dropping(takes_tombstone))
    host = LocalHost(schema_first)
    # Lifted so, schema-first is safe; run as it is, it is not.
    assert isinstance(examine(host, ORDINARY_SESSION, NO_GHOST, Bounds(), "induction"), (Proved, Vacuous))
    assert isinstance(examine(host, ORDINARY_SESSION, NO_GHOST, Bounds(turns=2), "explicit"), Refuted)


def test_a_lifting_that_drops_a_path_is_found_out_by_comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    assert admit(schema_first)[1] > 0
    monkeypatch.setattr(plain, "explore", dropping(takes_tombstone))
    with pytest.raises(PrunerError) as caught:
        admit(schema_first)
    assert "for tombstone_resident when lifted" in str(caught.value)


def test_a_gate_that_is_no_shield_is_not_proved_one() -> None:
    assert isinstance(shielded(Pass(gate)), Proved)
    assert isinstance(shielded(Pass(gate_for_unpinned)), Undetermined)
    assert isinstance(shielded(trim[0]), Undetermined)
    conditional = replace(Pass(gate), until=trim[0].until)
    assert isinstance(shielded(conditional), Undetermined)


def test_a_shield_that_does_nothing_is_vacuous() -> None:
    def nothing(tool: Tool, turn: object) -> None:
        return None

    verdict = shielded(Pass(nothing))
    assert isinstance(verdict, Vacuous)
    assert verdict.which == ("the gate changes a state that violates it",)
