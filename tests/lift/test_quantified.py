"""Scripts over a sort of tools: what they may contain, and that they say what they should."""

from __future__ import annotations

import re

import pytest

from ghostproof.lift.limits import Limits
from ghostproof.lift.quantified import HERE, Script, about, obligation_scripts
from ghostproof.lift.solver import Satisfiable, Unsatisfiable, ask_afresh
from ghostproof.lift.system import Command, System
from ghostproof.lift.term import FALSE, TRUE, Term, choose, conjunction, disjunction, negate, variable

A, B, SEEN = (variable(name, "Bool") for name in ("a", "b", "seen"))


def sweeping(effect: Term, over: Term = SEEN) -> System:
    """A pass that visits tools one at a time, does `effect` to `a` there, and ends when `over` holds of all."""
    visit = Command("visit", "pass", "pass", TRUE, {"a": choose(HERE, effect, A), "seen": disjunction(SEEN, HERE)})
    end = Command("end", "pass", "prompt", over, {})
    return System("s", {"a": "Bool", "b": "Bool", "seen": "Bool"}, "pass", negate(SEEN), (visit, end), "prompt", A)


INVARIANT = {"pass": disjunction(negate(SEEN), negate(A)), "prompt": negate(A)}


def failing(system: System) -> list[str]:
    scripts = obligation_scripts(system, INVARIANT)
    return [n for n, (q, _) in scripts.items() if isinstance(ask_afresh(q.text, Limits()), Satisfiable)]


def test_a_sweep_that_clears_what_it_visits_clears_all() -> None:
    assert failing(sweeping(FALSE)) == []


@pytest.mark.parametrize(
    ("system", "broken"),
    [
        (sweeping(B), ["visit"]),  # not for every tool
        (sweeping(FALSE, TRUE), ["end"]),  # ends early
        (sweeping(TRUE), ["visit"]),
    ],
)
def test_a_sweep_that_leaves_something_is_found_out(system: System, broken: list[str]) -> None:
    assert failing(system) == broken


def test_a_visit_touches_one_tool_only() -> None:
    # If a visit cleared every tool, one visit would be enough; it is not.
    one = Command("visit", "pass", "prompt", TRUE, {"a": choose(HERE, FALSE, A)})
    system = System("s", {"a": "Bool"}, "pass", TRUE, (one,), "prompt", A)
    question, _ = obligation_scripts(system, {"prompt": negate(A)})["visit"]
    assert isinstance(ask_afresh(question.text, Limits()), Satisfiable)
    all_at_once = System(
        "s", {"a": "Bool"}, "pass", TRUE, (Command("v", "pass", "prompt", TRUE, {"a": FALSE}),), "p", A
    )
    question, _ = obligation_scripts(all_at_once, {"prompt": negate(A)})["v"]
    assert isinstance(ask_afresh(question.text, Limits()), Unsatisfiable)


def test_a_model_tells_how_the_one_tool_stands() -> None:
    question, command = obligation_scripts(sweeping(B), INVARIANT)["visit"]
    answer = ask_afresh(question.told(), Limits())
    assert isinstance(answer, Satisfiable)
    assert command is not None
    assert answer.values["b"] is True
    assert answer.values["next a"] is True


def test_premises_without_a_model_are_found_out() -> None:
    question = Script(A).given(A).given(negate(A)).but(A)
    assert isinstance(ask_afresh(question.text, Limits()), Unsatisfiable)
    assert isinstance(ask_afresh(question.possible(), Limits()), Unsatisfiable)
    assert isinstance(ask_afresh(Script(A).given(A).but(negate(A)).possible(), Limits()), Satisfiable)
    assert isinstance(ask_afresh(Script(A).given(A).possible(negate(A)), Limits()), Unsatisfiable)


def test_only_constants_and_relations_of_one_tool_are_declared() -> None:
    for question, _ in obligation_scripts(sweeping(B), INVARIANT).values():
        for line in question.told().splitlines():
            assert re.fullmatch(
                r"\(set-logic UF\)|\(declare-sort Tool 0\)|\(declare-fun \|~[^|]+\| \(Tool\) Bool\)"
                r"|\(declare-const \|[^|]+\| (Tool|Bool)\)|\(assert \(forall \(\(t Tool\)\) (?!.*forall).*\)\)"
                r"|\(assert (?!.*(forall|exists)).*\)|",
                line,
            ), line


def test_names_cannot_be_taken_for_each_other() -> None:
    assert about(conjunction(variable("a|b", "Bool"), HERE), "t") == "(and (|~a$bb| t) (= t |the visited tool|))"
