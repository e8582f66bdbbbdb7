"""A fresh z3 reads the exported clauses as text, and answers as the engine induction does."""

from __future__ import annotations

from importlib import import_module

import pytest
import z3

from engines.corpus import CORPUS
from ghostproof.engines.induction import induction
from ghostproof.engines.problem import Bounds
from ghostproof.export.chc import chc
from ghostproof.host.host import LocalHost
from ghostproof.host.problem import PrunerProblem
from ghostproof.lift.limits import Limits
from ghostproof.turn.explore import Grid
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.scenario import ANYTHING, ORDINARY_SESSION, Scenario
from ghostproof.turn.verdict import Proved, Undetermined


def answer(text: str) -> str:
    """What a z3 says that knows nothing else."""
    solver = z3.SolverFor("HORN", ctx=z3.Context())
    solver.set("timeout", 60_000)
    solver.from_string(text)
    return str(solver.check())


def pruner_of(target: str) -> Pruner:
    file, name = target.split(":")
    found: Pruner = getattr(import_module(f"corpus.{file}"), name)
    return found


def exported(pruner: Pruner, scenario: Scenario) -> str:
    return chc(LocalHost(pruner).lifted, scenario, NO_GHOST)


@pytest.mark.parametrize("scenario", [ANYTHING, ORDINARY_SESSION], ids=["everything", "ordinary"])
@pytest.mark.parametrize(
    "pruner",
    [
        *(CORPUS[name] for name in ("argument-first", "schema-first", "argument-first without a gate", "stale view")),
        pruner_of("sound_gates:by_effect"),
        pruner_of("unsound_scope:spares_pinned"),
    ],
    ids=lambda pruner: pruner.name,
)
def test_the_verdict_is_that_of_induction(pruner: Pruner, scenario: Scenario) -> None:
    ours = induction(PrunerProblem(LocalHost(pruner), scenario, NO_GHOST, Grid(), Limits()), Bounds()).verdict
    said = answer(exported(pruner, scenario))
    assert isinstance(ours, Proved) or (isinstance(ours, Undetermined) and "abstraction reaches" in ours.reason)
    assert said == ("sat" if isinstance(ours, Proved) else "unsat")


def clauses(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("(assert ")]


@pytest.mark.parametrize("place", [0, -1], ids=["the start", "the query"])
def test_without_a_clause_that_carries_it_the_violation_is_gone(place: int) -> None:
    text = exported(CORPUS["schema-first"], ANYTHING)
    assert answer(text) == "unsat"
    assert answer(text.replace(clauses(text)[place] + "\n", "")) == "sat"


def test_without_the_gates_update_the_proof_is_gone() -> None:
    text = exported(CORPUS["argument-first"], ANYTHING)
    gate = text.splitlines()[text.splitlines().index("; gate visits") + 1]
    body, head = gate.rsplit(" (p", 1)
    number = head.split(" ", 1)[0]
    fields = body[body.index("(and (p") :].split(")", 1)[0].split(" ", 2)[2]
    assert answer(text) == "sat"
    assert answer(text.replace(gate, f"{body} (p{number} {fields}))))")) == "unsat"
    assert answer(text.replace(gate, "")) == "sat"  # fewer rules never violate more


def test_every_declared_predicate_says_where_it_is() -> None:
    lines = exported(CORPUS["schema-first"], ANYTHING).splitlines()
    declared = [index for index, line in enumerate(lines) if line.startswith("(declare-fun p")]
    assert len(declared) > 5
    assert all(lines[index - 1].startswith(f"; p{number}: ") for number, index in enumerate(declared))
