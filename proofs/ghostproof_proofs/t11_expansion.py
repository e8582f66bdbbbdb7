"""T11: a request for a schema is honoured at once, the exceptions are recorded, and nothing goes round for ever."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ghostproof.turn.claim import Claim, Expected, Obligation, Question
from ghostproof.turn.property import Property
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.scenario import ANYTHING, Scenario
from ghostproof.turn.tool import Tool
from ghostproof.turn.verdict import HoldsTo, Refuted, Verdict
from ghostproof.variants.arbitration import argument_first
from ghostproof_proofs.absences import NO_GHOST_TO_ANSWER
from ghostproof_proofs.groups import PRICE
from ghostproof_proofs.t2_parts import NOT_WITHIN
from ghostproof_proofs.t11_parts import (
    ALWAYS_FITS,
    HONOURED,
    NEVER_VANISHED,
    RECORDED,
    USES,
    VANISHING,
    answering,
    asked_for,
    deaf,
    ended,
    ended_or_used,
    ended_used_or_gone,
    forgetful,
    grudging,
    hasty,
    hasty_steady,
    steady,
)

Told = Callable[[Tool], bool]


def _searched(pruner: Pruner, scenario: Scenario, never: Told, tools: int) -> Verdict:
    # Here and below, so that looking at the claims loads no solver.
    from ghostproof.engines.fair import Endless
    from ghostproof_proofs.t11_arguments import searched

    return searched(pruner, scenario, Endless(asked_for, never, USES), tools)


def _excluded(never: Told) -> Verdict:
    from ghostproof.engines.fair import Endless
    from ghostproof_proofs.t11_arguments import excluded

    return excluded(Endless(asked_for, never, USES))


def _only_singly() -> Verdict:
    from ghostproof_proofs.t11_arguments import only_singly

    return only_singly()


def _reached(label: str, sentence: str, judged: Property) -> Question:
    return Question(label, sentence, answering, ANYTHING, Expected(Refuted, 2, 1), judged, broken=True)


def _breaks(label: str, sentence: str, pruner: Pruner) -> Question:
    return Question(label, sentence, pruner, ANYTHING, Expected(Refuted, 2, 1), HONOURED, broken=True)


def _endless(
    label: str, sentence: str, expected: Expected, never: Told, pruner: Pruner = steady, gone: bool = False
) -> Obligation:
    """A search among two tools; where tools may be `gone`, one tool is what a small grid can hold."""
    scenario, tools = (VANISHING, 1) if gone else (NOT_WITHIN, 2)
    return Obligation(label, sentence, partial(_searched, pruner, scenario, never, tools), expected)


T11 = Claim(
    name="T11",
    title="a request for a schema is honoured at once, and nothing is expanded and pruned for ever",
    statement=(
        "For any number of tools and under every action: a tool whose schema the model has asked for has it in the next"
        " request of argument-first, and is not pruned in that turn, unless the executor no longer has the tool, or the"
        " irreducible prompt exceeds the budget. Both are recorded: that it has vanished, exactly where a request is"
        " left without its schema; and BudgetExceeded, when the prompt is not sent. What gives way is what T10 says:"
        " arguments first, then schemas nobody asked for, then BudgetExceeded. Two requests in one turn may fit only"
        " singly: then BudgetExceeded is said, and neither is preferred. The request is to be cleared after the prompt:"
        " cleared at expansion, it no longer protects. Liveness, apart from this. USE is the fairness of a model that"
        " calls, at some time, a tool that it is shown again and again because it asked for it; PRESENCE that a tool"
        " which is asked for again and again is not gone for ever; BudgetExceeded ends a session. With both, no session"
        " of any number of tools asks for a tool again and again and stops using it: each such request is honoured, so"
        " that USE speaks of it. Without USE two tools that fit only singly are asked for, expanded and pruned in turn"
        " for ever. Without PRESENCE a tool that is gone is asked for for ever. A pruner that prunes what was just"
        " expanded goes round although the model is fair. Each is a lasso found in the graph of a small grid and"
        " played, its cycle twice. A session in which every expansion is used may go on for ever, and may prune and"
        " expand in each round: that is work, and not excluded."
    ),
    reason=(
        "Requests are honoured before anything is pruned, and pruning asks the same flag, which stands until the prompt"
        " is sent. So a model that asks sees what it asked for before the next turn can take it."
    ),
    seed=(
        "the duplicate-incident workaround disappeared because the model, reading the tombstone, requested re-expansion"
        " instead of reconstructing"
    ),
    group=PRICE,
    imprecise=(
        "A request cannot always be honoured: the tool may have vanished, or what is pinned and asked for may not"
        " fit. Both must be recorded, else the model waits for what never comes."
    ),
    questions=(
        Question(
            "honoured",
            "what was asked for and is registered is in the next request",
            argument_first,
            ANYTHING,
            judged=HONOURED,
            absent=NO_GHOST_TO_ANSWER,
        ),
        Question(
            "recorded",
            "a request without its schema is recorded as for a tool that vanished, and no other",
            answering,
            ANYTHING,
            judged=RECORDED,
            absent=NO_GHOST_TO_ANSWER,
        ),
        _reached("vanished", "no request is left unanswered: one is, the tool has vanished", NEVER_VANISHED),
        _reached("exceeded", "a request never leads to BudgetExceeded: it does, and this is how", ALWAYS_FITS),
        Obligation(
            "only singly",
            "two requests that fit singly fit together: they do not",
            _only_singly,
            Expected(Refuted, 2, 2),
        ),
        _breaks("just expanded", "a pruning that takes what was just expanded", hasty),
        _breaks("cleared at expansion", "a request that is cleared when the schema is shown", forgetful),
        _breaks("no room made", "an expansion only where there is room already", grudging),
        _breaks("never expanded", "no expansion at all", deaf),
        Obligation(
            "liveness",
            "with USE and PRESENCE nothing is asked for again and again and no longer used",
            partial(_excluded, ended_used_or_gone),
        ),
        _endless(
            "liveness, searched", "with USE, in ordinary sessions, no lasso", Expected(HoldsTo, tools=2), ended_or_used
        ),
        _endless(
            "liveness, searched with vanishing",
            "with USE and PRESENCE, where a tool may vanish and return, no lasso",
            Expected(HoldsTo, tools=1),
            ended_used_or_gone,
            gone=True,
        ),
        _endless("without USE", "a lasso: asked for, expanded, pruned, for ever", Expected(Refuted, 6, 2), ended),
        _endless(
            "without PRESENCE",
            "a lasso: what is gone is asked for",
            Expected(Refuted, 4, 1),
            ended_or_used,
            gone=True,
        ),
        _endless(
            "just expanded, for ever",
            "a lasso with a fair model: what was just expanded is pruned",
            Expected(Refuted, 4, 1),
            ended_or_used,
            hasty_steady,
        ),
    ),
)
