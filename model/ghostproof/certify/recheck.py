"""Re-proves an invariant without believing whoever found it: z3 in a fresh context, cvc5, and solver-free enumeration.

Three queries, each unsatisfiable exactly when it is discharged: initiation, consecution, safety.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ghostproof.certify.enumerate import NotEnumerable, first_failure
from ghostproof.lift.limits import Limits
from ghostproof.lift.smtlib import script, shuffled
from ghostproof.lift.solver import Unknown, Unsatisfiable, ask_afresh
from ghostproof.lift.system import System, obligations
from ghostproof.lift.term import Term, disjunction
from ghostproof.turn.errors import InternalError
from ghostproof.turn.verdict import Checked, Disagreement, Undetermined

QUERIES = ("initiation", "consecution", "safety")


def queries(system: System, invariant: Mapping[str, Term]) -> dict[str, Term]:
    """The obligations as three questions; consecution is one disjunction over all commands."""
    grouped: dict[str, list[Term]] = {name: [] for name in QUERIES}
    for name, term in obligations(system, invariant):
        grouped[name.split()[0]].append(term)
    return {name: disjunction(*terms) for name, terms in grouped.items()}


@dataclass(frozen=True, slots=True)
class Reply:
    """What one checker says of the three queries: all discharged, one refuted, or one left without an answer."""

    by: str
    outcome: Literal["confirmed", "refuted", "no answer"]
    what: str
    count: int = 0


def recheck(
    system: System, invariant: Mapping[str, Term], limits: Limits
) -> tuple[Checked, ...] | Disagreement | Undetermined:
    """Who confirmed the invariant. Both solvers must; enumeration may say that the system is not enumerable.

    A refusal is a disagreement, with the three scripts as artefacts; silence of a solver leaves the proof undetermined.
    """
    asked = queries(system, invariant)
    texts = {name: script([term]) for name, term in asked.items()}
    solvers = [with_z3(texts, limits), with_cvc5(texts, limits)]
    replies = [*solvers, by_enumeration(asked)]
    refused = [reply for reply in replies if reply.outcome == "refuted"]
    if refused:
        return Disagreement(("induction", *(reply.by for reply in refused)), tuple(texts.values()))
    for reply in solvers:
        if reply.outcome == "no answer":
            return Undetermined(f"{reply.by} could not re-prove the invariant: {reply.what}", "induction")
    return tuple(Checked(reply.by, reply.what, reply.count) for reply in replies)


def with_z3(texts: Mapping[str, str], limits: Limits) -> Reply:
    """The three scripts, each in a fresh z3 context."""
    for name, text in texts.items():
        answer = ask_afresh(text, limits)
        if isinstance(answer, Unknown):
            return Reply("z3", "no answer", f"{name}: {answer.reason}")
        if not isinstance(answer, Unsatisfiable):
            return Reply("z3", "refuted", name)
    return Reply("z3", "confirmed", "queries re-proved in fresh contexts", len(texts))


def with_cvc5(texts: Mapping[str, str], limits: Limits) -> Reply:
    """The three scripts in cvc5, which is imported here and nowhere else. InternalError when it refuses a script."""
    import cvc5

    for name, text in texts.items():
        solver = cvc5.Solver()
        solver.setOption("tlimit-per", str(limits.timeout_ms))
        solver.setOption("seed", str(limits.seed))
        parser = cvc5.InputParser(solver)
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, shuffled(text, limits.order), name)
        symbols = parser.getSymbolManager()
        try:
            while not (command := parser.nextCommand()).isNull():
                said = str(command.invoke(solver, symbols))
                if "error" in said:
                    raise RuntimeError(said)
        except RuntimeError as refused:
            raise InternalError(f"cvc5 refuses the {name} script: {str(refused).strip()[:200]}") from refused
        result = solver.checkSat()
        if result.isUnknown():
            return Reply("cvc5", "no answer", f"{name}: {result.getUnknownExplanation()}")
        if not result.isUnsat():
            return Reply("cvc5", "refuted", name)
    return Reply("cvc5", "confirmed", "queries re-proved", len(texts))


def by_enumeration(asked: Mapping[str, Term]) -> Reply:
    """The three queries at a value from every region, without a solver."""
    count = 0
    for name, term in asked.items():
        parts = term.arguments if term.op == "or" else (term,)
        for part in parts:
            try:
                failure, points = first_failure(part)
            except NotEnumerable as reason:
                return Reply("enumeration", "no answer", f"not enumerable: {reason}")
            count += points
            if failure is not None:
                return Reply("enumeration", "refuted", f"{name} at {failure}")
    return Reply(
        "enumeration", "confirmed", "assignments evaluated without a solver, an integer from every region", count
    )
