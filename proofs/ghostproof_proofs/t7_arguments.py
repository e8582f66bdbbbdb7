"""The arguments of T7: hiding outside the guard makes a ghost from any state, and every weaker guard has a session."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from ghostproof.certify.projection import Required, required
from ghostproof.engines.bmc import bmc
from ghostproof.engines.problem import Bounds
from ghostproof.examine import examine
from ghostproof.host.host import LocalHost
from ghostproof.host.problem import PrunerProblem
from ghostproof.lift.plain import judgement, lift_pass, tool_sorts
from ghostproof.lift.term import TRUE, Term, conjunction, negate, substitute, variable
from ghostproof.turn.budget import Turn
from ghostproof.turn.explore import Grid
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.tool import Tool
from ghostproof.turn.verdict import Checked, Proved, Refuted, Undetermined, Vacuous, Verdict
from ghostproof_proofs.discharge import settle_required
from ghostproof_proofs.free_pruning import SETTLED, Guard, no_arguments, no_arguments_or_tombstoned
from ghostproof_proofs.shield import raw_domain

NAME = "one hiding"
ENUMERATION = "bmc, induction"


def hide(tool: Tool, turn: Turn) -> None:
    """Hides the schema, whatever holds."""
    tool.hide_schema()


@dataclass(frozen=True, slots=True)
class Guarding:
    """A guard, and what is known of the states in which it is asked."""

    name: str
    guard: Guard
    known: Term = TRUE


GUARDS = (
    Guarding("no arguments", no_arguments, negate(variable("tombstone_resident", "Bool"))),
    Guarding("no arguments, or tombstoned", no_arguments_or_tombstoned),
)


def _hidings(of: Guarding) -> Iterator[Required]:
    sorts = tool_sorts({})
    updates = lift_pass(Pass(hide), sorts).visit.updates
    ghost, holds = judgement(NO_GHOST), judgement(replace(NO_GHOST, violated=of.guard))
    after = substitute(ghost, {variable(field, sorts[field]): value for field, value in updates.items()})
    before = conjunction(raw_domain(), of.known, variable("schema_shown", "Bool"), negate(ghost))
    yield required(f"{of.name}: no ghost where it holds", conjunction(before, holds), negate(after))
    yield required(f"{of.name}: a ghost where it does not", conjunction(before, negate(holds)), after)


def exact(guards: Sequence[Guarding] = GUARDS) -> Verdict:
    """Proved when, from any state without a ghost, hiding a shown schema makes one exactly where the guard fails."""
    obligations = [obligation for of in guards for obligation in _hidings(of)]
    return settle_required(obligations, NAME, "hiding there is not what the guard says")


# What a guard may know of a tool besides what is resident: does it change state, are arguments and schema current?
Known = tuple[bool, bool, bool]
KNOWN: tuple[Known, ...] = tuple(product((False, True), (False, True), (False, True)))


def weaker(guard: Guard, known: Known) -> Guard:
    """`guard`, or exactly one more state: arguments, no tombstone, and these values of what else may be known."""
    mutation, arguments_current, schema_current = known

    def admits(tool: Tool) -> bool:
        return guard(tool) or (
            not tool.tombstoned
            and tool.mutation == mutation
            and tool.arguments_current == arguments_current
            and tool.schema_current == schema_current
        )

    return admits


def choosing(guard: Guard) -> Pruner:
    """Hides at one of two values of a number that is free in each turn, where `guard` allows it; does nothing else."""

    def hide_by_choice(tool: Tool, turn: Turn) -> None:
        if turn.schema_budget == 0 and guard(tool):
            tool.hide_schema()

    return Pruner(Pass(hide_by_choice), name="hides by choice")


def each_weaker_guard(weakened: Callable[[Guard, Known], Guard] = weaker) -> Verdict:
    """Proved when each guard that is weaker by one state has a session with a ghost, played by the plain functions.

    Unless no session reaches that state: then the weaker guard is proved like the guard itself. A guard that is weaker
    by more states admits each of these, so that its pruner may choose the same session.
    """
    soon, bounds = Bounds(turns=2, tools=1), Bounds()
    sessions = unreached = 0
    for of, known in product(GUARDS, KNOWN):
        host = LocalHost(choosing(weakened(of.guard, known)))
        found: Verdict = bmc(PrunerProblem(host, SETTLED, NO_GHOST, Grid(), soon.limits), soon).verdict
        if isinstance(found, Refuted):
            sessions += 1
            continue
        found = examine(host, SETTLED, NO_GHOST, bounds, "induction")
        if not isinstance(found, Proved):
            return Undetermined(f"{of.name}, or {known}: neither a short session nor a proof", ENUMERATION)
        unreached += 1
    if not sessions:
        return Vacuous(("a weaker guard has a session with a ghost",), ENUMERATION)
    return Proved(
        ENUMERATION,
        checked=(
            Checked("replay", "sessions of weaker guards played", sessions),
            Checked("induction", "weaker in no state that is reached", unreached),
        ),
    )
