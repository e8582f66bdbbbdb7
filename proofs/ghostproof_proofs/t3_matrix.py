"""T3: the matrix of order, gate, place, scope and reach of trimming, and the law behind it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ghostproof.turn.claim import PROVED, Claim, Expected, Obligation, Question
from ghostproof.turn.scenario import ANYTHING, ORDINARY_SESSION, Scenario
from ghostproof.turn.verdict import Refuted, Verdict
from ghostproof_proofs.absences import NOTHING_TO_LOSE, ORDER_SUFFICES, idle
from ghostproof_proofs.groups import FAILURES
from ghostproof_proofs.t3_cells import WRITES_TOMBSTONES, Cell, cells, pruner_of

ANY = "any"


def refuted(requests: int, tools: int) -> Expected:
    """Refuted, shortest at this size."""
    return Expected(Refuted, requests, tools)


REFUTED = Expected(Refuted)


@dataclass(frozen=True, slots=True)
class Row:
    """What was found for the cells that match, in ordinary sessions and under every action.

    What an ordinary session refutes is refuted under every action too; in how few requests there is not asked.
    """

    order: str
    gate: str
    place: str
    scope: str
    takes: str
    ordinary: Expected
    everything: Expected = REFUTED

    def matches(self, cell: Cell) -> bool:
        """Whether `cell` is one of these."""
        asked = (self.order, self.gate, self.place, self.scope, self.takes)
        return all(
            want in (ANY, have)
            for want, have in zip(asked, (cell.order, cell.gate, cell.place, cell.scope, cell.takes), strict=True)
        )


ARGUMENTS, SCHEMAS = "argument-first", "schema-first"
EVERY, PRUNED = "every tool", "pruned this turn"
TAKES, LEAVES = "takes tombstones", "leaves tombstones"

# Where neither the law nor order alone decides; the first row that matches counts.
TABLE = (
    # Safe by the joint budget: pruning comes only where no argument is left that it could strand.
    Row(ARGUMENTS, "tombstone", "first", EVERY, LEAVES, PROVED, PROVED),
    Row(ARGUMENTS, "tombstone", "between", EVERY, ANY, PROVED, PROVED),
    Row(ARGUMENTS, "evict now", "first", EVERY, ANY, PROVED, PROVED),
    Row(ARGUMENTS, "evict now", "between", EVERY, ANY, PROVED, PROVED),
    # The rest of argument-first lacks something against disruption.
    Row(ARGUMENTS, ANY, ANY, ANY, ANY, PROVED, refuted(2, 1)),
    # Trimming takes the tombstone that was just written (T2c) or, in a later turn, one that the gate overlooks.
    Row(SCHEMAS, "tombstone", "between", ANY, TAKES, refuted(2, 2)),
    Row(SCHEMAS, "tombstone", "last", PRUNED, TAKES, refuted(3, 1)),
    # Whose schema goes without being pruned is overlooked: only a disruption does that.
    Row(SCHEMAS, "tombstone", "between", PRUNED, LEAVES, PROVED, refuted(2, 1)),
    Row(SCHEMAS, "tombstone", "last", PRUNED, LEAVES, PROVED, refuted(2, 1)),
    Row(SCHEMAS, "evict now", "between", PRUNED, ANY, PROVED, refuted(2, 1)),
    Row(SCHEMAS, "evict now", "last", PRUNED, ANY, PROVED, refuted(2, 1)),
    # The rest of schema-first has no gate, or one that looks too early, or at the last turn, or only plans.
    Row(SCHEMAS, ANY, ANY, ANY, ANY, refuted(2, 1)),
)


def lawful(cell: Cell) -> bool:
    """The law in words: an immediate gate over every tool, last or followed only by what makes no ghost of none.

    That what follows is so, and that nothing else is lawful, is settled by a solver (`t3_law.law`).
    """
    if cell.gate not in ("tombstone", "evict now") or cell.scope != EVERY:
        return False
    # Trimming makes a ghost only by taking a tombstone; pruning may always.
    stable = cell.order == SCHEMAS and cell.place == "between" and cell.takes != TAKES
    return cell.place == "last" or stable


def expected(cell: Cell, scenario: Scenario) -> Expected:
    """By the law, by order alone (T2d: argument-first in ordinary sessions, whatever the gate), or tabulated."""
    if lawful(cell) or (cell.order == ARGUMENTS and scenario is ORDINARY_SESSION):
        return PROVED
    row = next(row for row in TABLE if row.matches(cell))
    return row.ordinary if scenario is ORDINARY_SESSION else row.everything


def scenarios(cell: Cell) -> tuple[Scenario, ...]:
    """Where `cell` is asked about: an ordinary session is a session under every action too.

    So what is proved under every action is proved in ordinary sessions, and what is refuted there is refuted under
    every action. Both are asked only where they differ.
    """
    if expected(cell, ANYTHING) == PROVED:
        return (ANYTHING,)
    if expected(cell, ORDINARY_SESSION) != PROVED:
        return (ORDINARY_SESSION,)
    return (ORDINARY_SESSION, ANYTHING)


def absent(cell: Cell, scenario: Scenario) -> frozenset[str]:
    """What cannot occur in sessions of a cell that is proved."""
    if scenario is ORDINARY_SESSION:
        if cell.order == ARGUMENTS:
            return ORDER_SUFFICES | (frozenset() if cell.gate == "none" else idle("gate"))
        if cell.gate in WRITES_TOMBSTONES:
            return frozenset()
        # A pruned tool's arguments are evicted at once; when all schemas are gone, nothing is left to trim.
        return ORDER_SUFFICES | (idle("trim") if cell.place == "between" else frozenset())
    return frozenset() if cell.gate in WRITES_TOMBSTONES else NOTHING_TO_LOSE


def question(cell: Cell, scenario: Scenario) -> Question | Obligation:
    """`cell` in `scenario`."""
    where = "ordinary" if scenario is ORDINARY_SESSION else "everything"
    label, wanted = f"{cell.label}, {where}", expected(cell, scenario)
    if cell.gate == "stale view" and cell.place == "between" and wanted == PROVED:
        return _by_assumption(cell, scenario, label)
    return Question(
        label,
        f"{cell.label}: {scenario.name}",
        pruner_of(cell),
        scenario,
        wanted,
        broken=wanted != PROVED,
        absent=absent(cell, scenario),
    )


def _by_assumption(cell: Cell, scenario: Scenario, label: str) -> Obligation:
    # A stale gate between trimming and pruning might raise the demand, did not the invariant of every tool forbid it.
    def discharge() -> Verdict:
        from ghostproof_proofs.assumption import proved_by_assumption

        return proved_by_assumption(pruner_of(cell), scenario, absent=absent(cell, scenario))

    return Obligation(label, f"{cell.label}: {scenario.name}", discharge)


def matrix() -> Iterator[Question | Obligation]:
    """Every cell where it is asked about."""
    for cell in cells():
        for scenario in scenarios(cell):
            yield question(cell, scenario)


def law_and_table() -> Verdict:
    """That the law in words is the law, and that wherever it speaks the cell is expected to be proved."""
    from ghostproof_proofs.t3_law import compared

    return compared({cell: lawful(cell) for cell in cells()}, {c: expected(c, ANYTHING) == PROVED for c in cells()})


T3 = Claim(
    name="T3",
    title="which gate is sound where: order, gate, place, scope, and whether trimming may take tombstones",
    statement=(
        "On a joint budget, for every combination of two orders, five gates (none, tombstone, evict now, an eviction"
        " that is only planned, a tombstone by last turn's view), three places (before, between and after trimming and"
        " pruning), two scopes (every tool, tools pruned this turn) and, where tombstones are written, whether"
        " trimming may take them: 74 combinations. The law: a gate is sound if it leaves no ghost, of any tool in any"
        " state, and each later pass keeps what is no ghost no ghost. An immediate gate over every tool, every turn,"
        " in last place always meets it; so does one that evicts, or writes tombstones that nothing can take, before"
        " the trimming of schema-first: schema-first with a tombstone that nothing can take is safe. These are 8"
        " combinations. Where the law is silent, one can be safe by order and budget: in ordinary sessions"
        " argument-first is safe with any gate or none (T2d), and under every disruption with an immediate gate over"
        " every tool that stands before pruning, which then comes only where no argument is left, unless trimming may"
        " still take the gate's tombstone: 5 more. All else sends a ghost. Last place alone is not enough: a gate for"
        " tools pruned this turn fails under disruption, and where trimming takes tombstones already in an ordinary"
        " session, in three requests."
    ),
    reason=(
        "What a request shows is what the gate leaves, carried through the passes after it. If it leaves no ghost and"
        " they make none, there is none."
    ),
    seed="The operational rule is a two-part gate evaluated per tool per turn",
    group=FAILURES,
    imprecise=(
        "Each tool in each turn is not enough. The gate must also act at once, by what is resident now, for tools"
        " that it did not prune as well, and either come last or be followed only by passes that undo nothing."
    ),
    questions=(
        Obligation(
            "law", "the law, checked by a solver on every cell, speaks only where the matrix is proved", law_and_table
        ),
        *matrix(),
    ),
)
