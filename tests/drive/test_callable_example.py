"""The example of a pruner of one's own: a selector that looks at the last question only."""

from drive.targets import ROOT, check
from drive.test_check import counts, refuting
from ghostproof.turn.verdict import HoldsTo

EXAMPLE = ROOT / "docs" / "examples" / "callable_pruner.py"


def test_a_change_of_subject_makes_a_ghost() -> None:
    first, last = refuting(check(f"{EXAMPLE}:by_last_question", turns=3, tools=3)).exchanges
    assert first.choices != last.choices
    assert [ghost.tool for ghost in last.ghosts] == ["search_orders"]


def test_the_gate_leaves_a_tombstone_wherever_a_called_tool_is_hidden() -> None:
    verdict = check(f"{EXAMPLE}:by_last_question_gated", turns=3, tools=3)
    assert isinstance(verdict, HoldsTo)
    found = counts(verdict)
    assert verdict.explored == 412
    assert found["of them with the schema of a called tool withheld"] == found["of them with a tombstone"] == 212
