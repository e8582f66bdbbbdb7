"""Which fields of a tool the property can depend on, so that bounded sessions carry no others."""

from __future__ import annotations

from ghostproof.lift.plain import (
    OTHERS,
    LiftedPruner,
    judgement,
    lift_action,
    lift_costs,
    lift_open_response,
    lift_settle,
)
from ghostproof.lift.term import variables_of
from ghostproof.turn.property import Property
from ghostproof.turn.scenario import Scenario


def fields_that_matter(pruner: LiftedPruner, scenario: Scenario, judged: Property) -> frozenset[str]:
    """The fields that the property can depend on, through updates, guards, orders and budget conditions."""
    costs = lift_costs()
    kept = set(variables_of(judgement(judged)))
    for item in pruner.passes:
        kept |= set(variables_of(item.order))
        if item.condition is not None:
            kept |= set(variables_of(item.visit.changed))
    for total in pruner.reads_in(scenario):
        if total == "argument_tokens":
            kept |= {"calls_resident", "argument_tokens"}
        elif total in costs:
            kept |= set(variables_of(costs[total]))
    actions = [lift_action(a) for a in (*scenario.environment_actions, *scenario.late_actions)]
    actions += [lift_action(a) for a in (*scenario.response_actions, *scenario.execution_actions)]
    sets = [item.visit.updates for item in pruner.passes] + [lift_settle(), lift_open_response()]
    while True:
        needed = set(kept)
        for updates in sets:
            needed.update(*(variables_of(value) for name, value in updates.items() if name in kept))
        for action in actions:
            touched = kept & set(action.updates)
            if touched:
                needed |= set(variables_of(action.guard))
                needed.update(*(variables_of(action.updates[name]) for name in touched))
        if OTHERS + "rejected" in needed:
            needed.add("rejected")
        if OTHERS + "rebuilt" in needed:
            needed |= {"rejected", "rebuilt"}
        if needed == kept:
            return frozenset(name for name in kept if name in pruner.sorts)
        kept = needed
