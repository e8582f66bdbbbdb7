"""A claim: one sentence of the theory, the questions that settle it, and what is expected of each.

Expectations are compared with verdicts after the fact; they never reach an engine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ghostproof.turn.property import NO_GHOST, Property
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.scenario import Scenario
from ghostproof.turn.trace import Walk
from ghostproof.turn.verdict import HoldsTo, Proved, ProvedUpTo, Refuted, Vacuous, Verdict


@dataclass(frozen=True, slots=True)
class Expected:
    """The kind of verdict, and how far it reaches: what is None, or empty, is not compared.

    `requests` and `tools` are the size of a refutation's minimal session, or the bound of an answer that has one.
    `steps` is how long a refutation is that is no session, but a walk from a state that any may leave. `missing` names
    the witnesses that a vacuous answer lacks, all of them.
    """

    verdict: type[Verdict]
    requests: int | None = None
    tools: int | None = None
    missing: frozenset[str] = frozenset()
    steps: int | None = None

    def met_by(self, verdict: Verdict) -> bool:
        """Whether `verdict` is of this kind and, where given, of this size, within this bound, for this reason."""
        if not isinstance(verdict, self.verdict):
            return False
        wanted = (self.requests, self.tools, self.steps)
        found: tuple[int | None, int | None, int | None]
        match verdict:
            case Refuted(trace=Walk() as walk):
                found = (None, None, len(walk.commands))
            case Refuted(trace=trace):
                found = (*trace.size, None)
            case HoldsTo(turns=turns, tools=tools):
                found = (turns, tools, None)
            case ProvedUpTo(tools=tools):
                found = (self.requests, tools, None)
            case Vacuous(which=which):
                return self.missing in (frozenset(), frozenset(which))
            case _:
                return True
        return all(want is None or want == have for want, have in zip(wanted, found, strict=True))

    @property
    def scope(self) -> str:
        """How far the verdict is expected to reach, in a few words; empty where nothing was said of it."""
        if self.missing:
            return f"lacks {'; '.join(sorted(self.missing))}"
        noun = "turn" if self.verdict is HoldsTo else "request"
        sizes = ((self.requests, noun), (self.tools, "tool"), (self.steps, "step"))
        return ", ".join(f"{count} {noun}{'' if count == 1 else 's'}" for count, noun in sizes if count is not None)

    def __str__(self) -> str:
        between = {Refuted: " in ", HoldsTo: " ", ProvedUpTo: " ", Vacuous: ": "}
        return self.verdict.__name__ + (f"{between.get(self.verdict, ', ')}{self.scope}" if self.scope else "")


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
    """A named statement, why it should be so, the seed's sentence it comes from, and its questions.

    `group` is the question of the reader that it answers, empty if none was named. `imprecise` says where the seed's
    sentence says more, or less, than holds.
    """

    name: str
    title: str
    statement: str
    reason: str
    seed: str
    questions: tuple[Question | Obligation, ...]
    group: str = ""
    imprecise: str = ""
