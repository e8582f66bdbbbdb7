"""What one question says and costs when only the seed and the order of the assertions differ."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from statistics import median_low
from typing import TypeVar

from ghostproof.engines.problem import Bounds
from ghostproof.examine import examine
from ghostproof.host.host import LocalHost
from ghostproof.lift.limits import Limits
from ghostproof.lift.smtlib import script
from ghostproof.lift.solver import SPENT, Unknown, Unsatisfiable, ask
from ghostproof.lift.term import Term, conjunction, disjunction, negate, variable
from ghostproof.report.verdict_words import kind
from ghostproof.report.words import count
from ghostproof.turn.claim import Question
from ghostproof.turn.verdict import HoldsTo, ProvedUpTo, Refuted, Vacuous, Verdict

Number = TypeVar("Number", int, float)


@dataclass(frozen=True, slots=True)
class Subject:
    """Something to settle again and again: its name, and what settles it within limits, to an answer in words."""

    name: str
    settle: Callable[[Limits], str]


@dataclass(frozen=True, slots=True)
class Run:
    """One answer, in words, with z3's steps and the wall-clock seconds that it took."""

    said: str
    steps: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Spread:
    """All runs of one subject."""

    subject: Subject
    runs: tuple[Run, ...]

    @property
    def said(self) -> tuple[str, ...]:
        """The different answers, in the order in which they came."""
        return tuple(dict.fromkeys(run.said for run in self.runs))

    @property
    def flips(self) -> bool:
        """Whether the answers differ."""
        return len(self.said) > 1

    @property
    def steps(self) -> tuple[int, int, int]:
        """The least, the median and the most steps."""
        return _three([run.steps for run in self.runs])

    @property
    def seconds(self) -> tuple[float, float, float]:
        """The least, the median and the most seconds."""
        return _three([run.seconds for run in self.runs])


def _three(values: Sequence[Number]) -> tuple[Number, Number, Number]:
    return min(values), median_low(values), max(values)


def answer(verdict: Verdict) -> str:
    """The kind of a verdict and how far it reaches: what no seed may change."""
    match verdict:
        case Refuted(trace=trace):
            requests, tools = trace.size
            return f"refuted in {count(requests, 'request')}, {count(tools, 'tool')}"
        case HoldsTo(turns=turns, tools=tools):
            return f"holds to {count(turns, 'turn')}, {count(tools, 'tool')}"
        case ProvedUpTo(tools=tools):
            return f"proved up to {count(tools, 'tool')}"
        case Vacuous(which=which):
            return f"vacuous: {'; '.join(sorted(which))}"
        case _:
            return kind(verdict)


def question(claim: str, asked: Question) -> Subject:
    """A question of a claim, settled as `check` settles it; the witnesses of the claim are not sought again."""

    def settle(limits: Limits) -> str:
        host = LocalHost(asked.pruner)
        return answer(examine(host, asked.scenario, asked.judged, Bounds(limits=limits)))

    return Subject(f"{claim} {asked.label}", settle)


def spread(subject: Subject, limits: Sequence[Limits]) -> Spread:
    """`subject` within each of `limits`."""
    return Spread(subject, tuple(_run(subject, within) for within in limits))


def _run(subject: Subject, limits: Limits) -> Run:
    steps, started = SPENT.steps, time.perf_counter()
    said = subject.settle(limits)
    return Run(said, SPENT.steps - steps, time.perf_counter() - started)


def varied(runs: int) -> list[Limits]:
    """Seed and order 0, as everywhere else, and others."""
    return [Limits(seed=number, order=number) for number in range(runs)]


# ---- the canary -----------------------------------------------------------------------------------------------------

PIGEONS = 6


def pigeons() -> list[Term]:
    """More pigeons than holes: without a solution, and at a cost that depends on the order in which one looks."""
    sits = [[variable(f"pigeon {p} in hole {h}", "Bool") for h in range(PIGEONS - 1)] for p in range(PIGEONS)]
    housed = [disjunction(*row) for row in sits]
    alone = [negate(conjunction(*pair)) for hole in zip(*sits, strict=True) for pair in combinations(hole, 2)]
    return [*housed, *alone]


def at_the_edge(limits: Sequence[Limits]) -> Spread:
    """A question within as many steps as half of its runs need: its answers must differ."""
    text = script(pigeons())
    free = spread(Subject("pigeons", partial(_solved, text)), limits)
    least, _, most = free.steps
    edge = (least + most) // 2
    return spread(
        Subject("canary: a question at the edge of its limit", partial(_solved, text)),
        [replace(within, rlimit=edge) for within in limits],
    )


def _solved(text: str, limits: Limits) -> str:
    found = ask(text, limits)
    if isinstance(found, Unknown):
        return f"undetermined: {found.reason}".partition(" of ")[0]
    return "proved" if isinstance(found, Unsatisfiable) else "refuted"
