"""That actions are taken, as a statement of its own: a played session for each of them."""

from __future__ import annotations

from ghostproof.certify.vacuity import action_taken
from ghostproof.engines.problem import Bounds
from ghostproof.host.host import LocalHost
from ghostproof.host.problem import PrunerProblem
from ghostproof.turn.explore import Grid
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.scenario import Scenario
from ghostproof.turn.verdict import Checked, Proved, Verdict
from ghostproof.witnessing import missing_witnesses

NAME = "witnesses"


def every_action_taken(pruner: Pruner, scenario: Scenario, names: frozenset[str]) -> Verdict:
    """Whether each of these environment actions is taken in a played session of `pruner`."""
    bounds = Bounds()
    problem = PrunerProblem(LocalHost(pruner), scenario, NO_GHOST, Grid(), bounds.limits)
    wanted = [action_taken("environment", name) for name in sorted(names)]
    missing = missing_witnesses(problem, wanted, NAME, bounds, whole=True)
    return missing or Proved(NAME, checked=(Checked("replay", "actions taken in played sessions", len(wanted)),))
