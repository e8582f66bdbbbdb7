"""T10's arithmetic: a turn of any number of tools, seen only through its totals.

Demand is what stands in the prompt and the tombstones that are still owed; settled demand what the gate will leave of
it; the floor what no pass may take; spare the items that trimming may still take. What a visit may do to the totals is
stated here as a command; `t10_lemmas` shows that each visit to any tool does that, whatever the others hold.
"""

from __future__ import annotations

from collections.abc import Mapping

from ghostproof.lift.system import Command, System
from ghostproof.lift.term import (
    FALSE,
    TRUE,
    Sort,
    Term,
    at_most,
    conjunction,
    disjunction,
    equal,
    implies,
    integer,
    negate,
    substitute,
    variable,
)

TRIM, PRUNE, GATE, SAY, REQUEST = "trim", "prune", "gate", "say", "request"
Totals = Mapping[str, Term]
NAMES = ("demand", "settled", "floor", "spare")
BUDGET, USED, SAID = variable("budget", "Int"), variable("used", "Int"), variable("said", "Bool")
ZERO = integer(0)


def totals(when: str = "") -> dict[str, Term]:
    """The totals as variables of the system; with `when` as the inputs of a command."""
    return {name: variable(f"{name}{when}", "Int") for name in NAMES}


def in_order(of: Totals) -> Term:
    """No total is negative, and the floor is at most the settled demand, which is at most the demand."""
    return conjunction(
        at_most(ZERO, of["floor"]),
        at_most(of["floor"], of["settled"]),
        at_most(of["settled"], of["demand"]),
        at_most(ZERO, of["spare"]),
    )


def within(of: Totals) -> Term:
    """The demand is within the budget."""
    return at_most(of["demand"], BUDGET)


def visit(before: Totals, after: Totals) -> Term:
    """What any visit may do: the floor stays, and the demand is not raised."""
    return conjunction(
        in_order(after), equal(after["floor"], before["floor"]), at_most(after["demand"], before["demand"])
    )


def nothing_spare(of: Totals) -> Term:
    """Trimming has nothing left to take."""
    return equal(of["spare"], ZERO)


def at_its_floor(of: Totals) -> Term:
    """What will be left is what no pass may take."""
    return equal(of["settled"], of["floor"])


def turn_of_totals() -> System:
    """Trimming, pruning, the gate and the last word. At the request it must be said exactly if the floor is too high,
    and what is sent without a word is within the budget."""
    now, then = totals(), totals(" afterwards")
    exceeds = negate(within(now))
    moved: dict[str, Term] = dict(then)
    still_none = implies(nothing_spare(now), conjunction(visit(now, then), nothing_spare(then)))
    told = conjunction(negate(SAID), at_most(USED, BUDGET))
    refused = conjunction(SAID, negate(at_most(now["floor"], BUDGET)), equal(USED, now["floor"]))
    commands = (
        Command("trim visits", TRIM, TRIM, conjunction(exceeds, visit(now, then)), moved),
        Command("trim ends: fits", TRIM, PRUNE, within(now), {}),
        Command("trim ends: a round changed nothing", TRIM, PRUNE, conjunction(exceeds, nothing_spare(now)), {}),
        Command("prune visits", PRUNE, PRUNE, conjunction(exceeds, still_none), moved),
        Command("prune ends: fits", PRUNE, GATE, within(now), {}),
        Command(
            "prune ends: a round changed nothing",
            PRUNE,
            GATE,
            conjunction(exceeds, implies(nothing_spare(now), at_its_floor(now))),
            {},
        ),
        Command("gate visits every tool", GATE, SAY, TRUE, {"demand": now["settled"], "used": now["settled"]}),
        Command("say ends: fits", SAY, REQUEST, within(now), {}),
        Command("say has marked every tool", SAY, REQUEST, exceeds, {"said": TRUE}),
    )
    initial = conjunction(in_order(now), negate(SAID), at_most(ZERO, BUDGET))
    variables: dict[str, Sort] = {**dict.fromkeys((*NAMES, "budget", "used"), "Int"), "said": "Bool"}
    bad = negate(disjunction(told, refused))
    return System("the totals of one turn", variables, TRIM, initial, commands, REQUEST, bad)


def invariant() -> dict[str, Term]:
    """What holds of the totals at each place."""
    now = totals()
    held = conjunction(in_order(now), negate(SAID))
    settled = conjunction(held, equal(now["settled"], now["demand"]), equal(USED, now["demand"]))
    return {
        TRIM: held,
        PRUNE: conjunction(held, disjunction(within(now), nothing_spare(now))),
        GATE: conjunction(held, disjunction(within(now), at_its_floor(now))),
        SAY: conjunction(settled, disjunction(within(now), at_its_floor(now))),
        REQUEST: negate(turn_of_totals().bad),
    }


def steps(ends: tuple[str, str], before: Totals, after: Totals, budget: Term) -> Term:
    """Some command between `ends` leads from `before` to `after`: the guard of a visit says it all."""
    at: dict[Term, Term] = {BUDGET: budget}
    at.update({variable(name, "Int"): term for name, term in before.items()})
    at.update({variable(f"{name} afterwards", "Int"): term for name, term in after.items()})
    found = [c for c in turn_of_totals().commands if (c.source, c.target) == ends]
    return disjunction(*(substitute(command.guard, at) for command in found)) if found else FALSE
