"""An observer of whole sessions is believed only as far as the plain functions show it what it looks for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ghostproof.engines.problem import Bounds
from ghostproof.lift.term import FALSE
from ghostproof.turn.errors import InternalError
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.scenario import ORDINARY_SESSION
from ghostproof.turn.verdict import HoldsTo, Refuted
from ghostproof_proofs.frequency import gated, ungated
from ghostproof_proofs.sessions import breach, observed

SMALL = Bounds(turns=3, tools=1)


def test_a_breach_of_no_ghost_is_what_bmc_finds() -> None:
    verdict = observed(ungated, ORDINARY_SESSION, breach(NO_GHOST))
    assert isinstance(verdict, Refuted)
    assert verdict.trace.size == (2, 1)
    assert any("excluded up to N = 2 tools" in line for line in verdict.minimality)
    assert isinstance(observed(gated, ORDINARY_SESSION, breach(NO_GHOST), SMALL), HoldsTo)


def test_what_the_observer_does_not_see_when_played_is_our_fault() -> None:
    blind = replace(breach(NO_GHOST), seen=lambda trace: False)
    with pytest.raises(InternalError, match="does not show it"):
        observed(ungated, ORDINARY_SESSION, blind, SMALL)


def test_what_the_observer_sees_sooner_than_the_solver_is_our_fault() -> None:
    hasty = replace(breach(NO_GHOST), seen=lambda trace: True)
    with pytest.raises(InternalError, match="does not show it"):
        observed(ungated, ORDINARY_SESSION, hasty, SMALL)


def test_what_no_session_can_show_holds_to_the_bounds() -> None:
    verdict = observed(ungated, ORDINARY_SESSION, replace(breach(NO_GHOST), wanted=lambda sessions: FALSE), SMALL)
    assert isinstance(verdict, HoldsTo)
    assert (verdict.turns, verdict.tools) == (3, 1)
