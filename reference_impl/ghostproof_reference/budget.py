"""Token budgets of one prompt: one for arguments and one for schemas, or one for all that is sent."""

from __future__ import annotations

from dataclasses import dataclass

from ghostproof_reference.errors import SettingsError


@dataclass(frozen=True, slots=True)
class SeparateBudgets:
    """`arguments` pays for call groups, showings, tombstones and notices; `schemas` for the tools field.

    A tombstone is reserved for every tool with resident arguments, shown or not: which schemas will have to go is
    decided only after the arguments have been trimmed. Texts and the fixed rest are outside of both.
    """

    arguments: int
    schemas: int

    def __post_init__(self) -> None:
        _checked("arguments", self.arguments)
        _checked("schemas", self.schemas)


@dataclass(frozen=True, slots=True)
class JointBudget:
    """`total` pays for everything: schemas, call groups, showings, tombstones, notices, texts and the fixed rest."""

    total: int

    def __post_init__(self) -> None:
        _checked("total", self.total)


Budget = SeparateBudgets | JointBudget


def check_budget(budget: object) -> None:
    """Raises SettingsError for what is no budget."""
    if not isinstance(budget, SeparateBudgets | JointBudget):
        raise SettingsError(f"a budget is a JointBudget or SeparateBudgets, not {budget!r:.80}")


def _checked(name: str, number: object) -> None:
    if type(number) is not int or number < 0:
        raise SettingsError(f"the budget {name} is a non-negative integer of tokens, not {number!r:.80}")
