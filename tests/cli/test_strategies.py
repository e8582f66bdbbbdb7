"""The command line offers the strategies that there are, and `all` compares every engine."""

from __future__ import annotations

from cli.run import ghostproof
from ghostproof.cli import STRATEGIES
from ghostproof.examine import STRATEGIES as KNOWN


def test_every_strategy_is_offered_and_no_other() -> None:
    assert STRATEGIES == KNOWN


def test_all_engines_agree_on_the_refuted_example() -> None:
    done = ghostproof(
        "check", "docs/examples/refuted.py:PRUNER", "--scenario", "ordinary", "--engine", "all", "--turns", "2"
    )
    assert done.returncode == 1
    assert "explicit" in done.stdout
