"""T10's induction over visited tools: each visit, of a tool among any number, is a step of the system of totals.

One tool has its fields, all others are summarised by their totals, which are free. The turn's numbers are the exact
sums. Arguments cost a product, of which `certify.projection` states what one visit needs to know.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ghostproof.certify.projection import (
    Fields,
    Numbers,
    Required,
    add,
    costs,
    domain,
    free_sums,
    holds,
    possible_budgets,
    possible_sums,
    product_facts,
    product_moves,
    required,
    same,
    told_by,
    visited,
    with_budgets,
)
from ghostproof.lift.plain import tool_sorts
from ghostproof.lift.term import (
    TRUE,
    Term,
    at_most,
    choose,
    combine,
    conjunction,
    equal,
    implies,
    integer,
    negate,
    variable,
)
from ghostproof.turn.pruner import Pass, Visit
from ghostproof_proofs.t10_passes import OUTCOME, fixed_floor, spare_items
from ghostproof_proofs.t10_totals import (
    NAMES,
    PRUNE,
    TRIM,
    ZERO,
    in_order,
    nothing_spare,
    steps,
)

REST_TOKENS, TOTAL_BUDGET = variable("exact rest_tokens", "Int"), variable("exact total_budget", "Int")


@dataclass(frozen=True, slots=True)
class Roles:
    """The passes of a turn after requests were honoured, by what they are for."""

    trim: Pass
    prune: Pass
    gate: Pass
    say: Pass


@dataclass(frozen=True, slots=True)
class Held:
    """A tool's part of each sum, and of each total."""

    sums: Numbers
    totals: Numbers

    @property
    def used(self) -> Term:
        """Tokens that stand in the prompt."""
        return _used(self.sums)


def _used(sums: Numbers) -> Term:
    return combine(combine(sums["schema_tokens"], sums["argument_tokens"]), sums["tombstone_tokens"])


def _demand(sums: Numbers) -> Term:
    return combine(combine(sums["schema_tokens"], sums["argument_tokens"]), sums["tombstone_demand_tokens"])


def held(fields: Fields, arguments: Term, gate: Visit) -> Held:
    """What a tool whose resident calls cost `arguments` holds. Settled is what it uses after a visit of the gate."""
    sums = costs(fields, arguments)
    pinned = choose(fields["pinned"], arguments, ZERO)
    settled = costs(visited(gate, fields, with_budgets(free_sums("unread"))), arguments)
    floor = combine(told_by(lambda tool, tools: fixed_floor(tool), fields), pinned)
    spare = told_by(lambda tool, tools: spare_items(tool), fields)
    return Held(sums, {"demand": _demand(sums), "settled": _used(settled), "floor": floor, "spare": spare})


class One:
    """A visit to one tool, among others of which only totals are known."""

    def __init__(self, item: Pass, gate: Visit) -> None:
        self.item = item
        self.before: Fields = {name: variable(name, sort) for name, sort in tool_sorts(OUTCOME).items()}
        arguments, afterwards = variable("arguments", "Int"), variable("arguments afterwards", "Int")
        rest = free_sums("rest")
        self.held = held(self.before, arguments, gate)
        self.numbers = with_budgets(add(self.held.sums, rest))
        self.after = visited(item.visit, self.before, self.numbers)
        self.left = held(self.after, afterwards, gate)
        self.rest: dict[str, Term] = {name: variable(f"rest {name}", "Int") for name in NAMES}
        self.rest["demand"] = combine(_demand(rest), REST_TOKENS)
        self.known = conjunction(
            domain(self.before),
            product_facts(self.before, arguments),
            product_moves(self.before, arguments, self.after, afterwards),
            possible_sums(rest),
            possible_budgets(),
            in_order(self.rest),
        )

    def whole(self, own: Held) -> dict[str, Term]:
        """The totals over all tools, and of the rest of the prompt."""
        return {name: combine(self.rest[name], own.totals[name]) for name in NAMES}

    @property
    def fails(self) -> Term:
        """The pass goes on: its condition does not hold."""
        return negate(holds(self.item.until, self.numbers))

    @property
    def unchanged(self) -> Term:
        """The visit changed nothing."""
        return same(self.before, self.after)


