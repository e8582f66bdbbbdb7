"""Several children with the same target, so that independent requests are pruned side by side."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from types import TracebackType
from typing import TypeVar

from ghostproof.drive.client import Client

Job = TypeVar("Job")
Outcome = TypeVar("Outcome")

MOST = 4
"""Children at most: each may take the whole memory limit."""

WORTH_IT = 100
"""Jobs from which a further child pays for importing the target again."""


class Crew:
    """Starts with one child and adds others when there is enough to do. Outcomes come in the order of the jobs."""

    def __init__(self, target: str, *, seconds: float, megabytes: int, most: int | None = None) -> None:
        self._target = target
        self._seconds = seconds
        self._megabytes = megabytes
        self._most = min(MOST, os.cpu_count() or 1) if most is None else most
        self._clients = [self._client()]
        self._idle: SimpleQueue[Client] = SimpleQueue()
        self._idle.put(self._clients[0])
        self._pool = ThreadPoolExecutor(self._most)

    def __enter__(self) -> Crew:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, trace: TracebackType | None
    ) -> None:
        # Killing the children ends what the threads wait for; only then may their descriptors be closed.
        for client in self._clients:
            client.kill()
        self._pool.shutdown(wait=True, cancel_futures=True)
        for client in self._clients:
            client.close()

    @property
    def remembers(self) -> bool:
        return self._clients[0].remembers

    @property
    def printed(self) -> tuple[int, str]:
        """How many characters the pruner printed in all children, and the first line of them."""
        first = next((client.first_print for client in self._clients if client.first_print), "")
        return sum(client.printed for client in self._clients), first

    def each(self, play: Callable[[Client, Job], Outcome], jobs: Sequence[Job]) -> Iterator[Outcome]:
        """`play` of every job, in order. Raises what the first failing job raised."""
        if len(jobs) < WORTH_IT or self._most == 1:
            client = self._clients[0]
            yield from (play(client, job) for job in jobs)
            return
        while len(self._clients) < self._most:
            client = self._client()
            self._clients.append(client)
            self._idle.put(client)

        def work(job: Job) -> Outcome:
            client = self._idle.get()
            try:
                return play(client, job)
            finally:
                self._idle.put(client)

        futures: list[Future[Outcome]] = [self._pool.submit(work, job) for job in jobs]
        try:
            for future in futures:
                yield future.result()
        finally:
            for future in futures:
                future.cancel()

    def _client(self) -> Client:
        return Client(self._target, seconds=self._seconds, megabytes=self._megabytes)
