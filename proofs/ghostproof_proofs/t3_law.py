"""The law of T3, as a solver checks it: when a gate is sound whatever came before it in its turn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ghostproof.certify.recheck import with_cvc5
from ghostproof.lift.limits import Limits
from ghostproof.lift.plain import LiftedPruner, judgement, lift_action, lift_open_response, lift_pruner, lift_settle
from ghostproof.lift.smtlib import script
from ghostproof.lift.solver import Unsatisfiable, ask
from ghostproof.lift.term import Term, conjunction, disjunction, negate, substitute, variable
from ghostproof.turn.environment import ENVIRONMENT
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.response import EXECUTION, RESPONSE
from ghostproof.turn.verdict import Checked, Disagreement, Proved, Undetermined, Verdict
from ghostproof_proofs.shield import raw_domain
from ghostproof_proofs.t3_cells import Cell, position_of_gate, pruner_of

TOMBSTONE = variable("tombstone_resident", "Bool")


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the law says of a pruner: `sound`, or nothing. `why` is the first premise that fails.

    `refuted` are the scripts that z3 found impossible on the way, for others to find impossible too.
    """

    sound: bool
    why: str
    refuted: tuple[str, ...] = ()


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
    lifted, bad, refuted = lift_pruner(pruner), judgement(NO_GHOST), []
    arising = script([conjunction(raw_domain(), negate(TOMBSTONE), tombstones_arise(lifted))])
    domain = raw_domain()
    if _impossible(arising):
        domain = conjunction(domain, negate(TOMBSTONE))
        refuted.append(arising)
    leaves = script([conjunction(domain, after(lifted, at, bad))])
    if not _impossible(leaves):
        return Ruling(False, "the gate leaves ghosts")
    refuted.append(leaves)
    for index in range(at + 1, len(lifted.passes)):
        makes = script([conjunction(domain, negate(bad), after(lifted, index, bad))])
        if not _impossible(makes):
            return Ruling(False, f"pass {lifted.passes[index].name} makes a ghost of what is none")
        refuted.append(makes)
    return Ruling(True, "", tuple(refuted))


def after(lifted: LiftedPruner, index: int, term: Term) -> Term:
    """`term` as it stands after a visit of pass number `index`."""
    updates = lifted.passes[index].visit.updates
    return substitute(term, {variable(name, lifted.sorts[name]): value for name, value in updates.items()})


def tombstones_arise(lifted: LiftedPruner) -> Term:
    """That some pass or something else that happens in a turn leaves a tombstone."""
    written = [after(lifted, index, TOMBSTONE) for index in range(len(lifted.passes))]
    happens = [lift_action(action).updates for action in (*ENVIRONMENT, *RESPONSE, *EXECUTION)]
    happens += [lift_settle(), lift_open_response()]
    return disjunction(*written, *(updates.get("tombstone_resident", TOMBSTONE) for updates in happens))


def _impossible(text: str) -> bool:
    return isinstance(ask(text, Limits()), Unsatisfiable)


def compared(in_words: Mapping[Cell, bool], proved: Mapping[Cell, bool]) -> Verdict:
    """Proved if the law, ruled on each cell, is the one in words, and speaks only of cells that are to be proved."""
    spoken: dict[str, str] = {}
    sound = 0
    for cell, said in in_words.items():
        ruling = law(pruner_of(cell))
        if ruling.sound != said:
            return Undetermined(
                f"{cell.label}: the law in words says {said}, a solver {ruling.sound} {ruling.why}", "law"
            )
        if ruling.sound and not proved[cell]:
            return Undetermined(f"{cell.label}: the law says that it is sound, the table that it is not", "law")
        sound += ruling.sound
        if ruling.sound:
            spoken.update({f"{cell.label}, premise {index + 1}": text for index, text in enumerate(ruling.refuted)})
    safe = sum(proved.values())
    count = f"cells on which the law speaks, of {len(in_words)}; {safe} are safe under every action"
    reply = with_cvc5(spoken, Limits())
    if reply.outcome == "refuted":
        return Disagreement(("law", reply.by), tuple(spoken.values()))
    if reply.outcome == "no answer":
        return Undetermined(f"{reply.by} could not re-prove the law: {reply.what}", "law")
    again = Checked(reply.by, "premises of the law re-proved", len(spoken))
    return Proved("law", {}, (Checked("z3", count, sound), again))
