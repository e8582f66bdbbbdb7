"""What came out of settling a claim, as plain data that can cross a process boundary and that every report reads."""

from __future__ import annotations

from dataclasses import dataclass

from ghostproof.turn.verdict import (
    Disagreement,
    InvalidPruner,
    Undetermined,
    Verdict,
    exit_code,
)

INTERNAL = 70
# What a run of several answers ends with: the first of these codes that any of them calls for. A disagreement makes all
# else doubtful; a refutation is worse news than an answer that is missing.
SEVERITY = (INTERNAL, 5, 2, 1, 4, 3, 0)


@dataclass(frozen=True, slots=True)
class Part:
    """One settled question: what was expected, in words, and what came out.

    `statement` is what the verdict is about: the property for a question, the sentence itself for an obligation.
    `scenario` says what the question admits, empty for an obligation. `broken` marks a variant wrong on purpose.
    """

    label: str
    sentence: str
    statement: str
    expected: str
    verdict: Verdict
    as_expected: bool
    seconds: float
    scenario: str = ""
    broken: bool = False

    @property
    def passed(self) -> bool:
        """As expected, and an answer: no missing or contradictory answer is a pass, whatever was expected."""
        return self.as_expected and not isinstance(self.verdict, Undetermined | Disagreement | InvalidPruner)

    @property
    def code(self) -> int:
        """The exit code that this part calls for: 1 where the wrong thing was established."""
        return 0 if self.passed else exit_code(self.verdict) or 1


@dataclass(frozen=True, slots=True)
class Outcome:
    """One claim with the parts that were settled; `errors` say why others were not, `trace` is their stack."""

    name: str
    title: str
    parts: tuple[Part, ...]
    seconds: float
    errors: tuple[str, ...] = ()
    trace: str = ""

    @property
    def code(self) -> int:
        """The worst code of the parts; a claim that nothing was asked about has not been shown."""
        if self.errors:
            return INTERNAL
        return worst([part.code for part in self.parts]) if self.parts else 4

    @property
    def passed(self) -> bool:
        """Every part passed."""
        return self.code == 0


def worst(codes: list[int]) -> int:
    """The one of `codes` that a run ends with."""
    return next((code for code in SEVERITY if code in codes), 0)
