"""Witnesses against vacuous proofs: traces, found by a solver and played by the plain functions, of what must happen.

A witness observes the transition that was taken, by what it left behind; it never restates a guard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from ghostproof.certify.reach import ANYWHERE, Reach
from ghostproof.lift.limits import Limits
from ghostproof.lift.observe import Taken
from ghostproof.lift.plain import antecedent, judgement, lift_action
from ghostproof.lift.several import SeveralTools
from ghostproof.lift.smtlib import script
from ghostproof.lift.solver import Satisfiable, Unknown, Unsatisfiable, ask
from ghostproof.lift.system import System, conjuncts
from ghostproof.lift.term import (
    FALSE,
    TRUE,
    Term,
    at_most,
    conjunction,
    disjunction,
    equal,
    integer,
    negate,
    substitute,
    variable,
    variables_of,
)
from ghostproof.turn.action import Action
from ghostproof.turn.environment import IDLE
from ghostproof.turn.errors import InternalError
from ghostproof.turn.property import Property
from ghostproof.turn.response import NO_EXECUTION, SILENT
from ghostproof.turn.scenario import Scenario
from ghostproof.turn.tool import AT_LEAST, FIXED, Tool
from ghostproof.turn.trace import Request, Script, Step, Trace

TURNS_MAX = 4


@dataclass(frozen=True, slots=True)
class Witness:
    """What must be reachable: `wanted` as a term over unrolled sessions, `seen` as an observation of a played trace.

    Each of `taken` says of one step of a system whether it is one that the witness needs; where one of them finds no
    step the witness never happens. There is none where no single step is needed: then nothing shows that it never does.
    """

    name: str
    wanted: Callable[[SeveralTools], Term]
    seen: Callable[[Trace], bool]
    taken: tuple[Callable[[Taken], Term], ...] = ()


class Unsettled(Exception):
    """A witness was not found, and not every place where it could be was searched: nothing follows."""


class Player(Protocol):
    """Makes unrolled sessions and plays what a solver finds in them."""

    def unrolling(self, tools: int, whole: bool = False) -> SeveralTools:
        """Sessions of `tools` tools."""

    def play(self, script: Script) -> Trace:
        """The session of `script`."""


def _left(trace: Trace, actor: str | None, test: Callable[[Step], bool]) -> bool:
    return any(
        isinstance(step, Step) and (actor is None or step.actor == actor) and test(step)
        for request in trace.requests
        for step in request.steps
    )


def _visited(sessions: SeveralTools, field: str, before: bool, name: str | None = None) -> Term:
    """Some pass turned the boolean `field` of some tool from `before` to its opposite."""
    found = FALSE
    for effect in sessions.visits:
        if field in effect.before and (name is None or effect.name == name):
            old, new = effect.before[field], effect.after[field]
            found = disjunction(found, conjunction(old, negate(new)) if before else conjunction(negate(old), new))
    return found


def _flipped(step: Taken, field: str, before: bool) -> Term:
    """A pass turns the boolean `field` from `before` to its opposite."""
    if step.stage != "pass":
        return FALSE
    old, new = step.before[field], step.after[field]
    return conjunction(old, negate(new)) if before else conjunction(negate(old), new)


def pass_acts(name: str) -> Witness:
    """Pass `name` changes something."""

    def wanted(sessions: SeveralTools) -> Term:
        return disjunction(
            *(
                negate(equal(effect.before[field], effect.after[field]))
                for effect in sessions.visits
                if effect.name == name
                for field in effect.before
            )
        )

    def taken(step: Taken) -> Term:
        if step.stage != "pass" or not step.name.startswith(f"{name} visits"):
            return FALSE
        return disjunction(*(negate(equal(old, step.after[field])) for field, old in step.before.items()))

    return Witness(
        f"pass {name} changes something", wanted, lambda trace: _left(trace, name, lambda s: s.by_pass), (taken,)
    )


def schema_pruned() -> Witness:
    """A request is sent without a schema, or its constraints, that a pass took; what is shown again was not taken."""

    def wanted(sessions: SeveralTools) -> Term:
        found = FALSE
        for number, prompt in enumerate(sessions.prompts, start=1):
            visits = [effect for effect in sessions.visits if effect.turn == number]
            for index, sent in enumerate(prompt):
                gone = negate(_resident(sent))
                # Each pass made one effect of every tool, in their order.
                for effect in reversed(visits[index :: sessions.tools]):
                    gone = conjunction(gone, negate(_resident(effect.after)))
                    found = disjunction(found, conjunction(_resident(effect.before), gone))
        return found

    return Witness(
        "a pass hides a schema",
        wanted,
        lambda trace: any(
            _sent_without(request, index) for request in trace.requests for index in range(len(trace.names))
        ),
        (
            lambda step: (
                conjunction(_resident(step.before), negate(_resident(step.after))) if step.stage == "pass" else FALSE
            ),
            lambda step: negate(_resident(step.before)) if step.stage == "prompt" else FALSE,
        ),
    )


def _resident(fields: Mapping[str, Term]) -> Term:
    """The schema is shown with its constraints, as far as these fields tell."""
    return conjunction(fields.get("schema_shown", TRUE), negate(fields.get("schema_lossy", FALSE)))


def _sent_without(request: Request, index: int) -> bool:
    """Whether the last that happened in this turn to what the tool's schema says is that a pass took it."""
    fields = dict(request.tools[index])
    for step in reversed(request.steps):
        if isinstance(step, Step) and step.tool == index:
            if Tool(fields).schema_resident:
                return False
            fields |= step.before
            if step.by_pass and Tool(fields).schema_resident:
                return True
    return False


