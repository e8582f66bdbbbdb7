"""T10's conclusion for whole turns of a few tools with exact sums: what the composed lemmas say, said without them.

Bounded: so many tools with at most one resident call each, in any state and of any sizes. The tools are visited in the
order in which they are declared; a tool may be in any state, so every order by a key that no visit changes is covered.
"""

from __future__ import annotations

from collections.abc import Sequence

from ghostproof.certify.projection import (
    ZERO,
    Fields,
    Numbers,
    Required,
    add,
    costs,
    domain,
    holds,
    required,
    same,
    told_by,
    visited,
    with_budgets,
)
from ghostproof.lift.plain import tool_sorts
from ghostproof.lift.term import (
    FALSE,
    Term,
    at_most,
    choose,
    combine,
    conjunction,
    disjunction,
    equal,
    integer,
    negate,
    variable,
)
from ghostproof.turn.pruner import Pass
from ghostproof.turn.verdict import HoldsTo, Proved, Verdict
from ghostproof_proofs.discharge import settle_required
from ghostproof_proofs.t10_passes import OUTCOME, fixed_floor

CALLS = 1
# One item of a tool goes in a round: its tombstone, its call; in the last round nothing does.
ROUNDS = CALLS + 2


def _arguments(fields: Fields) -> Term:
    return choose(at_most(integer(1), fields["calls_resident"]), fields["argument_tokens"], ZERO)


def _sums(tools: Sequence[Fields]) -> Numbers:
    return with_budgets(add(*(costs(fields, _arguments(fields)) for fields in tools)))


def _total(numbers: Numbers, tombstones: str) -> Term:
    total = variable("exact rest_tokens", "Int")
    for name in ("schema_tokens", "argument_tokens", tombstones):
        total = combine(total, numbers[name])
    return total


class ExactTurn:
    """Passes over `tools`. `known` says what is so, `ended` that every pass with a condition has come to its end."""

    def __init__(self, tools: Sequence[Fields], passes: Sequence[Pass]) -> None:
        self.tools = [dict(fields) for fields in tools]
        self.known: list[Term] = []
        self.ended: list[Term] = []
        self._names = 0
        for item in passes:
            self._run(item)

    def _named(self, term: Term) -> Term:
        if term.op in ("var", "true", "false") or (term.op == "linear" and len(term.arguments) == 1):
            return term
        self._names += 1
        name = variable(f"step {self._names}", term.sort)
        self.known.append(equal(name, term))
        return name

    def _run(self, item: Pass) -> None:
        ended = FALSE
        for _ in range(ROUNDS if item.until is not None else 1):
            changed = FALSE
            for index, before in enumerate(self.tools):
                numbers = _sums(self.tools)
                ended = self._named(disjunction(ended, holds(item.until, numbers)))
                after = {
                    name: self._named(choose(ended, before[name], value))
                    for name, value in visited(item.visit, before, numbers).items()
                }
                changed = disjunction(changed, negate(same(before, after)))
                self.tools[index] = after
            ended = self._named(disjunction(ended, negate(changed)))
        if item.until is not None:
            self.ended.append(ended)


def exact_turn(passes: Sequence[Pass], count: int) -> Required:
    """A whole turn of `count` tools comes to its end, and says BudgetExceeded exactly if the floor is too high."""
    sorts = tool_sorts(OUTCOME)
    tools = [
        {name: variable(f"tool {index + 1} {name}", sort) for name, sort in sorts.items()} for index in range(count)
    ]
    turn = ExactTurn(tools, passes)
    floor = variable("exact rest_tokens", "Int")
    for fields in tools:
        floor = combine(floor, told_by(lambda tool, others: fixed_floor(tool), fields))
        floor = combine(floor, choose(fields["pinned"], _arguments(fields), ZERO))
    budget, used = variable("exact total_budget", "Int"), _total(_sums(turn.tools), "tombstone_tokens")
    sizes = [at_most(ZERO, term) for name, term in with_budgets({}).items()]
    few = [at_most(fields["calls_resident"], integer(CALLS)) for fields in tools]
    fresh = [negate(fields["budget_exceeded"]) for fields in tools]
    said = [fields["budget_exceeded"] for fields in turn.tools]
    exceeded = conjunction(*said, negate(at_most(floor, budget)), equal(used, floor))
    sent = conjunction(*(negate(one) for one in said), at_most(floor, budget), at_most(used, budget))
    given = conjunction(*(domain(fields) for fields in tools), *sizes, *few, *fresh, *turn.known)
    moved = disjunction(*(negate(same(old, new)) for old, new in zip(tools, turn.tools, strict=True)))
    noun = "tool" if count == 1 else "tools"
    return required(
        f"a whole turn of {count} {noun}", given, conjunction(*turn.ended, disjunction(exceeded, sent)), moved
    )


def exact_turns(passes: Sequence[Pass], counts: Sequence[int]) -> Verdict:
    """Bounded, so it holds to a bound and is no proof."""
    name, wrong = "exact turns", "the turn does not end so"
    verdict = settle_required([exact_turn(passes, count) for count in counts], name, wrong)
    if not isinstance(verdict, Proved):
        return verdict
    sizes = f"any, at most {CALLS} resident call a tool"
    return HoldsTo(name, 1, max(counts), sizes, len(counts), "obligations", verdict.checked)
