"""BudgetExceeded exactly where nothing that may be taken would make the prompt fit: against every choice there is."""

from __future__ import annotations

import random
from itertools import product

import pytest

from ghostproof_reference.arbiter import Arbiter
from ghostproof_reference.budget import Budget, JointBudget, SeparateBudgets
from ghostproof_reference.errors import BudgetExceeded
from ghostproof_reference.request import CallGroup, Request, Tool
from reference_impl.building import bare, call, ghosts, group, tokens, tool

Choice = tuple[list[Tool], list[CallGroup]]


def choices(tools: list[Tool], history: list[CallGroup], requested: str | None) -> list[Choice]:
    """Everything that could be sent: pinned and requested schemas and pinned groups always, the rest at will."""
    found = []
    for shown in product([False, True], repeat=len(tools)):
        for kept in product([False, True], repeat=len(history)):
            sent = [one for one, here in zip(tools, shown, strict=True) if here or one.pinned or one.name == requested]
            left = [one for one, here in zip(history, kept, strict=True) if here or one.pinned]
            found.append((sent, left))
    return found


def joint(choice: Choice, tools: list[Tool]) -> int:
    sent, left = choice
    called = {one.calls[0].tool for one in left}
    stones = [one.tombstone_tokens or 0 for one in tools if one.name in called and one not in sent]
    return sum(one.tokens or 0 for one in sent) + sum(one.tokens or 0 for one in left) + sum(stones)


def separate(choice: Choice, tools: list[Tool]) -> tuple[int, int]:
    sent, left = choice
    called = {one.calls[0].tool for one in left}
    reserve = sum(one.tombstone_tokens or 0 for one in tools if one.name in called)
    return sum(one.tokens or 0 for one in left) + reserve, sum(one.tokens or 0 for one in sent)


def arbitrated(arbiter: Arbiter, request: Request, budget: Budget) -> BudgetExceeded | None:
    try:
        outcome = arbiter.arbitrate(request, budget)
    except BudgetExceeded as exceeded:
        return exceeded
    assert not ghosts(outcome)
    if isinstance(budget, JointBudget):
        assert tokens(outcome) <= budget.total
    return None


@pytest.mark.parametrize("seed", range(8))
def test_exceeded_exactly_if_the_floor_is(seed: int) -> None:
    chance = random.Random(seed)
    exceeded = {"joint": 0, "separate": 0}
    for _ in range(60):
        tools = [
            tool(f"t{n}", tokens=chance.randint(1, 6), tombstone=chance.randint(1, 6), pinned=chance.random() < 0.2)
            for n in range(3)
        ]
        history = [
            group(call(f"t{chance.randrange(3)}", f"{n}"), tokens=chance.randint(1, 5), pinned=chance.random() < 0.3)
            for n in range(chance.randint(0, 4))
        ]
        requested = chance.choice([None, "t0"])
        request = Request(tuple(tools), tuple(history))
        for kind in exceeded:
            arbiter = bare()
            if requested is not None:
                arbiter.arbitrate(Request((tool("t0", deferred=True),)), JointBudget(100))
                arbiter.request_schema(requested)
            possible = choices(tools, history, requested)
            if kind == "joint":
                limit = chance.randint(0, 25)
                floor = min(joint(choice, tools) for choice in possible)
                raised = arbitrated(arbiter, request, JointBudget(limit))
                assert (raised is not None) == (floor > limit)
                assert raised is None or raised.needed == floor
            else:
                pair = chance.randint(0, 15), chance.randint(0, 12)
                fitting = [
                    choice
                    for choice in possible
                    if all(a <= b for a, b in zip(separate(choice, tools), pair, strict=True))
                ]
                raised = arbitrated(arbiter, request, SeparateBudgets(*pair))
                assert (raised is None) == bool(fitting)
            if raised is not None:
                assert raised.needed == sum(part.tokens for part in raised.irreducible)
                exceeded[kind] += 1
    assert all(0 < count < 60 for count in exceeded.values()), exceeded
