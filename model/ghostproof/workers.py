"""Questions settled side by side in processes of their own: a crash or Ctrl-C loses one of them, never the run.

A question holds functions and cannot travel; its claim's name and its place do, and each worker finds it again. Plain
answers come back.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import traceback
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, Pipe, wait

from ghostproof.report.outcome import Part
from ghostproof.turn.claim import Claim, Question


@dataclass(frozen=True, slots=True)
class Answered:
    """The settled question `index` of the claim called `claim`; without a part, the error and its stack say why."""

    claim: str
    index: int
    part: Part | None
    error: str = ""
    trace: str = ""


class Crew:
    """The workers of one run. Leaving the context ends them, whatever they are doing."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._workers: dict[Connection, _Worker] = {}

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *raised: object) -> None:
        try:
            for worker in self._workers.values():
                worker.end()
        except KeyboardInterrupt:  # a second Ctrl-C, as impatient people give it
            for worker in self._workers.values():
                worker.end()
            raise

    def settle(self, questions: Iterable[tuple[str, int]]) -> Iterator[Answered]:
        """The answers to `questions`, each a claim's name and a place in it, as they are ready."""
        waiting = list(reversed(list(questions)))
        for _ in range(min(self._jobs, len(waiting))):
            self._start(waiting)
        while busy := [place for place, worker in self._workers.items() if worker.asked is not None]:
            # A worker that ends closes its side, so what it did not say is noticed as well.
            for ready in wait(busy):
                assert isinstance(ready, Connection)
                worker = self._workers[ready]
                yield worker.answer()
                if worker.ended:
                    del self._workers[ready]
                    self._start(waiting)
                elif waiting:
                    worker.ask(waiting.pop())

    def _start(self, waiting: list[tuple[str, int]]) -> None:
        if waiting:
            worker = _Worker()
            self._workers[worker.connection] = worker
            worker.ask(waiting.pop())


def processors() -> int:
    """The processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# Not `-m`: then the classes that travel would belong to the module `__main__`.
SERVE = "import sys; from ghostproof.workers import serve; serve(int(sys.argv[1]))"


class _Worker:
    """One process that settles one question at a time. `asked` is the one it is at."""

    def __init__(self) -> None:
        self.connection, theirs = Pipe()
        # A new interpreter rather than a fork, which solver libraries do not survive; started here rather than by
        # multiprocessing, which would run the script again that we were started by.
        self._process = subprocess.Popen(
            [sys.executable, "-c", SERVE, str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,  # what a claim prints would spoil the report
            process_group=0,  # Ctrl-C is for the parent alone, from the first moment of the child
        )
        theirs.close()
        self.asked: tuple[str, int] | None = None
        self.ended = False

    def ask(self, question: tuple[str, int]) -> None:
        """Hand over a question."""
        self.asked = question
        with suppress(BrokenPipeError):  # it has ended; reading finds out how
            self.connection.send(question)

    def answer(self) -> Answered:
        """What the worker says about its question, or that it ended without a word."""
        assert self.asked is not None
        claim, index = self.asked
        self.asked = None
        try:
            said = self.connection.recv()
        except (EOFError, ConnectionResetError):
            self.end(kill=False)
            return Answered(claim, index, None, f"the process that settled it ended ({self._status()})")
        assert isinstance(said, Answered)
        return said

    def _status(self) -> str:
        code = self._process.returncode
        return signal.Signals(-code).name if code < 0 else f"exit status {code}"

    def end(self, kill: bool = True) -> None:
        """See the process to its end; nothing it still does is wanted. May be called again."""
        if kill:
            self._process.kill()
        self._process.wait()
        self.connection.close()
        self.ended = True


def serve(descriptor: int) -> None:
    """Runs in the worker: questions come in, answers go out, until the other side is closed."""
    from ghostproof.claims import installed

    connection = Connection(descriptor)
    claims = {claim.name: claim for claim in installed()}
    # A parent that was interrupted or killed is not there to be told; that is the end, and no error.
    with suppress(EOFError, ConnectionResetError, BrokenPipeError):
        while True:
            name, index = connection.recv()
            connection.send(answered(claims[name], index))


def answered(claim: Claim, index: int) -> Answered:
    """One question of `claim` settled; whatever goes wrong becomes the answer's error."""
    from ghostproof.engines.problem import Bounds
    from ghostproof.settle import settle

    try:
        (answer,) = settle(replace(claim, questions=(claim.questions[index],)), Bounds()).answers
    except Exception as failed:
        error = f"{type(failed).__name__}: {failed}"
        return Answered(claim.name, index, None, error, traceback.format_exc())
    question = answer.question
    asked = question if isinstance(question, Question) else None
    part = Part(
        label=question.label,
        sentence=question.sentence,
        statement=asked.judged.sentence if asked else question.sentence,
        expected=str(question.expected),
        verdict=answer.verdict,
        as_expected=answer.met,
        seconds=answer.seconds,
        scenario=asked.scenario.name if asked else "",
        broken=asked.broken if asked else False,
    )
    return Answered(claim.name, index, part)
