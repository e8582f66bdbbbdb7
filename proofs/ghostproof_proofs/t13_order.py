"""T13: a pruner that goes by frequency makes its first ghosts of the tools that are called least."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from ghostproof.turn.claim import Claim, Expected, Obligation
from ghostproof.turn.pruner import Pruner, largest_schema_first, least_recently_called
from ghostproof.turn.scenario import ORDINARY_SESSION, Scenario
from ghostproof.turn.verdict import HoldsTo, ProvedUpTo, Refuted, Verdict
from ghostproof_proofs.absences import NO_TOMBSTONES
from ghostproof_proofs.frequency import demoting, ungated
from ghostproof_proofs.groups import FREEDOM
from ghostproof_proofs.t2_parts import ANY_BUDGETS, BLIND, ordinary_and

APPEARING = replace(
    ANY_BUDGETS,
    name=f"{ANY_BUDGETS.name}, arguments that appear",
    environment=(*ANY_BUDGETS.environment, "arguments appear"),
)
BY_RECENCY = demoting(least_recently_called, "least recently called first, no gate")
BY_SIZE = demoting(largest_schema_first, "largest schema first, no gate")


def _in_order() -> Verdict:
    # Here, so that looking at the claims loads no solver.
    from ghostproof_proofs.t13_arguments import in_order

    return in_order(ungated, ANY_BUDGETS, NO_TOMBSTONES)


def _out_of_order(pruner: Pruner, scenario: Scenario, turns: int, tools: int, pins: bool = True) -> Verdict:
    from ghostproof.engines.problem import Bounds
    from ghostproof_proofs.sessions import observed
    from ghostproof_proofs.t13_arguments import out_of_order

    return observed(pruner, scenario, out_of_order(pins), Bounds(turns=turns, tools=tools))


def _breaks(
    label: str,
    sentence: str,
    requests: int,
    pruner: Pruner = ungated,
    scenario: Scenario = ORDINARY_SESSION,
    pins: bool = True,
) -> Obligation:
    return Obligation(
        label, sentence, partial(_out_of_order, pruner, scenario, 4, 2, pins), Expected(Refuted, requests, 2)
    )


T13 = Claim(
    name="T13",
    title="a pruner by frequency makes its first ghosts of the tools that are called least",
    statement=(
        "A pruner hides schemas of the least called tools first until the prompt fits; there is no gate. In a session"
        " without disruption and without blind calls, take the first request with a ghost. There every tool that comes"
        " before a ghost by number of calls, ties by index, that has arguments and is not pinned, is a ghost too: the"
        " ghosts are the least called of the tools with arguments. In later requests they need not be, since a rebuilt"
        " call counts as a call. It is proved for two tools with exact sizes, for all turns, with budgets that are new"
        " in each turn and a first prompt that need not fit, by induction; the invariant reads no sum of tokens. A"
        " statement about a pair of tools is beyond the one-tool system, so no more than two tools are claimed; among"
        " three it is looked for in up to four requests. Another visiting order"
        " breaks it: by recency the tool called later survives one that precedes it, and by size frequency does not"
        " count. So do a pinned tool where pins are not excepted, a tool that vanishes, a lossy schema, a blind call,"
        " and arguments that appear."
    ),
    reason=(
        "Up to then every tool with arguments was shown, so a first ghost was hidden in this very turn, while the"
        " prompt did not fit. All that come before it were visited before it, and hidden too; only what was requested"
        " would have been left, and that has no arguments yet."
    ),
    seed=(
        "the failure concentrates on low-frequency, high-consequence tools, which are precisely the ones"
        " frequency-based pruners demote first"
    ),
    group=FREEDOM,
    imprecise=(
        "It is so of the first ghosts, and by calls: that a tool changes state plays no part in it. Later, rebuilt"
        " calls count as calls."
    ),
    questions=(
        Obligation(
            "two tools",
            "of two tools the first ghosts come by number of calls, then index",
            _in_order,
            Expected(ProvedUpTo, tools=2),
        ),
        Obligation(
            "three tools",
            "the same among up to three tools, in whole sessions of up to four requests",
            partial(_out_of_order, ungated, ANY_BUDGETS, 4, 3),
            Expected(HoldsTo, 4, 3),
        ),
        _breaks("by recency", "least recently called first: the first ghost is not the least called", 3, BY_RECENCY),
        _breaks("by size", "largest schema first: the first ghost is not the least called", 2, BY_SIZE),
        _breaks("pins", "pins are not excepted: a pinned tool stays where it comes first", 2, pins=False),
        _breaks("tool vanishes", "a tool vanishes and is a ghost at once", 2, scenario=ordinary_and("tool vanishes")),
        _breaks(
            "lossy schema",
            "a schema is shown lossily: a ghost that no pruning made",
            2,
            scenario=ordinary_and("schema is shown lossily"),
        ),
        _breaks("blind call", "a hidden tool is called blind and is a ghost at once", 3, scenario=BLIND),
        _breaks(
            "arguments appear", "arguments appear of a hidden tool: a ghost that no pruning made", 2, scenario=APPEARING
        ),
    ),
)
