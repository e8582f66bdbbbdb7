"""The one interface of all engines: what they may ask of a problem, what they may spend, what they give back."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ghostproof.lift.limits import Limits
from ghostproof.lift.system import System
from ghostproof.lift.term import Term
from ghostproof.turn.recording import Recording
from ghostproof.turn.trace import Trace, Walk
from ghostproof.turn.verdict import Verdict

Counterexample = Trace | Recording | Walk


@dataclass(frozen=True, slots=True)
class Bounds:
    """How far the bounded engines go: requests, tools, states; and what one solver question may cost."""

    turns: int = 4
    tools: int = 3
    states: int = 200_000
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True)
class Certificate:
    """An invariant and the system it is claimed for; worth nothing until its obligations are discharged elsewhere."""

    system: System
    invariant: Mapping[str, Term]


@dataclass(frozen=True, slots=True)
class Finding:
    """An engine's answer: the verdict, and the certificate behind a proof."""

    verdict: Verdict
    certificate: Certificate | None = None


class Unrolling(Protocol):
    """Sessions of a fixed number of tools, unrolled request by request."""

    constraints: list[Term]
    violations: list[Term]
    unsettled: str | None

    @property
    def cost(self) -> Term:
        """What is minimised after requests and tools, in tokens."""

    @property
    def events(self) -> Term:
        """What is minimised after tokens: how much happens."""

    def extend(self) -> None:
        """Unroll one more request."""

    def replay(self, values: Mapping[str, bool | int]) -> Counterexample:
        """Play the session of a model by the plain functions. InternalError when its last request is no violation."""


@dataclass(frozen=True, slots=True)
class Edge:
    """One concrete transition: what was done, the state it leads to, and whether that state violates the property."""

    label: Hashable
    state: Hashable
    violates: bool


class Problem(Protocol):
    """One property of one system, seen as each engine needs it."""

    @property
    def name(self) -> str:
        """What is asked of what."""

    @property
    def system(self) -> System:
        """Guarded commands whose safety implies the property."""

    def exactly(self, tools: int) -> System | None:
        """Exactly `tools` tools with exact sizes and budgets as guarded commands, or None where that cannot be had."""

    def unrolling(self, tools: int) -> Unrolling | None:
        """The exact sessions of `tools` tools, or None when the problem has no such number."""

    def excludes_fewer(self, requests: int) -> System | None:
        """A system safe exactly when the abstraction has no violation in fewer than `requests` requests."""

    def states(self) -> Iterable[Hashable]:
        """Concrete initial states for explicit search, those of fewer tools first."""

    def edges(self, states: Sequence[Hashable]) -> list[list[Edge]]:
        """The concrete transitions from each of `states`, found by running the plain functions."""

    def retrace(self, start: Hashable, labels: Sequence[Hashable]) -> Counterexample:
        """The session along `labels` from `start`, played."""

    @property
    def tools_max(self) -> int:
        """The most tools that explicit search covers."""

    def scope(self) -> str:
        """In words, which sizes and budgets explicit search covers."""


class Engine(Protocol):
    """One algorithm."""

    def __call__(self, problem: Problem, bounds: Bounds) -> Finding:
        """Settle `problem` within `bounds`."""
