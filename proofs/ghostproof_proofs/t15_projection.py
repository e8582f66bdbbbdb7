"""T15: what the one-tool system says of a tool holds of each tool among any number."""

from __future__ import annotations

from functools import partial

from ghostproof.turn.claim import Claim, Expected, Obligation
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.scenario import ANYTHING, ORDINARY_SESSION
from ghostproof.turn.verdict import Undetermined
from ghostproof.variants.arbitration import argument_first, schema_first
from ghostproof_proofs.broken.projections import between, never_freed, never_raised, without
from ghostproof_proofs.projected import Change, steps_projected, turns_projected, unrolling_agrees
from ghostproof_proofs.t2_parts import alone

SCENARIOS = (ANYTHING, ORDINARY_SESSION)
PRUNERS: dict[str, Pruner] = {
    "argument-first": argument_first,
    "schema-first": schema_first,
    "argument-first, no gate": alone.argument_first,
    "schema-first, no gate": alone.schema_first,
}
# The passes are the same in every scenario, so one will do for whole turns.
COUNTS = (1, 2, 3, 4)


def _steps(name: str) -> Obligation:
    return Obligation(
        f"{name}, steps",
        f"{name}: each step of a turn, with any number of tools, is a step of the one-tool system",
        partial(steps_projected, PRUNERS[name], SCENARIOS),
    )


def _turns(name: str) -> Obligation:
    return Obligation(
        f"{name}, whole turns",
        f"{name}: whole turns of one to four tools with exact sums are runs of the one-tool system",
        partial(turns_projected, PRUNERS[name], (ANYTHING,), COUNTS),
    )


def _unrolled(name: str) -> Obligation:
    return Obligation(
        f"{name}, unrolled",
        f"{name}: the unrolled sessions of one and two tools send the first request that the turn's definition sends",
        partial(unrolling_agrees, PRUNERS[name], SCENARIOS, (1, 2)),
    )


def _lacks(label: str, what: str, pruner: Pruner, change: Change) -> Obligation:
    return Obligation(
        f"broken: {label}", what, partial(steps_projected, pruner, (ANYTHING,), change), Expected(Undetermined)
    )


T15 = Claim(
    name="T15",
    title="one tool stands for each of any number",
    statement=(
        "With exact sums, each step of a turn of any number of tools is, for each of its tools, a step of the one-tool"
        " system for some value of the free inputs, namely the exact numbers and the exact truth of the conditions. A"
        " visit to a tool is a visit there, and leaves the others as they are; a visit to another tool changes at most"
        " which conditions hold, and only as the system lets them change; a pass that ends, because its condition"
        " holds or because a round changed nothing, ends there for every tool; the actions of environment, model and"
        " executor are actions there. By induction over steps each tool's part of a session is a run of the one-tool"
        " system, so a system that is safe is safe for every number of tools. Whole turns of one to four tools, from"
        " any state with at most two resident calls a tool and as far as passes end within three rounds, are the check"
        " on that; three and four tools are visited in declared order and for two rounds. The unrolled sessions,"
        " from which counterexamples come, send the first request of the turn as defined. It is shown for these"
        " pruners; another has obligations of its own."
    ),
    reason=(
        "A pass sees the other tools only through sums and its order. The system leaves the sums free at each visit,"
        " any order open, and a condition that several passes test free after each change that can move it."
    ),
    seed="The operational rule is a two-part gate evaluated per tool per turn",
    questions=(
        *(_steps(name) for name in PRUNERS),
        *(_unrolled(name) for name in PRUNERS),
        _lacks(
            "no end of a round",
            "a system in which no pass ends because a round changed nothing",
            argument_first,
            partial(without, "ends: a round changed nothing"),
        ),
        _lacks(
            "no end that fits",
            "a system in which no pass ends because its condition holds",
            argument_first,
            partial(without, "ends: fits"),
        ),
        _lacks("nothing is freed", "a system in which no visit moves a shared condition", argument_first, never_freed),
        _lacks(
            "nothing is raised",
            "a system in which a condition that holds outlasts every visit",
            argument_first,
            never_raised,
        ),
        _lacks(
            "alone in a pass",
            "a system in which the condition moves only with visits to this tool",
            argument_first,
            partial(without, "visits another tool"),
        ),
        _lacks(
            "alone between",
            "the same, where it is a pass between two others that moves the condition they share",
            between,
            partial(without, "swap_for_schema visits another tool"),
        ),
        Obligation(
            "broken: no end of a round, whole turns",
            "whole turns miss it too when no pass ends because a round changed nothing",
            partial(turns_projected, argument_first, (ANYTHING,), (1,), partial(without, "a round changed nothing")),
            Expected(Undetermined),
        ),
        *(_turns(name) for name in PRUNERS),
    ),
)
