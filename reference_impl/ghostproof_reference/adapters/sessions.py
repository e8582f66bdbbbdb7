"""One arbiter for each session, found by the session's name, and how a framework's message becomes an item."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from ghostproof_reference.arbiter import Arbiter
from ghostproof_reference.settings import Settings

SESSIONS_MAX = 1_000
"""Arbiters kept by default. One that is forgotten decides anew from the history; a request that waited is lost."""


@dataclass(frozen=True, slots=True)
class Carried:
    """A message of a framework as an item's payload: kept as the object it is, counted by what `text` says of it."""

    message: object
    text: Callable[[], str] = field(compare=False)

    def __str__(self) -> str:
        return self.text()


class Sessions:
    """Arbiters by session. Safe to use from several threads, each call for itself."""

    def __init__(self, settings: Settings, limit: int = SESSIONS_MAX) -> None:
        self._settings = settings
        self._limit = limit
        self._arbiters: OrderedDict[str, Arbiter] = OrderedDict()
        self._lock = threading.Lock()

    def arbiter(self, session: str) -> Arbiter:
        """The arbiter of a session, a new one if it is not known."""
        with self._lock:
            found = self._arbiters.get(session)
            if found is None:
                found = self._arbiters[session] = Arbiter(self._settings)
            self._arbiters.move_to_end(session)
            while len(self._arbiters) > self._limit:
                self._arbiters.popitem(last=False)
            return found

    @contextmanager
    def request(self, session: str) -> Iterator[Arbiter]:
        """The arbiter of a session for one request: if it is sent and then fails, nobody has answered it."""
        arbiter = self.arbiter(session)
        before = arbiter.turn
        try:
            yield arbiter
        except BaseException:
            # What the arbiter itself refused was not sent; the last request before it was answered.
            if arbiter.turn > before:
                arbiter.unanswered()
            raise
