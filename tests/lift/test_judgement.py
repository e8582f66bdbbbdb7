"""A property may read a pruner's memory: judged the same by the plain function, by a solver and by explicit search."""

from __future__ import annotations

from typing import Any

import pytest

from ghostproof.engines.problem import Bounds
from ghostproof.examine import examine
from ghostproof.host.host import LocalHost
from ghostproof.turn.budget import Turn
from ghostproof.turn.claim import Question
from ghostproof.turn.property import Property
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.scenario import ORDINARY_SESSION
from ghostproof.turn.verdict import Refuted, Undetermined
from ghostproof.variants.arbitration import argument_first


def count_turns(tool: Any, turn: Turn) -> None:
    tool.turns = tool.turns + 1


def _long(tool: Any) -> bool:
    turns: int = tool.turns
    return turns > 2


COUNTING = Pruner(Pass(count_turns), *argument_first.passes, memory={"turns": 0}, name="counting")
SHORT = Property("short", "no session has a third request", _long, lambda tool: True, {"turns": 0})


@pytest.mark.parametrize("engine", ["bmc", "explicit"])
def test_memory_is_judged(engine: str) -> None:
    verdict = examine(LocalHost(COUNTING), ORDINARY_SESSION, SHORT, Bounds(turns=3, tools=1), engine)
    assert isinstance(verdict, Refuted)
    assert verdict.trace.size[0] == 3


def test_memory_is_judged_by_induction() -> None:
    verdict = examine(LocalHost(COUNTING), ORDINARY_SESSION, SHORT, Bounds(), "induction")
    assert isinstance(verdict, Undetermined)
    assert "reaches a violation" in verdict.reason


def test_memory_that_the_pruner_does_not_declare_is_refused() -> None:
    with pytest.raises(ValueError, match="undeclared memory: turns"):
        Question("x", "x", argument_first, ORDINARY_SESSION, judged=SHORT)
