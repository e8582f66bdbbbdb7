"""T4: any pruner whatever, followed by the gate as last pass, never sends a ghost."""

from __future__ import annotations

from functools import partial

from ghostproof.turn.claim import Claim, Expected, Obligation, Question
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.scenario import ANYTHING
from ghostproof.turn.verdict import Refuted, Verdict
from ghostproof.variants.arbitration import gate
from ghostproof.variants.gates import evict_gate, evict_or_tombstone_gate
from ghostproof_proofs.broken.gates import gate_for_unpinned
from ghostproof_proofs.broken.hostile import hostile
from ghostproof_proofs.groups import RULE

GATES = {"tombstone": gate, "evict": evict_gate, "evict or tombstone": evict_or_tombstone_gate}

# A tombstone does not outlive a gate that evicts, so there is none to obey or to ignore.
ABSENT = {"evict": frozenset({"response: request schema", "response: call despite the tombstone"})}


def _shield(name: str) -> Obligation:
    def discharge() -> Verdict:
        from ghostproof_proofs.shield import shielded

        return shielded(Pass(GATES[name]))

    return Obligation(
        f"{name} gate",
        f"from any state of a tool whatever, one visit of the {name} gate leaves no ghost",
        discharge,
    )


def _over_all_tools(last: Pass) -> Verdict:
    from ghostproof_proofs.quantified import never_ghosts_behind

    return never_ghosts_behind(last)


def _all_tools(name: str) -> Obligation:
    return Obligation(
        f"{name} gate, all tools",
        f"over a set of tools of any size, in any states: once the {name} gate has visited all, there is no ghost",
        partial(_over_all_tools, Pass(GATES[name])),
    )


def _hostile(name: str) -> Question:
    return Question(
        f"hostile, {name}",
        f"a pruner that does whatever a pass can do, as it pleases, then the {name} gate: no ghost",
        Pruner(*hostile, Pass(GATES[name]), name=f"hostile pruner, then the {name} gate"),
        ANYTHING,
        absent=ABSENT.get(name, frozenset()),
    )


T4 = Claim(
    name="T4",
    title="behind the gate as last pass every pruner is safe",
    statement=(
        "Whatever a pruner does, be it hostile: when a gate visits every tool in every turn as the last pass, without"
        " a condition, no request is sent with a ghost. It holds for a gate that tombstones, for one that evicts, and"
        " for one that chooses between the two by the tool's effect. The state before the gate is arbitrary, so the"
        " property holds of every state that a visit can leave, reachable or not: it is trivial over these"
        " post-images, and not over raw states, where ghosts exist and the gate acts on them. That a visit to one tool"
        " leaves the others as they are, so that the last visit to each is what its request shows, is T15; the"
        " quantified form does without: tools are an uninterpreted sort there, and the pass visits one after another."
        " It promises safety, not fit: the gate may exceed the budget by the tombstones it writes."
    ),
    reason="Each tool is visited after everything else, and the visit decides by the schema residency of that moment.",
    seed=(
        "If argument_residency(tool) == True and schema_residency(tool) == False, the pruner must either (a) evict the"
        " prior arguments along with the schema, or (b) insert a tombstone into the context"
    ),
    group=RULE,
    imprecise=(
        "Evicted along with the schema must mean at once: an eviction that is only planned is no gate (T2 b). And the"
        " pruner must see to each tool, not only to those that it prunes."
    ),
    questions=(
        *(_shield(name) for name in GATES),
        *(_all_tools(name) for name in GATES),
        *(_hostile(name) for name in GATES),
        Obligation(
            "pinned tools spared, all tools",
            "a gate that spares pinned tools: over a set of tools, the visit to one leaves a ghost",
            partial(_over_all_tools, Pass(gate_for_unpinned)),
            Expected(Refuted, steps=1),
        ),
        Question(
            "hostile, no gate",
            "the hostile pruner without a gate sends a ghost",
            Pruner(*hostile, name="hostile pruner without a gate"),
            ANYTHING,
            Expected(Refuted, 1, 1),
            broken=True,
        ),
        Question(
            "gate not last",
            "the gate between two hostile passes: what comes after it undoes it",
            Pruner(hostile[0], Pass(gate), hostile[1], name="hostile pruner around a gate"),
            ANYTHING,
            Expected(Refuted, 1, 1),
            broken=True,
        ),
    ),
)
