"""T15: what the one-tool system says of a tool holds of each tool among any number."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal

from ghostproof.lift.system import System
from ghostproof.turn.claim import Claim, Expected, Obligation
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.scenario import ANYTHING, ORDINARY_SESSION, Scenario
from ghostproof.turn.verdict import HoldsTo, Proved, Verdict
from ghostproof.variants.arbitration import argument_first, schema_first
from ghostproof_proofs.broken.projections import between, never_freed, never_raised, without
from ghostproof_proofs.groups import RULE
from ghostproof_proofs.t2_parts import alone

Change = Callable[[System], System]
Kind = Literal["steps", "turns", "unrolled"]
SCENARIOS = (ANYTHING, ORDINARY_SESSION)
PRUNERS: dict[str, Pruner] = {
    "argument-first": argument_first,
    "schema-first": schema_first,
    "argument-first, no gate": alone.argument_first,
    "schema-first, no gate": alone.schema_first,
}
# The passes are the same in every scenario, so one will do for whole turns.
COUNTS = (1, 2, 3, 4)
UNROLLED = (1, 2)


def _projected(pruner: Pruner, scenarios: tuple[Scenario, ...], kind: Kind, counts: tuple[int, ...] = ()) -> Verdict:
    # Here, so that looking at the claims loads no solver.
    from ghostproof_proofs.projected import steps_projected, turns_projected, unrolling_agrees

    match kind:
        case "steps":
            return steps_projected(pruner, scenarios)
        case "turns":
            return turns_projected(pruner, scenarios, counts)
        case "unrolled":
            return unrolling_agrees(pruner, scenarios, counts)


def _missed(pruner: Pruner, change: Change, names: tuple[str, ...], counts: tuple[int, ...] = ()) -> Verdict:
    from ghostproof_proofs.projected import missed

    return missed(pruner, ANYTHING, change, names, counts)


def _up_to(counts: tuple[int, ...]) -> Expected:
    """Checks on the definition and on each other: about one turn of so many tools, and nothing beyond."""
    return Expected(HoldsTo, 1, max(counts))


def _steps(name: str) -> Obligation:
    return Obligation(
        f"{name}, steps",
        f"{name}: each step of a turn, with any number of tools, is a step of the one-tool system",
        partial(_projected, PRUNERS[name], SCENARIOS, "steps"),
    )


def _turns(name: str) -> Obligation:
    return Obligation(
        f"{name}, whole turns",
        f"{name}: whole turns of one to four tools with exact sums are runs of the one-tool system",
        partial(_projected, PRUNERS[name], (ANYTHING,), "turns", COUNTS),
        _up_to(COUNTS),
    )


def _unrolled(name: str) -> Obligation:
    return Obligation(
        f"{name}, unrolled",
        f"{name}: the unrolled sessions of one and two tools send the first request that the turn's definition sends",
        partial(_projected, PRUNERS[name], SCENARIOS, "unrolled", UNROLLED),
        _up_to(UNROLLED),
    )


def _lacks(label: str, what: str, change: Change, *names: str, pruner: Pruner = argument_first) -> Obligation:
    return Obligation(
        f"wrong system: {label}", f"{what}: it lacks a step that turns take", partial(_missed, pruner, change, names)
    )


def _turns_miss() -> Verdict:
    names = tuple(f"a whole turn of {count} {'tool' if count == 1 else 'tools'}" for count in (1, 2))
    first = _missed(argument_first, partial(without, "ends: a round changed nothing"), names, (1, 2))
    return _missed(argument_first, never_freed, names, (1, 2)) if isinstance(first, Proved) else first


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
        " pruners; another has obligations of its own, and those of a pass whose condition no other shares, between two"
        " that share one, are where a system without visits to other tools fails."
    ),
    reason=(
        "A pass sees the other tools only through sums and its order. The system leaves the sums free at each visit,"
        " any order open, and a condition that several passes test free after each change that can move it."
    ),
    seed="The operational rule is a two-part gate evaluated per tool per turn",
    group=RULE,
    imprecise=(
        "Why a rule for one tool should suffice for a prompt with many is not argued there. It holds because tools"
        " meet only in sums and in the visiting order."
    ),
    questions=(
        *(_steps(name) for name in PRUNERS),
        *(_unrolled(name) for name in PRUNERS),
        _lacks(
            "no end of a round",
            "a system in which no pass ends because a round changed nothing",
            partial(without, "ends: a round changed nothing"),
            "trim_history: the pass ends, a round changed nothing",
            "prune_schema: the pass ends, a round changed nothing",
        ),
        _lacks(
            "no end that fits",
            "a system in which no pass ends because its condition holds",
            partial(without, "ends: fits"),
            "trim_history: the pass ends, its condition holds",
            "prune_schema: the pass ends, its condition holds",
        ),
        _lacks(
            "nothing is freed",
            "a system in which no visit moves a shared condition",
            never_freed,
            "expand: a visit to another tool moves conditions as the pass may",
            "expand: the visit to this tool, others before and after it",
            "trim_history: a visit to this tool",
            "trim_history: a visit to another tool",
            "prune_schema: a visit to this tool",
            "prune_schema: a visit to another tool",
            "gate: a visit to another tool moves conditions as the pass may",
            "gate: the visit to this tool, others before and after it",
        ),
        _lacks(
            "nothing is raised",
            "a system in which a condition that holds outlasts every visit",
            never_raised,
            "expand: a visit to another tool moves conditions as the pass may",
            "expand: the visit to this tool, others before and after it",
        ),
        _lacks(
            "alone in a pass",
            "a system in which a condition moves only with visits to this tool",
            partial(without, "visits another tool"),
            "trim_history: a visit to another tool",
            "prune_schema: a visit to another tool",
        ),
        _lacks(
            "alone between",
            "the same, where a pass between two others moves the condition that they share",
            partial(without, "swap_for_schema visits another tool"),
            "swap_for_schema: a visit to another tool",
            pruner=between,
        ),
        Obligation(
            "wrong system: whole turns",
            "whole turns miss it too when no pass ends because a round changed nothing, or no visit frees a condition",
            _turns_miss,
        ),
        *(_turns(name) for name in PRUNERS),
    ),
)
