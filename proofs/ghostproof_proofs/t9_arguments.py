"""The arguments of T9: an induction over responses of all tools, the step of R2, and the seed's incident as events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

from ghostproof.certify.vacuity import Witness
from ghostproof.engines.induction import NAME, prove_system
from ghostproof.engines.problem import Bounds, Certificate
from ghostproof.lift.limits import Limits
from ghostproof.lift.plain import OTHERS, judgement, lift_action, lift_pruner, tool_sorts
from ghostproof.lift.several import SeveralTools
from ghostproof.lift.single import EXECUTION, RESPONSE, single_tool
from ghostproof.lift.smtlib import script
from ghostproof.lift.solver import Unsatisfiable, ask
from ghostproof.lift.system import Command, System
from ghostproof.lift.term import (
    FALSE,
    Term,
    at_most,
    conjunction,
    disjunction,
    integer,
    negate,
    substitute,
    variable,
)
from ghostproof.turn.property import NO_GHOST, Property
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.scenario import Scenario
from ghostproof.turn.trace import Step, Trace
from ghostproof.turn.verdict import Undetermined, Verdict
from ghostproof_proofs.absences import ANSWERS_TO_A_GHOST
from ghostproof_proofs.ancestry import NO_DESCENDANT
from ghostproof_proofs.discharge import confirmed, settle_system, unwitnessed
from ghostproof_proofs.sessions import took
from ghostproof_proofs.shield import raw_domain

_REJECTED, _REBUILT = variable("rejected", "Bool"), variable("rebuilt", "Bool")
# What a response may know of the other tools, and the state of the one among them that makes it true.
KNOWN = {
    variable(OTHERS + "rejected", "Bool"): _REJECTED,
    variable(OTHERS + "rebuilt", "Bool"): conjunction(_REJECTED, _REBUILT),
}


def among_unbroken(judged: Property) -> dict[Term, Term]:
    """What is known of the other tools where each of them keeps `judged`.

    It is false where only a tool that breaks `judged` could make it true, and else left open.
    """
    bad = judgement(judged)
    return {
        known: FALSE
        for known, cause in KNOWN.items()
        if isinstance(ask(script([conjunction(cause, negate(bad))]), Limits()), Unsatisfiable)
    }


def responding(system: System, judged: Property) -> System:
    """`system` judged where the model answers, and assuming there of the other tools what is judged of this one.

    All tools answer at the same moment, knowing how the others stood just before. So the first of them to break
    `judged` does so while none has broken it, and then it does only what this system does.
    """
    assumed = among_unbroken(judged)

    def kept(command: Command) -> Command:
        if command.source != RESPONSE:
            return command
        updates = {name: substitute(value, assumed) for name, value in command.updates.items()}
        return replace(command, guard=substitute(command.guard, assumed), updates=updates)

    return replace(system, commands=tuple(kept(command) for command in system.commands), judged=RESPONSE)


def never(pruner: Pruner, scenario: Scenario, judged: Property, absent: frozenset[str]) -> Verdict:
    """Proved for every number of tools and turns: no tool ever breaks `judged`. Witnesses as of any question."""
    bounds = Bounds()
    system = single_tool(lift_pruner(pruner), scenario, judged)
    found = prove_system(responding(system, judged), bounds)
    if not isinstance(found, Certificate):
        return Undetermined("no invariant proves it, whatever is assumed of other tools", NAME)
    return unwitnessed(pruner, scenario, judged, absent, bounds) or confirmed(found, bounds)


def one_response(scenario: Scenario) -> Verdict:
    """From any state in which no tool is a ghost and no call descends from one, no response makes one that does.

    It is about no pruner: whoever sends no ghosts has this for nothing.
    """
    judged = NO_DESCENDANT
    assumed, bad = among_unbroken(judged), judgement(judged)
    before = conjunction(raw_domain(), negate(judgement(NO_GHOST)), negate(bad))
    commands = []
    for action in scenario.response_actions:
        lifted = lift_action(action)
        updates = {name: substitute(value, assumed) for name, value in lifted.updates.items()}
        commands.append(Command(action.name, RESPONSE, EXECUTION, substitute(lifted.guard, assumed), updates))
    name = f"one response: {scenario.name}"
    system = System(name, tool_sorts({}), RESPONSE, before, tuple(commands), EXECUTION, bad)
    taken = [command for command in commands if command.name not in ANSWERS_TO_A_GHOST]
    return settle_system(system, {f"a response: {c.name}": conjunction(before, c.guard) for c in taken})


KINDS = (
    "the schema is pruned, the arguments stay",
    "the schema migrates",
    "a call is rebuilt from the ghost",
    "the call is rejected",
    "a sibling works around it",
    "the sibling's effect is a duplicate",
)
_REBUILDING = ("rebuild a call from a ghost", "rebuild a call from a mutation ghost")


def incident() -> Witness:
    """The seed's incident: the events of `KINDS` in this order, the first four of one tool, the others of another."""
    return Witness("the seed's incident", _incident, lambda trace: bool(incidents(trace)))


