"""Sessions that refuted a pruner once, played again: what the tests that `ghostproof check --save` writes call.

Those tests stand in other people's repositories, so the functions here keep their names and arguments.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ghostproof.report.changes import described
from ghostproof.report.moments import left_by
from ghostproof.report.words import listed
from ghostproof.turn.errors import InternalError
from ghostproof.turn.property import PROPERTIES, Property
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.session import play
from ghostproof.turn.trace import Script, ScriptTurn, Trace

if TYPE_CHECKING:
    from ghostproof.drive.client import Client

GROUPS = ("environment", "response", "execution", "late")

NOTHING: Mapping[str, Any] = {"messages": []}

MEGABYTES = 2048
"""Memory for the process of a callable."""


def ghosts(target: str, session: Mapping[str, Any], judged: str, beside: str = "") -> list[str]:
    """The ghosts that the pruner model `target` leaves in `session`, in words; none once it is mended.

    `target` is `path.py:NAME`, its path meant from the folder of the file `beside`, or `package.module:NAME`. It runs
    in this process, by its plain functions. A mended pruner makes other prompts: where an action of the session cannot
    happen any more, the tool does the first thing that can (nothing, for the most part), and the session goes on.
    """
    from ghostproof.host.admit import as_pruner
    from ghostproof.host.data import script_of
    from ghostproof.sandbox.load import load

    place = _from(beside, target)
    pruner = as_pruner(load(place), place)
    trace = _played(pruner, script_of(session), PROPERTIES[judged])
    return [line for index in range(len(trace.requests)) for line in _ghosts(trace, index)]


def callable_ghosts(
    target: str, requests: Sequence[Mapping[str, Any]], judged: str, beside: str = "", seconds: float = 10.0
) -> list[str]:
    """The ghosts that the callable `target` leaves when it is offered `requests`, one session's, in their order.

    As `ghosts`, but in a process of its own, `seconds` for one request. Answers from elsewhere (a selector's, say) are
    branched over: each combination of them is played.
    """
    from ghostproof.drive.client import Client

    with Client(_from(beside, target), seconds=seconds, megabytes=MEGABYTES) as client:
        return list(dict.fromkeys(_offered(client, requests, judged)))


def _from(beside: str, target: str) -> str:
    place, colon, name = target.rpartition(":")
    if not place.endswith(".py"):
        return target
    return os.path.normpath(os.path.join(os.path.dirname(beside), place)) + colon + name


def _played(pruner: Pruner, script: Script, judged: Property) -> Trace:
    try:
        return play(pruner, script, judged)
    except InternalError:
        return play(pruner, _possible(pruner, script, judged), judged)


def _possible(pruner: Pruner, script: Script, judged: Property) -> Script:
    """The session with every action that cannot happen left open."""
    count = len(script.tools)
    opened = [{group: ("",) * count for group in GROUPS if getattr(turn, group)} for turn in script.turns]
    found = replace(script, turns=tuple(map(_turn, script.turns, opened)))
    for place, turn in enumerate(script.turns):
        for group in GROUPS:
            for tool, action in enumerate(getattr(turn, group)):
                tried = _with(found, place, group, tool, action)
                try:
                    play(pruner, tried, judged)
                except InternalError:
                    continue
                found = tried
    return found


def _with(script: Script, place: int, group: str, tool: int, action: str) -> Script:
    turn = script.turns[place]
    names: list[str] = list(getattr(turn, group))
    names[tool] = action
    return replace(
        script, turns=(*script.turns[:place], _turn(turn, {group: tuple(names)}), *script.turns[place + 1 :])
    )


def _turn(turn: ScriptTurn, changed: Mapping[str, tuple[str, ...]]) -> ScriptTurn:
    return ScriptTurn(turn.budgets, *(changed.get(group, getattr(turn, group)) for group in GROUPS))


def _ghosts(trace: Trace, index: int) -> Iterator[str]:
    request = trace.requests[index]
    upto = replace(trace, requests=trace.requests[: index + 1])
    for tool in request.violations:
        name = trace.names[tool]
        said = f"request {request.turn} shows arguments of {name}, and neither its schema nor a tombstone"
        step = left_by(upto, tool)
        if step is not None and step.by_pass:
            said += f": pass {step.actor} {listed(described(step.before, step.after, name))}"
        yield said


def _offered(client: Client, requests: Sequence[Mapping[str, Any]], judged: str) -> Iterator[str]:
    from ghostproof.drive.catalogue import TOOLS
    from ghostproof.drive.client import Asked
    from ghostproof.drive.judge import judge

    sessions: list[tuple[Asked, ...]] = [()]
    for number, (request, following) in enumerate(zip(requests, (*requests[1:], NOTHING), strict=True), 1):
        called = _called(request)
        counts, marks = Counter(called), _marks(called)
        answered = set(_called(following)[len(called) :])
        reached: list[tuple[Asked, ...]] = []
        # What a pruner without memory sends depends on the request alone.
        for earlier in sessions if client.remembers else sessions[:1]:
            for sent in client.branches(request, earlier):
                judgement = judge(sent.payload, len(request.get("tools", ())), counts, marks, client.target)
                for ghost in judgement.ghosts(judged):
                    chosen = "".join(f"; {choice.question}: {choice.answer}" for choice in sent.choices)
                    yield f"request {number} shows a ghost of {ghost.tool} ({ghost.kind}): {ghost.evidence}{chosen}"
                # The model calls what it is shown: under other answers the session ends here.
                if answered <= {TOOLS[place].name for place in judgement.resident}:
                    reached.append((*earlier, Asked(request, sent.decisions)))
        sessions = reached


def _called(request: Mapping[str, Any]) -> list[str]:
    """The tools that the history of `request` calls, call by call."""
    return [call["function"]["name"] for message in request["messages"] for call in message.get("tool_calls") or ()]


def _marks(called: Sequence[str]) -> dict[str, frozenset[str]]:
    """By tool name, the argument values that only these calls can have brought."""
    from ghostproof.drive.catalogue import TOOLS

    known = {tool.name: tool for tool in TOOLS}
    marks: dict[str, frozenset[str]] = {}
    for number, name in enumerate(called):
        if name in known:
            marks[name] = marks.get(name, frozenset()) | known[name].marks(number)
    return marks
