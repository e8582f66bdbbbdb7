"""Each wrong program is rejected, for the rule it breaks and by the vector that shows it."""

from __future__ import annotations

import pytest

from conformance.programs.trial import BY_ID, VECTORS, python, trial
from conformance.programs.wrong import WRONG

# The vector that shows the fault, and how the report begins to tell it.
REJECTED: dict[str, tuple[str, str]] = {
    "NoGate": ("a-6a0fcd4f1d5a", 'tools, number 1: expected {"arguments": false, "name": "a", '),
    "GateSparesPinned": ("a-c42502276b0f", 'outcome: expected "send", found "ghost-tool-invariant"'),
    "GateSparesUnknown": ("j-7ddfb292ecc7", 'mutation_ghosts, number 1: expected "a", found the end of th'),
    "LossyIsResident": ("j-57368ceb9ab5", 'ghosts, number 1: expected "b", found the end of the list'),
    "TombstoneEverywhere": ("a-2872f6e1a4da", 'decisions, number 1: expected {"decision": "kept", "tool": "'),
    "TombstoneInFront": ("a-c42502276b0f", 'history, number 1: expected {"id": "g1", "kind": "calls"}, f'),
    "TombstoneAgain": ("a-178b252938f4", 'decisions, number 1: expected {"decision": "kept", "tool": "'),
    "NewestFirst": ("a-394c5c69a9fa", 'decisions, number 1: expected {"decision": "evicted", "group'),
    "EvictsPinned": ("a-3046cbbbe098", 'decisions, number 1: expected {"decision": "evicted", "group'),
    "SplitsGroups": ("a-04398ea36593", 'decisions, number 2: expected {"decision": "evicted", "group'),
    "NoCascade": ("a-dfbb9f611186", "tokens.before: expected 10, found 13"),
    "SchemaFirst": ("a-394c5c69a9fa", 'decisions, number 1: expected {"decision": "evicted", "group'),
    "DeclaredOrder": ("a-da762fbaa31d", 'decisions, number 1: expected {"decision": "pruned", "tool":'),
    "PrunesPinned": ("a-9d132b758561", 'decisions, number 1: expected {"decision": "pruned", "tool":'),
    "PrunesWithoutSaving": ("a-43f50d96c78d", 'decisions, number 4: expected {"decision": "pruned", "tool":'),
    "PrunesRequested": ("a-d09634902e96", 'outcome: expected "budget-exceeded", found "send"'),
    "IgnoresRequests": ("a-ff15d99562f4", 'decisions, number 1: expected {"decision": "expanded", "tool'),
    "ShowsVanished": ("a-85405308f436", 'outcome: expected "send", found "budget-exceeded"'),
    "KeepsOldTombstone": ("a-884118ff49c1", 'tools, number 1: expected {"arguments": false, "name": "a", '),
    "RequestedGiveWayFirst": ("a-015b4d138f19", 'decisions, number 2: expected {"decision": "pruned", "tool":'),
    "RequestedNeverGiveWay": ("a-71e28f989e12", 'outcome: expected "send", found "budget-exceeded"'),
    "ForgetsReserve": ("a-394c5c69a9fa", "tokens.before: expected 8, found 7"),
    "OneTooStrict": ("a-f309a8b9b7bb", 'decisions, number 2: expected the end of the list, found {"d'),
    "OneTooLax": ("a-f9f8a8789ca5", 'outcome: expected "budget-exceeded", found "send"'),
    "SendsAnyway": ("a-f9f8a8789ca5", 'outcome: expected "budget-exceeded", found "send"'),
    "ForgetsRest": ("a-f9f8a8789ca5", 'outcome: expected "budget-exceeded", found "send"'),
    "NoSeparateReserve": ("a-0d2912f05313", 'decisions, number 1: expected {"decision": "evicted", "group'),
    "EvictModeKeepsArguments": ("a-2625b28cb307", 'outcome: expected "send", found "ghost-tool-invariant"'),
    "StrictPrunes": ("a-ff071ed95901", 'outcome: expected "send", found "ghost-tool-invariant"'),
    "StrictStaysSilent": ("a-9d05f1bf32cb", 'outcome: expected "ghost-tool-invariant", found "send"'),
}
SOME = [*VECTORS[::12], *[vector for vector in VECTORS if vector.kind == "judge"]]
"""Vectors beside the killer, so that the controls have something to tell apart."""


def test_the_right_program_passes_every_vector() -> None:
    done = trial(python("right.py"))
    assert [result.said for result in done.results if result.status != "passed"] == []
    assert len(done.results) == len(VECTORS) > 600


def test_every_wrong_program_has_its_vector() -> None:
    assert REJECTED.keys() == WRONG.keys()
    assert len(WRONG) >= 12


@pytest.mark.parametrize("name", REJECTED)
def test_a_wrong_program_is_rejected_for_its_reason(name: str) -> None:
    killer, said = REJECTED[name]
    rule = (WRONG[name].__doc__ or "").partition(":")[0]
    vector = BY_ID[killer]
    assert rule in vector.rules
    done = trial(python("wrong.py", name), [vector, *SOME])
    assert not done.passed
    result = done.results[0]
    assert result.status == "failed"
    assert result.said.startswith(said)
