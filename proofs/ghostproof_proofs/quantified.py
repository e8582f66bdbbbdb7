"""Settles T1 and T4 over a whole set of tools: z3 and cvc5 on quantified scripts, with no one-tool system behind them.

A script that has a model refutes nothing by itself: the state in it need not be reachable. Where every state may occur
(T4), the tool that the model describes is built and visited by the plain function; what it leaves is then a refutation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

from ghostproof.certify.many_tools import VISITED, Relations, last_pass, visited_is_safe, whole_turn
from ghostproof.certify.recheck import with_cvc5
from ghostproof.lift.limits import Limits
from ghostproof.lift.plain import judgement, lift_pass, lift_pruner, tool_sorts
from ghostproof.lift.quantified import obligation_scripts
from ghostproof.lift.solver import Satisfiable, Unknown, ask_afresh
from ghostproof.lift.system import System
from ghostproof.lift.term import TRUE, Term, conjunction, evaluate, negate
from ghostproof.turn.budget import Turn
from ghostproof.turn.property import NO_GHOST, Property
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.scenario import ANYTHING, Scenario
from ghostproof.turn.session import new_tool, snapshot
from ghostproof.turn.tool import Tool
from ghostproof.turn.trace import Walk
from ghostproof.turn.verdict import Checked, Disagreement, Proved, Refuted, Undetermined, Vacuous, Verdict

NAME = "quantified"
SMALL = range(3)
SIZES = {"mutation": True, "pinned": False, "schema_tokens": 1, "argument_tokens": 1, "tombstone_tokens": 1}
NO_NUMBERS = Turn(**dict.fromkeys(Turn.__slots__, 0))


def masked(tool: Tool) -> bool:
    """A tombstone beside a resident schema: an old one, which would mask a later ghost."""
    return tool.tombstoned and tool.schema_resident


NO_MASK = Property(
    "no_mask", "no tombstone stands beside a resident schema", masked, antecedent=lambda tool: tool.tombstoned
)


@dataclass(frozen=True, slots=True)
class Subject:
    """A system over all tools, what it is proved with, and its last pass."""

    system: System
    invariant: Mapping[str, Term]
    last: Pass


def session_of(pruner: Pruner, scenario: Scenario = ANYTHING, judged: Property = NO_GHOST) -> Subject:
    """Whole sessions: besides, no tombstone ever stands beside a resident schema."""
    system = whole_turn(lift_pruner(pruner), scenario, judged)
    invariant = visited_is_safe(system, negate(judgement(NO_MASK)))
    return Subject(system, invariant, pruner.passes[-1])


def shield_of(last: Pass, judged: Property = NO_GHOST) -> Subject:
    """Any states whatever, then one pass."""
    sorts = tool_sorts({})
    system = last_pass(lift_pass(last, sorts), sorts, judged)
    return Subject(system, visited_is_safe(system), last)


def never_ghosts_in_sessions(pruner: Pruner) -> Verdict:
    """T1 over a set of tools."""
    return settled(session_of(pruner))


def never_ghosts_behind(last: Pass) -> Verdict:
    """T4 over a set of tools."""
    return settled(shield_of(last))


def settled(subject: Subject, judged: Property = NO_GHOST, limits: Limits | None = None) -> Verdict:
    """Proved when no script has a model in z3 or cvc5, and every premise has one."""
    within = limits or Limits()
    system = subject.system
    found = obligation_scripts(system, subject.invariant)
    for name, (question, command) in found.items():
        answer = ask_afresh(question.told(), within)
        if isinstance(answer, Unknown):
            return Undetermined(f"{name}: {answer.reason}", NAME)
        if isinstance(answer, Satisfiable):
            visit = command is not None and command.source == command.target
            refuted = _replayed(subject, answer.values, judged) if visit and system.initial is TRUE else None
            return refuted or Undetermined(f"{name!r} does not keep what is to be kept", NAME)
    asked = {name: question.possible() for name, (question, _) in found.items()}
    last_visit, _ = found[f"{subject.last.name} visits a tool"]
    asked["the last pass visits a ghost"] = last_visit.possible(conjunction(system.bad, negate(VISITED)))
    missing = [name for name, text in asked.items() if not isinstance(ask_afresh(text, within), Satisfiable)]
    if missing:
        return Vacuous(tuple(missing), NAME)
    texts = {name: question.text for name, (question, _) in found.items()}
    reply = with_cvc5(texts, within)
    if reply.outcome == "refuted":
        return Disagreement((NAME, reply.by), (texts[reply.what],))
    if reply.outcome == "no answer":
        return Undetermined(f"{reply.by} could not re-prove it: {reply.what}", NAME)
    return Proved(
        NAME,
        checked=(
            Checked("z3", "quantified scripts refuted", len(texts)),
            Checked("z3", "premises possible, with two tools at least", len(asked)),
            Checked("cvc5", "quantified scripts refuted", len(texts)),
        ),
    )


def _replayed(subject: Subject, values: Mapping[str, bool | int], judged: Property) -> Refuted | None:
    """The tool of the model, visited by the plain function: a ghost that this leaves is sent."""
    tracked = Relations(tool_sorts({}), judgement(judged)).tracked
    flags = {name: value for name, value in values.items() if name in new_tool(SIZES, {}).__dict__}
    for calls, before in product(SMALL, repeat=2):
        tool = new_tool(SIZES, {})
        tool.__dict__.update(flags, calls_resident=calls, calls_before_tombstone=min(before, calls))
        start = snapshot(tool)
        subject.last.visit(tool, NO_NUMBERS)
        as_told = all(evaluate(atom, start) == values.get(name, False) for name, atom in tracked.items())
        if as_told and judged.violated(tool):
            played = Checked("replay", "visits played by the plain function", 1)
            walk = Walk((start, snapshot(tool)), (f"{subject.last.name} visits",))
            return Refuted(
                NAME, walk, ("fewer visits: there is only one, from a state that any pruner may leave",), (played,)
            )
    return None
