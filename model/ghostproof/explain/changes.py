"""The catalogue of changes to a lifted pruner that may mend it. Each is a function from terms to terms.

The pruner's own code is not run or written: what is changed is the relation that it was lifted to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations, product

from ghostproof.lift.plain import LiftedPass, LiftedPruner, lift_pass
from ghostproof.lift.relation import Path, merge
from ghostproof.lift.term import (
    FALSE,
    TRUE,
    Sort,
    Term,
    at_most,
    choose,
    conjunction,
    integer,
    negate,
    substitute,
    variable,
    variables_of,
)
from ghostproof.turn.pruner import Pass
from ghostproof.variants.arbitration import gate

CALLS = variable("calls_resident", "Int")
TOMBSTONE_FIELDS: Mapping[str, Term] = {"tombstone_resident": FALSE, "calls_before_tombstone": integer(0)}
CALL_FIELDS: Mapping[str, Term] = {"calls_resident": integer(0), "calls_before_tombstone": integer(0)}


@dataclass(frozen=True, slots=True)
class Change:
    """One entry of the catalogue for one pruner: what it says to people, and what it makes of the pruner."""

    said: str
    apply: Callable[[LiftedPruner], LiftedPruner]


def catalogue(pruner: LiftedPruner) -> tuple[tuple[Change, ...], ...]:
    """The changes that make a difference to `pruner`, one group a kind; of each kind at most one is made at a time."""
    groups = (tuple(_swaps(pruner)), tuple(_evict_at_once(pruner)), tuple(_cascade(pruner)), (_gate_last(pruner),))
    return tuple(group for group in groups if group)


def combined(groups: tuple[tuple[Change, ...], ...]) -> list[list[tuple[Change, ...]]]:
    """Every combination of changes of different kinds, in order of size; those of one size together."""
    return [
        [chosen for kinds in combinations(groups, size) for chosen in product(*kinds)]
        for size in range(1, len(groups) + 1)
    ]


def changed(pruner: LiftedPruner, changes: tuple[Change, ...]) -> LiftedPruner:
    """`pruner` with all of `changes`, made in the order of the catalogue."""
    for change in changes:
        pruner = change.apply(pruner)
    return pruner


def _swaps(pruner: LiftedPruner) -> list[Change]:
    def swap(left: int, right: int) -> Change:
        def apply(given: LiftedPruner) -> LiftedPruner:
            passes = list(given.passes)
            passes[left], passes[right] = passes[right], passes[left]
            return replace(given, passes=tuple(passes))

        first, second = pruner.passes[left].name, pruner.passes[right].name
        return Change(f"swap passes {first} and {second}", apply)

    # Neighbours first: the less moves, the more of what the author meant is left.
    pairs = sorted(combinations(range(len(pruner.passes)), 2), key=lambda pair: pair[1] - pair[0])
    return [swap(left, right) for left, right in pairs]


def _gate_last(pruner: LiftedPruner) -> Change:
    taken = {item.name for item in pruner.passes}
    name = next(
        name for name in ("gate", *(f"gate {place}" for place in range(2, len(taken) + 3))) if name not in taken
    )

    def apply(given: LiftedPruner) -> LiftedPruner:
        return replace(given, passes=(*given.passes, lift_pass(Pass(gate, name=name), given.sorts)))

    return Change("add the evict-or-tombstone gate as last pass: every tool, every turn", apply)


def _cascade(pruner: LiftedPruner) -> list[Change]:
    """Where a pass evicts the last call of a tool, the tombstone goes in the same visit."""
    evicting = [item.name for item in pruner.passes if _evicts(item)]
    if not evicting:
        return []

    def visit(path: Path) -> Mapping[str, Term]:
        calls = path.assigned.get("calls_resident")
        if calls is None:
            return path.assigned
        emptied = conjunction(at_most(calls, integer(0)), negate(at_most(CALLS, integer(0))))
        return _where(emptied, TOMBSTONE_FIELDS, path)

    return [
        Change("add the cascade: the eviction of a tool's last call clears its tombstone", _in_passes(evicting, visit))
    ]


def _evict_at_once(pruner: LiftedPruner) -> list[Change]:
    """Where one pass sets a mark by which another evicts, the calls go in the visit that sets the mark."""
    changes = []
    for mark in (name for name, value in pruner.memory.items() if isinstance(value, bool)):
        if not any(_evicts(item) and mark in _tests(item) for item in pruner.passes):
            continue
        planning = [item.name for item in pruner.passes if _sets(item, mark)]
        if planning:

            def visit(path: Path, mark: str = mark) -> Mapping[str, Term]:
                planned = path.assigned.get(mark, FALSE)
                return _where(planned, CALL_FIELDS, path)

            said = f"evict at once where pass {' or '.join(planning)} sets {mark}, instead of later"
            changes.append(Change(said, _in_passes(planning, visit)))
    return changes


def _evicts(item: LiftedPass) -> bool:
    return "calls_resident" in item.visit.updates


def _tests(item: LiftedPass) -> set[str]:
    return set(variables_of(*(test for path in item.visit.paths for test, _ in path.tests)))


def _sets(item: LiftedPass, mark: str) -> bool:
    return any(path.assigned.get(mark, FALSE) is not FALSE for path in item.visit.paths)


def _in_passes(names: list[str], visit: Callable[[Path], Mapping[str, Term]]) -> Callable[[LiftedPruner], LiftedPruner]:
    def apply(given: LiftedPruner) -> LiftedPruner:
        sorts = given.sorts
        return replace(
            given,
            passes=tuple(_rewritten(item, visit, sorts) if item.name in names else item for item in given.passes),
        )

    return apply


def _rewritten(item: LiftedPass, visit: Callable[[Path], Mapping[str, Term]], sorts: Mapping[str, Sort]) -> LiftedPass:
    paths = tuple(replace(path, assigned=visit(path)) for path in item.visit.paths)
    return replace(item, visit=merge(paths, sorts))


def _where(condition: Term, values: Mapping[str, Term], path: Path) -> Mapping[str, Term]:
    """What `path` assigns, with `values` in their place where `condition` holds."""
    known = {test: TRUE if outcome else FALSE for test, outcome in path.tests}
    holds = substitute(condition, known)
    return {
        **path.assigned,
        **{
            name: choose(holds, value, path.assigned.get(name, variable(name, value.sort)))
            for name, value in values.items()
        },
    }
