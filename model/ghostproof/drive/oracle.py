"""Answers that a pruner gets from elsewhere (a selector model, a clock, a user), branched over by the driver.

A pruner that takes a second parameter is given an `Oracle`. Each `choose` in it becomes a branch: the driver calls the
pruner again with the same request until every combination of answers has been played.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from ghostproof.report.printable import printable

Option = TypeVar("Option")

CHOICES = 64
"""Questions one call of a pruner may ask, and options one question may have."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One question that was answered: which of how many options, and the option in words."""

    question: str
    options: int
    picked: int
    answer: str


class Oracle:
    """Plays a prefix of decisions and takes the first option of everything that is asked after it."""

    def __init__(self, decisions: Sequence[int] = ()) -> None:
        self._decisions = tuple(decisions)
        self.choices: list[Choice] = []

    def choose(self, question: str, options: Sequence[Option]) -> Option:
        """One of `options`; the driver sees to it that each is returned once. `question` is shown to people.

        Raises ValueError if there is no option, or more than can be branched over.
        """
        listed = list(options)
        if not listed:
            raise ValueError(f"the oracle was asked {question!r} without any option")
        if len(listed) > CHOICES:
            raise ValueError(f"the oracle was asked {question!r} with {len(listed)} options; at most {CHOICES}")
        if len(self.choices) == CHOICES:
            raise ValueError(f"the oracle was asked more than {CHOICES} questions in one call")
        place = len(self.choices)
        picked = self._decisions[place] if place < len(self._decisions) else 0
        # A pruner that is not deterministic may offer fewer options than when it was first called.
        picked = min(picked, len(listed) - 1)
        self.choices.append(Choice(printable(str(question), 120), len(listed), picked, _words(listed[picked])))
        return listed[picked]


def _words(option: object) -> str:
    if isinstance(option, str):
        return printable(option, 120)
    if isinstance(option, list | tuple | set | frozenset):
        return ", ".join(map(_words, option)) or "none"
    return printable(repr(option), 120)
