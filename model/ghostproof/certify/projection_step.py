"""The obligations of the projection, one step of the N-tool turn at a time, for any number of tools."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ghostproof.certify.projection import (
    Fields,
    Moment,
    Numbers,
    Required,
    Subject,
    add,
    changed_by,
    costs,
    domain,
    free_sums,
    holds,
    lets,
    possible_budgets,
    possible_sums,
    product_facts,
    product_moves,
    required,
    same,
    steps,
    told_by,
    visited,
    with_budgets,
)
from ghostproof.lift.single import ENVIRONMENT, EXECUTION, LATE, PROMPT, RESPONSE, SETTLE
from ghostproof.lift.term import (
    FALSE,
    Term,
    at_most,
    conjunction,
    constant,
    disjunction,
    integer,
    negate,
    substitute,
    variable,
)
from ghostproof.turn.action import Action
from ghostproof.turn.environment import settle
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.pruner import Pass
from ghostproof.turn.response import open_response
from ghostproof.turn.session import new_tool, others_of
from ghostproof.turn.tool import AT_LEAST, FIXED, Tool


class Visited:
    """A tool before and after a visit in which the sums over everything else are `rest`."""

    def __init__(self, item: Pass, fields: Fields, label: str, rest: Numbers, also: Numbers | None = None) -> None:
        self.before = fields
        arguments, afterwards = (variable(f"{label} arguments{when}", "Int") for when in ("", " afterwards"))
        more = (rest,) if also is None else (rest, also)
        self.part = costs(fields, arguments)
        self.numbers = with_budgets(add(self.part, *more))
        self.after = visited(item.visit, fields, self.numbers)
        self.numbers_after = with_budgets(add(costs(self.after, afterwards), *more))
        self.known = conjunction(
            domain(fields),
            product_facts(fields, arguments),
            product_moves(fields, arguments, self.after, afterwards),
            possible_sums(rest),
            possible_budgets(),
        )

    @property
    def unchanged(self) -> Term:
        """The visit changed no field."""
        return same(self.before, self.after)


def pass_obligations(subject: Subject, index: int) -> Iterator[Required]:
    """What one pass may do: visit this tool, visit another, and end."""
    item, ends = subject.pruner.passes[index], subject.way.ends[index]
    here = ends[0]
    own = Visited(item, subject.fields(), "own", free_sums("rest"))
    aside = costs(subject.fields(), variable("own arguments", "Int"))
    other = Visited(item, subject.fields("other "), "other", free_sums("rest"), aside)
    beside = conjunction(
        other.known,
        domain(subject.fields()),
        product_facts(subject.fields(), variable("own arguments", "Int")),
    )
    before, after = (subject.truths(numbers) for numbers in (own.numbers, own.numbers_after))
    seen, then = (subject.truths(numbers) for numbers in (other.numbers, other.numbers_after))
    yield required(
        f"{item.name}: a visit that changes nothing changes no sum",
        conjunction(other.known, other.unchanged),
        same(other.numbers, other.numbers_after),
    )
    if item.until is None:
        yield from _unconditional(subject, item, ends, own, (beside, seen, then))
        return
    fits, fails = holds(item.until, own.numbers), negate(holds(item.until, own.numbers))
    standing = Moment(own.before, before)
    yield required(
        f"{item.name}: a visit to this tool",
        conjunction(own.known, fails),
        conjunction(domain(own.after), steps(subject, (here, here), standing, Moment(own.after, after), own.numbers)),
        negate(own.unchanged),
    )
    staying = Moment(own.before, seen), Moment(own.before, then)
    yield required(
        f"{item.name}: a visit to another tool",
        conjunction(beside, negate(holds(item.until, other.numbers))),
        disjunction(same(seen, then), steps(subject, (here, here), *staying, other.numbers)),
        negate(other.unchanged),
    )
    yield required(
        f"{item.name}: the pass ends, its condition holds",
        conjunction(own.known, fits),
        steps(subject, ends, standing, standing, own.numbers),
    )
    yield required(
        f"{item.name}: the pass ends, a round changed nothing",
        conjunction(own.known, fails, own.unchanged),
        steps(subject, ends, standing, standing, own.numbers),
    )


def _unconditional(
    subject: Subject,
    item: Pass,
    ends: tuple[str, str],
    own: Visited,
    other: tuple[Term, dict[str, Term], dict[str, Term]],
) -> Iterator[Required]:
    """A pass without a condition is one step of the system: the visits before this tool's, its own, those after."""
    beside, seen, then = other
    yield required(
        f"{item.name}: a visit to another tool moves conditions as the pass may",
        beside,
        lets(subject, ends, seen, then),
    )
    before, after = (subject.truths(numbers) for numbers in (own.numbers, own.numbers_after))
    yield required(f"{item.name}: no visit at all moves no condition", own.known, lets(subject, ends, before, before))
    first, second, third = (subject.free_truths(label) for label in (" at first", " then", " at last"))
    chained = conjunction(lets(subject, ends, first, second), lets(subject, ends, second, third))
    yield required(
        f"{item.name}: visits move conditions as one of them may", chained, lets(subject, ends, first, third)
    )
    yield required(
        f"{item.name}: the visit to this tool, others before and after it",
        conjunction(own.known, lets(subject, ends, first, before), lets(subject, ends, after, third)),
        conjunction(
            domain(own.after), steps(subject, ends, Moment(own.before, first), Moment(own.after, third), own.numbers)
        ),
    )


