"""What a visit to one tool can do to a budget condition: nothing, only help it, or anything.

A condition speaks of sums over all tools. A visit changes one tool, so it raises a sum exactly when it raises that
tool's part. What holds for every state of one tool holds for any number of tools and any sizes.
"""

from __future__ import annotations

from ghostproof.lift.limits import Limits
from ghostproof.lift.plain import TURN, lift_costs
from ghostproof.lift.relation import Relation
from ghostproof.lift.smtlib import script
from ghostproof.lift.solver import Unsatisfiable, ask
from ghostproof.lift.term import (
    FALSE,
    TRUE,
    Term,
    at_most,
    combine,
    conjunction,
    disjunction,
    integer,
    negate,
    scaled,
    substitute,
    variable,
    variables_of,
)
from ghostproof.turn.budget import TOTALS
from ghostproof.turn.tool import AT_LEAST

CALLS = variable("calls_resident", "Int")


def truth_after(condition: Term, holds: Term, freed: Term, visit: Relation) -> Term:
    """The truth of `condition` after `visit` to any tool: `holds` where it stays, `freed` where it may be either."""
    touched = {name for name in _totals(condition) if _fields(name) & set(visit.updates)}
    if not touched:
        return holds
    domain = (at_most(integer(least), variable(name, "Int")) for name, least in AT_LEAST.items())
    answer = ask(script([conjunction(*domain), raised(condition, visit)]), Limits())
    return disjunction(holds, freed) if isinstance(answer, Unsatisfiable) else freed


def raised(condition: Term, visit: Relation) -> Term:
    """From which states of a tool `visit` may raise what `condition` bounds: all of them where it cannot be told."""
    weights = _weights(condition)
    if weights is None:
        return TRUE
    costs = lift_costs()
    after = {variable(name, value.sort): value for name, value in visit.updates.items()}
    change, more_calls = integer(0), FALSE
    for name in _totals(condition):
        factor = weights.get(variable(TURN + name, "Int"), 0)
        if name != "argument_tokens":
            change = combine(change, scaled(combine(substitute(costs[name], after), costs[name], -1), factor))
        elif factor < 0:
            return TRUE
        else:
            # Calls of one tool are of one size, so their tokens rise exactly when their number does.
            more_calls = negate(at_most(substitute(CALLS, after), CALLS))
    return disjunction(more_calls, at_most(integer(1), change))


def _totals(condition: Term) -> list[str]:
    """The sums over all tools that `condition` reads."""
    read = variables_of(condition)
    return [name for name in TOTALS if TURN + name in read]


def _fields(total: str) -> set[str]:
    """The tool's fields on which its part of a sum depends."""
    if total == "argument_tokens":
        return {"calls_resident", "argument_tokens"}
    return set(variables_of(lift_costs()[total]))


def _weights(condition: Term) -> dict[Term, int] | None:
    """`condition` as `a sum of numbers <= 0`: each number with its factor. None where it is no such thing."""
    flipped = condition.op == "not"
    inner: Term = condition.arguments[0] if flipped else condition
    if inner.op != "nonpositive":
        return None
    # not (form <= 0) is 1 - form <= 0.
    form = combine(integer(1), inner.arguments[0], -1) if flipped else combine(integer(0), inner.arguments[0])
    pairs = dict(form.arguments[1:]) if form.op == "linear" else {form: 1}
    return pairs if all(term.op == "var" for term in pairs) else None
