"""Re-proves an invariant without believing whoever found it: z3 in a fresh context, cvc5, and solver-free enumeration.

Three queries, each unsatisfiable exactly when it is discharged: initiation, consecution, safety.
"""

from __future__ import annotations

from collections.abc import Mapping

from ghostproof.certify.enumerate import NotEnumerable, first_failure
from ghostproof.lift.smtlib import script
from ghostproof.lift.solver import Limits, Unknown, Unsatisfiable, ask_afresh
from ghostproof.lift.system import System, obligations
from ghostproof.lift.term import Term, disjunction
from ghostproof.turn.errors import InternalError
from ghostproof.turn.verdict import Checked, Disagreement

QUERIES = ("initiation", "consecution", "safety")


def queries(system: System, invariant: Mapping[str, Term]) -> dict[str, Term]:
    """The obligations as three questions; consecution is one disjunction over all commands."""
    grouped: dict[str, list[Term]] = {name: [] for name in QUERIES}
    for name, term in obligations(system, invariant):
        grouped[name.split()[0]].append(term)
    return {name: disjunction(*terms) for name, terms in grouped.items()}


def recheck(system: System, invariant: Mapping[str, Term], limits: Limits) -> tuple[Checked, ...] | Disagreement:
    """Who confirmed the invariant, or the disagreement. A checker that gives no answer confirms nothing and says so."""
    asked = queries(system, invariant)
    texts = {name: script([term]) for name, term in asked.items()}
    done = [_with_z3(texts, limits), _with_cvc5(texts, limits), _by_enumeration(asked)]
    refused = tuple(item.by for item in done if item.what.startswith("refuted"))
    if refused:
        return Disagreement(("spacer", *refused), tuple(texts.values()))
    return tuple(done)


def _with_z3(texts: Mapping[str, str], limits: Limits) -> Checked:
    for name, text in texts.items():
        answer = ask_afresh(text, limits)
        if isinstance(answer, Unknown):
            return Checked("z3", f"no answer on {name}: {answer.reason}", 0)
        if not isinstance(answer, Unsatisfiable):
            return Checked("z3", f"refuted {name}", 0)
    return Checked("z3", "queries re-proved in fresh contexts", len(texts))


def _with_cvc5(texts: Mapping[str, str], limits: Limits) -> Checked:
    import cvc5

    for name, text in texts.items():
        solver = cvc5.Solver()
        solver.setOption("tlimit-per", str(limits.timeout_ms))
        parser = cvc5.InputParser(solver)
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, name)
        symbols = parser.getSymbolManager()
        while not (command := parser.nextCommand()).isNull():
            said = str(command.invoke(solver, symbols))
            if "error" in said:
                raise InternalError(f"cvc5 refuses the {name} script: {said.strip()[:200]}")
        result = solver.checkSat()
        if result.isUnknown():
            return Checked("cvc5", f"no answer on {name}: {result.getUnknownExplanation()}", 0)
        if not result.isUnsat():
            return Checked("cvc5", f"refuted {name}", 0)
    return Checked("cvc5", "queries re-proved", len(texts))


def _by_enumeration(asked: Mapping[str, Term]) -> Checked:
    count = 0
    for name, term in asked.items():
        parts = term.arguments if term.op == "or" else (term,)
        for part in parts:
            try:
                failure, points = first_failure(part)
            except NotEnumerable as reason:
                return Checked("enumeration", f"not enumerable: {reason}", 0)
            count += points
            if failure is not None:
                return Checked("enumeration", f"refuted {name} at {failure}", 0)
    return Checked("enumeration", "states checked without a solver", count)
