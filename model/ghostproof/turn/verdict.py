"""What a check may answer. A verdict is never a bool and never None.

Each class names exactly what was established. `Undetermined` is not a pass, and a bounded answer carries its bound.
Exit codes follow design: 0 proved as asked, 1 refuted, 2 invalid input, 3 undetermined or merely bounded, 4 vacuous,
5 disagreement.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ghostproof.turn.recording import Recording
from ghostproof.turn.trace import Trace, Walk


@dataclass(frozen=True, slots=True)
class Checked:
    """One independent confirmation of a verdict: who checked, what was checked, how much of it."""

    by: str
    what: str
    count: int

    def __str__(self) -> str:
        return f"{self.by}: {self.what} ({self.count})"


@dataclass(frozen=True, slots=True)
class Proved:
    """Holds for every number of tools, turns, budgets and sizes.

    `invariant` maps each location of the turn to a sentence in words of the model.
    """

    engine: str
    invariant: dict[str, str] = field(default_factory=dict)
    checked: tuple[Checked, ...] = ()


@dataclass(frozen=True, slots=True)
class ProvedUpTo:
    """Holds for every turn, budget and size with at most `tools` tools."""

    engine: str
    tools: int
    checked: tuple[Checked, ...] = ()


@dataclass(frozen=True, slots=True)
class HoldsTo:
    """Exhaustive inside a bound, and nothing is said beyond it.

    `sizes` says which token sizes and budgets were covered.
    """

    engine: str
    turns: int
    tools: int
    sizes: str
    explored: int
    unit: str = "sessions"
    checked: tuple[Checked, ...] = ()


@dataclass(frozen=True, slots=True)
class Refuted:
    """A replayed counterexample. `minimality` says what nothing smaller means here and how it was established."""

    engine: str
    trace: Trace | Recording | Walk
    minimality: tuple[str, ...] = ()
    checked: tuple[Checked, ...] = ()


@dataclass(frozen=True, slots=True)
class Undetermined:
    """No answer, and why.

    `evidence` is what holds inside a bound; `candidate` is an abstract trace that was not realised.
    """

    reason: str
    engine: str
    evidence: HoldsTo | None = None
    candidate: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Vacuous:
    """What the property needs to say anything was not found: the named witnesses.

    `searched` is the bound of the search for them; it is empty where their absence is established without a bound.
    """

    which: tuple[str, ...]
    engine: str
    searched: str = ""


@dataclass(frozen=True, slots=True)
class InvalidPruner:
    """The pruner cannot be checked as it is given: where, what was found, what to do instead."""

    where: str
    found: str
    instead: str

    def __str__(self) -> str:
        return f"{self.where}: {self.found}; {self.instead}"


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two engines or checkers gave different definite answers; `artefacts` are files kept for the investigation."""

    engines: tuple[str, ...]
    artefacts: tuple[str, ...] = ()


Verdict = Proved | ProvedUpTo | HoldsTo | Refuted | Undetermined | Vacuous | InvalidPruner | Disagreement


def exit_code(verdict: Verdict, accept_bound: bool = False) -> int:
    """The process exit code that reports `verdict`; a HoldsTo is 0 only when a bound was accepted beforehand."""
    match verdict:
        case Proved():
            return 0
        case HoldsTo() | ProvedUpTo():
            return 0 if accept_bound else 3
        case Refuted():
            return 1
        case InvalidPruner():
            return 2
        case Undetermined():
            return 3
        case Vacuous():
            return 4
        case Disagreement():
            return 5
