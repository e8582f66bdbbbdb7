"""The second net against a wrong lifting: relation and plain function, compared at every boundary.

For every boolean read both values, for every integer comparison its boundary and one to either side, all combinations.
What it cannot see: a function that misbehaves only far from every comparison it makes. The source check is the other
net.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from math import gcd

from ghostproof.lift.relation import Relation
from ghostproof.lift.term import Term, evaluate, python_source, variables_of

POINTS_MAX = 20_000

Values = dict[str, bool | int]


def atoms(terms: Sequence[Term]) -> list[Term]:
    """Every integer comparison below `terms`, as the linear form that is compared with 0."""
    found: dict[Term, None] = {}
    seen: set[Term] = set()
    stack = list(terms)
    while stack:
        term = stack.pop()
        if term in seen:
            continue
        seen.add(term)
        if term.op in ("nonpositive", "zero"):
            found[term.arguments[0]] = None
        stack.extend(term.children)
    return list(found)


def candidates(relation: Relation, least: Mapping[str, int]) -> dict[str, list[bool | int]]:
    """The values to try for each variable that `relation` reads. `least` bounds integers from below; 0 where absent."""
    tests = [test for path in relation.paths for test, _ in path.tests]
    returned = [path.returned for path in relation.paths if path.returned is not None]
    reads = relation.reads
    integers = {name for name, term in reads.items() if term.sort == "Int"}
    chosen: dict[str, set[int]] = {name: {least.get(name, 0), least.get(name, 0) + 1} for name in integers}
    forms = atoms([*tests, *relation.updates.values(), *returned])
    forms.sort(key=lambda form: len(variables_of(form)))
    for form in forms:
        names = list(variables_of(form))
        for name in names:
            others = [other for other in names if other != name]
            for values in product(
                *(sorted(chosen[other])[:3] if other in integers else (False, True) for other in others)
            ):
                base: Values = {**dict(zip(others, values, strict=True)), name: 0}
                if reads[name].sort == "Bool":
                    continue
                at_zero = int(evaluate(form, base))
                slope = int(evaluate(form, {**base, name: 1})) - at_zero
                if slope in (1, -1):
                    edge = -at_zero * slope
                    chosen[name].update(value for value in (edge - 1, edge, edge + 1) if value >= least.get(name, 0))
    result: dict[str, list[bool | int]] = {}
    for name, term in reads.items():
        result[name] = [False, True] if term.sort == "Bool" else sorted(chosen[name])
    return result


def points(choices: Mapping[str, Sequence[bool | int]]) -> Iterator[Values]:
    """All combinations; where there are more than POINTS_MAX, those at a fixed stride, the same in every run."""
    total = 1
    for values in choices.values():
        total *= len(values)
    names = list(choices)
    stride = max(1, -(-total // POINTS_MAX))
    while gcd(stride, total) > 1:  # else some variable would never take some of its values
        stride += 1
    for index in range(0, total, stride):
        point: Values = {}
        rest = index
        for name in names:
            rest, place = divmod(rest, len(choices[name]))
            point[name] = choices[name][place]
        yield point


def compare(
    relation: Relation,
    plain: Callable[[Values], tuple[Mapping[str, object], Mapping[str, object], object]],
    least: Mapping[str, int],
    complain: Callable[[Values, str, object, object], None],
) -> int:
    """Run `plain` at every point and call `complain` where it and the relation differ; the number of points compared.

    `plain` gets values of the variables read; it gives all fields before and after, and what the function returned.
    """
    updates = {
        name: eval("lambda s: " + python_source(term), {})  # our own text, from our own terms
        for name, term in relation.updates.items()
    }
    returned = None if relation.returned is None else eval("lambda s: " + python_source(relation.returned), {})
    count = 0
    for point in points(candidates(relation, least)):
        count += 1
        before, after, value = plain(point)
        for name, left in after.items():
            expected = updates[name](point) if name in updates else before[name]
            if left != expected or type(left) is not type(expected):
                complain(point, name, expected, left)
        if returned is not None and value != returned(point):
            complain(point, "the returned value", returned(point), value)
    return count
