"""Settles statements that are not about one pruner in one scenario, but about a system of a claim's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ghostproof.certify.projection import Required
from ghostproof.certify.recheck import recheck, with_cvc5
from ghostproof.certify.vacuity import Witness
from ghostproof.engines.induction import NAME, in_words, prove_in_one_turn, prove_system
from ghostproof.engines.problem import Bounds, Certificate
from ghostproof.host.host import LocalHost
from ghostproof.host.problem import PrunerProblem
from ghostproof.lift.limits import Limits
from ghostproof.lift.smtlib import script
from ghostproof.lift.solver import Satisfiable, Unknown, ask, ask_afresh
from ghostproof.lift.system import System
from ghostproof.lift.term import Term, conjunction, negate
from ghostproof.turn.explore import Grid
from ghostproof.turn.property import Property
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.scenario import Scenario
from ghostproof.turn.verdict import Checked, Disagreement, Proved, Undetermined, Vacuous, Verdict
from ghostproof.witnessing import everything, missing_witnesses


def missing(witnesses: Mapping[str, Term], limits: Limits) -> tuple[str, ...]:
    """The names of those formulas that have no model: what the statement needs to be possible, and is not."""
    return tuple(name for name, term in witnesses.items() if not isinstance(ask(script([term]), limits), Satisfiable))


def settle_system(system: System, witnesses: Mapping[str, Term], bounds: Bounds | None = None) -> Verdict:
    """Proved with an invariant that others confirmed, Vacuous where a witness is missing, else Undetermined."""
    within = bounds or Bounds()
    absent = missing(witnesses, within.limits)
    if absent:
        return Vacuous(absent, NAME)
    found = prove_in_one_turn(system, within) or prove_system(system, within)
    if not isinstance(found, Certificate):
        return Undetermined("no invariant proves it", NAME)
    return confirmed(found, within)


def unwitnessed(
    pruner: Pruner,
    scenario: Scenario,
    judged: Property,
    absent: frozenset[str],
    bounds: Bounds,
    more: Sequence[Witness] = (),
) -> Verdict | None:
    """The verdict when some pass or admitted action is never taken, `absent` ones apart; None when all are.

    `more` are witnesses that the statement needs besides.
    """
    problem = PrunerProblem(LocalHost(pruner), scenario, judged, Grid(), bounds.limits)
    asked = [*everything((item.name for item in pruner.passes), scenario, judged, bounds.limits), *more]
    wanted = [witness for witness in asked if witness.name not in absent]
    return missing_witnesses(problem, wanted, NAME, bounds, whole=True)


def confirmed(certificate: Certificate, bounds: Bounds) -> Verdict:
    """Proved, once z3 in a fresh context, cvc5 and enumeration agree."""
    checked = recheck(certificate.system, certificate.invariant, bounds.limits)
    if isinstance(checked, (Disagreement, Undetermined)):
        return checked
    return Proved(NAME, in_words(certificate), checked)


def settle_required(obligations: Sequence[Required], name: str, wrong: str, limits: Limits | None = None) -> Verdict:
    """Proved when each follows from what is given, and what is given can be; else the first that fails, by name.

    Each is a question to z3 in a context of its own, and to cvc5. `wrong` says what it means that one fails.
    """
    within = limits or Limits()
    texts: dict[str, str] = {}
    empty = []
    for one in obligations:
        if one.name in texts:
            raise ValueError(f"two obligations are named {one.name!r}")
        texts[one.name] = script([conjunction(one.given, negate(one.follows))])
        answer = ask_afresh(texts[one.name], within)
        if isinstance(answer, Satisfiable):
            return Undetermined(f"{one.name}: {wrong}", name)
        if isinstance(answer, Unknown):
            return Undetermined(f"{one.name}: {answer.reason}", name)
        witness = ask(script([one.possible]), within)
        if isinstance(witness, Unknown):
            return Undetermined(f"{one.name}, whether it can happen: {witness.reason}", name)
        if not isinstance(witness, Satisfiable):
            empty.append(one.name)
    if empty or not obligations:
        return Vacuous(tuple(empty) or ("no obligations",), name)
    reply = with_cvc5(texts, within)
    if reply.outcome == "refuted":
        return Disagreement((name, reply.by), (texts[reply.what],))
    if reply.outcome == "no answer":
        return Undetermined(f"{reply.by} could not re-prove it: {reply.what}", name)
    count = len(texts)
    return Proved(
        name,
        checked=(
            Checked("z3", "obligations proved", count),
            Checked("z3", "premises possible", count),
            Checked("cvc5", "obligations re-proved", count),
        ),
    )
