"""`ghostproof demo`: the incident played twice by the reference implementation, without the gate and with it.

Nothing that is judged here is taken from the player's word where it can be read off the recorded requests.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.metadata import EntryPoint
from typing import Any

from ghostproof import output
from ghostproof.report import incident, text
from ghostproof.report.incident import Moment
from ghostproof.wire.formats import FORMATS
from ghostproof.wire.residency import ghosts, residencies

Event = tuple[int, str, str, str, Mapping[str, Any]]
"""Turn, kind, subject, text, and the request or message that it is about, as an OpenAI chat body has it."""
Validate = Callable[[Mapping[str, object], object], Sequence[str]]

# By name: the model imports no implementation of the gate.
PLAYER = EntryPoint("incident", "ghostproof_reference.incident.session:play", "ghostproof.demo")
RUNS = ("without the gate", "with the gate")
TOOL, SIBLING, LAST_TURN = "update_incident", "create_incident", 9


def demonstrate(save: str | None = None) -> int:
    """Play, show and judge the incident. Returns the exit code; raises WrongUsageError."""
    return show_and_judge(PLAYER.load(), json_schema_validator(), save)


def show_and_judge(play: Callable[[Validate, bool], Iterable[Event]], validate: Validate, save: str | None) -> int:
    """The same for any player and validator."""
    events = [list(play(validate, gate)) for gate in (False, True)]
    bare, gated = ([moment for event in run for moment in moments(event)] for run in events)
    if save is not None:
        _save(save, events)
    rows = incident.rows(bare, gated)
    wrong = [*_not_as_told_without(bare), *_not_as_told_with(gated)]
    measured = [(words, str(count(bare)), str(count(gated))) for words, count in incident.MEASURES]
    closing = [f"NOT AS TOLD: {what}" for what in wrong] or ["Both sessions went as told."]
    if sys.stdout.isatty():
        incident.show(RUNS, rows, measured, closing)
    else:
        output.write([*incident.plain(RUNS, rows), *text.table(("", *RUNS), measured), "", *closing])
    return 1 if wrong else 0


def json_schema_validator() -> Validate:
    """A validator of JSON Schema 2020-12 that names each wrong field. Raises WrongUsageError if there is none."""
    try:
        from jsonschema import Draft202012Validator
    except ImportError:
        raise output.WrongUsageError(
            "the demo validates calls with jsonschema, which is not installed: pip install 'ghostproof[demo]'"
        ) from None

    def validate(schema: Mapping[str, object], arguments: object) -> list[str]:
        found = sorted(Draft202012Validator(schema).iter_errors(arguments), key=lambda error: error.json_path)
        return [": ".join([*map(str, error.absolute_path), error.message]) for error in found]

    return validate


def moments(event: Event) -> Iterator[Moment]:
    """An event as it is told: a request becomes the ghosts in it, and the tools saved from it by a tombstone."""
    turn, kind, subject, said, data = event
    if kind != "request":
        yield Moment(turn, kind, subject, said)
        return
    yield Moment(turn, kind, "", "")
    found = residencies(FORMATS["openai-chat"](data, None))
    for ghost in ghosts(found):
        yield Moment(turn, "ghost", ghost.tool, ghost.evidence)
    for tool, seen in found.items():
        if seen.argument_resident and not seen.schema_resident and seen.tombstone is not None:
            yield Moment(turn, "tombstone", tool, seen.tombstone.quote)


# ---- what must be so ------------------------------------------------------------------------------------------------


def _not_as_told_without(run: Sequence[Moment]) -> Iterator[str]:
    where = f"{RUNS[0]}, "
    pruned = [one.turn for one in run if one.kind == "pruned" and one.subject == TOOL]
    ghost = [one.turn for one in run if one.kind == "ghost" and one.subject == TOOL]
    if not pruned or not ghost or ghost[0] != pruned[0]:
        yield f"{where}{TOOL} is a ghost from the turn on in which it is pruned"
    calls = [one for one in run if one.kind == "call" and one.subject == TOOL]
    names = [set(json.loads(one.text)) for one in calls]
    if [one.turn for one in calls[1:]] != [LAST_TURN] or not names[1] < names[0]:
        yield f"{where}{TOOL} is called in turn {LAST_TURN}, once, with a part of its earlier arguments"
    rejected = [one for one in run if one.kind == "rejected" and one.turn == LAST_TURN]
    if [one.subject for one in rejected] != [TOOL] or not all(
        name in rejected[0].text for name in ("notify", "assignee_id")
    ):
        yield f"{where}that call is rejected, and the error names notify and assignee_id"
    if not any(one.kind == "call" and one.subject == SIBLING and one.turn == LAST_TURN for one in run):
        yield f"{where}{SIBLING} is called instead"
    if len([one for one in run if one.kind == "duplicate"]) != 1:
        yield f"{where}one incident is opened twice"


def _not_as_told_with(run: Sequence[Moment]) -> Iterator[str]:
    where = f"{RUNS[1]}, "
    if any(one.kind == "ghost" for one in run):
        yield f"{where}no request has a ghost"
    if not any(one.kind == "tombstone" and one.subject == TOOL for one in run):
        yield f"{where}{TOOL} gets a tombstone"
    if [one.subject for one in run if one.kind == "signal"] != [TOOL]:
        yield f"{where}one re-expansion of {TOOL} is logged"
    last = [(one.kind, one.subject) for one in run if one.turn == LAST_TURN and one.subject in (TOOL, SIBLING)]
    if [kind for kind, subject in last if kind in ("call", "accepted", "rejected")] != ["call", "accepted"]:
        yield f"{where}{TOOL} is called in turn {LAST_TURN} once, and accepted"
    if any(one.kind in ("rejected", "duplicate") for one in run):
        yield f"{where}nothing is rejected and nothing duplicated"


# ---- the recording --------------------------------------------------------------------------------------------------


def recorded(events: Sequence[Event]) -> Iterator[str]:
    """A session as JSON lines: each request with its response, as an OpenAI chat client sends and gets them."""
    request: Mapping[str, Any] | None = None
    number = 0
    for _, kind, _, _, data in events:
        if kind == "request":
            request = data
        elif kind == "message" and request is not None:
            number += 1
            finished = "tool_calls" if data.get("tool_calls") else "stop"
            response = {
                "id": f"chatcmpl-{number}",
                "object": "chat.completion",
                "model": request["model"],
                "choices": [{"index": 0, "message": data, "finish_reason": finished}],
            }
            yield json.dumps({"request": request, "response": response}, separators=(",", ":"))


def _save(folder: str, sessions: Sequence[Sequence[Event]]) -> None:
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as failed:
        raise output.WrongUsageError(f"{folder} is no folder to save to: {failed.strerror}") from failed
    for name, events in zip(RUNS, sessions, strict=True):
        path = os.path.join(folder, f"incident-{name.replace(' the ', '-')}.jsonl")
        output.save("".join(f"{line}\n" for line in recorded(events)), path)
