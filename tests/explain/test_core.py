"""What a proof is said to use suffices, and nothing of it can be left out; a wrong choice is found out."""

from __future__ import annotations

import pytest

from explain.pruners import redundant
from ghostproof.engines.induction import prove_in_one_turn, prove_system
from ghostproof.engines.problem import Bounds, Certificate
from ghostproof.explain.core import confirmed, minimal
from ghostproof.explain.facts import Obligations, Question
from ghostproof.lift.limits import Limits
from ghostproof.lift.plain import lift_pruner
from ghostproof.lift.single import single_tool
from ghostproof.turn.errors import InternalError
from ghostproof.turn.explanation import Fact
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.scenario import ANYTHING, ORDINARY_SESSION, Scenario
from ghostproof.variants.arbitration import argument_first
from ghostproof_proofs.t2_parts import alone, untouched

LIMITS = Limits()
Proof = tuple[tuple[Question, ...], tuple[Fact, ...]]


def questions(pruner: Pruner, scenario: Scenario) -> tuple[Question, ...]:
    lifted = lift_pruner(pruner)
    system = single_tool(lifted, scenario, NO_GHOST)
    found = prove_in_one_turn(system, Bounds()) or prove_system(system, Bounds())
    assert isinstance(found, Certificate)
    return Obligations(system, lifted, found.invariant).questions


def test_argument_first_needs_the_gate_and_neither_trimming_nor_pruning() -> None:
    needed = minimal(questions(argument_first, ANYTHING), LIMITS)
    assert {fact.where for fact in needed} == {"gate", "prompt"}
    written = [fact for fact in needed if fact.kind == "change" and fact.field == "tombstone_resident"]
    assert [fact.text for fact in written] == ["true"]
    assert {fact.field for fact in needed if fact.kind == "kept"} >= {"schema_shown", "tombstone_resident"}


def test_of_two_gates_the_last_is_used() -> None:
    needed = minimal(questions(redundant, ANYTHING), LIMITS)
    assert {fact.where for fact in needed} == {"gate_again", "prompt"}


def test_a_pass_after_the_gate_is_used_for_what_it_leaves_alone() -> None:
    needed = minimal(questions(untouched.schema_first, ANYTHING), LIMITS)
    assert {fact.where for fact in needed if fact.kind == "change"} == {"gate"}
    assert "tombstone_resident" in {fact.field for fact in needed if fact.where == "trim_calls"}
    assert "prune_schema" not in {fact.where for fact in needed}


def test_order_alone_rests_on_when_trimming_ends_and_when_the_model_calls() -> None:
    asked = questions(alone.argument_first, ORDINARY_SESSION)
    needed = minimal(asked, LIMITS)
    assert {("ends", "trim_history"), ("guard", "call")} <= {(fact.kind, fact.where) for fact in needed}
    checked = {item.by: item.count for item in confirmed(asked, needed, LIMITS)}
    assert set(checked) == {"z3", "cvc5", "deletion"}
    assert checked["deletion"] == len(needed)


@pytest.fixture(scope="module")
def proof() -> Proof:
    asked = questions(untouched.schema_first, ANYTHING)
    return asked, minimal(asked, LIMITS)


def test_a_core_with_too_little_is_refused(proof: Proof) -> None:
    asked, needed = proof
    for missing in needed:
        with pytest.raises(InternalError, match="does not find the facts sufficient"):
            confirmed(asked, [fact for fact in needed if fact != missing], LIMITS)


def test_a_core_with_too_much_is_refused(proof: Proof) -> None:
    asked, needed = proof
    others = {fact for question in asked for fact in question.named} - set(needed)
    assert others
    for more in others:
        with pytest.raises(InternalError, match="said to need what it does not"):
            confirmed(asked, [*needed, more], LIMITS)


def test_what_proves_nothing_has_no_core(proof: Proof) -> None:
    asked, needed = proof
    change = next(fact for fact in needed if fact.kind == "change")
    weaker = [question.only(frozenset(question.named) - {change}) for question in asked]
    with pytest.raises(InternalError, match="taken apart"):
        minimal(weaker, LIMITS)
