"""Settles one property of one pruner: which engine is asked in which order, and who confirms what it says."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from ghostproof.certify.recheck import recheck
from ghostproof.engines.induction import (
    candidate,
    prove_exactly,
    prove_in_one_turn,
    proved,
)
from ghostproof.engines.problem import Bounds, Certificate, Finding
from ghostproof.engines.table import ENGINES, engine
from ghostproof.host.host import Host
from ghostproof.host.problem import PrunerProblem
from ghostproof.lift.dependence import fields_that_matter
from ghostproof.lift.plain import antecedent
from ghostproof.lift.term import variables_of
from ghostproof.turn.explore import Grid
from ghostproof.turn.property import Property
from ghostproof.turn.scenario import Scenario
from ghostproof.turn.verdict import (
    Checked,
    Disagreement,
    HoldsTo,
    Proved,
    ProvedUpTo,
    Refuted,
    Undetermined,
    Vacuous,
    Verdict,
)
from ghostproof.witnessing import missing_witnesses, needed, reach

Note = Callable[[str], None]
STRATEGIES = ("auto", "all", *ENGINES)
# A few seconds of playing, of one tool: a state of two may have a hundred thousand successors.
STATES_AT_LAST = 2_000


def quiet(text: str) -> None:
    """Say nothing about progress."""


def examine(
    host: Host, scenario: Scenario, judged: Property, bounds: Bounds, strategy: str = "auto", note: Note = quiet
) -> Verdict:
    """Settle `judged` for the pruner of `host`. `strategy` is an engine, `auto`, or `all` (every engine, compared).

    Raises PrunerError when a foreign pruner misbehaves, InternalError when an answer of ours does not hold up.
    """
    return examine_problem(PrunerProblem(host, scenario, judged, Grid(), bounds.limits), bounds, strategy, note)


def examine_problem(problem: PrunerProblem, bounds: Bounds, strategy: str = "auto", note: Note = quiet) -> Verdict:
    """The same for a problem that is asked more than this."""
    if strategy == "auto":
        return _one_after_another(problem, bounds, note)
    if strategy == "all":
        return _all_compared(problem, bounds, note)
    note(strategy)
    return _confirmed(problem, engine(strategy)(problem, bounds), bounds)


def _one_after_another(problem: PrunerProblem, bounds: Bounds, note: Note) -> Verdict:
    """Proof where one turn suffices, then a short search, then an invariant, then the search to the bound.

    Where that search gives no answer, small sessions of one tool are played: they may refute, and else say nothing.
    """
    note("induction")
    direct = prove_in_one_turn(problem.system, bounds)
    if direct is not None:
        return _confirmed(problem, proved(direct), bounds)
    # What is wrong is mostly wrong soon: a search of two requests costs less than the search for an invariant.
    note("bmc")
    bmc, soon = engine("bmc"), replace(bounds, turns=min(2, bounds.turns), tools=min(2, bounds.tools))
    early = bmc(problem, soon)
    if isinstance(early.verdict, Refuted):
        return early.verdict
    note("induction")
    finding = engine("induction")(problem, bounds)
    if isinstance(finding.verdict, Proved):
        return _confirmed(problem, finding, bounds)
    note("bmc")
    found = bmc(problem, bounds)
    if isinstance(found.verdict, HoldsTo) and isinstance(finding.verdict, Undetermined):
        note("induction on exact sizes")
        return _small_scope(problem, finding.verdict, found.verdict, bounds)
    if isinstance(found.verdict, Undetermined):
        note("explicit")
        grid = replace(problem.grid, tools=1)
        alone = PrunerProblem(problem.host, problem.scenario, problem.judged, grid, bounds.limits)
        played = engine("explicit")(alone, replace(bounds, states=min(STATES_AT_LAST, bounds.states)))
        return played.verdict if isinstance(played.verdict, Refuted) else found.verdict
    return _confirmed(problem, found, bounds)


def _all_compared(problem: PrunerProblem, bounds: Bounds, note: Note) -> Verdict:
    """Every engine's answer. Definite answers must agree, and a shortest trace may not be longer than another's."""
    findings = {}
    for name in ENGINES:
        note(name)
        findings[name] = engine(name)(problem, bounds)
    proofs = [name for name, found in findings.items() if isinstance(found.verdict, Proved)]
    lengths = {name: f.verdict.trace.size[0] for name, f in findings.items() if isinstance(f.verdict, Refuted)}
    held = {name: f.verdict.turns for name, f in findings.items() if isinstance(f.verdict, HoldsTo)}
    shortest = min(lengths.values(), default=0)
    # bmc covers every size, so it may not hold, nor need longer, where a search of few sizes finds a violation.
    missed = bool(lengths) and (held.get("bmc", 0) >= shortest or lengths.get("bmc", shortest) > shortest)
    if (proofs and lengths) or missed:
        kept = _kept([f"{name}: {found.verdict}" for name, found in findings.items()])
        return Disagreement((*proofs, *lengths, *(name for name in held if missed)), kept)
    for name in (*proofs[:1], *(("bmc",) if "bmc" in lengths else tuple(lengths)), "bmc"):
        verdict = _confirmed(problem, findings[name], bounds)
        agreed = tuple(Checked(other, "agrees", 1) for other in (*proofs, *lengths) if other != name)
        if isinstance(verdict, (Proved, Refuted)):
            return replace(verdict, checked=(*verdict.checked, *agreed))
        return verdict
    raise AssertionError("bmc always has a finding")


def _small_scope(problem: PrunerProblem, failed: Undetermined, bounded: HoldsTo, bounds: Bounds) -> Verdict:
    """Induction on one and two exact tools, after one abstract tool failed and no counterexample was found."""
    missing = _without(problem, bounded, bounds)
    if missing is not None:
        return missing
    best: ProvedUpTo | Undetermined = Undetermined(failed.reason, "induction, bmc", bounded)
    for tools, certificate in enumerate(prove_exactly(problem, bounds), start=1):
        if certificate is None:
            break
        checked = _rechecked(Proved("induction"), certificate, bounds)
        if not isinstance(checked, Proved):
            return checked
        best = ProvedUpTo("induction", tools, checked.checked)
    if isinstance(best, ProvedUpTo):
        return _without(problem, best, bounds) or best
    return replace(best, candidate=candidate(problem.system, bounds))


def _confirmed(problem: PrunerProblem, finding: Finding, bounds: Bounds) -> Verdict:
    """The verdict with its independent checks. A proof needs a certificate; a proof of nothing is Vacuous."""
    verdict = finding.verdict
    if not isinstance(verdict, (Proved, HoldsTo)):
        return verdict
    missing = _without(problem, verdict, bounds)
    if missing is not None or isinstance(verdict, HoldsTo):
        return missing or verdict
    certificate = finding.certificate or engine("induction")(problem, bounds).certificate
    if certificate is None:
        reason = f"{verdict.engine} says proved, but there is no invariant that others could check"
        return Undetermined(reason, verdict.engine)
    return _rechecked(verdict, certificate, bounds)


def _rechecked(verdict: Proved, certificate: Certificate, bounds: Bounds) -> Verdict:
    checked = recheck(certificate.system, certificate.invariant, bounds.limits)
    if isinstance(checked, Disagreement):
        return replace(checked, artefacts=_kept(checked.artefacts))
    if isinstance(checked, Undetermined):
        return checked
    return replace(verdict, checked=(*verdict.checked, *checked))


def _kept(texts: Sequence[str]) -> tuple[str, ...]:
    """The texts as files, for the investigation of a disagreement."""
    folder = Path(tempfile.mkdtemp(prefix="ghostproof-disagreement-"))
    paths = [folder / f"{number}.txt" for number in range(1, len(texts) + 1)]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, encoding="utf-8")
    return tuple(map(str, paths))


def _without(
    problem: PrunerProblem, verdict: Proved | ProvedUpTo | HoldsTo, bounds: Bounds
) -> Vacuous | Undetermined | None:
    """What is wrong with a pruner that, as far as `verdict` reaches, does not do what its property is about."""
    wanted, within = needed(problem.judged), reach(verdict, problem)
    # What a property is about may depend on more than what violates it.
    whole = not set(variables_of(antecedent(problem.judged))) <= fields_that_matter(
        problem.host.lifted, problem.scenario, problem.judged
    )
    return missing_witnesses(problem, wanted, verdict.engine, bounds, whole=whole, within=within)
