"""One battery for every engine of the table: toys whose answers are known by hand. To be listed is to be tested."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace

import pytest

from ghostproof.engines.problem import Bounds, Edge
from ghostproof.engines.table import ENGINES, engine
from ghostproof.engines.toys import FALSE_TOYS, TOYS, TRUE_TOYS, Toy
from ghostproof.lift.limits import Limits
from ghostproof.lift.system import relevant
from ghostproof.turn.trace import Walk
from ghostproof.turn.verdict import HoldsTo, Proved, Refuted, Undetermined, Verdict

BOUNDS = Bounds(turns=12, tools=2, limits=Limits(timeout_ms=20_000))
UNBOUNDED, BOUNDED = ("induction", "k-induction"), ("bmc", "explicit")


def settled(name: str, toy: Toy, bounds: Bounds = BOUNDS) -> Verdict:
    return engine(name)(toy, bounds).verdict


def named(toy: Toy) -> str:
    return toy.name


def test_every_engine_of_the_table_is_in_the_battery() -> None:
    assert set(ENGINES) == {*UNBOUNDED, *BOUNDED}


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("toy", TRUE_TOYS, ids=named)
def test_a_true_property_is_never_refuted(name: str, toy: Toy) -> None:
    verdict = settled(name, toy)
    assert isinstance(verdict, (Proved, HoldsTo, Undetermined))


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("toy", FALSE_TOYS, ids=named)
def test_a_false_property_is_never_proved_nor_said_to_hold(name: str, toy: Toy) -> None:
    verdict = settled(name, toy)
    assert isinstance(verdict, (Refuted, Undetermined))


@pytest.mark.parametrize("toy", TRUE_TOYS, ids=named)
def test_induction_proves_every_true_toy_with_a_certificate(toy: Toy) -> None:
    finding = engine("induction")(toy, BOUNDS)
    assert isinstance(finding.verdict, Proved)
    assert finding.certificate is not None
    assert finding.certificate.system == relevant(toy.system)
    assert set(finding.verdict.invariant) <= set(toy.system.locations)


@pytest.mark.parametrize("toy", TRUE_TOYS, ids=named)
def test_k_induction_proves_what_needs_at_most_twelve_steps(toy: Toy) -> None:
    verdict = settled("k-induction", toy)
    if toy.name == "a heap that stops in time":
        # Unreachable heaps are unbounded below, so that ever longer ways lead to a violation from nowhere.
        assert isinstance(verdict, Undetermined)
        assert "not inductive within 12 steps" in verdict.reason
    else:
        assert isinstance(verdict, Proved)


@pytest.mark.parametrize("name", UNBOUNDED)
@pytest.mark.parametrize("toy", FALSE_TOYS, ids=named)
def test_an_unbounded_engine_leaves_a_false_property_open_and_gives_no_certificate(name: str, toy: Toy) -> None:
    finding = engine(name)(toy, BOUNDS)
    assert isinstance(finding.verdict, Undetermined)
    assert "violation" in finding.verdict.reason
    assert finding.certificate is None


@pytest.mark.parametrize("name", BOUNDED)
@pytest.mark.parametrize("toy", TRUE_TOYS, ids=named)
def test_a_bounded_engine_says_of_a_true_property_how_far_it_holds_and_no_more(name: str, toy: Toy) -> None:
    verdict = settled(name, toy)
    assert isinstance(verdict, HoldsTo)
    assert (verdict.engine, verdict.turns) == (name, 12)


@pytest.mark.parametrize("name", BOUNDED)
@pytest.mark.parametrize("toy", FALSE_TOYS, ids=named)
def test_a_counterexample_is_as_short_as_it_can_be(name: str, toy: Toy) -> None:
    verdict = settled(name, toy)
    assert isinstance(verdict, Refuted)
    assert isinstance(verdict.trace, Walk)
    assert len(verdict.trace.states) == toy.known.requests
    assert verdict.trace.size == (len(verdict.trace.states) - 1, 1)


@pytest.mark.parametrize("name", BOUNDED)
@pytest.mark.parametrize("toy", FALSE_TOYS, ids=named)
def test_one_request_less_than_the_shortest_finds_nothing(name: str, toy: Toy) -> None:
    assert toy.known.requests is not None
    verdict = settled(name, toy, replace(BOUNDS, turns=toy.known.requests - 1))
    assert isinstance(verdict, HoldsTo)
    assert verdict.turns == toy.known.requests - 1


@pytest.mark.parametrize("toy", TRUE_TOYS, ids=named)
def test_explicit_search_counts_exactly_the_states_and_transitions_there_are(toy: Toy) -> None:
    verdict = settled("explicit", toy)
    assert isinstance(verdict, HoldsTo)
    assert (verdict.explored, verdict.unit) == (toy.known.states, "states")
    assert [(item.what, item.count) for item in verdict.checked] == [
        (f"states with {toy.known.transitions} transitions", toy.known.states)
    ]


def test_bmc_finds_the_least_cost_among_the_shortest_walks() -> None:
    toy = next(toy for toy in FALSE_TOYS if toy.known.tokens)
    verdict = settled("bmc", toy)
    assert isinstance(verdict, Refuted)
    assert isinstance(verdict.trace, Walk)
    assert verdict.trace.states[0]["size"] == toy.known.tokens
    assert "fewer than 3 tokens" in verdict.minimality[-1]
    assert "excluded by the solver" in verdict.minimality[-1]


@pytest.mark.parametrize("toy", FALSE_TOYS, ids=named)
def test_k_induction_names_the_commands_that_lead_to_the_violation(toy: Toy) -> None:
    verdict = settled("k-induction", toy)
    assert isinstance(verdict, Undetermined)
    assert toy.known.requests is not None
    assert len(verdict.candidate) == toy.known.requests - 1
    assert set(verdict.candidate) <= {command.name for command in toy.system.commands}


@pytest.mark.parametrize("name", ["induction", "k-induction", "bmc"])
@pytest.mark.parametrize("toy", TOYS, ids=named)
def test_without_any_solver_steps_nothing_is_settled(name: str, toy: Toy) -> None:
    verdict = settled(name, toy, replace(BOUNDS, limits=Limits(rlimit=1)))
    if toy.name in SETTLED_BY_FOLDING.get(name, ()):
        assert not isinstance(verdict, Undetermined)
        return
    assert isinstance(verdict, Undetermined)
    assert "the limit of 1 solver steps ran out" in verdict.reason


# Where the smart constructors alone leave nothing to ask a solver.
SETTLED_BY_FOLDING = {"induction": ("a door that closes behind",)}


def test_explicit_search_that_meets_too_many_states_settles_nothing() -> None:
    toy = TRUE_TOYS[0]
    verdict = settled("explicit", toy, replace(BOUNDS, states=3))
    assert isinstance(verdict, Undetermined)
    assert "more than 3 states" in verdict.reason


def test_the_limit_of_states_ends_a_level_that_is_larger_than_it(monkeypatch: pytest.MonkeyPatch) -> None:
    toy = TRUE_TOYS[0]
    asked: list[int] = []

    def edges(self: Toy, states: Sequence[Hashable]) -> list[list[Edge]]:
        asked.append(len(states))
        return [[] for _ in states]

    monkeypatch.setattr(Toy, "states", lambda self: [1, 2, 3])
    monkeypatch.setattr(Toy, "edges", edges)
    monkeypatch.setattr("ghostproof.engines.explicit.AT_ONCE", 1)
    assert isinstance(settled("explicit", toy, replace(BOUNDS, states=1)), Undetermined)
    assert asked == [1]


def test_an_unknown_engine_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        engine("oracle")