def arguments_kept() -> Witness:
    """A request carries arguments of an earlier call."""

    def wanted(sessions: SeveralTools) -> Term:
        return disjunction(
            *(negate(equal(f["calls_resident"], integer(0))) for prompt in sessions.prompts for f in prompt)
        )

    return Witness(
        "a request carries arguments",
        wanted,
        lambda trace: any(tool["calls_resident"] > 0 for request in trace.requests for tool in request.tools),
        (lambda step: negate(equal(step.before["calls_resident"], integer(0))) if step.stage == "prompt" else FALSE,),
    )


def premise(judged: Property) -> Witness:
    """A request has a tool that `judged` says something about."""
    term = antecedent(judged)
    fields = variables_of(term)

    def holds(values: Mapping[str, Term]) -> Term:
        return substitute(term, {one: values[name] for name, one in fields.items()})

    def taken(step: Taken) -> Term:
        if step.stage != "prompt":
            return FALSE
        # Where not every field that it speaks of is told, nothing shows that it never happens.
        return holds(step.before) if set(fields) <= set(step.before) else TRUE

    return Witness(
        judged.premise,
        lambda sessions: disjunction(*(holds(state) for prompt in sessions.prompts for state in prompt)),
        lambda trace: any(judged.antecedent(Tool(tool)) for request in trace.requests for tool in request.tools),
        (taken,),
    )


def evicted() -> Witness:
    """A pass evicts a call."""

    def wanted(sessions: SeveralTools) -> Term:
        return disjunction(
            *(negate(equal(e.before["calls_resident"], e.after["calls_resident"])) for e in sessions.visits)
        )

    return Witness(
        "a pass evicts a call",
        wanted,
        lambda trace: _left(trace, None, lambda s: "calls_resident" in s.after and s.by_pass),
        (
            lambda step: (
                negate(equal(step.before["calls_resident"], step.after["calls_resident"]))
                if step.stage == "pass"
                else FALSE
            ),
        ),
    )


def tombstoned() -> Witness:
    """A pass writes a tombstone."""
    return Witness(
        "a pass writes a tombstone",
        lambda sessions: _visited(sessions, "tombstone_resident", False),
        lambda trace: _left(trace, None, lambda s: s.after.get("tombstone_resident") is True and s.by_pass),
        (lambda step: _flipped(step, "tombstone_resident", False),),
    )


def expanded() -> Witness:
    """A pass shows a schema again."""
    return Witness(
        "a pass shows a schema again",
        lambda sessions: _visited(sessions, "schema_shown", False),
        lambda trace: _left(trace, None, lambda s: s.after.get("schema_shown") is True and s.by_pass),
        (lambda step: _flipped(step, "schema_shown", False),),
    )


def action_taken(actor: str, name: str) -> Witness:
    """The named action is taken by some tool."""

    def wanted(sessions: SeveralTools) -> Term:
        choices = [choice for turn in sessions.turns for choice in getattr(turn, actor)]
        return disjunction(
            *(equal(choice.term, integer(choice.names.index(name))) for choice in choices if name in choice.names)
        )

    def taken(step: Taken) -> Term:
        # Systems of several tools number the tool behind the action's name.
        return TRUE if step.stage == actor and step.name.split(" (")[0] == name else FALSE

    return Witness(
        f"{actor}: {name}",
        wanted,
        lambda trace: _left(trace, actor, lambda step: step.action == name and not step.by_pass),
        (taken,),
    )


