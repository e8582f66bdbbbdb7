"""The session as a runtime runs it: the arbiter prunes, the model answers what is sent, the desk executes.

The one difference between the two runs is the gate. Schemas get what the messages leave of the window, so that they are
pruned as the session grows: those never called first, then the longest idle, `update_incident` after turn 6.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator, Mapping
from typing import NamedTuple

from ghostproof_reference.arbiter import Arbiter
from ghostproof_reference.budget import SeparateBudgets
from ghostproof_reference.expansion import REQUEST_TOOL, ReexpansionRequested
from ghostproof_reference.gate import GateMode
from ghostproof_reference.incident.desk import Desk, Validate
from ghostproof_reference.incident.model import Answer, FailsOpen
from ghostproof_reference.incident.script import MIGRATION_TURN, SCRIPT
from ghostproof_reference.incident.tools import EFFECTS, MIGRATED, declarations
from ghostproof_reference.outcome import Action, Outcome
from ghostproof_reference.request import as_text
from ghostproof_reference.settings import Settings
from ghostproof_reference.tokens import estimate
from ghostproof_reference.wire.openai_chat import OPENAI_CHAT

WINDOW = 1_980
"""Tokens that schemas and messages share."""
REQUESTS_A_TURN_MAX = 8
SYSTEM = "You help with incidents. Use the tools."


class Event(NamedTuple):
    """Something that happened. `turn` counts what the user said; `data` is the request or the model's message, if any.

    Kinds: said, migrated, pruned, expanded, request, message, call, accepted, rejected, duplicate, signal.
    """

    turn: int
    kind: str
    subject: str
    text: str
    data: Mapping[str, object]


def play(validate: Validate, gate: bool) -> list[Event]:
    """The whole session, with the gate or without. `validate` is the executor's validator of JSON Schema."""
    return list(_Session(validate, GateMode.TOMBSTONE if gate else GateMode.OFF).run())


class _Session:
    def __init__(self, validate: Validate, gate: GateMode) -> None:
        self._signals: list[ReexpansionRequested] = []
        self._arbiter = Arbiter(Settings(gate=gate, on_request=self._signals.append))
        self._desk = Desk(validate)
        self._model = FailsOpen(dict(SCRIPT))
        self._messages: list[dict[str, object]] = [{"role": "system", "content": SYSTEM}]
        self._turn = 0
        self._calls = 0

    def run(self) -> Iterator[Event]:
        """What happens, in order."""
        for sentence, _ in SCRIPT:
            self._turn += 1
            if self._turn == MIGRATION_TURN:
                self._desk.migrate()
                yield self._event("migrated", MIGRATED, "assignee_id must be an object now")
            self._messages.append({"role": "user", "content": sentence})
            yield self._event("said", "user", sentence)
            for _ in range(REQUESTS_A_TURN_MAX):
                answer = yield from self._ask()
                if not answer.calls:
                    break

    def _ask(self) -> Generator[Event, None, Answer]:
        payload = {
            "model": "scripted",
            "metadata": {"turn": str(self._turn)},
            "tools": declarations(self._desk.schemas),
            "messages": list(self._messages),
        }
        budget = SeparateBudgets(arguments=WINDOW, schemas=max(0, WINDOW - estimate(as_text(self._messages))))
        outcome = self._arbiter.arbitrate(OPENAI_CHAT.read(payload, effects=EFFECTS), budget)
        yield from self._decided(outcome)
        sent = OPENAI_CHAT.write(payload, outcome.request)
        yield self._event("request", "", "", sent)
        answer = self._model.answer(sent)
        yield from self._answered(answer)
        return answer

    def _decided(self, outcome: Outcome) -> Iterator[Event]:
        kinds = {Action.PRUNED: "pruned", Action.EXPANDED: "expanded"}
        for decision in outcome.decisions:
            if decision.action in kinds:
                yield self._event(kinds[decision.action], decision.tool or "", decision.reason)

    def _answered(self, answer: Answer) -> Iterator[Event]:
        calls = [(f"call_{self._calls + n}", tool, json.dumps(made)) for n, (tool, made) in enumerate(answer.calls, 1)]
        self._calls += len(calls)
        message: dict[str, object] = {"role": "assistant", "content": answer.text or None}
        if calls:
            message["tool_calls"] = [
                {"id": call_id, "type": "function", "function": {"name": tool, "arguments": arguments}}
                for call_id, tool, arguments in calls
            ]
        self._messages.append(message)
        yield self._event("message", "assistant", answer.text, message)
        for call_id, tool, arguments in calls:
            yield self._event("call", tool, arguments)
            yield from self._executed(call_id, tool, arguments)

    def _executed(self, call_id: str, tool: str, arguments: str) -> Iterator[Event]:
        if tool == REQUEST_TOOL.name:
            text = self._arbiter.answer_request(arguments)
            yield self._event("accepted", tool, text)
        else:
            execution = self._desk.execute(tool, arguments)
            text = execution.text
            yield self._event("accepted" if execution.accepted else "rejected", tool, text)
            if execution.opened is not None and execution.opened.duplicates is not None:
                yield self._event("duplicate", execution.opened.id, execution.opened.duplicates)
        self._messages.append({"role": "tool", "tool_call_id": call_id, "content": text})
        while self._signals:
            signal = self._signals.pop(0)
            if signal.tombstoned:
                yield self._event("signal", signal.tool, "model requested re-expansion of tombstoned tool")

    def _event(self, kind: str, subject: str, text: str, data: Mapping[str, object] | None = None) -> Event:
        return Event(self._turn, kind, subject, text, data or {})
