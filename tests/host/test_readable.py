"""The page that tells authors what a pass may read names all of it, and nothing else."""

from __future__ import annotations

import re

from ghostproof.host.readable import OF_A_TOOL, OF_A_TURN
from ghostproof.turn.budget import Turn
from ghostproof.turn.session import new_tool
from ghostproof.turn.tool import FIXED
from repository.tree import ROOT

PAGE = (ROOT / "docs" / "writing-a-pruner.md").read_text(encoding="utf-8")


def listed(heading: str) -> list[str]:
    """The names in the first column of the table that begins with `heading`, each of whose rows says what they mean."""
    table = PAGE[PAGE.index(f"| {heading} | meaning |") :].split("\n\n")[0].splitlines()[2:]
    rows = [re.fullmatch(r"\| (`[^|]+`) \| ([^|]{6,}) \|", row) for row in table]
    return [name for row in rows if row is not None for name in re.findall(r"`(\w+)`", row[1])]


def test_every_field_of_a_tool_is_listed() -> None:
    assert sorted(listed("of the tool")) == sorted(OF_A_TOOL)


def test_every_number_of_a_turn_is_listed() -> None:
    assert sorted(listed("of the turn, in tokens")) == sorted(OF_A_TURN)


def test_what_is_listed_can_be_read() -> None:
    tool = new_tool(dict.fromkeys(FIXED, 1), {})
    turn = Turn(**dict.fromkeys(Turn.__slots__, 1))
    assert all(hasattr(tool, name) for name in OF_A_TOOL)
    assert all(hasattr(turn, name) for name in OF_A_TURN)
    public = {name for name in dir(tool) if not name.startswith("_") and not callable(getattr(tool, name))}
    assert public == set(OF_A_TOOL)
    assert {name for name in dir(turn) if not name.startswith("_")} == set(OF_A_TURN)