def admitted_actions(scenario: Scenario, judged: Property, limits: Limits) -> list[Witness]:
    """One witness for each admitted action that does something and can be taken where `judged` holds.

    An action that is enabled only after a violation (a call rebuilt from a ghost) cannot be asked of a safe system.
    """
    asked = [("environment", action) for action in scenario.environment_actions if action is not IDLE]
    asked += [("late", action) for action in scenario.late_actions if action is not IDLE]
    asked += [("response", action) for action in scenario.response_actions if action is not SILENT]
    asked += [("execution", action) for action in scenario.execution_actions if action is not NO_EXECUTION]
    return [
        action_taken(actor, action.name)
        for actor, action in asked
        if actor != "response" or not _after_violation_only(action, judged, limits)
    ]


@cache
def _after_violation_only(action: Action, judged: Property, limits: Limits) -> bool:
    """Whether `action` is enabled nowhere where `judged` holds."""
    return isinstance(ask(script([lift_action(action).guard, negate(judgement(judged))]), limits), Unsatisfiable)


def find(
    witness: Witness,
    player: Player,
    limits: Limits,
    unrolled: dict[int, list[SeveralTools]],
    whole: bool,
    within: Reach = ANYWHERE,
) -> Trace | None:
    """The shortest played trace that shows the witness, or None `within` reach, in up to TURNS_MAX requests by default.

    `unrolled` keeps sessions between calls, by number of requests; `whole` says which state they carry. Raises
    Unsettled where the solver gives no answer, or the rounds of a pass have no known bound.
    """
    open_question = ""
    for turns in range(1, (within.requests or TURNS_MAX) + 1):
        if turns not in unrolled:
            unrolled[turns] = [_extended(player.unrolling(tools, whole), turns) for tools in range(1, within.tools + 1)]
        for sessions in unrolled[turns]:
            if sessions.unsettled is not None:
                open_question = f"no bound is known for the rounds of pass {sessions.unsettled}"
                continue
            wanted = witness.wanted(sessions)
            if wanted is FALSE:
                continue
            answer = ask(script([*sessions.constraints, *within.terms(sessions), wanted]), limits)
            if isinstance(answer, Satisfiable):
                trace = player.play(sessions.decode(answer.values))
                if not witness.seen(trace):
                    raise InternalError(f"the witness of {witness.name!r} does not show it when played")
                return trace
            if isinstance(answer, Unknown):
                open_question = answer.reason
    if open_question:
        raise Unsettled(f"no witness found that {witness.name}: {open_question}")
    return None


def _extended(sessions: SeveralTools, turns: int) -> SeveralTools:
    for _ in range(turns):
        sessions.extend()
    return sessions


def search(
    witnesses: Iterable[Witness],
    player: Player,
    limits: Limits,
    whole: bool,
    within: Reach = ANYWHERE,
    played: Sequence[Trace] = (),
) -> Mapping[str, Trace | None]:
    """A trace for each witness, or None where none of `played` shows it and none is found `within` reach.

    Raises Unsettled where that cannot be told.
    """
    unrolled: dict[int, list[SeveralTools]] = {}
    found: dict[str, Trace | None] = {}
    for witness in witnesses:
        # One session shows many things: what was played before is looked at before a solver is asked.
        known = [*played, *(trace for trace in found.values() if trace is not None)]
        shown = next((trace for trace in known if witness.seen(trace)), None)
        found[witness.name] = shown or find(witness, player, limits, unrolled, whole, within)
    return found


def violable(system: System, limits: Limits) -> bool:
    """Whether some state, reachable or not, violates the property; a property true in all states says nothing.

    The fields that nothing changes are as the scenario fixes them.
    """
    fixed = [part for part in conjuncts(system.initial) if set(variables_of(part)) <= set(FIXED)]
    domain = [at_most(integer(least), variable(name, "Int")) for name, least in AT_LEAST.items()]
    return not isinstance(ask(script([system.bad, *fixed, *domain]), limits), Unsatisfiable)


def stuck(system: System, limits: Limits) -> list[str]:
    """The locations where it is not shown that every state has a next step."""
    found = []
    for place in system.locations:
        # A guard that reads an input holds only for some values of it: it is not relied upon.
        guards = [command.guard for command in system.commands if command.source == place]
        ways = [guard for guard in guards if set(variables_of(guard)) <= set(system.variables)]
        if not isinstance(ask(script([negate(disjunction(*ways))]), limits), Unsatisfiable):
            found.append(place)
    return found
