"""The observer of T12: it reads what was sent and what the model answered, and knows nothing of any log."""

from __future__ import annotations

from dataclasses import replace

from ghostproof.certify.vacuity import Witness
from ghostproof.engines.induction import prove_system
from ghostproof.engines.problem import Bounds, Certificate
from ghostproof.lift.plain import lift_pruner
from ghostproof.lift.several import Fields, SeveralTools
from ghostproof.lift.single import PROMPT, RESPONSE, single_tool
from ghostproof.lift.system import Command, System
from ghostproof.lift.term import (
    FALSE,
    Term,
    choose,
    combine,
    conjunction,
    disjunction,
    equal,
    integer,
    negate,
    variable,
)
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.scenario import Scenario
from ghostproof.turn.tool import Tool
from ghostproof.turn.trace import Snapshot, Step, Trace
from ghostproof.turn.verdict import Undetermined, Verdict
from ghostproof_proofs.discharge import confirmed, unwitnessed
from ghostproof_proofs.sessions import took

# What a response can say to get a schema.
ASKING = ("request schema", "ask", "ask for a ghost")
OBSERVED, LOGGED = "requests observed", "signals_logged"
NAME = "induction"


def _tombstone_seen(fields: Fields) -> Term:
    """The prompt has a tombstone of the tool and no schema that the model could call it by."""
    whole = conjunction(fields["schema_shown"], negate(fields["schema_lossy"]))
    return conjunction(fields["tombstone_resident"], negate(whole))


def _tombstone_was_seen(sent: Snapshot) -> bool:
    return Tool(sent).tombstoned and not Tool(sent).schema_resident


def observing(system: System) -> System:
    """`system` with an observer's count beside it; what is wrong is a request at which the log says another number."""
    state = {**system.state(), OBSERVED: variable(OBSERVED, "Int")}
    count = combine(state[OBSERVED], choose(_tombstone_seen(state), integer(1), integer(0)))

    def watched(command: Command) -> Command:
        if command.source != RESPONSE or command.name not in ASKING:
            return command
        return replace(command, updates={**command.updates, OBSERVED: count})

    return System(
        f"{system.name}, observed",
        {**system.variables, OBSERVED: "Int"},
        system.start,
        conjunction(system.initial, equal(state[OBSERVED], integer(0))),
        tuple(watched(command) for command in system.commands),
        PROMPT,
        negate(equal(state[OBSERVED], state[LOGGED])),
    )


def logged_exactly(pruner: Pruner, scenario: Scenario) -> Verdict:
    """Whether at every request, for any number of tools and turns, log and observer have counted the same."""
    bounds = Bounds()
    found = prove_system(observing(single_tool(lift_pruner(pruner), scenario, NO_GHOST)), bounds)
    if not isinstance(found, Certificate):
        return Undetermined("no invariant proves it", NAME)
    missing = unwitnessed(pruner, scenario, NO_GHOST, frozenset(), bounds, [_counted_twice()])
    return missing or confirmed(found, bounds)


def _counted(sessions: SeveralTools, tool: int) -> Term:
    """How many requests of a tombstoned tool there were in the responses so far."""
    total = integer(0)
    for turn, sent in zip(sessions.turns[:-1], sessions.prompts[:-1], strict=True):
        asked = disjunction(*(took(turn.response[tool], name) for name in ASKING))
        seen = conjunction(asked, _tombstone_seen(sent[tool]))
        total = combine(total, choose(seen, integer(1), integer(0)))
    return total


def counts(trace: Trace, tool: int) -> list[int]:
    """The same count in a played session, as it stands when each request is sent."""
    found, total = [], 0
    sent: Snapshot | None = None
    for request in trace.requests:
        # What followed a request stands in the trace before the next one.
        for step in request.steps:
            if not isinstance(step, Step) or sent is None:
                continue
            if step.actor == "response" and step.tool == tool and step.action in ASKING:
                total += _tombstone_was_seen(sent)
        found.append(total)
        sent = request.tools[tool]
    return found


def _counted_twice() -> Witness:
    """A tool is requested for the second time."""

    def wanted(sessions: SeveralTools) -> Term:
        return disjunction(*(equal(_counted(sessions, tool), integer(2)) for tool in range(sessions.tools)))

    return Witness(
        "a tombstoned tool is requested twice",
        wanted,
        lambda trace: any(2 in counts(trace, tool) for tool in range(len(trace.names))),
    )


def miscounted() -> Witness:
    """A request is sent at which the log of some tool says another number than the observer."""

    def wanted(sessions: SeveralTools) -> Term:
        if not sessions.prompts:
            return FALSE
        last = sessions.prompts[-1]
        pairs = [(last[tool][LOGGED], _counted(sessions, tool)) for tool in range(sessions.tools)]
        return disjunction(*(negate(equal(log, count)) for log, count in pairs))

    def seen(trace: Trace) -> bool:
        return any(
            request.tools[tool][LOGGED] != count
            for tool in range(len(trace.names))
            for request, count in zip(trace.requests, counts(trace, tool), strict=True)
        )

    return Witness("log and observer differ", wanted, seen)