def sums_obligation(subject: Subject) -> Required:
    """What is assumed of the sums over the other tools holds of each tool's part."""
    own, arguments = subject.fields(), variable("own arguments", "Int")
    return required(
        "each tool's part of the sums",
        conjunction(domain(own), product_facts(own, arguments)),
        possible_sums(costs(own, arguments)),
    )


def start_obligation(subject: Subject) -> Required:
    """A tool at the start of a session stands as the system's runs start."""
    fixed = {
        name: constant(subject.scenario.fixed[name]) if name in subject.scenario.fixed else subject.fields()[name]
        for name in FIXED
    }
    start = {**fixed, **{n: constant(v) for n, v in new_tool({}, subject.pruner.memory).__dict__.items()}}
    at = {variable(name, term.sort): term for name, term in start.items()}
    given = conjunction(*(at_most(integer(AT_LEAST[name]), term) for name, term in fixed.items() if name in AT_LEAST))
    follows = conjunction(domain(start), substitute(subject.system.initial, at))
    return required("the start of a session", given, follows)


def request_obligation(subject: Subject) -> Required:
    """A tool whose request violates the property is judged so by the system, and at the same moment."""
    violated = told_by(lambda tool, tools: NO_GHOST.violated(tool), subject.fields())
    judged = subject.system.bad if subject.system.judged == PROMPT else FALSE
    return required("the judgement of a request", violated, judged)


def action_obligations(subject: Subject) -> Iterator[Required]:
    """What happens between two arbitrations, with two other tools at hand."""
    yield _whole(subject, "the last response settles", settle, (SETTLE, ENVIRONMENT))
    yield _whole(subject, "the request is sent", open_response, (PROMPT, RESPONSE))
    scenario = subject.scenario
    for label, actions, ends in (
        ("environment", scenario.environment_actions, (ENVIRONMENT, subject.way.entry)),
        ("late", scenario.late_actions, (LATE, subject.way.after_late)),
        ("response", scenario.response_actions, (RESPONSE, EXECUTION)),
        ("execution", scenario.execution_actions, (EXECUTION, SETTLE)),
    ):
        for action in actions:
            yield _action(subject, label, action, ends)


def _whole(subject: Subject, name: str, effect: Callable[[Tool], None], ends: tuple[str, str]) -> Required:
    own, truths = subject.fields(), subject.free_truths()
    after = changed_by(lambda tool, tools: effect(tool), own)
    moved = steps(subject, ends, Moment(own, truths), Moment(after, truths))
    return required(name, domain(own), conjunction(domain(after), moved))


def _action(subject: Subject, label: str, action: Action, ends: tuple[str, str]) -> Required:
    own, rest = subject.fields(), (subject.fields("second "), subject.fields("third "))
    guard = told_by(lambda tool, tools: action.guard(tool, others_of(tools, 0)), own, rest)
    after = changed_by(lambda tool, tools: action.effect(tool, others_of(tools, 0)), own, rest)
    sums = with_budgets(free_sums("next"))
    truths = subject.free_truths()
    # A new turn has new budgets and new sums, and the conditions are not tested before it; elsewhere none is kept.
    moved = subject.truths(sums) if label in ("environment", "late") else truths
    return required(
        f"{label}: {action.name}",
        conjunction(domain(own), guard, possible_sums(free_sums("next")), possible_budgets()),
        conjunction(
            domain(after), steps(subject, ends, Moment(own, truths), Moment(after, moved), others=_others(rest))
        ),
    )


def _others(rest: Sequence[Fields]) -> dict[str, Term]:
    return {
        "rejected": disjunction(*(tool["rejected"] for tool in rest)),
        "rebuilt": disjunction(*(conjunction(tool["rejected"], tool["rebuilt"]) for tool in rest)),
    }


def step_obligations(subject: Subject) -> list[Required]:
    """Every obligation about one step."""
    found = [sums_obligation(subject), start_obligation(subject), request_obligation(subject)]
    found += action_obligations(subject)
    for index in range(len(subject.pruner.passes)):
        found += pass_obligations(subject, index)
    return found
