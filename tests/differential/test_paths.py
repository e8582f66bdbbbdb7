"""Solved cases on the reference: each path of each argument-first pass, at its demand and one token to either side.

They are derived once, into the vectors of the conformance suite; a case that several paths ask stands there once.
"""

from __future__ import annotations

from collections import Counter

import pytest

from differential.compared import disagreement
from ghostproof.conformance import paths
from ghostproof.conformance.suite import FILE, identify, parse, read

FOUND = {one.id: one for one in parse(read(FILE)) if one.kind == "arbitrate"}
DERIVED = [one for one in FOUND.values() if one.origin.startswith("path ")]
BOUNDARIES = ("one below its demand", "at its demand", "one above its demand")


def test_the_reference_agrees_on_each_path_and_beside_each_boundary() -> None:
    assert [(one.origin, said) for one in DERIVED if (said := disagreement(dict(one.case)))] == []
    boundaries = Counter(one.origin.partition(", budget ")[2] for one in DERIVED)
    assert all(boundaries[beside] >= 32 for beside in BOUNDARIES)
    visits = {one.origin.partition(" of ")[2].partition(",")[0] for one in DERIVED}
    assert visits == {"expand", "trim_history", "prune_schema", "prune_where_it_saves", "gate"}


@pytest.mark.slow
def test_the_derivation_is_fresh() -> None:
    derived = list(paths.cases())
    assert len(derived) >= 200
    assert [origin for origin, case in derived if identify("arbitrate", case) not in FOUND] == []
