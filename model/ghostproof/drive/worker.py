"""The sandbox entry for callables: loads one target, then prunes one request a message. Runs in the child.

Each request arrives as JSON text decoded anew, so a pruner that changes what it is given changes only its own copy.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from ghostproof.drive.oracle import Oracle
from ghostproof.drive.plain import complaint
from ghostproof.drive.styles.signature import where
from ghostproof.drive.styles.style import Call, Style
from ghostproof.drive.styles.table import STYLES
from ghostproof.sandbox.load import load
from ghostproof.turn.errors import PrunerError, a_kind

RETURNED = "return the OpenAI chat request to send, an object with `messages` and `tools`, or change it in place"


class Worker:
    """One loaded target and how to call it."""

    def __init__(self, target: str) -> None:
        found = load(target)
        recognised = (recognise(found) for recognise in STYLES)
        style = next((style for style in recognised if style is not None), None)
        if style is None:
            raise PrunerError(
                target, f"is {a_kind(found)}, which cannot be called", "name a function, or a class of pruners"
            )
        self._style: Style = style
        self._where = where(found)
        self._loop: Any = None

    def describe(self) -> dict[str, object]:
        return {"remembers": self._style.remembers}

    def prune(self, message: Mapping[str, Any]) -> dict[str, object]:
        """What is sent for the request, after the session's earlier requests were played; and the choices made."""
        call = self._style.begin()
        for earlier in message["earlier"]:
            self._play(call, earlier["request"], Oracle(earlier["decisions"]))
        oracle = Oracle(message["decisions"])
        sent = self._play(call, message["request"], oracle)
        choices = [[choice.question, choice.options, choice.picked, choice.answer] for choice in oracle.choices]
        return {"sent": sent, "choices": choices}

    def _play(self, call: Call, request: dict[str, Any], oracle: Oracle) -> Mapping[str, object]:
        result = call(request, oracle)
        if inspect.isawaitable(result):
            result = self._await(result)
        sent = request if result is None else result
        if not isinstance(sent, dict):
            kind = "an async generator" if inspect.isasyncgen(sent) else a_kind(sent)
            raise PrunerError(self._where, f"returned {kind}", RETURNED)
        if found := complaint(sent):
            raise PrunerError(self._where, f"returned what a provider cannot be sent: {found}", RETURNED)
        return sent

    def _await(self, result: Any) -> Any:
        async def settle() -> Any:
            return await result

        if self._loop is None:
            import asyncio  # only async pruners pay for it

            self._loop = asyncio.new_event_loop()
        return self._loop.run_until_complete(settle())


loaded: Sequence[Worker] = ()


def handle(message: dict[str, object]) -> dict[str, object]:
    """`{"load": target}` once, then any number of `{"request", "decisions", "earlier"}`."""
    global loaded
    if "load" in message:
        worker = Worker(str(message["load"]))
        loaded = (worker,)
        return worker.describe()
    return loaded[0].prune(message)
