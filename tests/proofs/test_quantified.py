"""T1 and T4 over all tools at once: a broken gate, a broken pass and a premise that cannot be are each found out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ghostproof.lift.term import FALSE
from ghostproof.turn.budget import Turn, prompt_fits
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.tool import Tool
from ghostproof.turn.trace import Walk
from ghostproof.turn.verdict import Proved, Refuted, Undetermined, Vacuous
from ghostproof.variants.arbitration import argument_first, gate, schema_first
from ghostproof_proofs.broken.gates import (
    gate_for_mutations,
    gate_for_unpinned,
    gate_on_shown_schemas,
    gate_without_action,
)
from ghostproof_proofs.quantified import (
    NO_NUMBERS,
    masked,
    never_ghosts_behind,
    never_ghosts_in_sessions,
    session_of,
    settled,
    shield_of,
)


@pytest.mark.parametrize(
    "broken",
    [gate_for_unpinned, gate_for_mutations, gate_on_shown_schemas, gate_without_action],
    ids=lambda g: g.__name__,
)
def test_a_broken_gate_is_refuted_by_a_visit_of_its_own(broken: object) -> None:
    item = Pass(broken)  # type: ignore[arg-type]
    verdict = never_ghosts_behind(item)
    assert isinstance(verdict, Refuted)
    assert isinstance(verdict.trace, Walk)
    tool = Tool({n: v for n, v in verdict.trace.states[0].items() if not isinstance(v, str)})
    item.visit(tool, NO_NUMBERS)
    assert tool.ghost
    assert tool.__dict__ == verdict.trace.states[1]
    in_sessions = never_ghosts_in_sessions(Pruner(*argument_first.passes[:-1], item, name="broken"))
    assert isinstance(in_sessions, Undetermined)
    assert in_sessions.reason.startswith(f"'{item.name} visits a tool'")


def test_a_gate_that_may_end_early_or_does_not_come_last_is_not_proved() -> None:
    early = never_ghosts_behind(Pass(gate, until=prompt_fits))
    assert isinstance(early, Undetermined)
    assert early.reason.startswith("'gate ends'")
    assert isinstance(never_ghosts_in_sessions(schema_first), Undetermined)
    assert isinstance(never_ghosts_in_sessions(Pruner(*argument_first.passes[:-1], name="none")), Undetermined)


def test_a_pass_that_shows_a_schema_and_keeps_its_tombstone_is_found_out() -> None:
    def careless(tool: Tool, turn: Turn) -> None:
        if tool.requested:
            tool.schema_shown = True
            tool.schema_lossy = False

    verdict = never_ghosts_in_sessions(Pruner(Pass(careless), *argument_first.passes[1:], name="careless"))
    assert isinstance(verdict, Undetermined)
    assert verdict.reason.startswith("'careless visits a tool'")


def test_premises_that_cannot_be_make_it_vacuous() -> None:
    subject = session_of(argument_first)
    verdict = settled(replace(subject, system=replace(subject.system, initial=FALSE)))
    assert isinstance(verdict, Vacuous)
    assert "initiation" in verdict.which


def test_a_gate_that_meets_no_ghost_is_vacuous() -> None:
    subject = shield_of(Pass(gate))
    nowhere = replace(subject, system=replace(subject.system, bad=FALSE))
    verdict = settled(nowhere)
    assert isinstance(verdict, Vacuous)
    assert "the last pass visits a ghost" in verdict.which


def test_both_solvers_refute_every_script() -> None:
    verdict = never_ghosts_in_sessions(argument_first)
    assert isinstance(verdict, Proved)
    counts = {(checked.by, checked.count) for checked in verdict.checked}
    # Start, settling, environment, two for each pass, request, model, executor, and safety.
    scripts = 7 + 2 * len(argument_first.passes)
    assert counts == {("z3", scripts), ("z3", scripts + 1), ("cvc5", scripts)}


def test_a_masked_schema_is_a_tombstone_beside_it() -> None:
    tool = Tool({"schema_shown": True, "schema_lossy": False, "tombstone_resident": True})
    assert masked(tool)
    tool.schema_lossy = True
    assert not masked(tool)
