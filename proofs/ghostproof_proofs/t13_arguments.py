"""The argument of T13: two tools with exact sizes and budgets, up to the first request that has a ghost."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

from ghostproof.certify.vacuity import Witness
from ghostproof.engines.induction import NAME, prove_system
from ghostproof.engines.problem import Bounds, Certificate
from ghostproof.lift.exact import Exact, exact_system
from ghostproof.lift.plain import TURN, judgement, lift_pruner, tool_sorts
from ghostproof.lift.several import Fields, SeveralTools
from ghostproof.lift.system import Command, System
from ghostproof.lift.term import (
    Term,
    at_most,
    combine,
    conjunction,
    disjunction,
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


class SumsForgotten(Exact):
    """Two tools whose token numbers may be anything at each visit: with an invariant here, that much is inductive."""

    def _numbers(self) -> dict[Term, Term]:
        names = self.pruner.reads_in(self.scenario)
        return {variable(TURN + name, "Int"): variable(f"any {name}", "Int") for name in names}


def _ghost(fields: Fields) -> Term:
    return substitute(
        judgement(NO_GHOST), {variable(name, sort): fields[name] for name, sort in tool_sorts({}).items()}
    )


def _has_arguments(fields: Fields) -> Term:
    return at_most(integer(1), fields["calls_resident"])


def _precedes(left: Fields, right: Fields, declared_first: bool) -> Term:
    """`left` comes before `right` in (calls, index)."""
    return at_most(combine(left["calls"], integer(0 if declared_first else 1)), right["calls"])


def _spared(left: Fields, pins: bool) -> Term:
    """What a pruner may leave alone: a pinned tool, where `pins` are excepted, and a requested one."""
    return disjunction(left["requested"], left["pinned"]) if pins else left["requested"]


def _out_of_order(left: Fields, right: Fields, declared_first: bool, pins: bool) -> Term:
    """`right` is a ghost, and `left`, which comes before it and has arguments too, is none."""
    return conjunction(
        _ghost(right),
        _precedes(left, right, declared_first),
        _has_arguments(left),
        negate(_spared(left, pins)),
        negate(_ghost(left)),
    )


def first_ghosts(system: System) -> System:
    """`system` of two exact tools up to the first request with a ghost; a ghost out of order is what is wrong."""
    tools = [{name: variable(f"tool {index + 1} {name}", s) for name, s in tool_sorts({}).items()} for index in (0, 1)]
    none = negate(disjunction(*(_ghost(fields) for fields in tools)))

    def cut(command: Command) -> Command:
        return replace(command, guard=conjunction(command.guard, none)) if command.source == system.judged else command

    bad = [_out_of_order(tools[a], tools[b], a < b, pins=True) for a, b in permutations(range(TOOLS), 2)]
    return replace(system, commands=tuple(cut(command) for command in system.commands), bad=disjunction(*bad))


def in_order(pruner: Pruner, scenario: Scenario, absent: frozenset[str]) -> Verdict:
    """Whether the first ghosts of two tools come in (calls, index), for all turns, sizes and budgets.

    The invariant is looked for where sums are forgotten, which is fast, and checked where they are exact.
    """
    lifted, bounds = lift_pruner(pruner), Bounds()
    exact = exact_system(lifted, scenario, NO_GHOST, TOOLS)
    if exact is None:
        return Undetermined("a visit evicts a number of calls that is not known", NAME)
    loose = SumsForgotten(lifted, scenario, NO_GHOST, TOOLS).build()
    found = prove_system(first_ghosts(loose), bounds)
    if not isinstance(found, Certificate):
        return Undetermined("no invariant proves it that reads no sums", NAME)
    missing = unwitnessed(pruner, scenario, NO_GHOST, absent, bounds, [_one_of_two()])
    if missing is not None:
        return missing
    checked = confirmed(Certificate(first_ghosts(exact), found.invariant), bounds)
    return ProvedUpTo(NAME, TOOLS, checked.checked) if isinstance(checked, Proved) else checked


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
            and not tools[a].requested
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
