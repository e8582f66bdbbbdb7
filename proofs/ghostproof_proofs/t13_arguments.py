"""The argument of T13: two tools with exact sizes and budgets, up to the first request that has a ghost."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

from ghostproof.certify.vacuity import Witness
from ghostproof.engines.induction import NAME
from ghostproof.engines.problem import Bounds, Certificate
from ghostproof.lift.exact import exact_system
from ghostproof.lift.plain import judgement, lift_pruner, tool_sorts
from ghostproof.lift.several import Fields, SeveralTools
from ghostproof.lift.single import EXECUTION, RESPONSE, SETTLE, pass_location
from ghostproof.lift.smtlib import script
from ghostproof.lift.solver import Unsatisfiable, ask
from ghostproof.lift.system import Command, System, obligations
from ghostproof.lift.term import (
    TRUE,
    Term,
    at_most,
    choose,
    combine,
    conjunction,
    disjunction,
    equal,
    implies,
    integer,
    negate,
    substitute,
    variable,
)
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.scenario import Scenario
from ghostproof.turn.tool import Tool
from ghostproof.turn.trace import Trace
from ghostproof.turn.verdict import Proved, ProvedUpTo, Undetermined, Verdict
from ghostproof_proofs.discharge import confirmed, unwitnessed

TOOLS = 2


def _ghost(fields: Fields) -> Term:
    return substitute(
        judgement(NO_GHOST), {variable(name, sort): fields[name] for name, sort in tool_sorts({}).items()}
    )


def _has_arguments(fields: Fields) -> Term:
    return at_most(integer(1), fields["calls_resident"])


def _precedes(left: Fields, right: Fields, declared_first: bool) -> Term:
    """`left` comes before `right` in (calls, index)."""
    return at_most(combine(left["calls"], integer(0 if declared_first else 1)), right["calls"])


def _out_of_order(left: Fields, right: Fields, declared_first: bool, pins: bool) -> Term:
    """`right` is a ghost, and `left`, which comes before it and has arguments too, is none.

    With `pins` a pinned tool may stay.
    """
    return conjunction(
        _ghost(right),
        _precedes(left, right, declared_first),
        _has_arguments(left),
        negate(left["pinned"]) if pins else TRUE,
        negate(_ghost(left)),
    )


def _tool(index: int) -> Fields:
    """The fields of one of the two tools."""
    return {name: variable(f"tool {index + 1} {name}", sort) for name, sort in tool_sorts({}).items()}


def first_ghosts(system: System) -> System:
    """`system` of two exact tools up to the first request with a ghost; a ghost out of order is what is wrong."""
    tools = [_tool(index) for index in range(TOOLS)]
    none = negate(disjunction(*(_ghost(fields) for fields in tools)))

    def cut(command: Command) -> Command:
        return replace(command, guard=conjunction(command.guard, none)) if command.source == system.judged else command

    bad = [_out_of_order(tools[a], tools[b], a < b, pins=True) for a, b in permutations(range(TOOLS), 2)]
    return replace(system, commands=tuple(cut(command) for command in system.commands), bad=disjunction(*bad))


def _well_kept(fields: Fields, called: bool) -> Term:
    """What holds of a tool as long as no ghost was sent; `called` says that its call may be under way."""
    shown, arguments = fields["schema_shown"], _has_arguments(fields)
    return conjunction(
        _unmarked(fields),
        implies(arguments, shown),
        implies(fields["called"], conjunction(shown, negate(fields["requested"])))
        if called
        else negate(fields["called"]),
    )


def _unmarked(fields: Fields) -> Term:
    """No tombstone and no lossy schema; what is requested is a tool of which nothing is in the prompt."""
    return conjunction(
        negate(fields["tombstone_resident"]),
        negate(fields["schema_lossy"]),
        implies(fields["requested"], negate(_has_arguments(fields))),
    )


def _invariant(system: System, last: str) -> dict[str, Term]:
    """Before the last pass, called `last`, tools are well kept; in it what was visited is hidden, or may stay."""
    tools = [_tool(index) for index in range(TOOLS)]
    second_first = variable("tool 2 goes first", "Bool")
    ordered = equal(second_first, negate(at_most(tools[0]["calls"], tools[1]["calls"])))
    visited = [disjunction(negate(f["schema_shown"]), f["pinned"], f["requested"]) for f in tools]
    pruning = conjunction(*(conjunction(_unmarked(f), negate(f["called"])) for f in tools), negate(system.bad))
    first_visited = conjunction(pruning, ordered, choose(second_first, visited[1], visited[0]))
    answering = (EXECUTION, f"{EXECUTION} of tool 2", SETTLE)
    quiet = [conjunction(_well_kept(f, called=False), negate(f["requested"])) for f in tools]
    found = {
        location: conjunction(*(_well_kept(f, called=location in answering) for f in tools))
        for location in system.locations
    }
    found |= {
        last: pruning,
        f"{last}, slot 1": conjunction(pruning, ordered),
        f"{last}, slot 2": first_visited,
        f"{last}, round done": first_visited,
        system.judged: pruning,
        RESPONSE: conjunction(*quiet),
        f"{RESPONSE} of tool 2": conjunction(_well_kept(tools[0], called=True), quiet[1]),
    }
    return found


def in_order(pruner: Pruner, scenario: Scenario, absent: frozenset[str]) -> Verdict:
    """Whether the first ghosts of two tools come in (calls, index), for all turns, sizes and budgets.

    The invariant is written by hand, since Spacer takes many times as long; it is checked like any other.
    """
    lifted, bounds = lift_pruner(pruner), Bounds()
    exact = exact_system(lifted, scenario, NO_GHOST, TOOLS)
    if exact is None:
        return Undetermined("a visit evicts a number of calls that is not known", NAME)
    system = first_ghosts(exact)
    certificate = Certificate(system, _invariant(system, pass_location(len(pruner.passes) - 1, pruner.passes[-1].name)))
    failing = [name for name, term in obligations(system, certificate.invariant) if not _impossible(term, bounds)]
    if failing:
        return Undetermined(f"the invariant does not go through: {failing[0]}", NAME)
    missing = unwitnessed(pruner, scenario, NO_GHOST, absent, bounds, [_one_of_two()])
    if missing is not None:
        return missing
    checked = confirmed(certificate, bounds)
    return ProvedUpTo(NAME, TOOLS, checked.checked) if isinstance(checked, Proved) else checked


def _impossible(term: Term, bounds: Bounds) -> bool:
    return isinstance(ask(script([term]), bounds.limits), Unsatisfiable)


def _first(sessions: SeveralTools) -> Term:
    """No request but the last one has a ghost."""
    return negate(disjunction(*(_ghost(fields) for prompt in sessions.prompts[:-1] for fields in prompt)))


def out_of_order(pins: bool = True) -> Witness:
    """In the first request with a ghost a tool that comes before it has arguments and is none.

    Without `pins` a pinned tool counts like any other.
    """

    def wanted(sessions: SeveralTools) -> Term:
        last = sessions.prompts[-1]
        pairs = permutations(range(sessions.tools), 2)
        return conjunction(
            _first(sessions), disjunction(*(_out_of_order(last[a], last[b], a < b, pins) for a, b in pairs))
        )

    def seen(trace: Trace) -> bool:
        first = _first_ghosts(trace)
        return any(
            tools[b].ghost
            and (tools[a].calls, a) < (tools[b].calls, b)
            and tools[a].arguments_resident
            and not (pins and tools[a].pinned)
            and not tools[a].ghost
            for tools in first
            for a, b in permutations(range(len(tools)), 2)
        )

    return Witness("the first ghosts are out of order", wanted, seen)


def _one_of_two() -> Witness:
    """The order tells something: of two tools with arguments, the one that was called less is a first ghost alone."""

    def wanted(sessions: SeveralTools) -> Term:
        last = sessions.prompts[-1]
        found = [
            conjunction(
                _ghost(last[a]),
                negate(_ghost(last[b])),
                _has_arguments(last[b]),
                at_most(combine(last[a]["calls"], integer(1)), last[b]["calls"]),
            )
            for a, b in permutations(range(sessions.tools), 2)
        ]
        return conjunction(_first(sessions), disjunction(*found))

    def seen(trace: Trace) -> bool:
        return any(
            a.ghost and not b.ghost and b.arguments_resident and a.calls < b.calls
            for tools in _first_ghosts(trace)
            for a, b in permutations(tools, 2)
        )

    return Witness("of two tools with arguments, the less called one is the first ghost", wanted, seen)


def _first_ghosts(trace: Trace) -> list[list[Tool]]:
    """The tools in the first request with a ghost, if there is one."""
    requests: list[list[Tool]] = [[Tool(tool) for tool in request.tools] for request in trace.requests]
    return next(([tools] for tools in requests if any(tool.ghost for tool in tools)), [])
