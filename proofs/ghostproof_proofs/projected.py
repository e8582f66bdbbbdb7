"""Settles the obligations of the projection: z3 on each, its premise included, and cvc5 on each again."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ghostproof.certify.projection import Required, Subject, subject_of
from ghostproof.certify.projection_step import step_obligations
from ghostproof.certify.projection_turn import turn_obligation, unrolling_obligation
from ghostproof.certify.recheck import with_cvc5
from ghostproof.lift.limits import Limits
from ghostproof.lift.smtlib import script
from ghostproof.lift.solver import Satisfiable, Unknown, ask
from ghostproof.lift.system import System
from ghostproof.lift.term import conjunction, negate
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.scenario import Scenario
from ghostproof.turn.verdict import Checked, Disagreement, Proved, Undetermined, Vacuous, Verdict

NAME = "projection"
Change = Callable[[System], System]


def settled(obligations: Sequence[Required], limits: Limits | None = None) -> Verdict:
    """Proved when each follows from what is given, and what is given can be; else the first that fails, by name."""
    within = limits or Limits()
    texts: dict[str, str] = {}
    empty = []
    for one in obligations:
        if one.name in texts:
            raise ValueError(f"two obligations are named {one.name!r}")
        texts[one.name] = script([conjunction(one.given, negate(one.follows))])
        answer = ask(texts[one.name], within)
        if isinstance(answer, Satisfiable):
            return Undetermined(f"{one.name}: the one-tool system and the turn do not agree", NAME)
        if isinstance(answer, Unknown):
            return Undetermined(f"{one.name}: {answer.reason}", NAME)
        witness = ask(script([one.possible]), within)
        if isinstance(witness, Unknown):
            return Undetermined(f"{one.name}, whether it can happen: {witness.reason}", NAME)
        if not isinstance(witness, Satisfiable):
            empty.append(one.name)
    if empty or not obligations:
        return Vacuous(tuple(empty) or ("no obligations",), NAME)
    reply = with_cvc5(texts, within)
    if reply.outcome == "refuted":
        return Disagreement((NAME, reply.by), (texts[reply.what],))
    if reply.outcome == "no answer":
        return Undetermined(f"{reply.by} could not re-prove it: {reply.what}", NAME)
    count = len(texts)
    return Proved(
        NAME,
        checked=(
            Checked("z3", "obligations proved", count),
            Checked("z3", "premises possible", count),
            Checked("cvc5", "obligations re-proved", count),
        ),
    )


def _in_all(
    pruner: Pruner, scenarios: Sequence[Scenario], change: Change | None, ask_for: Callable[[Subject], list[Required]]
) -> Verdict:
    """The obligations in every scenario, each under a name of its own."""
    found = []
    for scenario in scenarios:
        found += [
            Required(f"{one.name} ({scenario.name})", one.given, one.follows, one.possible)
            for one in ask_for(subject_of(pruner, scenario, change))
        ]
    return settled(found)


def steps_projected(pruner: Pruner, scenarios: Sequence[Scenario], change: Change | None = None) -> Verdict:
    """Whether each step of a turn of any number of tools is one of the one-tool system, or of what `change` makes."""
    return _in_all(pruner, scenarios, change, step_obligations)


def turns_projected(
    pruner: Pruner, scenarios: Sequence[Scenario], counts: Sequence[int], change: Change | None = None
) -> Verdict:
    """Whether whole turns of so many tools are runs of the one-tool system, or of what `change` makes of it."""
    return _in_all(pruner, scenarios, change, lambda subject: [turn_obligation(subject, count) for count in counts])


def unrolling_agrees(pruner: Pruner, scenarios: Sequence[Scenario], counts: Sequence[int]) -> Verdict:
    """Whether the unrolled sessions send the first request that the turn as defined sends."""
    return _in_all(pruner, scenarios, None, lambda subject: [unrolling_obligation(subject, count) for count in counts])
