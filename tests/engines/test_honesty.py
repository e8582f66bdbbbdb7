"""What an engine must not do: pass on what does not replay, take a limit for an answer, or believe Spacer."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace

import pytest

from engines.corpus import CORPUS, HANDED_OVER
from ghostproof.engines import induction
from ghostproof.engines.bmc import bmc
from ghostproof.engines.explicit import explicit
from ghostproof.engines.problem import Bounds
from ghostproof.engines.toys import FALSE_TOYS, TRUE_TOYS, Toy, Walks
from ghostproof.host.host import LocalHost
from ghostproof.host.problem import PrunerProblem, Sessions
from ghostproof.lift.limits import Limits
from ghostproof.lift.smtlib import script
from ghostproof.lift.solver import Invariant, Satisfiable, Unknown, Unsatisfiable, ask, ask_afresh, find_invariant
from ghostproof.lift.term import FALSE, TRUE, Term
from ghostproof.turn.errors import InternalError
from ghostproof.turn.explore import Grid
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.scenario import ANYTHING
from ghostproof.turn.trace import Trace, Walk
from ghostproof.turn.verdict import HoldsTo, Refuted, Undetermined

BOUNDS = Bounds(turns=3, tools=2)
COUNTER = FALSE_TOYS[0]

HOLES = 9


def pigeons() -> str:
    """HOLES + 1 pigeons in HOLES holes: unsatisfiable, and exponential for resolution."""
    lines = ["(set-logic QF_LIA)"]
    place = [[f"p{pigeon}_{hole}" for hole in range(HOLES)] for pigeon in range(HOLES + 1)]
    lines += [f"(declare-const {name} Bool)" for row in place for name in row]
    lines += [f"(assert (or {' '.join(row)}))" for row in place]
    lines += [
        f"(assert (not (and {place[left][hole]} {place[right][hole]})))"
        for hole in range(HOLES)
        for left in range(HOLES + 1)
        for right in range(left)
    ]
    return "\n".join(lines)


class LyingWalks(Walks):
    """Says that every walk is a violation."""

    def extend(self) -> None:
        super().extend()
        self.violations[-1] = TRUE


@dataclass(frozen=True, slots=True)
class LyingToy(Toy):
    """A toy whose unrolling lies."""

    def unrolling(self, tools: int) -> Walks | None:
        return LyingWalks(self) if tools == 1 else None


@dataclass(frozen=True, slots=True)
class ForgetfulToy(Toy):
    """A toy that cannot retrace what its own edges say."""

    def retrace(self, start: Hashable, labels: Sequence[Hashable]) -> Walk:
        return Toy.retrace(self, start, ["back to 0", *labels])


def test_bmc_never_shows_a_walk_that_does_not_replay() -> None:
    toy = LyingToy(TRUE_TOYS[0].system, TRUE_TOYS[0].ranges, TRUE_TOYS[0].known)
    with pytest.raises(InternalError):
        bmc(toy, BOUNDS)


def test_explicit_search_never_shows_a_walk_that_does_not_replay() -> None:
    toy = ForgetfulToy(COUNTER.system, COUNTER.ranges, COUNTER.known)
    with pytest.raises(InternalError):
        explicit(toy, replace(BOUNDS, turns=12))


class LyingSessions(Sessions):
    """Says that the first request of any session is a ghost."""

    def extend(self) -> None:
        super().extend()
        self.violations[-1] = TRUE


def test_bmc_never_shows_a_session_that_does_not_replay() -> None:
    class LyingProblem(PrunerProblem):
        def unrolling(self, tools: int, whole: bool = False) -> Sessions:
            return LyingSessions(self.host, self.scenario, self.judged, tools, self.rounds, whole)

    problem = LyingProblem(LocalHost(CORPUS["argument-first"]), HANDED_OVER, NO_GHOST, Grid(), Limits())
    with pytest.raises(InternalError, match="does not replay"):
        bmc(problem, BOUNDS)


def test_a_ghost_before_the_last_request_of_a_counterexample_does_not_replay() -> None:
    problem = PrunerProblem(
        LocalHost(CORPUS["separate budgets without a gate"]), HANDED_OVER, NO_GHOST, Grid(), Limits()
    )
    unrolling = problem.unrolling(1)
    unrolling.extend()
    unrolling.extend()
    both = [*unrolling.constraints, *unrolling.violations]
    values = answer_of(both)
    with pytest.raises(InternalError, match="does not replay"):
        unrolling.replay(values)


def answer_of(terms: Sequence[Term]) -> Mapping[str, bool | int]:
    answer = ask(script(terms), Limits())
    assert isinstance(answer, Satisfiable)
    return answer.values


def test_a_search_that_runs_into_its_clock_says_so() -> None:
    answer = ask(pigeons(), Limits(timeout_ms=100))
    assert answer == Unknown("the wall-clock guard of 100 ms ran out")


def test_a_search_that_runs_out_of_steps_says_so() -> None:
    answer = ask(pigeons(), Limits(rlimit=20_000))
    assert answer == Unknown("the limit of 20000 solver steps ran out")


def test_steps_are_counted_anew_for_each_question_of_the_shared_context() -> None:
    text = "(declare-const $x Int)(assert (< 3 $x))(assert (< $x 5))"
    limits = Limits(rlimit=20_000)
    assert isinstance(ask(pigeons(), limits), Unknown)
    assert [ask(text, limits) for _ in range(50)] == [Satisfiable({"x": 4})] * 50


def test_nothing_of_one_question_is_left_in_the_next() -> None:
    assert isinstance(ask("(declare-const $x Int)(assert (< $x $x))", Limits()), Unsatisfiable)
    assert ask("(declare-const $x Bool)(assert $x)", Limits()) == Satisfiable({"x": True})
    assert ask_afresh("(declare-const $x Int)(assert (= $x (- 7)))", Limits()) == Satisfiable({"x": -7})


def test_a_malformed_question_is_an_error_and_no_unknown() -> None:
    with pytest.raises(Exception, match="unknown constant"):
        ask("(assert nowhere)", Limits())


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (Limits(rlimit=1000), "the limit of 1000 solver steps ran out"),
        (Limits(timeout_ms=1), "the wall-clock guard of 1 ms ran out"),
    ],
)
def test_a_limit_of_spacer_is_told_by_its_name(limits: Limits, reason: str) -> None:
    problem = PrunerProblem(LocalHost(CORPUS["oldest item first"]), ANYTHING, NO_GHOST, Grid(), limits)
    assert find_invariant(problem.system, limits) == Unknown(reason)


@pytest.mark.parametrize("pruner", ["argument-first", "schema-first"])
def test_bmc_without_solver_steps_is_undetermined(pruner: str) -> None:
    problem = PrunerProblem(LocalHost(CORPUS[pruner]), ANYTHING, NO_GHOST, Grid(), Limits())
    verdict = bmc(problem, replace(BOUNDS, limits=Limits(rlimit=1))).verdict
    assert isinstance(verdict, Undetermined)
    assert verdict.reason.startswith("the limit of 1 solver steps ran out")


def test_what_was_excluded_before_a_limit_is_reported() -> None:
    class Late(Walks):
        def extend(self) -> None:
            super().extend()
            if len(self.violations) == 3:
                self.unsettled = "a pass"

    class LateToy(Toy):
        def unrolling(self, tools: int) -> Walks | None:
            return Late(self) if tools == 1 else None

    toy = LateToy(COUNTER.system, COUNTER.ranges, COUNTER.known)
    verdict = bmc(toy, BOUNDS).verdict
    assert isinstance(verdict, Undetermined)
    assert verdict.reason == "no bound is known for the rounds of pass a pass (no violation in 2 requests)"


def test_an_invariant_of_spacer_that_is_none_is_an_internal_error(monkeypatch: pytest.MonkeyPatch) -> None:
    # Constants do not prove this one, so that Spacer is asked.
    toy = next(toy for toy in TRUE_TOYS if toy.name.startswith("a bad end"))
    monkeypatch.setattr(induction, "find_invariant", lambda system, limits: Invariant({"here": TRUE}))
    with pytest.raises(InternalError, match="does not discharge"):
        induction.prove_system(toy.system, BOUNDS)


def test_spacer_is_not_believed_when_the_fresh_context_gives_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    toy = next(toy for toy in TRUE_TOYS if toy.name.startswith("two counters"))
    monkeypatch.setattr(induction, "find_invariant", lambda system, limits: Invariant({"here": FALSE}))
    monkeypatch.setattr(induction, "ask_afresh", lambda text, limits: Unknown("tired"))
    verdict = induction.induction(toy, BOUNDS).verdict
    assert verdict == Undetermined("tired", "induction")


def test_no_initial_state_is_no_refutation_and_explores_nothing() -> None:
    problem = PrunerProblem(
        LocalHost(CORPUS["argument-first"]),
        replace(HANDED_OVER, starts_within_budget=True),
        NO_GHOST,
        Grid(tools=1, budgets=(0,)),
        Limits(),
    )
    verdict = explicit(problem, BOUNDS).verdict
    assert isinstance(verdict, HoldsTo)
    assert verdict.explored == 1  # the start, from which no session leads on


def test_a_refutation_of_a_pruner_carries_a_played_trace() -> None:
    problem = PrunerProblem(LocalHost(CORPUS["schema-first"]), HANDED_OVER, NO_GHOST, Grid(), Limits())
    for engine in (bmc, explicit):
        verdict = engine(problem, BOUNDS).verdict
        assert isinstance(verdict, Refuted)
        assert isinstance(verdict.trace, Trace)
        assert problem.host.play(verdict.trace.script, NO_GHOST) == verdict.trace
        assert verdict.trace.requests[-1].violations
        assert not any(request.violations for request in verdict.trace.requests[:-1])
