"""Good certificates are confirmed by everybody; a tampered one is refused by each checker for itself."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import cache
from unittest.mock import MagicMock

import pytest

from engines.corpus import CORPUS
from ghostproof.certify import recheck as recheck_module
from ghostproof.certify.recheck import Reply, by_enumeration, queries, recheck, with_cvc5, with_z3
from ghostproof.engines.induction import induction
from ghostproof.engines.problem import Bounds, Certificate
from ghostproof.engines.toys import TRUE_TOYS, Toy
from ghostproof.host.host import LocalHost
from ghostproof.host.problem import PrunerProblem
from ghostproof.lift.limits import Limits
from ghostproof.lift.single import PROMPT
from ghostproof.lift.smtlib import script
from ghostproof.lift.system import Command, System, conjuncts, obligations
from ghostproof.lift.term import FALSE, TRUE, Term, conjunction, negate, variable, variables_of
from ghostproof.turn.errors import InternalError
from ghostproof.turn.explore import Grid
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.scenario import ANYTHING, Scenario
from ghostproof.turn.verdict import Checked, Disagreement, Undetermined

SAFE = ("argument-first", "evict only", "separate budgets", "by idle turns")
# What needs an invariant at more than one location.
DEEP = "argument-first without a gate"

CHECKERS: Mapping[str, Callable[[Mapping[str, Term]], Reply]] = {
    "z3": lambda asked: with_z3({name: script([term]) for name, term in asked.items()}, Limits()),
    "cvc5": lambda asked: with_cvc5({name: script([term]) for name, term in asked.items()}, Limits()),
    "enumeration": by_enumeration,
}
by_each = pytest.mark.parametrize("checker", CHECKERS)


ORDER_ALONE = Scenario(
    "no disruption, no blind calls",
    environment=("idle",),
    responses=("silent", "call"),
    constant_budgets=True,
    fixed={"pinned": False},
)


@cache
def certificate(name: str) -> Certificate:
    scenario = ANYTHING if name in SAFE else ORDER_ALONE
    problem = PrunerProblem(LocalHost(CORPUS[name]), scenario, NO_GHOST, Grid(), Limits())
    found = induction(problem, Bounds()).certificate
    assert found is not None
    return found


@cache
def toy_certificate(place: int) -> Certificate:
    found = induction(TRUE_TOYS[place], Bounds()).certificate
    assert found is not None
    return found


@pytest.mark.parametrize("name", SAFE)
def test_a_good_certificate_is_confirmed_by_all_three(name: str) -> None:
    found = certificate(name)
    checked = recheck(found.system, found.invariant, Limits())
    assert isinstance(checked, tuple)
    assert [item.by for item in checked] == ["z3", "cvc5", "enumeration"]
    assert [item.count for item in checked[:2]] == [3, 3]
    assert checked[2].count > 3
    assert all("re-proved" in item.what or "without a solver" in item.what for item in checked)


@pytest.mark.parametrize("place", range(len(TRUE_TOYS)), ids=lambda place: TRUE_TOYS[place].name)
def test_a_toys_certificate_is_confirmed_or_said_to_be_not_enumerable(place: int) -> None:
    found = toy_certificate(place)
    checked = recheck(found.system, found.invariant, Limits())
    assert isinstance(checked, tuple)
    for item in checked[:2]:
        assert item.count == 3
    two_numbers = TRUE_TOYS[place].name in (
        "two counters in step",
        "a heap that stops in time",
        "a sum that stops in time",
    )
    assert ("not enumerable" in checked[2].what) is two_numbers
    assert (checked[2].count == 0) is two_numbers


def test_the_queries_are_the_obligations_in_three() -> None:
    found = certificate("argument-first")
    asked = queries(found.system, found.invariant)
    assert list(asked) == ["initiation", "consecution", "safety"]
    whole = {part for term in asked.values() for part in (term.arguments if term.op == "or" else (term,))}
    single = {
        part
        for _, term in obligations(found.system, found.invariant)
        for part in (term.arguments if term.op == "or" else (term,))
    }
    assert {part for part in single if part is not FALSE} <= whole


# ---- tampering -----------------------------------------------------------------------------------------------------


def needed_locations(found: Certificate) -> list[str]:
    """Locations whose part of the invariant is not trivial."""
    return [place for place, term in found.invariant.items() if term is not TRUE]


def dropped_conjunct(found: Certificate) -> list[Certificate]:
    """The certificate without one conjunct at one location, in every way."""
    made = []
    for place in needed_locations(found):
        parts = conjuncts(found.invariant[place])
        for left in parts:
            kept = conjunction(*(part for part in parts if part is not left))
            made.append(Certificate(found.system, {**found.invariant, place: kept}))
    return made


def weakened_at_the_request(found: Certificate) -> list[Certificate]:
    return [Certificate(found.system, {**found.invariant, PROMPT: TRUE})]


def strengthened_to_nothing(found: Certificate) -> list[Certificate]:
    return [Certificate(found.system, {**found.invariant, found.system.start: FALSE})]


def empty_everywhere(found: Certificate) -> list[Certificate]:
    """What says that nothing is reachable is kept by every command, and safe; only where a run starts it is wrong."""
    return [Certificate(found.system, dict.fromkeys(found.system.locations, FALSE))]


def negated(found: Certificate) -> list[Certificate]:
    return [
        Certificate(found.system, {**found.invariant, place: negate(found.invariant[place])})
        for place in needed_locations(found)
    ]


def of_another_pruner(found: Certificate) -> list[Certificate]:
    unsafe = PrunerProblem(LocalHost(CORPUS["schema-first"]), ANYTHING, NO_GHOST, Grid(), Limits())
    return [Certificate(unsafe.system, found.invariant)]


def rebuilt(system: System, commands: tuple[Command, ...]) -> System:
    return System(system.name, system.variables, system.start, system.initial, commands, system.judged, system.bad)


def gate_left_out(found: Certificate) -> list[Certificate]:
    """The last pass does nothing."""
    commands = tuple(
        Command(c.name, c.source, c.target, c.guard, {}) if c.target == PROMPT else c for c in found.system.commands
    )
    return [Certificate(rebuilt(found.system, commands), found.invariant)]


def gate_turned_round(found: Certificate) -> list[Certificate]:
    """The last pass clears the tombstone where it should write one."""
    tombstone = variable("tombstone_resident", "Bool")
    commands = tuple(
        Command(c.name, c.source, c.target, c.guard, {**c.updates, "tombstone_resident": FALSE})
        if c.target == PROMPT
        else c
        for c in found.system.commands
    )
    assert str(tombstone) in found.system.variables
    return [Certificate(rebuilt(found.system, commands), found.invariant)]


TAMPERED: dict[str, Callable[[Certificate], list[Certificate]]] = {
    "weakened at the request": weakened_at_the_request,
    "strengthened to nothing": strengthened_to_nothing,
    "empty everywhere": empty_everywhere,
    "negated": negated,
    "of another pruner": of_another_pruner,
    "its gate left out": gate_left_out,
    "its gate turned round": gate_turned_round,
}


@by_each
@pytest.mark.parametrize("how", TAMPERED)
def test_a_tampered_certificate_is_refused_by_each_checker_for_itself(how: str, checker: str) -> None:
    made = TAMPERED[how](certificate("argument-first"))
    assert made
    for tampered in made:
        reply = CHECKERS[checker](queries(tampered.system, tampered.invariant))
        assert (reply.by, reply.outcome) == (checker, "refuted")
        assert reply.what.split()[0] in ("initiation", "consecution", "safety")


@pytest.mark.parametrize("how", TAMPERED)
def test_a_tampered_certificate_is_a_disagreement_with_its_scripts(how: str) -> None:
    for tampered in TAMPERED[how](certificate("argument-first")):
        found = recheck(tampered.system, tampered.invariant, Limits())
        assert isinstance(found, Disagreement)
        assert found.engines == ("induction", "z3", "cvc5", "enumeration")
        assert len(found.artefacts) == 3
        assert all("(assert" in text or "set-logic" in text for text in found.artefacts)


@by_each
def test_every_conjunct_of_an_invariant_that_is_needed_is_missed_by_each_checker(checker: str) -> None:
    found = certificate(DEEP)
    outcomes = [
        CHECKERS[checker](queries(tampered.system, tampered.invariant)).outcome for tampered in dropped_conjunct(found)
    ]
    assert len(needed_locations(found)) > 1
    assert outcomes.count("refuted") >= 2
    # All three agree on which conjuncts are needed and which are only there.
    assert outcomes == [
        CHECKERS["z3"](queries(tampered.system, tampered.invariant)).outcome for tampered in dropped_conjunct(found)
    ]


def flipped(command: Command) -> Command:
    return Command(command.name, command.source, command.target, negate(command.guard), command.updates)


@by_each
def test_a_flipped_guard_is_refused_by_each_checker(checker: str) -> None:
    place = [toy.name for toy in TRUE_TOYS].index("two processes that wait for each other")
    found = toy_certificate(place)
    refused = set()
    for number, command in enumerate(found.system.commands):
        commands = tuple(flipped(c) if at == number else c for at, c in enumerate(found.system.commands))
        reply = CHECKERS[checker](queries(rebuilt(found.system, commands), found.invariant))
        if reply.outcome == "refuted":
            refused.add(command.name)
    # Whoever wants or leaves at the wrong moment does no harm; whoever enters at the wrong moment does.
    assert refused == {"a enters", "b enters"}


@by_each
def test_the_reply_names_the_first_query_that_fails(checker: str) -> None:
    found = certificate("argument-first")
    weak = {**found.invariant, PROMPT: TRUE}
    assert CHECKERS[checker](queries(found.system, weak)).what.startswith("safety")
    empty = {**found.invariant, found.system.start: FALSE}
    assert CHECKERS[checker](queries(found.system, empty)).what.startswith("initiation")


def test_enumeration_says_where_a_query_fails() -> None:
    toy: Toy = TRUE_TOYS[0]
    reply = by_enumeration(queries(toy.system, {}))
    assert reply == Reply("enumeration", "refuted", "safety at {'x': 6}")


# ---- silence -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("solver", ["z3", "cvc5"])
def test_a_solver_that_is_silent_confirms_nothing(solver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    silent = Reply(solver, "no answer", "safety: tired")
    monkeypatch.setattr(recheck_module, f"with_{solver}", lambda texts, limits: silent)
    found = certificate("argument-first")
    assert recheck(found.system, found.invariant, Limits()) == Undetermined(
        f"{solver} could not re-prove the invariant: safety: tired", "induction"
    )


def test_z3_out_of_steps_is_no_answer() -> None:
    found = certificate("argument-first")
    texts = {name: script([term]) for name, term in queries(found.system, found.invariant).items()}
    reply = with_z3(texts, Limits(rlimit=1))
    assert reply.outcome == "no answer"
    assert "the limit of 1 solver steps ran out" in reply.what


def test_cvc5_out_of_time_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = MagicMock()
    fake.InputParser.return_value.nextCommand.return_value.isNull.return_value = True
    fake.Solver.return_value.checkSat.return_value.isUnknown.return_value = True
    monkeypatch.setitem(sys.modules, "cvc5", fake)
    reply = with_cvc5({"safety": script([FALSE])}, Limits())
    assert (reply.outcome, reply.what.partition(":")[0]) == ("no answer", "safety")


def test_a_refusal_outweighs_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recheck_module, "with_z3", lambda texts, limits: Reply("z3", "no answer", "tired"))
    found = certificate("argument-first")
    tampered = {**found.invariant, PROMPT: TRUE}
    refused = recheck(found.system, tampered, Limits())
    assert isinstance(refused, Disagreement)
    assert refused.engines == ("induction", "cvc5", "enumeration")


@pytest.mark.parametrize(
    ("alone", "function"), [("z3", "with_z3"), ("cvc5", "with_cvc5"), ("enumeration", "by_enumeration")]
)
def test_one_refusal_alone_is_a_disagreement(alone: str, function: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recheck_module, function, lambda *asked: Reply(alone, "refuted", "safety"))
    found = certificate("argument-first")
    refused = recheck(found.system, found.invariant, Limits())
    assert isinstance(refused, Disagreement)
    assert refused.engines == ("induction", alone)


def test_enumeration_that_cannot_is_said_and_does_no_harm() -> None:
    place = [toy.name for toy in TRUE_TOYS].index("two counters in step")
    found = toy_certificate(place)
    checked = recheck(found.system, found.invariant, Limits())
    assert isinstance(checked, tuple)
    assert checked[2] == Checked("enumeration", checked[2].what, 0)
    assert checked[2].what.startswith("not enumerable: a comparison speaks of ")


def test_a_script_that_cvc5_cannot_read_is_ours_to_answer_for() -> None:
    with pytest.raises(InternalError, match="cvc5 refuses the safety script"):
        with_cvc5({"safety": "(set-logic QF_LIA)\n(assert (and nowhere))\n"}, Limits())


def test_a_certificate_speaks_of_its_own_system_only() -> None:
    for name in SAFE:
        found = certificate(name)
        for term in found.invariant.values():
            assert variables_of(term).keys() <= found.system.variables.keys()
        assert set(found.invariant) <= set(found.system.locations)
