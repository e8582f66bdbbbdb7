"""A plain function of a record, run along every path, as one guarded update of each field.

Frames cannot be forgotten: a field that no path assigns has no update and keeps its value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ghostproof.lift.symbol import Fork, Unsupported, symbol, term_of
from ghostproof.lift.term import (
    FALSE,
    Sort,
    Term,
    boolean,
    choose,
    conjunction,
    disjunction,
    equal,
    negate,
    substitute,
    variable,
    variables_of,
)

PATHS_MAX = 2000


@dataclass(frozen=True, slots=True)
class Path:
    """One way through the function: the tests with their outcomes, what was assigned, what was returned."""

    tests: tuple[tuple[Term, bool], ...]
    assigned: Mapping[str, Term]
    returned: Term | None

    @property
    def condition(self) -> Term:
        """The conjunction of the tests with their outcomes."""
        return conjunction(*(test if outcome else negate(test) for test, outcome in self.tests))


@dataclass(frozen=True, slots=True)
class Relation:
    """All paths of one function, and what they amount to.

    `updates` has the next value of each field that some path changes; `returned` the value, if every path returns one.
    """

    paths: tuple[Path, ...]
    updates: Mapping[str, Term]
    returned: Term | None

    @property
    def reads(self) -> dict[str, Term]:
        """Every variable that a test, an update (with what it keeps on some path) or the returned value mentions."""
        tests = [test for path in self.paths for test, _ in path.tests]
        values = list(self.updates.values())
        returned = [path.returned for path in self.paths if path.returned is not None]
        return variables_of(*tests, *values, *returned)

    @property
    def changed(self) -> Term:
        """Whether some field gets a new value."""
        return disjunction(*(negate(equal(value, variable(name, value.sort))) for name, value in self.updates.items()))


Run = Callable[[Fork], tuple[Mapping[str, object], object]]


def explore(run: Run, sorts: Mapping[str, Sort]) -> Relation:
    """Run along every path. `run` executes the function on a fork and gives the record's fields and the returned value.

    Raises Unsupported for a value that is neither boolean nor integer where one is needed, and for too many paths.
    """
    paths: list[Path] = []
    prefix: tuple[bool, ...] = ()
    while True:
        fork = Fork(prefix)
        fields, returned = run(fork)
        assigned: dict[str, Term] = {}
        for name, value in fields.items():
            if name not in sorts:
                raise Unsupported(f"sets the unknown attribute tool.{name}", "declare it in the pruner's memory")
            term = term_of(value)
            if term is None or term.sort != sorts[name]:
                kind = "boolean" if sorts[name] == "Bool" else "integer"
                raise Unsupported(f"{name} is assigned a {type(value).__name__}", f"assign a {kind}")
            if term is not variable(name, sorts[name]):
                assigned[name] = term
        paths.append(Path(tuple(fork.tests), assigned, None if returned is None else term_of(returned)))
        if len(paths) > PATHS_MAX:
            raise Unsupported(f"more than {PATHS_MAX} paths", "split the function into several passes")
        outcomes = [outcome for _, outcome in fork.tests]
        while outcomes and not outcomes[-1]:
            outcomes.pop()
        if not outcomes:
            break
        prefix = (*outcomes[:-1], False)
    return merge(tuple(paths), sorts)


def merge(paths: tuple[Path, ...], sorts: Mapping[str, Sort]) -> Relation:
    """Fold the decision tree of `paths` into one term a field."""
    names = sorted({name for path in paths for name in path.assigned})

    def fold(members: tuple[Path, ...], depth: int, pick: Callable[[Path], Term]) -> Term:
        if len(members) == 1:
            # What a path tested is known on it, so a value that repeats a test is a constant there.
            return substitute(pick(members[0]), {test: boolean(outcome) for test, outcome in members[0].tests})
        test = members[0].tests[depth][0]
        yes = tuple(path for path in members if path.tests[depth][1])
        no = tuple(path for path in members if not path.tests[depth][1])
        if not yes or not no:
            return fold(members, depth + 1, pick)
        return choose(test, fold(yes, depth + 1, pick), fold(no, depth + 1, pick))

    updates = {
        name: fold(paths, 0, lambda path, n=name: path.assigned.get(n, variable(n, sorts[n])))  # type: ignore[misc]
        for name in names
    }
    updates = {name: value for name, value in updates.items() if value is not variable(name, sorts[name])}
    returned = None
    if all(path.returned is not None for path in paths):
        returned = fold(paths, 0, lambda path: path.returned or FALSE)
    return Relation(paths, updates, returned)


def sort_of(kind: type) -> Sort:
    """The sort of a Python type."""
    return "Bool" if kind is bool else "Int"


def symbolic_record(sorts: Mapping[str, Sort], fork: Fork) -> dict[str, bool | int]:
    """One symbolic value a field, each standing for itself."""
    return {name: symbol(variable(name, sort), fork) for name, sort in sorts.items()}
