"""What each budget pays for, by how much it is exceeded, and what is left when nothing more may go."""

from __future__ import annotations

from dataclasses import dataclass

from ghostproof_reference.budget import Budget, JointBudget
from ghostproof_reference.errors import BudgetExceeded, Irreducible
from ghostproof_reference.history import History
from ghostproof_reference.inventory import Inventory
from ghostproof_reference.request import Notice, Text, Tombstone


@dataclass(frozen=True, slots=True)
class Spending:
    """A budget beside the prompt that it is for. Tombstones that are owed count before they are written."""

    budget: Budget
    inventory: Inventory
    history: History

    @property
    def joint(self) -> bool:
        """Whether one budget pays for arguments and schemas, so that either makes room for the other."""
        return isinstance(self.budget, JointBudget)

    def excess(self) -> int:
        """By how many tokens the joint budget is exceeded, or the argument budget of a pair; not above 0 if it fits."""
        totals, budget = self.inventory.totals, self.budget
        if isinstance(budget, JointBudget):
            return totals.demand - budget.total
        return totals.history_demand - budget.arguments

    def schema_excess(self) -> int:
        """The same for the budget that pays for schemas."""
        totals, budget = self.inventory.totals, self.budget
        if isinstance(budget, JointBudget):
            return totals.demand - budget.total
        return totals.schemas - budget.schemas

    def check(self) -> None:
        """Raises BudgetExceeded, with all that is left of what the budget pays for."""
        if self.excess() <= 0 and self.schema_excess() <= 0:
            return
        totals, budget = self.inventory.totals, self.budget
        entries = [entry for entry in self.history.resident() if not isinstance(entry.item, Text)]
        schemas = [
            Irreducible(f"schema of {record.name}", self.inventory.schema_tokens(record))
            for record in self.inventory.shown_tools()
        ]
        if isinstance(budget, JointBudget):
            history = [Irreducible(entry.label, entry.tokens) for entry in entries]
            others = [Irreducible("texts", totals.texts), Irreducible("rest", totals.rest)]
            _refuse("total", budget.total, totals.demand, [*history, *schemas, *others])
        else:
            items = [entry for entry in entries if not isinstance(entry.item, Tombstone | Notice)]
            history = [Irreducible(entry.label, entry.tokens) for entry in items]
            history += [Irreducible(f"reserve for {name}", size) for name, size in self.inventory.reserves()]
            _refuse("arguments", budget.arguments, totals.history_demand, history)
            _refuse("schemas", budget.schemas, totals.schemas, schemas)


def _refuse(name: str, limit: int, needed: int, parts: list[Irreducible]) -> None:
    if needed > limit:
        raise BudgetExceeded(name, limit, needed, [part for part in parts if part.tokens])
