"""Settles the obligations of the projection: z3 on each, its premise included, and cvc5 on each again."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ghostproof.certify.projection import Required, Subject, subject_of
from ghostproof.certify.projection_step import step_obligations
from ghostproof.certify.projection_turn import CALLS, ROUNDS, turn_obligation, unrolling_obligation
from ghostproof.lift.limits import Limits
from ghostproof.lift.smtlib import script
from ghostproof.lift.solver import Satisfiable, Unknown, ask
from ghostproof.lift.system import System
from ghostproof.lift.term import conjunction, evaluate, negate, variables_of
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.scenario import Scenario
from ghostproof.turn.verdict import Checked, Disagreement, HoldsTo, Proved, Undetermined, Verdict
from ghostproof_proofs.discharge import settle_required

NAME = "projection"
Change = Callable[[System], System]


def settled(obligations: Sequence[Required], limits: Limits | None = None) -> Verdict:
    """Proved when each obligation holds and can; else the first that fails, by name."""
    return settle_required(obligations, NAME, "the one-tool system and the turn do not agree", limits)


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
    found = _in_all(pruner, scenarios, change, lambda subject: [turn_obligation(subject, count) for count in counts])
    return _bounded(found, max(counts), f"any, at most {CALLS} resident calls a tool")


def unrolling_agrees(pruner: Pruner, scenarios: Sequence[Scenario], counts: Sequence[int]) -> Verdict:
    """Whether the unrolled sessions send the first request that the turn as defined sends."""
    found = _in_all(pruner, scenarios, None, lambda subject: [unrolling_obligation(subject, count) for count in counts])
    return _bounded(found, max(counts), "any, from the start of a session")


def _bounded(verdict: Verdict, tools: int, sizes: str) -> Verdict:
    """A proof about so many tools, one turn and few rounds says nothing beyond them."""
    if not isinstance(verdict, Proved):
        return verdict
    count = verdict.checked[0].count
    return HoldsTo(NAME, 1, tools, f"{sizes}, at most {ROUNDS} rounds a pass", count, "obligations", verdict.checked)


def missed(
    pruner: Pruner, scenario: Scenario, change: Change, names: Sequence[str], counts: Sequence[int] = ()
) -> Verdict:
    """Proved when exactly the obligations called `names` fail of the system that `change` makes.

    With `counts` they are those about whole turns. Each failure is a step that a solver found, evaluated without it.
    """
    subject = subject_of(pruner, scenario, change)
    found = [turn_obligation(subject, count) for count in counts] if counts else step_obligations(subject)
    failed = []
    for one in found:
        gap = conjunction(one.given, negate(one.follows))
        answer = ask(script([gap]), Limits())
        if isinstance(answer, Unknown):
            return Undetermined(f"{one.name}: {answer.reason}", NAME)
        if isinstance(answer, Satisfiable):
            least = {name: False if term.sort == "Bool" else 0 for name, term in variables_of(gap).items()}
            if not evaluate(gap, {**least, **answer.values}):
                return Disagreement((NAME, "evaluation"), (script([gap]),))
            failed.append(one.name)
    if set(failed) != set(names):
        return Undetermined(f"other obligations fail than should: {', '.join(failed) or 'none'}", NAME)
    return Proved(NAME, checked=(Checked("evaluation", "missing steps, evaluated without a solver", len(failed)),))
