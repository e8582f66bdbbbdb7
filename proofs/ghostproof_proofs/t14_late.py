"""T14: witnesses take every disruptive action, and what comes after the gate needs the gate at render."""

from __future__ import annotations

from dataclasses import replace

from ghostproof.turn.action import Kind
from ghostproof.turn.claim import Claim, Expected, Obligation, Question
from ghostproof.turn.environment import ENVIRONMENT, IDLE, LATE
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.scenario import ANYTHING, LATE_EVENTS
from ghostproof.turn.verdict import Refuted, Verdict
from ghostproof.variants.arbitration import argument_first, gate
from ghostproof_proofs.broken.gates import PRUNED, forget_notes, gate_for_pruned, prune_and_note
from ghostproof_proofs.broken.hostile import hostile
from ghostproof_proofs.groups import FAILURES

DISRUPTIVE = frozenset(action.name for action in ENVIRONMENT if action.kind is Kind.DISRUPTIVE)
AT_RENDER = Pass(gate, name="gate at render", at_render=True)

shielded = Pruner(*hostile, Pass(gate), name="hostile pruner, then the gate")
rendered = Pruner(*argument_first.passes[:-1], AT_RENDER, name="argument-first, its gate at render")
rendered_again = Pruner(*argument_first.passes, AT_RENDER, name="argument-first, a gate at render too")
shielded_at_render = Pruner(*hostile, AT_RENDER, name="hostile pruner, then the gate at render")
noted = Pruner(
    Pass(forget_notes),
    *argument_first.passes[:2],
    replace(argument_first.passes[2], visit=prune_and_note, name="prune_and_note"),
    Pass(gate_for_pruned, at_render=True),
    memory=PRUNED,
    name="argument-first, a gate at render for tools pruned this turn",
)


def _disrupted(pruner: Pruner) -> Obligation:
    def discharge() -> Verdict:
        from ghostproof_proofs.witnessed import every_action_taken

        return every_action_taken(pruner, ANYTHING, DISRUPTIVE)

    return Obligation(
        f"witnesses, {pruner.name}",
        f"{pruner.name}: played sessions in which each disruptive action is taken",
        discharge,
    )


def _alone(name: str, requests: int) -> Question:
    scenario = replace(ANYTHING, name=f"{ANYTHING.name}; late: {name}", late=(IDLE.name, name))
    return Question(
        f"late: {name}",
        f"of late events only {name!r}: a ghost behind the gate",
        argument_first,
        scenario,
        Expected(Refuted, requests, 1),
        broken=True,
    )


def _at_render(label: str, sentence: str, pruner: Pruner, absent: frozenset[str] = frozenset()) -> Question:
    return Question(label, sentence, pruner, LATE_EVENTS, absent=absent)


T14 = Claim(
    name="T14",
    title="a disruption before the gate is harmless, one after it is not",
    statement=(
        "T1 and T4 are not proved for want of disruption: in played sessions of their pruners every disruptive action"
        " of the environment is taken. But they hold because nothing happens between the last pass and the request."
        " Where something does (a notice that tools changed, a compaction, an inner call), each late event by itself"
        " makes a ghost of one tool behind argument-first with its gate, in one request: its schema is hidden, it"
        " vanishes, it is shown lossily, or arguments appear; and in two, its tombstone is lost. Only a late return is"
        " harmless, since it shows the schema. Behind the shield of T4 late events make a ghost in one request too."
        " With the gate at render, after whatever comes late, both are safe again, whether or not a gate also stood in"
        " arbitration. At render, too, it must look at every tool: one for the tools that were pruned this turn does"
        " not see what came late."
    ),
    reason=(
        "The gate answers for the state it sees. A ghost is judged at the request, so the last look must come after"
        " the last change."
    ),
    seed="The operational rule is a two-part gate evaluated per tool per turn",
    group=FAILURES,
    imprecise=(
        "Per turn is not enough. The last look must come after the last change before the request, whoever makes that"
        " change."
    ),
    questions=(
        _disrupted(argument_first),
        _disrupted(shielded),
        Question(
            "T1 with late events",
            "argument-first with its gate in arbitration, and late events: a ghost",
            argument_first,
            LATE_EVENTS,
            Expected(Refuted, 1, 1),
            broken=True,
        ),
        Question(
            "T4 with late events",
            "a hostile pruner with the gate as last pass of arbitration, and late events: a ghost",
            shielded,
            LATE_EVENTS,
            Expected(Refuted, 1, 1),
            broken=True,
        ),
        *(
            _alone(action.name, 2 if action.name == "tombstone is lost" else 1)
            for action in LATE
            if action.name not in (IDLE.name, "tool returns")
        ),
        Question(
            "late: tool returns",
            "of late events only 'tool returns': no ghost behind the gate",
            argument_first,
            replace(ANYTHING, name=f"{ANYTHING.name}; late: tool returns", late=(IDLE.name, "tool returns")),
        ),
        _at_render("T1, gate at render", "argument-first with its gate at render, and late events: no ghost", rendered),
        _at_render("T1, gate twice", "argument-first with its gate, and another at render: no ghost", rendered_again),
        _at_render(
            "T4, gate at render",
            "a hostile pruner, then the gate at render, and late events: no ghost",
            shielded_at_render,
        ),
        Question(
            "pruned tools only, at render",
            "a gate at render that looks only at tools pruned this turn: a ghost",
            noted,
            LATE_EVENTS,
            Expected(Refuted, 1, 1),
            broken=True,
        ),
    ),
)
