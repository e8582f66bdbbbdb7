"""How far an answer reaches, and with it the sessions that may count as its witnesses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ghostproof.lift.several import SeveralTools
from ghostproof.lift.term import Term, disjunction, equal, integer, negate
from ghostproof.turn.explore import Grid
from ghostproof.turn.tool import FIXED, Value
from ghostproof.turn.trace import Trace

TOOLS_MAX = 2


@dataclass(frozen=True, slots=True)
class Reach:
    """In how many requests, any number if None, of how many tools, and on which grid a witness counts.

    Without a grid every size and every budget counts. The fixed fields that `fixed` names are the scenario's.
    """

    requests: int | None = None
    tools: int = TOOLS_MAX
    grid: Grid | None = None
    fixed: Mapping[str, Value] | None = None

    def first(self, traces: Sequence[Trace]) -> list[Trace]:
        """The beginnings of `traces` that are within reach."""
        return [replace(trace, requests=trace.requests[: self.requests]) for trace in traces if self._has(trace)]

    def searched(self, requests: int) -> int:
        """How many of so many requests are within reach."""
        return requests if self.requests is None else min(requests, self.requests)

    def _has(self, trace: Trace) -> bool:
        if len(trace.names) > self.tools:
            return False
        if self.grid is None:
            return True
        played = trace.script.turns[: self.requests]
        budgets = [turn.budgets.get(name, 0) for turn in played for name in trace.budgets]
        fields = [tool[name] in values for tool in trace.script.tools for name, values in self._values(self.grid)]
        return not trace.script.rest_tokens and all(fields) and set(budgets) <= set(self.grid.budgets)

    def terms(self, sessions: SeveralTools) -> list[Term]:
        """That unrolled sessions keep to the grid."""
        if self.grid is None:
            return []
        found = [equal(sessions.rest, integer(0))]
        for fields in sessions.fixed:
            found += [_among(fields[name], values) for name, values in self._values(self.grid) if name in fields]
        for turn in sessions.turns:
            found += [_among(budget, self.grid.budgets) for budget in turn.budgets.values()]
        return found

    def _values(self, grid: Grid) -> list[tuple[str, tuple[Value, ...]]]:
        fixed = self.fixed or {}
        return [(name, grid.values(name)) for name in FIXED if name not in fixed]

    def __str__(self) -> str:
        return "" if self.grid is None else f" of {self.grid}"


def _among(term: Term, values: Iterable[Value]) -> Term:
    if term.sort == "Bool":
        return disjunction(*(term if value else negate(term) for value in values))
    return disjunction(*(equal(term, integer(int(value))) for value in values))


ANYWHERE = Reach()
