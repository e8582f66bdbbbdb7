"""One tool among any number as constrained Horn clauses, for any solver that reads SMT-LIB's logic HORN."""

from __future__ import annotations

from ghostproof.lift.horn import horn_clauses, smtlib_horn
from ghostproof.lift.plain import LiftedPruner
from ghostproof.lift.single import single_tool
from ghostproof.lift.system import relevant
from ghostproof.turn.property import Property
from ghostproof.turn.scenario import Scenario

HEADER = """\
; One tool among any number of others, as ghostproof's engine induction sees it.
; sat: the property holds for every number of tools, turns, sizes and budgets.
; unsat: this abstraction reaches a violation, which need not be one of a real session (ghostproof check tells).
"""


def chc(pruner: LiftedPruner, scenario: Scenario, judged: Property) -> str:
    """The script. Variables on which the property cannot depend are left out, as the engine leaves them out."""
    return HEADER + smtlib_horn(horn_clauses(relevant(single_tool(pruner, scenario, judged))))