def _incident(sessions: SeveralTools) -> Term:
    answered = len(sessions.turns) - 2
    if answered < 1:
        return FALSE
    rebuilding, recovering = sessions.turns[answered - 1], sessions.turns[answered]
    found = []
    for lost, sibling in permutations(range(sessions.tools), 2):
        after = conjunction(
            took(rebuilding.response[lost], *_REBUILDING),
            took(rebuilding.execution[lost], "reject"),
            took(recovering.response[sibling], "recover by sibling"),
            took(recovering.execution[sibling], "accept"),
            sessions.prompts[-1][sibling]["duplicated"],
        )
        for pruned in range(1, answered):
            migrates = [took(turn.environment[lost], "schema migrates") for turn in sessions.turns[pruned:answered]]
            found.append(conjunction(_pruned(sessions, pruned, lost), disjunction(*migrates), after))
    return disjunction(*found)


def _pruned(sessions: SeveralTools, turn: int, tool: int) -> Term:
    """In that turn a pass hides the tool's schema, and its arguments are sent."""
    effects = [effect for effect in sessions.visits if effect.turn == turn][tool :: sessions.tools]
    hides = disjunction(*(conjunction(e.before["schema_shown"], negate(e.after["schema_shown"])) for e in effects))
    return conjunction(hides, at_most(integer(1), sessions.prompts[turn - 1][tool]["calls_resident"]))


def events(trace: Trace) -> list[tuple[str, int]]:
    """What of `KINDS` happens in a played session, with the tool to which it happens, in order."""
    found = []
    for request in trace.requests:
        for step in request.steps:
            if isinstance(step, Step):
                found += [(kind, step.tool) for kind in _kinds(step, request.tools[step.tool]["calls_resident"])]
    return found


def _kinds(step: Step, calls_sent: int) -> list[str]:
    happened = {
        KINDS[0]: step.actor == step.action and step.after.get("schema_shown") is False and calls_sent > 0,
        KINDS[1]: step.action == "schema migrates",
        KINDS[2]: step.action in _REBUILDING,
        KINDS[3]: step.actor == "execution" and step.action == "reject",
        KINDS[4]: step.action == "recover by sibling",
        KINDS[5]: step.actor == "execution" and step.after.get("duplicated") is True,
    }
    return [kind for kind, here in happened.items() if here]


def incidents(trace: Trace) -> list[tuple[int, int]]:
    """The pairs of tools, lost and sibling, to which the incident happens."""
    told = events(trace)
    pairs = permutations(range(len(trace.names)), 2)
    return [(lost, sibling) for lost, sibling in pairs if _in_order(told, [lost] * 4 + [sibling] * 2)]


def _in_order(told: Sequence[tuple[str, int]], tools: Sequence[int]) -> bool:
    left = iter(told)
    return all(wanted in left for wanted in zip(KINDS, tools, strict=True))
