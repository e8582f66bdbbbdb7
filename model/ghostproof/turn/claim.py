"""A claim: one sentence of the theory, the questions that settle it, and what is expected of each.

Expectations are compared with verdicts after the fact; they never reach an engine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ghostproof.turn.property import NO_GHOST, Property
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.scenario import Scenario
from ghostproof.turn.verdict import Proved, Refuted, Verdict


@dataclass(frozen=True, slots=True)
class Expected:
    """The kind of verdict, and for a refutation the requests and tools of its minimal trace."""

    verdict: type[Verdict]
    requests: int | None = None
    tools: int | None = None

    def met_by(self, verdict: Verdict) -> bool:
        """Whether `verdict` is of this kind and, where given, of this size."""
        if not isinstance(verdict, self.verdict):
            return False
        if isinstance(verdict, Refuted):
            found = verdict.trace.size
            wanted = (self.requests, self.tools)
            return all(want is None or want == have for want, have in zip(wanted, found, strict=True))
        return True

    def __str__(self) -> str:
        parts = [
            f"{count} {noun}{'' if count == 1 else 's'}"
            for count, noun in ((self.requests, "request"), (self.tools, "tool"))
            if count is not None
        ]
        return f"{self.verdict.__name__}{' in ' if parts else ''}{', '.join(parts)}"


PROVED = Expected(Proved)


@dataclass(frozen=True, slots=True)
class Question:
    """Does `judged` hold for `pruner` in `scenario`? `sentence` says it to people, `broken` marks a wrong variant.

    `absent` names the witnesses that cannot occur by design; a proof lacks no other.
    """

    label: str
    sentence: str
    pruner: Pruner
    scenario: Scenario
    expected: Expected = PROVED
    judged: Property = NO_GHOST
    broken: bool = False
    absent: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        undeclared = set(self.judged.memory) - set(self.pruner.memory)
        if undeclared:
            raise ValueError(
                f"{self.label}: {self.judged.name} reads undeclared memory: {', '.join(sorted(undeclared))}"
            )


@dataclass(frozen=True, slots=True)
class Obligation:
    """A statement that is not about one pruner in one scenario; `discharge` settles it."""

    label: str
    sentence: str
    discharge: Callable[[], Verdict]
    expected: Expected = PROVED


@dataclass(frozen=True, slots=True)
class Claim:
    """A named statement, why it should be so, the seed's sentence it comes from, and its questions."""

    name: str
    title: str
    statement: str
    reason: str
    seed: str
    questions: tuple[Question | Obligation, ...]
