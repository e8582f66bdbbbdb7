"""The law of T3 speaks only where it may, and proofs by assumption assume nothing false."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ghostproof.engines.problem import Bounds
from ghostproof.examine import examine
from ghostproof.host.host import LocalHost
from ghostproof.turn.budget import Turn, prompt_fits
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.pruner import Pass, Pruner, least_recently_called
from ghostproof.turn.scenario import ANYTHING, ORDINARY_SESSION
from ghostproof.turn.tool import Tool
from ghostproof.turn.verdict import Proved, Refuted, Undetermined
from ghostproof.variants.arbitration import expand, gate, prune_schema, trim_history
from ghostproof.variants.trims import trim_calls
from ghostproof_proofs.assumption import proved_by_assumption
from ghostproof_proofs.broken.gates import gate_for_unpinned
from ghostproof_proofs.t3_cells import Cell, cells, pruner_of
from ghostproof_proofs.t3_law import compared, law
from ghostproof_proofs.t3_matrix import expected, lawful
from ghostproof_proofs.t4_shield import GATES

SOUND = Cell("schema-first", "tombstone", "between", "every tool", "leaves tombstones")
STALE = Cell("argument-first", "stale view", "between", "every tool", "takes tombstones")


def gated(visit: object, trim: object = trim_calls) -> Pruner:
    return Pruner(
        Pass(expand),
        Pass(prune_schema, until=prompt_fits),
        Pass(visit, name="gate"),  # type: ignore[arg-type]  # visits by name
        Pass(trim, until=prompt_fits, name="trim"),  # type: ignore[arg-type]
        name="law",
    )


@pytest.mark.parametrize("name", list(GATES))
def test_the_law_speaks_of_immediate_gates_and_stable_trims(name: str) -> None:
    assert law(gated(GATES[name])).sound


def test_the_law_names_the_premise_that_fails() -> None:
    assert law(gated(gate, trim_history)).why == "pass trim makes a ghost of what is none"
    assert law(gated(gate_for_unpinned)).why == "the gate leaves ghosts"
    assert law(Pruner(Pass(expand), name="none")).why == "there is no gate"
    last = gated(gate)
    conditional = [replace(item, until=prompt_fits) if item.name == "gate" else item for item in last.passes]
    assert "may skip tools" in law(Pruner(*conditional, name="conditional")).why


def test_a_law_that_conflicts_with_the_matrix_is_noticed() -> None:
    words = {cell: lawful(cell) for cell in cells()}
    proved = {cell: expected(cell, ANYTHING).verdict is Proved for cell in cells()}
    assert isinstance(compared(words, proved), Proved)
    conflict = compared(words, {**proved, SOUND: False})
    assert isinstance(conflict, Undetermined)
    assert SOUND.label in conflict.reason
    assert isinstance(compared({**words, SOUND: False}, proved), Undetermined)
    assert isinstance(compared({**words, STALE: True}, proved), Undetermined)


def show_all(tool: Tool, turn: Turn) -> None:
    """Shows every schema, whatever it costs."""
    if tool.registered:
        tool.show_schema()


raising = Pruner(
    Pass(trim_calls, least_recently_called, prompt_fits),
    Pass(show_all),
    Pass(prune_schema, least_recently_called, prompt_fits),
    name="between trimming and pruning a pass that raises the demand",
)


def test_a_visit_that_raises_the_demand_may_break_what_trimming_left() -> None:
    assert isinstance(examine(LocalHost(raising), ORDINARY_SESSION, NO_GHOST, Bounds()), Refuted)


def test_what_raises_the_demand_is_not_assumed_away() -> None:
    assert isinstance(proved_by_assumption(raising, ORDINARY_SESSION), Undetermined)


def test_an_assumption_does_not_prove_what_is_false() -> None:
    assert isinstance(proved_by_assumption(pruner_of(STALE), ANYTHING), Undetermined)
    between = replace(STALE, order="schema-first")
    assert isinstance(proved_by_assumption(pruner_of(between), ORDINARY_SESSION), Undetermined)
