"""What `make exhaustive` compares: settings, how many turns of each, and how many transitions there are to be found."""

from __future__ import annotations

import itertools
import signal
from collections import Counter
from collections.abc import Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.sharedctypes import Synchronized

from differential.compared import disagreement
from differential.transitions import EVERY_SIZE, SEPARATE, Setting, Walk

OFTEN = 500
"""After so many transitions a process says how far it is, and looks whether it should stop."""


@dataclass(frozen=True, slots=True)
class Part:
    """Settings that are walked for the same number of turns. `expected`: the transitions that each turn adds."""

    name: str
    settings: tuple[Setting, ...]
    expected: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Walked:
    """One setting, walked to its end or to its first disagreement. `compared`: transitions, by turn."""

    setting: Setting
    compared: Counter[int]
    said: str | None


NAMED_SIZES = (((1, 1, 1), (1, 1, 1)), ((2, 2, 1), (2, 1, 1)), ((1, 2, 1), (2, 1, 2)), ((2, 2, 2), (1, 2, 2)))
"""The least, both kinds of tombstones and both orders of sizes; all 64 of them would be 3 million transitions more."""

PARTS = (
    Part("joint budgets", tuple(map(Setting, EVERY_SIZE)), (7_168, 284_760, 2_578_415, 7_502_628)),
    Part(
        "one tool pinned",
        tuple(Setting(sizes, pinned=pinned) for sizes in EVERY_SIZE for pinned in ((True, False), (False, True))),
        (14_336, 505_008),
    ),
    Part("separate budgets", tuple(Setting(sizes, SEPARATE) for sizes in NAMED_SIZES), (2_240, 183_715)),
    Part("gate evicts", tuple(Setting(sizes, gate="evict") for sizes in EVERY_SIZE), (7_168, 270_872)),
    Part("gate raises", tuple(Setting(sizes, gate="strict") for sizes in EVERY_SIZE), (7_168, 270_872)),
)


class Stopped(Exception):
    """Somebody asked the walk to stop."""


class Progress:
    """How many transitions all processes have compared, and whether they should go on."""

    def __init__(self) -> None:
        context = get_context()
        self.compared: Synchronized[int] = context.Value("q", 0)
        self.stopped: Synchronized[int] = context.Value("b", 0)

    def say(self, compared: int) -> None:
        """So many more. Raises Stopped."""
        with self.compared:
            self.compared.value += compared
        if self.stopped.value:
            raise Stopped


_progress: Progress


def _begin(progress: Progress) -> None:
    global _progress
    _progress = progress
    # Ctrl-C is for the parent alone, which tells us.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _walk(setting: Setting, turns: int) -> Walked:
    return walk(setting, turns, _progress)


def walk(setting: Setting, turns: int, progress: Progress) -> Walked:
    """Compare every transition of one setting. Raises Stopped."""
    compared: Counter[int] = Counter()
    transitions = Walk(setting, turns).transitions()
    while some := list(itertools.islice(transitions, OFTEN)):
        for turn, case, wanted in some:
            compared[turn] += 1
            if said := disagreement(case, wanted):
                return Walked(setting, compared, f"turn {turn}: {said}\n{case}")
        progress.say(len(some))
    return Walked(setting, compared, None)


def walked(
    settings: Iterable[Setting], turns: int, jobs: int, progress: Progress
) -> Generator[Walked | None, None, None]:
    """Each setting as it is done, in processes of their own; None every half second in which none was.

    Whoever stops iterating stops the processes.
    """
    with ProcessPoolExecutor(jobs, initializer=_begin, initargs=(progress,)) as pool:
        waiting: set[Future[Walked]] = {pool.submit(_walk, setting, turns) for setting in settings}
        try:
            while waiting:
                done, waiting = wait(waiting, timeout=0.5, return_when=FIRST_COMPLETED)
                yield from (one.result() for one in done) if done else (None,)
        finally:
            progress.stopped.value = 1
            for one in waiting:
                one.cancel()
