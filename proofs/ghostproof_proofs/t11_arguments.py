"""T11's endless sessions: searched for in a small grid, and excluded for any number of tools by what is proved."""

from __future__ import annotations

from ghostproof.certify.projection import domain, required, told_by
from ghostproof.engines.fair import Endless, endless
from ghostproof.engines.problem import Bounds
from ghostproof.host.host import LocalHost
from ghostproof.host.problem import PrunerProblem
from ghostproof.lift.plain import judgement, tool_sorts
from ghostproof.lift.smtlib import script
from ghostproof.lift.solver import Satisfiable, Unknown, ask
from ghostproof.lift.term import Term, at_most, combine, conjunction, negate, variable
from ghostproof.turn.explore import Grid
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.scenario import ANYTHING, Scenario
from ghostproof.turn.verdict import Checked, Refuted, Undetermined, Verdict
from ghostproof_proofs.discharge import settle_required
from ghostproof_proofs.t11_parts import ALWAYS_FITS, HONOURED, OUTCOMES, answering

BUDGETS = (0, 1, 2, 3, 4)


def searched(pruner: Pruner, scenario: Scenario, sought: Endless, tools: int) -> Verdict:
    """A lasso among sessions of a grid of so many tools, or that there is none."""
    return endless(pruner, scenario, HONOURED, Grid(tools=tools, budgets=BUDGETS), sought)


def excluded(sought: Endless) -> Verdict:
    """A request on a cycle that is sought is honoured, by what is proved, and so is one that no such cycle has.

    One tool suffices, since both are about one tool. It holds of any endless session, of a cycle or not: where the
    request comes again and again, so does what fairness speaks of.
    """
    tool = {name: variable(name, sort) for name, sort in tool_sorts(OUTCOMES).items()}
    again = told_by(lambda one, others: sought.again(one), tool)
    never = told_by(lambda one, others: sought.never(one), tool)
    kept = conjunction(domain(tool), again, negate(judgement(HONOURED)))
    lemma = required("a request that comes again is one that fairness speaks of", kept, never)
    return settle_required([lemma], "fairness", "an endless session would be fair")


def only_singly() -> Verdict:
    """The shortest session of two tools in which both are asked for, each alone would fit, and both do not."""
    bounds = Bounds()
    problem = PrunerProblem(LocalHost(answering), ANYTHING, ALWAYS_FITS, Grid(), bounds.limits)
    sessions = problem.unrolling(2, whole=True)
    for turns in range(1, bounds.turns + 1):
        sessions.extend()
        asked: list[Term] = [fields["requested"] for fields in sessions.prompts[-1]]
        budget = sessions.turns[-1].budgets["total_budget"]
        alone = [at_most(combine(fields["schema_tokens"], sessions.rest), budget) for fields in sessions.fixed]
        unpinned = [negate(fields["pinned"]) for fields in sessions.fixed]
        earlier = [negate(violation) for violation in sessions.violations[:-1]]
        text = script([*sessions.constraints, *asked, *alone, *unpinned, *earlier, sessions.violations[-1]])
        answer = ask(text, bounds.limits)
        if isinstance(answer, Unknown):
            return Undetermined(answer.reason, "bmc")
        if isinstance(answer, Satisfiable):
            trace = sessions.replay(answer.values)
            said = f"fewer than {turns} requests with two tools: excluded by exact bounded model checking"
            return Refuted("bmc", trace, (said,), (Checked("replay", "requests", turns),))
    return Undetermined(f"not found in {bounds.turns} requests", "bmc")