def visit_lemmas(turn: Roles) -> list[Required]:
    """Every lemma, each about one visit to one tool or about one more tool of a sum."""
    trim, prune, gate, say = (One(item, turn.gate.visit) for item in (turn.trim, turn.prune, turn.gate, turn.say))
    nothing = conjunction(*(equal(trim.rest[name], ZERO) for name in NAMES))
    return [
        required("no tool: the totals are in order", nothing, in_order(trim.rest)),
        required("one more tool: the totals stay in order", trim.known, in_order(trim.whole(trim.held))),
        *(_tested(one) for one in (trim, prune, say)),
        _visited(trim, TRIM),
        _quiet(trim, {"spare": ZERO}),
        _ending(trim, trim.held.totals["spare"], trim.left.totals["spare"]),
        _visited(prune, PRUNE),
        _quiet(prune, {"settled": variable("visited floor", "Int")}, nothing_spare(prune.whole(prune.held))),
        _ending(prune, _flag(prune.before["schema_shown"]), _flag(prune.after["schema_shown"])),
        *_gating(gate),
        *_saying(say),
    ]


def _tested(one: One) -> Required:
    fits = at_most(one.whole(one.held)["demand"], TOTAL_BUDGET)
    same_truth = conjunction(implies(fits, negate(one.fails)), implies(negate(one.fails), fits))
    return required(f"{one.item.name}: its condition is that demand is within the budget", one.known, same_truth)


def _visited(one: One, place: str) -> Required:
    moved = steps((place, place), one.whole(one.held), one.whole(one.left), TOTAL_BUDGET)
    return required(
        f"{one.item.name}: a visit is a step of the totals",
        conjunction(one.known, one.fails),
        moved,
        negate(one.unchanged),
    )


def _quiet(one: One, reached: Mapping[str, Term], given: Term = TRUE) -> Required:
    """A round that changes nothing, one tool further: what holds of the totals over those visited holds with it."""
    follows = []
    for name, value in reached.items():
        own = one.held.totals[name]
        floor = one.held.totals["floor"] if name == "settled" else ZERO
        visited_so_far = variable(f"visited {name}", "Int")
        given = conjunction(given, equal(visited_so_far, value))
        follows.append(equal(combine(visited_so_far, own), combine(value, floor)))
    return required(
        f"{one.item.name}: one more tool of a round that changes nothing",
        conjunction(one.known, one.fails, one.unchanged, given),
        conjunction(*follows),
    )


def _ending(one: One, before: Term, after: Term) -> Required:
    """No pass goes on for ever: each visit that changes something uses up some of what is there."""
    return required(
        f"{one.item.name}: a visit that changes something uses something up",
        conjunction(one.known, one.fails, negate(one.unchanged)),
        conjunction(at_most(ZERO, after), at_most(combine(after, integer(1)), before)),
    )


def _flag(shown: Term) -> Term:
    return choose(shown, integer(1), ZERO)


def _gating(one: One) -> Iterator[Required]:
    """The gate visits each tool once. What is used by those it has visited is what was settled of them before."""
    name, before, after = one.item.name, one.held, one.left
    used = variable("visited used", "Int")
    settled = equal(used, variable("visited settled", "Int"))
    yield required(
        f"{name}: one more tool uses exactly what was settled",
        conjunction(one.known, settled),
        equal(combine(used, after.used), combine(variable("visited settled", "Int"), before.totals["settled"])),
        negate(one.unchanged),
    )
    yield required(
        f"{name}: nothing is owed after it, and no more is in demand than before",
        one.known,
        conjunction(equal(after.totals["demand"], after.used), at_most(after.used, before.totals["demand"])),
        negate(one.unchanged),
    )
    yield required(
        f"{name}: it takes no call, and a second visit changes nothing",
        one.known,
        conjunction(
            equal(one.after["calls_resident"], one.before["calls_resident"]),
            same(visited(one.item.visit, one.after, one.numbers), one.after),
        ),
    )


def _saying(one: One) -> Iterator[Required]:
    name = one.item.name
    yield required(
        f"{name}: a visit marks the tool and changes no number",
        conjunction(one.known, one.fails),
        conjunction(
            one.after["budget_exceeded"],
            *(
                equal(one.left.sums[total], value)
                for total, value in one.held.sums.items()
                if total != "argument_tokens"
            ),
            equal(one.after["calls_resident"], one.before["calls_resident"]),
        ),
        negate(one.unchanged),
    )
