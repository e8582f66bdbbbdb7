"""What a claim admits: which actions, which budgets, which tools. Every verdict is about one scenario."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ghostproof.turn.action import Action
from ghostproof.turn.environment import ENVIRONMENT_BY_NAME, EVERYTHING, HISTORY, LATE, LATE_BY_NAME, ORDINARY
from ghostproof.turn.response import CALL_DESPITE_TOMBSTONE, EXECUTION, REBUILD_ANY, REBUILD_MUTATION, RESPONSE

# Without R1 and R2: the model may do anything at all.
UNCONSTRAINED = tuple(action.name for action in RESPONSE if action is not REBUILD_MUTATION)
# R1: a reading tool's ghost is asked for. R2: a tombstone is obeyed.
OBEDIENT = tuple(
    action.name for action in RESPONSE if action is not REBUILD_ANY and action is not CALL_DESPITE_TOMBSTONE
)


@dataclass(frozen=True, slots=True)
class Scenario:
    """Admitted environment and response actions by name, and how budgets and tools may be chosen.

    `constant_budgets`: one value for all turns instead of a new one each turn.
    `starts_within_budget`: the first prompt fits each budget that a pass's condition reads (`budget.FITS`) before
    anything is pruned, whatever that condition asks. A budget that only visits read is a limit of their own making.
    `late`: what may happen to each tool between arbitration and the request, by name, in every turn; nothing if empty.
    `fixed`: fixed fields that are not free (for example `{"pinned": False}`).
    """

    name: str
    environment: tuple[str, ...] = EVERYTHING
    responses: tuple[str, ...] = UNCONSTRAINED
    constant_budgets: bool = False
    starts_within_budget: bool = False
    late: tuple[str, ...] = ()
    fixed: Mapping[str, bool | int] = field(default_factory=dict)

    @property
    def environment_actions(self) -> tuple[Action, ...]:
        """The admitted environment actions, in the order of the table."""
        return tuple(ENVIRONMENT_BY_NAME[name] for name in ENVIRONMENT_BY_NAME if name in self.environment)

    @property
    def late_actions(self) -> tuple[Action, ...]:
        """The admitted late actions, in the order of the table; none where nothing comes late."""
        return tuple(LATE_BY_NAME[name] for name in LATE_BY_NAME if name in self.late)

    @property
    def response_actions(self) -> tuple[Action, ...]:
        """The admitted response actions, in the order of the table."""
        return tuple(action for action in RESPONSE if action.name in self.responses)

    @property
    def execution_actions(self) -> tuple[Action, ...]:
        """Every execution action; nothing restricts the executor."""
        return EXECUTION


ANYTHING = Scenario("every action, budgets free each turn")
LATE_EVENTS = Scenario(
    "every action, late ones too, budgets free each turn", late=tuple(action.name for action in LATE)
)
HISTORY_EVENTS = Scenario(
    "every action, those inside the history too, budgets free each turn",
    environment=(*EVERYTHING, *(action.name for action in HISTORY)),
)
ORDINARY_SESSION = Scenario(
    "ordinary environment, constant budgets, starts within budget",
    environment=ORDINARY,
    responses=tuple(name for name in UNCONSTRAINED if name != "call blind"),
    constant_budgets=True,
    starts_within_budget=True,
)

# By the words that the command line and certificates have for them.
SCENARIOS = {"everything": ANYTHING, "ordinary": ORDINARY_SESSION, "history": HISTORY_EVENTS}
