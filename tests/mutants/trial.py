"""Tries mutants and compares what happens with what was declared. Anything but the declared fate is a finding."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass

from mutants.catalogue import CHECKED, EQUIVALENT, KILLED, Killer, Mutant
from mutants.killing import FAILED, LATE, PASSED, Seen, run, run_tests
from mutants.workshop import StaleError, Workshop

SECONDS = 120.0
AS_DECLARED = "as declared"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a mutant: `AS_DECLARED`, or what else, with the details that help to mend it."""

    mutant: Mutant
    what: str
    details: str
    seconds: float

    @property
    def met(self) -> bool:
        """Whether the fate is the declared one."""
        return self.what == AS_DECLARED


def untouched(killers: Sequence[Killer], workshop: Workshop, jobs: int) -> dict[Killer, Seen]:
    """What the killers say where there is no mutant: a killer that kills everything kills nothing."""
    tests = list(dict.fromkeys(killer.test for killer in killers if killer.test))
    checks = list(dict.fromkeys(killer for killer in killers if killer.check))
    with ThreadPoolExecutor(jobs) as pool:
        # pytest gathers what is named file by file, so each file is a run of its own.
        files: dict[str, list[str]] = {}
        for test in tests:
            files.setdefault(test.partition("::")[0], []).append(test)
        places = workshop.untouched
        runs = [pool.submit(run_tests, some, places, SECONDS * len(some)) for some in files.values()]
        found = dict(zip(checks, pool.map(lambda killer: run(killer, places, SECONDS), checks), strict=True))
        said: Mapping[str, Seen] = {test: seen for done in runs for test, seen in done.result().items()}
    return found | {Killer(test=test): seen for test, seen in said.items()}


def judge(mutant: Mutant, seen: Seen, before: Seen) -> tuple[str, str]:
    """What became of the mutant, given what its killer says now and said before."""
    tail = " | ".join(seen.said.split("\n"))[-600:]
    if seen.answer == LATE:
        return "INCONCLUSIVE", f"no answer in {SECONDS:g} s"
    if before.answer == LATE or (mutant.killer.test and before.answer != PASSED):
        return "NO KILLER", f"without the mutant: {before.answer}: {before.said[-600:]}"
    if mutant.fate == EQUIVALENT:
        same = seen.answer == before.answer
        return (AS_DECLARED, mutant.reason) if same else ("NOT EQUIVALENT", f"{seen.answer}: {tail}")
    if seen.answer == before.answer:
        return "SURVIVOR", f"still {seen.answer}"
    wanted = {KILLED: FAILED, "refuted": f"refuted in {mutant.requests} requests, {mutant.tools} tools"}
    if seen.answer != wanted.get(mutant.fate, CHECKED.get(mutant.fate)):
        return "WRONG REASON", f"{seen.answer}: {tail}"
    if mutant.says not in seen.said:
        return "WRONG REASON", f"does not say {mutant.says!r}: {tail}"
    return AS_DECLARED, f"{seen.answer}: {mutant.says}"


def tried(mutant: Mutant, workshop: Workshop, before: Seen) -> Outcome:
    """What becomes of one mutant."""
    started = time.perf_counter()
    try:
        with workshop.mutated(mutant) as copy:
            what, details = judge(mutant, run(mutant.killer, copy, SECONDS), before)
    except StaleError as stale:
        what, details = "STALE", str(stale)
    return Outcome(mutant, what, details, time.perf_counter() - started)


def tried_all(mutants: Sequence[Mutant], workshop: Workshop, jobs: int) -> Iterator[Outcome]:
    """What becomes of each, as it is known."""
    before = untouched([mutant.killer for mutant in mutants], workshop, jobs)
    with ThreadPoolExecutor(jobs) as pool:
        trials = [pool.submit(tried, mutant, workshop, before[mutant.killer]) for mutant in mutants]
        try:
            for trial in as_completed(trials):
                yield trial.result()
        finally:
            pool.shutdown(cancel_futures=True)
