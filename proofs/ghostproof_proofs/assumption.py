"""Proofs about one tool that assume of the other tools what is being proved of this one.

All tools are alike, and an invariant of one is an invariant of each. So what a visit can do to a shared budget
condition need be known only for states that satisfy the invariant. The argument is an induction over the visits of a
session: as long as every tool satisfies the invariant, every visit does only what was assumed, and so each tool
satisfies it on.
"""

from __future__ import annotations

from dataclasses import replace

from ghostproof.engines.induction import NAME, prove_system
from ghostproof.engines.problem import Bounds, Certificate
from ghostproof.lift.plain import LiftedPass, LiftedPruner, lift_pruner
from ghostproof.lift.pressure import raised
from ghostproof.lift.single import Conditions, pass_location, single_tool
from ghostproof.lift.system import Command, System
from ghostproof.lift.term import TRUE, Term, disjunction
from ghostproof.turn.property import NO_GHOST, Property
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.scenario import Scenario
from ghostproof.turn.verdict import Undetermined, Verdict
from ghostproof_proofs.discharge import confirmed, unwitnessed

WRONG = "a ghost was sent, or an assumption failed"


def proved_by_assumption(
    pruner: Pruner, scenario: Scenario, judged: Property = NO_GHOST, absent: frozenset[str] = frozenset()
) -> Verdict:
    """Proved for every number of tools if no pass between two tests of a budget condition can make it fail.

    That is assumed of a pass without a condition where it visits other tools. That it holds of this tool is part of
    what is proved, so the certificate covers both. Witnesses are asked for as of any question, but for `absent`.
    """
    lifted, bounds = lift_pruner(pruner), Bounds()
    found = prove_system(assuming(lifted, single_tool(lifted, scenario, judged)), bounds)
    if not isinstance(found, Certificate):
        return Undetermined("no invariant proves it, whatever is assumed of other tools", NAME)
    return unwitnessed(pruner, scenario, judged, absent, bounds) or confirmed(found, bounds)


def assuming(lifted: LiftedPruner, system: System) -> System:
    """`system`, where a pass between tests leaves true what is true; a visit to this tool that breaks it is wrong."""
    held = {holds.arguments[0]: holds for holds in _conditions(lifted).values()}
    assumed = {f"{item.name} visits" for _, item in _between(lifted)}

    def kept(command: Command) -> Command:
        if command.name not in assumed:
            return command
        updates = {n: disjunction(held[n], value) if n in held else value for n, value in command.updates.items()}
        return replace(command, updates=updates)

    commands = [kept(command) for command in system.commands]
    commands.append(Command("ghost", system.judged, WRONG, system.bad, {}))
    for index, item in _between(lifted):
        fails = disjunction(*(raised(condition, item.visit) for condition in _conditions(lifted)))
        commands.append(Command(f"{item.name} raises", pass_location(index, item.name), WRONG, fails, {}))
    return replace(system, commands=tuple(commands), judged=WRONG, bad=TRUE)


def _between(lifted: LiftedPruner) -> list[tuple[int, LiftedPass]]:
    """The passes without a condition that stand between passes with one."""
    tested = [index for index, item in enumerate(lifted.passes) if item.condition is not None]
    inside = range(tested[0], tested[-1]) if tested else range(0)
    return [(index, lifted.passes[index]) for index in inside if lifted.passes[index].condition is None]


def _conditions(lifted: LiftedPruner) -> dict[Term, Term]:
    """The conditions whose truth one pass hands to another, with their variables."""
    conditions = Conditions(lifted)
    tested = {item.condition: conditions.holds(item.condition) for item in lifted.passes if item.condition is not None}
    return {condition: holds for condition, holds in tested.items() if holds is not None}
