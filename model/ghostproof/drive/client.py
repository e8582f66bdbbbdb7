"""The parent's view of one pruner in its child: asks for one request, and branches over the oracle's answers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from types import TracebackType
from typing import Any

from ghostproof.drive.oracle import Choice
from ghostproof.sandbox.process import Sandbox
from ghostproof.turn.errors import PrunerError

ENTRY = "ghostproof.drive.worker:handle"

LOADING_SECONDS = 60.0
"""Deadline for importing the target; frameworks take seconds, and once only."""

Decisions = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """One request of a session and the oracle's answers while it was pruned."""

    request: Mapping[str, Any]
    decisions: Decisions


@dataclass(frozen=True, slots=True)
class Sent:
    """What a pruner made of one request under one complete list of decisions. `size` in bytes of JSON."""

    payload: dict[str, Any]
    choices: tuple[Choice, ...]
    digest: bytes
    size: int

    @property
    def decisions(self) -> Decisions:
        return tuple(choice.picked for choice in self.choices)


class Client:
    """One child with the target loaded. `printed` counts the characters the pruner printed."""

    def __init__(self, target: str, *, seconds: float, megabytes: int) -> None:
        self.target = target
        self.printed = 0
        self.first_print = ""
        self._seconds = seconds
        self._sandbox = Sandbox(ENTRY, seconds=seconds, megabytes=megabytes, name=target)
        self._sandbox.send({"load": target}, max(seconds, LOADING_SECONDS))
        self._remembers: bool | None = None

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def kill(self) -> None:
        self._sandbox.kill()

    def close(self) -> None:
        self._sandbox.close()

    @property
    def remembers(self) -> bool:
        """Whether what is sent may depend on the earlier requests of the session."""
        if self._remembers is None:
            self._remembers = bool(self._sandbox.receive()["remembers"])
            self._note_prints()
        return self._remembers

    def prune(self, request: Mapping[str, Any], decisions: Decisions, earlier: Sequence[Asked] = ()) -> Sent:
        """What is sent under these decisions; later questions get their first option."""
        before = earlier if self.remembers else ()
        played = [{"request": asked.request, "decisions": asked.decisions} for asked in before]
        message = {"request": request, "decisions": decisions, "earlier": played}
        reply: Any = self._sandbox.ask(message, self._seconds * (1 + len(played)))
        self._note_prints()
        text = json.dumps(reply["sent"], sort_keys=True).encode()
        choices = tuple(Choice(*choice) for choice in reply["choices"])
        return Sent(reply["sent"], choices, blake2b(text, digest_size=16).digest(), len(text))

    def branches(self, request: Mapping[str, Any], earlier: Sequence[Asked] = ()) -> Iterator[Sent]:
        """What is sent under every complete list of decisions, each once, in the order of the options.

        Raises PrunerError if the questions change while the same answers are played.
        """
        open_prefixes: list[Decisions] = [()]
        while open_prefixes:
            prefix = open_prefixes.pop()
            sent = self.prune(request, prefix, earlier)
            if sent.decisions[: len(prefix)] != prefix:
                raise nondeterministic(self.target, "asked the oracle other questions when called again")
            # Taken from the end: the last question varies first, each through its options in order.
            open_prefixes += [
                (*sent.decisions[:place], option)
                for place in range(len(prefix), len(sent.choices))
                for option in range(sent.choices[place].options - 1, 0, -1)
            ]
            yield sent

    def _note_prints(self) -> None:
        printed = self._sandbox.printed
        if printed and not self.first_print:
            self.first_print = printed.strip().partition("\n")[0]
        self.printed += len(printed)


def nondeterministic(target: str, found: str) -> PrunerError:
    return PrunerError(
        target,
        f"is nondeterministic: {found}",
        "take answers from elsewhere through the oracle; give a pruner that remembers as a class",
    )
