"""A fixed slice of what `make exhaustive` compares, what it notices, and what it says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator

import pytest

from differential import __main__ as exhaustive
from differential import parts
from differential.compared import disagreement
from differential.parts import PARTS, Part, Walked
from differential.transitions import JOINT, SEPARATE, Setting, Walk
from ghostproof_reference import passes, spending

ALL_ONE = ((1, 1, 1), (1, 1, 1))
MIXED = ((2, 2, 1), (2, 1, 1))
SLICES = (
    (Setting(ALL_ONE), 3, 1_550),
    (Setting(MIXED), 3, 1_440),
    (Setting(MIXED, pinned=(True, False)), 11, 300),
    (Setting(MIXED, SEPARATE[1::11]), 5, 300),
    (Setting(MIXED, JOINT[:5], gate="evict"), 11, 230),
    (Setting(MIXED, JOINT[:5], (False, True), gate="strict"), 11, 200),
)
"""A setting, which of its transitions in two turns are compared (every so many), and how many that are at the least."""

TINY = Part("tiny", (Setting(ALL_ONE, JOINT[:1]), Setting(MIXED, JOINT[1:2])), (32,))


def disagreements(setting: Setting, every: int) -> Iterator[str | None]:
    for place, (_, case, wanted) in enumerate(Walk(setting, 2).transitions()):
        if place % every == 0:
            yield disagreement(case, wanted)


@pytest.mark.parametrize(("setting", "every", "least"), SLICES)
def test_a_slice_of_two_turns_agrees(setting: Setting, every: int, least: int) -> None:
    found = list(disagreements(setting, every))
    assert [said for said in found if said] == []
    assert len(found) >= least


def too_lax(limits: spending.Spending) -> int:
    return limits.inventory.totals.demand - getattr(limits.budget, "total", 0) - 1


@pytest.mark.parametrize(
    ("slice_number", "owner", "name", "fault", "says"),
    [
        (0, spending.Spending, "excess", too_lax, 'expected {"decision": "evicted"'),
        (
            1,
            passes.Turn,
            "_candidates",
            lambda turn: turn.inventory.shown_tools()[::-1],
            'expected {"decision": "pruned"',
        ),
        (2, passes.Turn, "evictable", lambda turn: list(turn.history.kept.values()), "evicted a: not an enabled visit"),
        (3, spending.Spending, "joint", property(lambda limits: True), 'found {"decision": "pruned"'),
        (4, passes.Turn, "_is_ghost", lambda turn, record: False, "a ghost is sent"),
    ],
)
def test_a_seeded_fault_is_caught_in_the_slice(
    slice_number: int, owner: object, name: str, fault: object, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(owner, name, fault)
    setting, every, _ = SLICES[slice_number]
    said = next((said for said in disagreements(setting, every) if said), "")
    assert says in said


def test_every_part_has_its_settings_and_its_counts() -> None:
    assert all(part.settings and all(part.expected) for part in PARTS)
    assert len(PARTS[0].settings) == 64
    assert len(PARTS[0].expected) == 4
    names = [part.name for part in PARTS]
    assert sorted(set(names)) == sorted(names)


def test_what_is_compared_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert exhaustive.main(["--jobs", "1"], [TINY]) == 0
    assert capsys.readouterr().out == ("tiny: 2 of 2 settings, 32 transitions in 1 turn (32) agree; expected 32\n")


def test_fewer_than_known_fail(capsys: pytest.CaptureFixture[str]) -> None:
    assert exhaustive.main(["--jobs", "1"], [Part("tiny", TINY.settings, (33,))]) == 1
    assert capsys.readouterr().out.startswith("FAILED: tiny: 2 of 2 settings, 32 transitions")


def test_a_disagreement_is_told_with_its_case(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(parts, "disagreement", lambda case, wanted: "a ghost is sent")
    assert exhaustive.main(["--jobs", "1"], [TINY]) == 1
    said = capsys.readouterr().out
    assert "DISAGREEMENT in Setting(" in said
    assert "turn 1: a ghost is sent\n{'tools'" in said
    assert "FAILED: tiny" in said
    assert "agree;" not in said


def test_an_interrupted_run_says_what_it_finished(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*given: object) -> Generator[Walked | None, None, None]:
        yield None
        yield Walked(TINY.settings[0], Counter({1: 16}), None)
        raise KeyboardInterrupt

    monkeypatch.setattr(exhaustive, "walked", interrupted)
    assert exhaustive.main([], [TINY]) == 130
    assert capsys.readouterr().out.startswith(
        "INTERRUPTED: tiny: 1 of 2 settings, 16 transitions in 1 turn (16) agree; expected 32"
    )


def test_a_name_of_no_part_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        exhaustive.main(["nonsense"], [TINY])
    assert refused.value.code == 2
    assert "no part of that name; there are: tiny" in capsys.readouterr().err
