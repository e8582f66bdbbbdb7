"""The parent's side: one child process, asked by JSON lines, with a deadline and a memory limit.

    with Sandbox("package.module:function", seconds=2.0, megabytes=512) as sandbox:
        reply = sandbox.ask({"anything": "that JSON can carry"})

The child starts in the constructor, so that the parent can import something slow before it asks. Whatever goes wrong in
the entry is a `PrunerError`; what it printed never reaches the protocol and is in `printed`. POSIX only.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from types import TracebackType
from typing import Any

from ghostproof.report.printable import printable
from ghostproof.sandbox import child
from ghostproof.sandbox.failure import ended, failed, late
from ghostproof.turn.errors import InternalError

PRINTED_LIMIT = 4000
"""Bytes of output kept between two replies; the rest is read and counted, so that the child never blocks on it."""

REPLY_LIMIT = 256 * 1024 * 1024
"""Bytes of one reply; more is treated as a reply that never ends."""


class Sandbox:
    """One child process that answers messages; everything it started ends with it."""

    grace = 1.0
    """Seconds the child's own watchdog, which knows the line that hangs, may be late before the parent kills."""

    starting = 10.0
    """Seconds more for the first reply: the interpreter starts and imports the entry, on a machine that may be busy."""

    def __init__(self, entry: str, *, seconds: float, megabytes: int, name: str | None = None) -> None:
        """Start the child. `name` is what a PrunerError calls the entry where no file and line are known."""
        self._entry = entry
        self._name = name or entry
        self._seconds = seconds
        self._megabytes = megabytes
        self._late_at = 0.0
        self._outgoing = bytearray()
        self._incoming = bytearray()
        self._output = bytearray()
        self._dropped = 0
        self._mute = False
        self._started = False
        self._allowed = seconds
        self.printed = ""
        self._pid, self._requests, self._replies, self._prints = _spawn(entry)
        self._queue(
            {
                "path": [place for place in sys.path if isinstance(place, str)],
                "prefix": sys.prefix,
                "exec_prefix": sys.exec_prefix,
                "site": _needs_site(),
                "bytes": megabytes * 1024 * 1024,
            }
        )

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_pid", 0):
            self.close()

    def ask(self, message: Mapping[str, object], seconds: float | None = None) -> dict[str, object]:
        """The entry's reply. `seconds` replaces the usual deadline for this message alone.

        Raises PrunerError if the entry raises, hangs, exits, crashes or needs too much memory, and InternalError if
        our own code inside the entry fails.
        """
        self.send(message, seconds)
        return self.receive()

    def send(self, message: Mapping[str, object], seconds: float | None = None) -> None:
        """Hand over one message without waiting; its deadline starts when the child has read it.

        One `receive` must follow each `send`.
        """
        if not self._pid:
            raise InternalError(f"the sandbox of {self._entry} has ended and cannot be asked")
        self._allowed = self._seconds if seconds is None else seconds
        self._late_at = time.monotonic() + self._allowed + self.grace + (0.0 if self._started else self.starting)
        self._queue({"seconds": self._allowed, "message": message})

    def receive(self) -> dict[str, object]:
        """The reply to the message that was sent last. Raises as `ask` does."""
        if not self._pid:
            raise InternalError(f"the sandbox of {self._entry} has ended and cannot be asked")
        # A reply that was ready in time but is larger than a pipe still has to be handed over when it is fetched late.
        self._late_at = max(self._late_at, time.monotonic() + self.grace)
        try:
            line = self._line()
        except TimeoutError:
            self.close()
            raise late(self._name, self._allowed, "") from None
        self._started = True
        self._keep_output()
        if line is None:
            raise self._autopsy()
        try:
            envelope = json.loads(line)
        except ValueError:  # no reply but the beginning of a fault report
            self._incoming[:0] = line + b"\n"
            self._read_on()
            raise self._autopsy() from None
        return self._open(envelope)

    def kill(self) -> None:
        """End the child but keep the descriptors, so that another thread's `receive` fails as if it had crashed."""
        if pid := self._pid:  # read once: the other thread may be reaping the child, and group 0 would be our own
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(pid, signal.SIGKILL)

    def close(self) -> None:
        """End the child, everything in its process group, and the descriptors. May be called again."""
        if self._pid:
            self._end(wait=0.0)

    # ---- the protocol ----------------------------------------------------------------------------------------------

    def _open(self, envelope: Any) -> dict[str, object]:
        if isinstance(envelope, dict) and isinstance(reply := envelope.get("reply"), dict):
            return reply
        if isinstance(envelope, dict) and ("error" in envelope or "refused" in envelope):
            raise failed(self._name, envelope, self._megabytes)
        raise InternalError(f"{self._entry} answered with {printable(repr(envelope))} instead of an object")

    def _queue(self, envelope: Mapping[str, object]) -> None:
        self._outgoing += json.dumps(envelope).encode() + b"\n"
        self._write()

    def _write(self) -> None:
        try:
            while self._outgoing:
                del self._outgoing[: os.write(self._requests, self._outgoing)]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._outgoing.clear()  # the child is gone; reading finds out how

    def _line(self) -> bytes | None:
        """One whole reply line, or None when the child closed its end. Raises TimeoutError past the deadline."""
        while (end := self._incoming.find(b"\n")) < 0:
            if len(self._incoming) > REPLY_LIMIT:
                raise TimeoutError
            if not self._read():
                return None
        line = bytes(self._incoming[:end])
        del self._incoming[: end + 1]
        return line

    def _read_on(self) -> None:
        """Take in what the child still writes until it closes its end, at most until the deadline."""
        try:
            while self._read():
                continue
        except TimeoutError:
            return

    def _read(self) -> bool:
        """Wait for something to move, and move it; False once the child closed its end. Raises TimeoutError."""
        left = max(0.0, self._late_at - time.monotonic())
        poll = select.poll()
        poll.register(self._replies, select.POLLIN)
        if left and not self._mute:
            poll.register(self._prints, select.POLLIN)
        if left and self._outgoing:
            poll.register(self._requests, select.POLLOUT)
        ready = dict(poll.poll(left * 1000))
        # A reply that came in time may be fetched late: only with nothing there to read is the deadline missed.
        if not left and not ready:
            raise TimeoutError
        if self._requests in ready:
            self._write()
        if self._prints in ready:
            self._hear()
        if self._replies in ready:
            chunk = os.read(self._replies, 1 << 20)
            self._incoming += chunk
            return bool(chunk)
        return True

    def _hear(self) -> bool:
        """Take in one piece of what was printed; False when there is nothing more for now."""
        try:
            chunk = os.read(self._prints, 1 << 16)
        except BlockingIOError:
            return False
        room = PRINTED_LIMIT - len(self._output)
        self._output += chunk[:room]
        self._dropped += max(0, len(chunk) - room)
        self._mute = not chunk
        return bool(chunk)

    def _keep_output(self) -> None:
        # A pipe holds far less than this; the bound stops a thread that prints faster than we read.
        for _ in range(100):
            if self._mute or not self._hear():
                break
        cut = f" … and {self._dropped} bytes more" if self._dropped else ""
        self.printed = self._output.decode("utf-8", "replace") + cut
        self._output.clear()
        self._dropped = 0

    # ---- the end ---------------------------------------------------------------------------------------------------

    def _autopsy(self) -> Exception:
        report = self._incoming.decode("utf-8", "replace")
        status = self._end(wait=self.grace)
        if report.startswith("Timeout ("):
            return late(self._name, self._allowed, report)
        return ended(self._name, status, report, self.printed)

    def _end(self, wait: float) -> int | None:
        """Kill what is left after `wait` seconds; the status with which the child ended of itself, if it did."""
        status = _reap(self._pid, wait)
        with suppress(ProcessLookupError, PermissionError):  # nobody may be left in the group
            os.killpg(self._pid, signal.SIGKILL)
        if status is None:
            os.waitpid(self._pid, 0)
        self._pid = 0
        for descriptor in (self._requests, self._replies, self._prints):
            os.close(descriptor)
        return status


