"""The law of T3, as a solver checks it: when a gate is sound whatever came before it in its turn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ghostproof.lift.limits import Limits
from ghostproof.lift.plain import LiftedPruner, judgement, lift_action, lift_pruner
from ghostproof.lift.smtlib import script
from ghostproof.lift.solver import Unsatisfiable, ask
from ghostproof.lift.term import TRUE, Term, conjunction, negate, substitute, variable
from ghostproof.turn.environment import ENVIRONMENT
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.verdict import Checked, Proved, Undetermined, Verdict
from ghostproof_proofs.shield import raw_domain
from ghostproof_proofs.t3_cells import Cell, position_of_gate, pruner_of

TOMBSTONE = variable("tombstone_resident", "Bool")


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the law says of a pruner: `sound`, or nothing. `why` is the first premise that fails."""

    sound: bool
    why: str


def law(pruner: Pruner) -> Ruling:
    """Sound if the gate leaves no ghost, from any state of any tool, and no later pass makes one of what is none.

    Where no pass and no action can write a tombstone, states without one are all there are. The law is sufficient, and
    silent where a premise fails: then what the composite of the later passes does to reachable states decides.
    """
    at = position_of_gate(pruner)
    if at is None:
        return Ruling(False, "there is no gate")
    if pruner.passes[at].until is not None:
        return Ruling(False, "the gate has a condition, so it may skip tools")
    lifted = lift_pruner(pruner)
    domain = raw_domain() if tombstones_arise(lifted) else conjunction(raw_domain(), negate(TOMBSTONE))
    bad = judgement(NO_GHOST)
    if not _impossible(domain, after(lifted, at, bad)):
        return Ruling(False, "the gate leaves ghosts")
    for index in range(at + 1, len(lifted.passes)):
        if not _impossible(domain, negate(bad), after(lifted, index, bad)):
            return Ruling(False, f"pass {lifted.passes[index].name} makes a ghost of what is none")
    return Ruling(True, "")


def after(lifted: LiftedPruner, index: int, term: Term) -> Term:
    """`term` as it stands after a visit of pass number `index`."""
    updates = lifted.passes[index].visit.updates
    return substitute(term, {variable(name, lifted.sorts[name]): value for name, value in updates.items()})


def tombstones_arise(lifted: LiftedPruner) -> bool:
    """Whether some pass or some action of the environment can write a tombstone. None does when this is False."""
    written = [after(lifted, index, TOMBSTONE) for index in range(len(lifted.passes))]
    written += [lift_action(action).updates.get("tombstone_resident", TOMBSTONE) for action in ENVIRONMENT]
    return not all(_impossible(raw_domain(), negate(TOMBSTONE), value) for value in written)


def _impossible(*terms: Term) -> bool:
    together = conjunction(TRUE, *terms)
    return isinstance(ask(script([together]), Limits()), Unsatisfiable)


def compared(in_words: Mapping[Cell, bool], proved: Mapping[Cell, bool]) -> Verdict:
    """Proved if the law, ruled on each cell, is the one in words, and speaks only of cells that are to be proved."""
    spoken = 0
    for cell, said in in_words.items():
        ruling = law(pruner_of(cell))
        if ruling.sound != said:
            return Undetermined(
                f"{cell.label}: the law in words says {said}, a solver {ruling.sound} {ruling.why}", "law"
            )
        if ruling.sound and not proved[cell]:
            return Undetermined(f"{cell.label}: the law says that it is sound, the table that it is not", "law")
        spoken += ruling.sound
    safe = sum(proved.values())
    count = f"of {len(in_words)} cells, {safe} of them safe under every action, those on which the law speaks"
    return Proved("law", {}, (Checked("z3", count, spoken),))
