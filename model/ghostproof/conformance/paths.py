"""A case for each path of each pass, and for the budget at the path's own demand, one token above and one below.

The solver is asked for the least values, field by field, so that the cases do not depend on which solver answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ghostproof.conformance.draw import Case
from ghostproof.conformance.passes import prune_where_it_saves, sweep
from ghostproof.lift.limits import Limits
from ghostproof.lift.plain import TURN, lift_costs, lift_visit, tool_sorts
from ghostproof.lift.smtlib import script
from ghostproof.lift.solver import Satisfiable, Unknown, ask
from ghostproof.lift.term import (
    TRUE,
    Term,
    at_most,
    choose,
    combine,
    conjunction,
    constant,
    equal,
    implies,
    integer,
    negate,
    substitute,
    variable,
)
from ghostproof.turn.errors import InternalError
from ghostproof.turn.pruner import Pass
from ghostproof.variants.arbitration import expand, gate, prune_schema, trim_history
from ghostproof.variants.trims import trim_calls

VISITS = (expand, sweep, trim_history, trim_calls, prune_schema, prune_where_it_saves, gate)
"""The visits of `argument_first` and of the suite's own pruner."""

CALLS = 2
BUDGET = TURN + "total_budget"
BYSTANDER = 2
"""What the other tool's schema costs, and its one call half of that."""

FIELDS = (
    "schema_shown", "schema_lossy", "tombstone_resident", "pinned", "requested", "registered", "mutation",
    "schema_tokens", "argument_tokens", "tombstone_tokens", BUDGET,
)  # fmt: skip


def cases() -> Iterator[tuple[str, Case]]:
    """Where a case comes from, and the case. Raises InternalError when the solver gives no answer."""
    sorts = tool_sorts({})
    for visit in VISITS:
        for number, path in enumerate(lift_visit(Pass(visit), sorts).paths, start=1):
            for calls in range(CALLS + 1):
                for beside in (-1, 0, 1):
                    asked = conjunction(path.condition, _demand_is(beside))
                    values = _least(substitute(asked, {variable("calls_resident", "Int"): integer(calls)}), calls)
                    if values is not None:
                        tokens = {-1: "one below its demand", 0: "at its demand", 1: "one above its demand"}[beside]
                        yield f"path {number} of {visit.__name__}, budget {tokens}", _case(values, calls)


def _demand_is(beside: int) -> Term:
    costs = lift_costs()
    calls = variable("calls_resident", "Int")
    total = combine(costs["schema_tokens"], costs["tombstone_demand_tokens"])
    # A product is not linear: the number of calls is fixed, and each call is added by itself.
    held: Term = integer(0)
    for number in range(1, CALLS + 1):
        called = at_most(integer(number), calls)
        held = combine(held, _if(called, variable("argument_tokens", "Int")))
    bystander = integer(BYSTANDER + BYSTANDER // 2 + beside)
    return equal(variable(BUDGET, "Int"), combine(combine(total, held), bystander))


def _if(condition: Term, value: Term) -> Term:
    return choose(condition, value, integer(0))


def _possible(calls: int) -> Term:
    shown, lossy, tombstone, requested, registered = (
        variable(name, "Bool")
        for name in ("schema_shown", "schema_lossy", "tombstone_resident", "requested", "registered")
    )
    resident = conjunction(shown, negate(lossy))
    sizes = (at_most(integer(1), variable(f"{what}_tokens", "Int")) for what in ("schema", "argument", "tombstone"))
    return conjunction(
        *sizes,
        implies(lossy, shown),
        implies(tombstone, negate(resident)),
        implies(requested, negate(resident)),
        implies(shown, registered),
        at_most(integer(0), variable(BUDGET, "Int")),
        equal(variable("calls_resident", "Int"), integer(calls)),
    )


def _least(asked: Term, calls: int) -> dict[str, bool | int] | None:
    given = conjunction(asked, substitute(_possible(calls), {variable("calls_resident", "Int"): integer(calls)}))
    found = _answer(given)
    if found is None:
        return None
    least: dict[str, bool | int] = {}
    known: Term = TRUE
    for name in FIELDS:
        least[name], known = _least_of(name, conjunction(given, known), known)
    return least


def _least_of(name: str, given: Term, known: Term) -> tuple[bool | int, Term]:
    is_flag = not name.endswith(("_tokens", "_budget"))
    tried: bool | int = False if is_flag else 0
    while True:
        fixed = equal(variable(name, "Bool" if is_flag else "Int"), constant(tried))
        if _answer(conjunction(given, fixed)) is not None:
            return tried, conjunction(known, fixed)
        tried = True if is_flag else tried + 1


def _answer(question: Term) -> Mapping[str, bool | int] | None:
    answer = ask(script([question]), Limits())
    if isinstance(answer, Unknown):
        raise InternalError(f"no case for a path of a pass: {answer.reason}")
    return answer.values if isinstance(answer, Satisfiable) else None


def _case(values: Mapping[str, bool | int], calls: int) -> Case:
    shown = "lossy" if values["schema_lossy"] else "shown"
    subject: dict[str, Any] = {
        "name": "a",
        "effect": "mutation" if values["mutation"] else "reading",
        "schema": shown if values["schema_shown"] else "withheld",
        "registered": values["registered"],
        "requested": values["requested"],
        "pinned": values["pinned"],
        "schema_tokens": values["schema_tokens"],
        "tombstone_tokens": values["tombstone_tokens"],
        "idle_turns": 1,
        "calls": calls,
    }
    bystander = subject | {
        "name": "b", "effect": "mutation", "schema": "shown", "registered": True, "requested": False, "pinned": False,
        "schema_tokens": BYSTANDER, "tombstone_tokens": 1, "idle_turns": 0, "calls": 1,
    }  # fmt: skip
    groups = [
        {"kind": "calls", "id": f"g{number + 1}", "calls": [{"tool": "a", "tokens": values["argument_tokens"]}]}
        for number in range(calls)
    ]
    groups.append({"kind": "calls", "id": "g9", "calls": [{"tool": "b", "tokens": BYSTANDER // 2}]})
    tombstone = [{"kind": "tombstone", "tool": "a"}] if values["tombstone_resident"] else []
    return {
        "tools": [subject, bystander],
        "history": [*groups[:calls], *tombstone, *groups[calls:]],
        "rest_tokens": 0,
        "budgets": {"kind": "joint", "total": values[BUDGET]},
        "order": "least-recently-called",
        "gate": "tombstone",
    }
