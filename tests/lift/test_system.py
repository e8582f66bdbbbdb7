"""Guarded commands: what must be discharged to prove them safe, and that what does not matter can be left out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.corpus import CORPUS, HANDED_OVER, ORDINARY_UNPINNED
from ghostproof.engines.toys import TOYS, TRUE_TOYS, Known, Toy
from ghostproof.host.host import LocalHost
from ghostproof.host.problem import PrunerProblem
from ghostproof.lift.horn import horn_script
from ghostproof.lift.limits import Limits
from ghostproof.lift.smtlib import script
from ghostproof.lift.solver import Invariant, Reachable, Satisfiable, Unsatisfiable, ask, find_invariant
from ghostproof.lift.system import Command, System, conjuncts, obligations, relevant
from ghostproof.lift.term import (
    FALSE,
    TRUE,
    Term,
    at_most,
    choose,
    conjunction,
    disjunction,
    equal,
    evaluate,
    integer,
    negate,
    variable,
)
from ghostproof.lift.unroll import CommandUnrolling
from ghostproof.turn.explore import Grid
from ghostproof.turn.property import NO_GHOST

A, B, C, IN = (variable(name, "Bool") for name in ("a", "b", "c", "in"))


# ---- obligations -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("toy", TOYS, ids=lambda toy: toy.name)
def test_there_is_an_obligation_for_the_start_for_each_command_and_for_safety(toy: Toy) -> None:
    names = [name for name, _ in obligations(toy.system, {})]
    assert names[0] == "initiation"
    assert names[-1] == "safety"
    assert names[1:-1] == [f"consecution of {c.name!r} from {c.source} to {c.target}" for c in toy.system.commands]


def unsatisfied(system: System, invariant: dict[str, Term]) -> list[str]:
    return [
        name for name, term in obligations(system, invariant) if isinstance(ask(script([term]), Limits()), Satisfiable)
    ]


DOOR = next(toy for toy in TRUE_TOYS if toy.name.startswith("a door")).system
OPEN = variable("open", "Bool")


def test_a_good_invariant_leaves_nothing_to_satisfy() -> None:
    assert unsatisfied(DOOR, {"outside": negate(OPEN), "inside": OPEN}) == []


@pytest.mark.parametrize(
    ("invariant", "broken"),
    [
        ({}, ["safety"]),
        (
            {"outside": OPEN, "inside": OPEN},
            ["initiation", "consecution of 'come out' from inside to outside", "safety"],
        ),
        ({"outside": negate(OPEN)}, ["consecution of 'come out' from inside to outside"]),
        (
            {"outside": negate(OPEN), "inside": negate(OPEN)},
            ["consecution of 'go in' from outside to inside", "consecution of 'come out' from inside to outside"],
        ),
        ({"outside": FALSE}, ["initiation", "consecution of 'come out' from inside to outside"]),
    ],
)
def test_a_wrong_invariant_fails_where_it_is_wrong(invariant: dict[str, Term], broken: list[str]) -> None:
    assert unsatisfied(DOOR, invariant) == broken


def test_inputs_are_what_a_command_reads_that_is_no_variable() -> None:
    command = Command("c", "here", "here", disjunction(A, IN), {"a": B})
    system = System("s", {"a": "Bool", "b": "Bool"}, "here", A, (command,), "here", A)
    assert system.inputs(command) == {"in": IN}
    assert system.state() == {"a": A, "b": B}


def test_locations_come_in_order_of_mention() -> None:
    commands = (Command("x", "two", "three", TRUE, {}), Command("y", "three", "one", TRUE, {}))
    assert System("s", {}, "one", TRUE, commands, "one", FALSE).locations == ("one", "two", "three")


def test_conjuncts_of_a_conjunction_are_its_parts() -> None:
    assert conjuncts(conjunction(A, B, C)) == (A, B, C)
    assert conjuncts(disjunction(A, B)) == (disjunction(A, B),)


# ---- slicing -------------------------------------------------------------------------------------------------------


def shortest(system: System, ranges: dict[str, Sequence[bool | int]], most: int = 40) -> int | None:
    """Requests until the first violation, found by enumeration; None when there is none at all."""
    toy = Toy(system, ranges, Known())
    level, seen, depth = list(toy.states()), set(toy.states()), 0
    while level and depth < most:
        depth += 1
        following = []
        for edges in toy.edges(level):
            for edge in edges:
                if edge.violates:
                    return depth
                if edge.state not in seen:
                    seen.add(edge.state)
                    following.append(edge.state)
        level = following
    return None


@pytest.mark.parametrize("toy", TOYS, ids=lambda toy: toy.name)
def test_slicing_keeps_the_shortest_violation_of_a_toy(toy: Toy) -> None:
    sliced = relevant(toy.system)
    assert shortest(sliced, dict(toy.ranges)) == toy.known.requests
    assert relevant(sliced) == sliced


small_terms = st.recursive(
    st.sampled_from([A, B, C, IN, TRUE, FALSE]),
    lambda inner: st.one_of(
        inner.map(negate),
        st.tuples(inner, inner).map(lambda pair: conjunction(*pair)),
        st.tuples(inner, inner).map(lambda pair: disjunction(*pair)),
        st.tuples(inner, inner, inner).map(lambda three: choose(*three)),
    ),
    max_leaves=3,
)
guards = st.one_of(st.just(TRUE), small_terms)
places = st.sampled_from(["one", "two"])
commands = st.builds(
    lambda source, target, guard, updates: Command("", source, target, guard, updates),
    places,
    places,
    guards,
    st.dictionaries(st.sampled_from(["a", "b", "c"]), small_terms, max_size=2),
)
over_state = small_terms.map(lambda term: term if "in" not in str(term) else A)
systems = st.builds(
    lambda initial, listed, bad: System(
        "random",
        {"a": "Bool", "b": "Bool", "c": "Bool"},
        "one",
        initial,
        tuple(Command(f"c{place}", c.source, c.target, c.guard, c.updates) for place, c in enumerate(listed)),
        "two",
        bad,
    ),
    over_state,
    st.lists(commands, min_size=1, max_size=6),
    over_state,
)
BITS: dict[str, Sequence[bool | int]] = dict.fromkeys(("a", "b", "c", "in"), (False, True))


@settings(max_examples=300)
@given(systems)
def test_slicing_keeps_the_shortest_violation_of_any_small_system(system: System) -> None:
    possible = any(
        evaluate(system.initial, {"a": a, "b": b, "c": c, "in": False})
        for a in (False, True)
        for b in (False, True)
        for c in (False, True)
    )
    if possible:
        assert shortest(relevant(system), BITS) == shortest(system, BITS)


def test_slicing_drops_what_nothing_depends_on() -> None:
    idle = Command("idle", "one", "two", TRUE, {})
    moves = Command("moves", "one", "two", B, {"c": TRUE})
    acts = Command("acts", "one", "two", TRUE, {"a": TRUE})
    system = System(
        "s", {"a": "Bool", "b": "Bool", "c": "Bool"}, "one", conjunction(A, C), (idle, moves, acts), "two", A
    )
    sliced = relevant(system)
    assert set(sliced.variables) == {"a"}
    assert [command.name for command in sliced.commands] == ["idle", "acts"]
    assert sliced.initial is A


def test_slicing_keeps_a_guard_that_nothing_stands_beside() -> None:
    moves = Command("moves", "one", "two", B, {"c": TRUE})
    system = System("s", {"a": "Bool", "b": "Bool", "c": "Bool"}, "one", A, (moves,), "two", A)
    assert set(relevant(system).variables) == {"a", "b"}


def test_slicing_keeps_what_a_run_starts_in_relation_to() -> None:
    stays = Command("stays", "one", "one", TRUE, {})
    system = System("s", {"a": "Bool", "b": "Bool"}, "one", conjunction(equal(A, B), negate(B)), (stays,), "one", A)
    assert shortest(system, BITS) is None
    assert shortest(relevant(system), BITS) is None


@cache
def problem(name: str, ordinary: bool) -> PrunerProblem:
    scenario = ORDINARY_UNPINNED if ordinary else HANDED_OVER
    return PrunerProblem(LocalHost(CORPUS[name]), scenario, NO_GHOST, Grid(), Limits())


QUICK = Limits(rlimit=1_000_000)


@pytest.mark.parametrize("ordinary", [True, False], ids=["ordinary", "handed over"])
@pytest.mark.parametrize("name", CORPUS)
def test_slicing_keeps_the_answer_about_a_pruner(name: str, ordinary: bool) -> None:
    whole = problem(name, ordinary).system
    sliced = relevant(whole)
    assert len(sliced.variables) < len(whole.variables)
    answers = {type(find_invariant(system, QUICK)) for system in (whole, sliced)}
    assert not {Invariant, Reachable} <= answers


@pytest.mark.parametrize("name", ["argument-first", "evict only", "separate budgets", "by idle turns"])
def test_what_proves_the_slice_proves_the_whole(name: str) -> None:
    whole = problem(name, False).system
    found = find_invariant(relevant(whole), QUICK)
    assert isinstance(found, Invariant)
    query = disjunction(*(term for _, term in obligations(whole, found.by_location)))
    assert isinstance(ask(script([query]), Limits()), Unsatisfiable)


def test_spacer_answers_by_location_and_for_every_one() -> None:
    found = find_invariant(DOOR, Limits())
    assert isinstance(found, Invariant)
    assert set(found.by_location) <= set(DOOR.locations)
    assert unsatisfied(DOOR, dict(found.by_location)) == []


def test_horn_clauses_name_one_predicate_a_location() -> None:
    text, predicates = horn_script(DOOR)
    assert set(predicates.values()) == set(DOOR.locations)
    assert text.count("(declare-rel p") == len(DOOR.locations)
    assert text.count("(rule ") == 1 + len(DOOR.commands) + 1
    assert text.endswith("(query violated)")


# ---- unrolling command by command ----------------------------------------------------------------------------------


@pytest.mark.parametrize("toy", TOYS, ids=lambda toy: toy.name)
def test_a_violation_is_unrolled_after_as_many_commands_as_it_takes(toy: Toy) -> None:
    unrolled = CommandUnrolling(toy.system)
    for commands in range(7):
        if commands:
            unrolled.extend()
        answer = ask(script([*unrolled.constraints, unrolled.violation(commands)]), Limits())
        if isinstance(answer, Satisfiable):
            assert toy.known.requests == commands + 1
            walk = unrolled.decode(answer.values)
            assert (len(walk.states), len(walk.commands)) == (commands + 1, commands)
            assert walk.states[0]["location"] == toy.system.start
            assert walk.states[-1]["location"] == toy.system.judged
            return
    assert toy.known.requests is None


def test_a_field_may_bear_the_name_of_what_the_unrolling_keeps() -> None:
    names = ("location", "command", "at")
    up = Command("up", "here", "here", TRUE, {name: at_most(integer(1), integer(1)) for name in names})
    bad = conjunction(*(variable(name, "Bool") for name in names))
    initial = conjunction(*(negate(variable(name, "Bool")) for name in names))
    system = System("names", dict.fromkeys(names, "Bool"), "here", initial, (up,), "here", bad)
    unrolled = CommandUnrolling(system)
    assert isinstance(ask(script([*unrolled.constraints, unrolled.violation(0)]), Limits()), Unsatisfiable)
    unrolled.extend()
    answer = ask(script([*unrolled.constraints, unrolled.violation(1)]), Limits())
    assert isinstance(answer, Satisfiable)
    assert unrolled.decode(answer.values).states[1] == {**dict.fromkeys(names, True), "location": "here"}


def test_states_that_must_differ_do() -> None:
    unrolled = CommandUnrolling(DOOR)
    for _ in range(3):
        unrolled.extend()
    # Outside and closed, inside and open, outside and closed again: three steps cannot be without a repetition.
    assert isinstance(ask(script([*unrolled.constraints, unrolled.apart()]), Limits()), Unsatisfiable)
    shorter = CommandUnrolling(DOOR)
    shorter.extend()
    assert isinstance(ask(script([*shorter.constraints, shorter.apart()]), Limits()), Satisfiable)
