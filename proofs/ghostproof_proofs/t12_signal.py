"""T12: the signal of a requested re-expansion is logged exactly as often as an observer counts it."""

from __future__ import annotations

from functools import partial

from ghostproof.turn.claim import PROVED, Claim, Expected, Obligation
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.scenario import ANYTHING
from ghostproof.turn.verdict import HoldsTo, Refuted, Verdict
from ghostproof_proofs.broken.signals import BROKEN
from ghostproof_proofs.groups import PRICE
from ghostproof_proofs.signals import logged

TURNS, TOOLS = 4, 2


def _exactly() -> Verdict:
    # Here, so that looking at the claims loads no solver.
    from ghostproof_proofs.t12_arguments import logged_exactly

    return logged_exactly(logged, ANYTHING)


def _miscounted(pruner: Pruner) -> Verdict:
    from ghostproof.engines.problem import Bounds
    from ghostproof_proofs.sessions import observed
    from ghostproof_proofs.t12_arguments import miscounted

    return observed(pruner, ANYTHING, miscounted(), Bounds(turns=TURNS, tools=TOOLS))


def _differs(name: str, sentence: str, requests: int) -> Obligation:
    return Obligation(
        name,
        f"{sentence}: it differs from the observer",
        partial(_miscounted, BROKEN[name]),
        Expected(Refuted, requests, 1),
    )


T12 = Claim(
    name="T12",
    title="a requested re-expansion is logged exactly as often as it is seen",
    statement=(
        "A runtime notes of every request that it sends, after all passes, whether the tool has a tombstone there and"
        " no schema resident. At the start of the next turn, before anything is expanded, it logs the signal for a tool"
        " that the response asked for and of which that was noted. An observer reads only what was sent and what the"
        " response says, and counts a request for a schema made in view of a tombstone. When a request is sent, log and"
        " observer have counted the same, tool by tool and therefore in total, for any number of tools and turns, any"
        " budgets and sizes, and under every action, with neither R1 nor R2. The signal is about the prompt as sent:"
        " until the next turn the tombstone may be lost, or the tool shown again, so that a log that judges by what is"
        " there now misses requests, before the expansion sometimes and after it always. Wrong are also a log that"
        " counts at the request and at the expansion, one that counts expansions (a tool that has vanished is asked for"
        " and not shown), one that counts every request, and one that counts calls of tools in view."
    ),
    reason=(
        "A request stays pending for exactly one turn, and the note of the prompt is not changed before it is read:"
        " between the two counts lies at most the one request that is pending."
    ),
    seed=(
        'because the tombstone is an explicit context object, the runtime can log "model requested re-expansion of'
        ' tombstoned tool" as a first-class signal'
    ),
    group=PRICE,
    imprecise=(
        "It does not say when to look. Only the prompt as it was sent, read before anything is expanded, gives the"
        " right number."
    ),
    questions=(
        Obligation("exactly", "log and observer have counted the same at every request", _exactly, PROVED),
        Obligation(
            "several tools",
            "the same, looked for in whole sessions of up to two tools by the observer alone",
            partial(_miscounted, logged),
            Expected(HoldsTo, TURNS, TOOLS),
        ),
        _differs("logged twice", "a log at the request and at the expansion", 3),
        _differs("logged late", "a log that looks for the tombstone after the expansion", 3),
        _differs("present tombstone", "a log that judges by the tombstone of this turn, not by the one sent", 3),
        _differs("expansions", "a log of requested schemas that are shown", 3),
        _differs("any request", "a log of every request, tombstone or not", 2),
        _differs("visible tools", "a log that also counts calls of tools whose schema is in view", 2),
    ),
)
