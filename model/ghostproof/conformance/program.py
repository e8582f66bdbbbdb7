"""A program under test: a child process that is sent one line and has to answer with one line in time. POSIX only.

Whatever it does instead is a `Fault` with the reason in words; the program is ended then, with all it started.
"""

from __future__ import annotations

import json
import os
import resource
import select
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from ghostproof.report.printable import printable

LINE_BYTES = 1_000_000
"""The longest line of an answer."""

SAID_BYTES = 2000
"""How much of what it last wrote to standard error is kept."""


class Fault(Exception):
    """The program broke the protocol; one line that says how."""


class MissingProgramError(Exception):
    """The command cannot be run at all."""


class Program:
    """One run of the command. `seconds` is the deadline of a line, `megabytes` the most data that it may allocate."""

    def __init__(self, command: Sequence[str], *, seconds: float, megabytes: int) -> None:
        """Start it. Raises MissingProgramError."""
        try:
            self._child = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except (OSError, ValueError) as failed:
            why = getattr(failed, "strerror", None) or str(failed)
            raise MissingProgramError(f"{printable(command[0])} cannot be run: {why}") from failed
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        assert self._child.stderr is not None
        self._input, self._output, self._errors = (
            stream.fileno() for stream in (self._child.stdin, self._child.stdout, self._child.stderr)
        )
        for descriptor in (self._input, self._output, self._errors):
            os.set_blocking(descriptor, False)
        self.seconds = seconds
        self._megabytes = megabytes
        self._incoming = b""
        self._said = b""
        self._deaf = False
        self._limit()

    def _limit(self) -> None:
        # Data, not address space: runtimes with a virtual machine reserve far more than they use. Linux only.
        if hasattr(resource, "prlimit"):
            with suppress(OSError, ValueError):
                most = self._megabytes * 1024 * 1024
                resource.prlimit(self._child.pid, resource.RLIMIT_DATA, (most, most))

    def exchange(self, message: Mapping[str, object], seconds: float | None = None) -> dict[str, Any]:
        """Send a line and take the answer. Raises Fault."""
        self.refuse_unasked()
        late_at = time.monotonic() + (seconds or self.seconds)
        line = self._line(json.dumps(message).encode() + b"\n", late_at, seconds or self.seconds)
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            raise Fault(f"printed junk: {printable(line.decode('utf-8', 'replace'), 120)!r} is not JSON") from None
        if not isinstance(answer, dict):
            raise Fault(f"printed {printable(repr(answer), 120)}, which is no JSON object")
        return answer

    def refuse_unasked(self) -> None:
        """Raises Fault if there is output that nobody asked for."""
        with suppress(BlockingIOError):
            self._incoming += os.read(self._output, 1 << 16)
        if self._incoming:
            text = printable(self._incoming[:200].decode("utf-8", "replace"), 120)
            raise Fault(f"printed more than one line for a message: {text!r}")

    def _line(self, outgoing: bytes, late_at: float, seconds: float) -> bytes:
        while (end := self._incoming.find(b"\n")) < 0:
            if len(self._incoming) > LINE_BYTES:
                raise Fault(f"floods: more than {LINE_BYTES} bytes without the end of a line")
            left = late_at - time.monotonic()
            if left <= 0:
                raise Fault(f"gave no answer within {seconds:g} s: --deadline allows it more")
            poll = select.poll()
            poll.register(self._output, select.POLLIN)
            if not self._deaf:
                poll.register(self._errors, select.POLLIN)
            if outgoing:
                poll.register(self._input, select.POLLOUT)
            for descriptor, _ in poll.poll(left * 1000):
                if descriptor == self._input:
                    outgoing = self._write(outgoing)
                elif descriptor == self._errors:
                    self._hear()
                elif not self._read():
                    raise Fault(f"ended before it answered ({self._end()})")
        line, self._incoming = self._incoming[:end], self._incoming[end + 1 :]
        return line

    def _write(self, outgoing: bytes) -> bytes:
        try:
            return outgoing[os.write(self._input, outgoing) :]
        except BlockingIOError:
            return outgoing
        except BrokenPipeError:  # reading finds out what became of it
            return b""

    def _read(self) -> bool:
        with suppress(BlockingIOError):
            chunk = os.read(self._output, 1 << 16)
            self._incoming += chunk
            return bool(chunk)
        return True

    def _hear(self) -> None:
        with suppress(BlockingIOError):
            chunk = os.read(self._errors, 1 << 16)
            self._said = (self._said + chunk)[-SAID_BYTES:]
            self._deaf = not chunk

    def _end(self) -> str:
        """How it ended, in words."""
        try:
            code = self._child.wait(1.0)
        except subprocess.TimeoutExpired:
            return "it closed its output and still runs"
        if code < 0:
            return f"killed by {signal.Signals(-code).name}"
        return f"exit status {code}"

    @property
    def said(self) -> str:
        """The last line of its standard error, made safe to show."""
        for _ in range(100):  # a pipe holds far less; the bound stops a child that writes faster than this reads
            before = self._said
            self._hear()
            if self._deaf or self._said == before:
                break
        lines = [line for line in self._said.decode("utf-8", "replace").splitlines() if line.strip()]
        return printable(lines[-1], 200) if lines else ""

    def close(self) -> None:
        """End it and everything in its process group. May be called again."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._child.pid, signal.SIGKILL)
        self._child.wait()
        for stream in (self._child.stdin, self._child.stdout, self._child.stderr):
            if stream is not None:
                with suppress(BrokenPipeError):
                    stream.close()
