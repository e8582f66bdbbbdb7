"""A lifted pruner that crosses to another process and back is the same pruner."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given

from engines.corpus import CORPUS
from ghostproof.lift.plain import TURN, LiftedPruner, lift_pruner
from ghostproof.lift.term import Term, evaluate
from ghostproof.lift.transport import Packer, pack_pruner, unpack, unpack_pruner
from ghostproof.turn.budget import Turn
from lift.test_term import either

NAMES = sorted(CORPUS)


def without_returns(pruner: LiftedPruner) -> list[object]:
    """All that crosses: a visit returns nothing, so what its paths return does not."""
    return [
        pruner.name,
        pruner.memory,
        [
            (
                item.name,
                [(path.condition, path.assigned) for path in item.visit.paths],
                item.visit.updates,
                item.order,
                item.order_name,
                item.condition,
                item.condition_name,
            )
            for item in pruner.passes
        ],
    ]


@pytest.mark.parametrize("name", NAMES)
def test_a_pruner_packed_and_unpacked_is_the_same(name: str) -> None:
    lifted = lift_pruner(CORPUS[name])
    data = json.loads(json.dumps(pack_pruner(lifted)))
    again = unpack_pruner(data)
    assert without_returns(again) == without_returns(lifted)
    assert again.turn_reads == lifted.turn_reads
    assert again.sorts == lifted.sorts


@given(either)
def test_a_term_packed_and_unpacked_is_the_same_object(made: tuple[Term, object]) -> None:
    packer = Packer()
    place = packer.add(made[0])
    assert unpack(json.loads(json.dumps(packer.nodes)))[place] is made[0]


def test_shared_terms_cross_once() -> None:
    packer = Packer()
    lifted = lift_pruner(CORPUS["argument-first"])
    conditions = [item.condition for item in lifted.passes if item.condition is not None]
    assert len(conditions) == 2
    places = [packer.add(condition) for condition in conditions]
    assert places[0] == places[1]
    assert len({json.dumps(node) for node in packer.nodes}) == len(packer.nodes)


ELSEWHERE = """
import json, sys
from ghostproof.lift.term import variable
for name in reversed({names!r}):  # other terms first: the order of creation differs here
    variable(name, "Int"), variable("turn." + name, "Int")
from engines.corpus import CORPUS
from ghostproof.lift.plain import lift_pruner
from ghostproof.lift.transport import pack_pruner
json.dump([pack_pruner(lift_pruner(CORPUS[name])) for name in sorted(CORPUS)], sys.stdout)
"""


def test_terms_made_in_another_order_elsewhere_are_the_same_here() -> None:
    names = [
        "schema_tokens",
        "argument_tokens",
        "tombstone_tokens",
        "tombstone_demand_tokens",
        "rest_tokens",
        "total_budget",
        "calls",
        "idle_turns",
    ]
    code = f"import sys; sys.path[:0] = {sys.path!r}\n" + ELSEWHERE.format(names=names)
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    arrived: list[Any] = json.loads(ran.stdout)
    for name, data in zip(NAMES, arrived, strict=True):
        same_meaning(unpack_pruner(data), lift_pruner(CORPUS[name]))


def same_meaning(one: LiftedPruner, two: LiftedPruner) -> None:
    """Comparisons are written from their first variable, which differs; so paths and branches come in another order."""
    chance = random.Random(1)
    sorts = {**two.sorts, **{TURN + name: "Int" for name in Turn.__slots__}}
    for _ in range(200):
        point = {name: chance.randrange(5) if sort == "Int" else chance.random() < 0.5 for name, sort in sorts.items()}
        for left, right in zip(one.passes, two.passes, strict=True):
            assert evaluate(left.order, point) == evaluate(right.order, point)
            assert (left.condition is None) == (right.condition is None)
            if left.condition is not None and right.condition is not None:
                assert evaluate(left.condition, point) == evaluate(right.condition, point)
            assert left.visit.updates.keys() == right.visit.updates.keys()
            for name, term in left.visit.updates.items():
                assert evaluate(term, point) == evaluate(right.visit.updates[name], point)
            assert len(left.visit.paths) == len(right.visit.paths)
            assert sum(bool(evaluate(path.condition, point)) for path in left.visit.paths) == 1
