"""T15: the projection holds of the real system, fails of each wrong one, and rests on facts that are true."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import product

import pytest

from ghostproof.certify.projection import (
    Required,
    Subject,
    product_facts,
    product_moves,
    required,
    subject_of,
)
from ghostproof.certify.projection_turn import unrolling_obligation
from ghostproof.engines.problem import Bounds
from ghostproof.examine import examine
from ghostproof.host.host import LocalHost
from ghostproof.lift.plain import lift_pruner
from ghostproof.lift.term import FALSE, TRUE, Term, conjunction, integer, variable
from ghostproof.turn.claim import Obligation, Question
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.scenario import ANYTHING, ORDINARY_SESSION, Scenario
from ghostproof.turn.session import play
from ghostproof.turn.trace import Script, ScriptTurn, Trace
from ghostproof.turn.verdict import Proved, Refuted, Undetermined, Vacuous
from ghostproof.variants.arbitration import argument_first, schema_first
from ghostproof_proofs.broken.projections import between, never_freed, without
from ghostproof_proofs.projected import settled, steps_projected, turns_projected
from ghostproof_proofs.t2_parts import NEW_BUDGETS
from ghostproof_proofs.t15_projection import T15


@pytest.mark.parametrize("question", T15.questions, ids=lambda question: question.label)
def test_every_question_is_answered_as_expected(question: Obligation | Question) -> None:
    assert isinstance(question, Obligation)
    verdict = question.discharge()
    assert question.expected.met_by(verdict), verdict


def _assumed(calls: int, left: int, size: int, tokens: int, tokens_left: int) -> Term:
    """What is assumed of a tool with `calls` calls of which `left` are left; a constant, since all is known."""
    before, after = ({"calls_resident": integer(count), "argument_tokens": integer(size)} for count in (calls, left))
    return conjunction(
        product_facts(before, integer(tokens)),
        product_moves(before, integer(tokens), after, integer(tokens_left)),
    )


@pytest.mark.parametrize("size", range(1, 6))
def test_what_is_assumed_of_arguments_is_true_of_every_product(size: int) -> None:
    for calls, left in product(range(7), repeat=2):
        assert _assumed(calls, left, size, calls * size, left * size) is TRUE


@pytest.mark.parametrize(
    ("calls", "left", "tokens", "tokens_left"), [(2, 1, 6, 6), (2, 2, 6, 5), (1, 0, 3, 1), (1, 1, 2, 2), (1, 2, 3, 3)]
)
def test_what_is_assumed_of_arguments_says_something(calls: int, left: int, tokens: int, tokens_left: int) -> None:
    assert _assumed(calls, left, 3, tokens, tokens_left) is FALSE


def test_a_failure_names_its_obligation_and_the_scenario() -> None:
    verdict = steps_projected(argument_first, (ORDINARY_SESSION,), partial(without, "prune_schema ends: fits"))
    assert isinstance(verdict, Undetermined)
    assert verdict.reason.startswith("prune_schema: the pass ends, its condition holds (ordinary environment")


@pytest.mark.parametrize("action", ["idle", "call", "reject", "arguments appear", "last response settles"])
def test_no_action_can_be_left_out(action: str) -> None:
    verdict = steps_projected(argument_first, (ANYTHING,), partial(without, action))
    assert isinstance(verdict, Undetermined)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_whole_turns_miss_it_when_no_visit_frees_a_condition(count: int) -> None:
    verdict = turns_projected(argument_first, (ANYTHING,), (count,), never_freed)
    assert isinstance(verdict, Undetermined)


def test_unrolled_sessions_of_another_pruner_do_not_agree() -> None:
    subject = subject_of(argument_first, ANYTHING)
    other = replace(subject, lifted=lift_pruner(schema_first))
    # Under any action the first request can differ: what trimming takes is taken after the gate.
    verdict = settled([unrolling_obligation(other, 1)])
    assert isinstance(verdict, Undetermined)


def test_an_obligation_that_says_nothing_is_vacuous() -> None:
    said: Required = required("nothing", FALSE, TRUE)
    assert settled([said]) == Vacuous(("nothing",), "projection")
    assert settled([]) == Vacuous(("no obligations",), "projection")


def test_a_premise_that_holds_only_without_its_witness_is_vacuous() -> None:
    flag = variable("flag", "Bool")
    assert settled([required("flag", flag, flag, FALSE)]) == Vacuous(("flag",), "projection")


def test_only_shared_conditions_are_kept() -> None:
    subject: Subject = subject_of(argument_first, ANYTHING)
    assert list(subject.kept) == ["prompt_fits holds"]


def test_a_visit_to_one_tool_makes_a_ghost_of_another() -> None:
    """Why visits to other tools matter in such a pass: here tool 2 is visited, tool 1 is not, and is hidden after."""
    tool = {"mutation": True, "pinned": False, "schema_tokens": 1, "argument_tokens": 1, "tombstone_tokens": 1}

    def turn(total: int, schemas: int, response: str, execution: str) -> ScriptTurn:
        budgets = {"total_budget": total, "schema_budget": schemas}
        return ScriptTurn(budgets, ("idle", "idle"), (response, "silent"), (execution, "no execution"))

    fits, hidden, last = (turn(total, total, "silent", "no execution") for total in (2, 0, 2))
    script = Script((tool, tool), 0, (fits, hidden, turn(1, 1, "call", "accept"), last))
    trace = play(between, script, NO_GHOST)
    assert [request.violations for request in trace.requests] == [(), (), (), (0,)]


@pytest.mark.parametrize("scenario", [ANYTHING, ORDINARY_SESSION], ids=["anything", "ordinary"])
def test_a_pass_with_a_condition_of_its_own_between_two_that_share_one(scenario: Scenario) -> None:
    assert isinstance(steps_projected(between, (scenario,)), Proved)


def test_such_a_pass_is_not_proved_safe() -> None:
    """The ghost is found, since the system lets a visit to another tool move a condition that it does not test."""
    verdict = examine(LocalHost(between), NEW_BUDGETS, NO_GHOST, Bounds())
    assert isinstance(verdict, Refuted)
    assert isinstance(verdict.trace, Trace)
    assert verdict.trace.size == (3, 2)
