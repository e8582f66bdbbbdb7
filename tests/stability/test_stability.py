"""A slice of `make stability` on every run, and canaries: a gate that no flip makes fail keeps nothing stable."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

import stability.__main__ as command
from ghostproof.engines.induction import induction
from ghostproof.engines.problem import Bounds
from ghostproof.engines.toys import TRUE_TOYS, Toy
from ghostproof.lift.horn import horn_script
from ghostproof.lift.limits import Limits
from ghostproof.lift.smtlib import script, shuffled
from ghostproof.lift.solver import Satisfiable, Unsatisfiable, ask
from ghostproof.lift.term import Term
from ghostproof.turn.verdict import HoldsTo, Proved, ProvedUpTo, Undetermined, Vacuous, Verdict
from stability.spread import Run, Spread, Subject, answer, at_the_edge, pigeons, spread, varied

LARGEST = max(TRUE_TOYS, key=lambda toy: len(toy.system.commands))
TEXTS = {"a question": script(pigeons()), "clauses of Spacer": horn_script(LARGEST.system)[0]}


def always(said: str) -> Subject:
    return Subject(f"always {said}", lambda limits: said)


def flips(limits: Limits) -> str:
    return "proved" if limits.seed == 0 else "undetermined"


# ---- orders ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TEXTS)
def test_an_order_moves_lines_and_neither_adds_nor_drops_one(name: str) -> None:
    text = TEXTS[name]
    others = [shuffled(text, order) for order in (1, 2, 3)]
    assert shuffled(text, 0) == text
    for kinds in (("(declare-const", "(declare-var"), ("(assert", "(rule")):
        orders = {tuple(line for line in some.splitlines() if line.startswith(kinds)) for some in (text, *others)}
        assert len(orders) > 1
    for other in others:
        assert sorted(other.splitlines()) == sorted(text.splitlines())
    assert shuffled(text, 1) == others[0]


@pytest.mark.parametrize("left_out", range(len(pigeons())), ids=str)
def test_every_assertion_counts_in_every_order(left_out: int) -> None:
    # With one pigeon not housed, or two allowed in one hole, there is a solution: no assertion can be spared.
    fewer: list[Term] = [term for place, term in enumerate(pigeons()) if place != left_out]
    assert isinstance(ask(script(fewer), Limits(seed=left_out, order=left_out)), Satisfiable)


def test_the_pigeons_have_no_solution_in_any_order() -> None:
    for limits in varied(4):
        assert isinstance(ask(script(pigeons()), limits), Unsatisfiable)


@pytest.mark.parametrize("toy", TRUE_TOYS, ids=lambda toy: toy.name)
def test_invariants_are_found_in_other_orders(toy: Toy) -> None:
    assert isinstance(induction(toy, Bounds(limits=Limits(seed=2, order=2))).verdict, Proved)


# ---- the table and its end ------------------------------------------------------------------------------------------


def test_a_slice_of_the_claims_does_not_flip(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["T4", "--runs", "3"]) == 0
    said = capsys.readouterr().out
    assert "T4 gate not last" in said
    assert said.endswith("5 questions under 3 seeds and orders: no flip.\n")


@pytest.mark.slow
def test_the_usual_claims_do_not_flip() -> None:
    assert command.main([]) == 0


def test_canary_a_question_at_the_edge_of_its_limit_flips() -> None:
    found = at_the_edge(varied(5))
    assert set(found.said) == {"proved", "undetermined: the limit"}
    assert found.steps[0] < found.steps[2]


@pytest.mark.parametrize(
    ("settle", "code"),
    [
        pytest.param(lambda limits: "proved", 0, id="stable"),
        pytest.param(flips, 1, id="a verdict"),
        pytest.param(lambda limits: f"refuted in {2 + limits.order // 2} requests, 1 tool", 1, id="a minimal length"),
    ],
)
def test_a_flip_fails(settle: Callable[[Limits], str], code: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.report([always("proved"), Subject("this one", settle)], 3) == code
    said = capsys.readouterr().out.splitlines()
    assert ("this one: FLIPS" in said) is bool(code)
    assert said[-1] == f"2 questions under 3 seeds and orders: {'1 flip' if code else 'no flip'}."


def test_a_canary_that_does_not_flip_fails(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(command, "at_the_edge", partial(spread, always("canary")))
    assert command.report([always("proved")], 2) == 1
    assert "always canary: VOID, it does not flip." in capsys.readouterr().out


def test_nothing_asked_is_no_success() -> None:
    assert command.report([], 2) == 1


@pytest.mark.parametrize(
    ("arguments", "said"), [(["--runs", "1"], "nothing to differ from"), (["T99"], "there is no claim T99")]
)
def test_wrong_usage(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        command.main(arguments)
    assert ended.value.code == 2
    assert said in capsys.readouterr().err


def test_a_row_has_least_median_and_most() -> None:
    found = Spread(always("proved"), (Run("proved", 5, 0.5), Run("proved", 1200, 0.25), Run("refuted", 7, 12.0)))
    assert command.row(found) == (
        "always proved",
        "FLIPS: proved | refuted",
        *("5", "7", "1,200"),
        *("0.25 s", "0.50 s", "12.0 s"),
    )


HOLDS = HoldsTo("bmc", 3, 2, "every size and budget", 7)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (Proved("induction"), Proved("k-induction"), True),
        (Proved("induction"), Undetermined("tired", "induction"), False),
        (HOLDS, replace(HOLDS, explored=9), True),
        (HOLDS, replace(HOLDS, turns=4), False),
        (ProvedUpTo("induction", 1), ProvedUpTo("induction", 2), False),
        (Vacuous(("a", "b"), "bmc"), Vacuous(("b", "a"), "bmc"), True),
        (Vacuous(("a",), "bmc"), Vacuous(("b",), "bmc"), False),
    ],
)
def test_an_answer_is_a_verdict_and_how_far_it_reaches(one: Verdict, other: Verdict, same: bool) -> None:
    assert (answer(one) == answer(other)) is same