def _spawn(entry: str) -> tuple[int, int, int, int]:
    """Start the child as leader of its own group; its process id, and our ends of requests, replies and prints."""
    requests, replies, prints = os.pipe(), os.pipe(), os.pipe()
    theirs = (requests[0], replies[1], prints[1])
    ours = (requests[1], replies[0], prints[0])
    try:
        pid = os.posix_spawn(
            sys.executable,
            [sys.executable, "-S", child.__file__, entry],
            os.environ,
            file_actions=[(os.POSIX_SPAWN_DUP2, end, place) for place, end in enumerate(theirs)],
            setpgroup=0,
        )
    finally:
        for end in theirs:
            os.close(end)
    for end in ours:
        os.set_blocking(end, False)
    return pid, *ours


def _needs_site() -> bool:
    """Whether something is installed editable through an import hook, which only `site` would set up in the child."""
    return any(getattr(finder, "__module__", "").startswith("__editable__") for finder in sys.meta_path)


def _reap(pid: int, wait: float) -> int | None:
    """The wait status of `pid`, or None if it still runs after `wait` seconds."""
    until = time.monotonic() + wait
    while True:
        found, status = os.waitpid(pid, os.WNOHANG)
        if found:
            return status
        if time.monotonic() >= until:
            return None
        time.sleep(0.001)
