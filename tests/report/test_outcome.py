"""What a run ends with."""

from __future__ import annotations

import pytest

from ghostproof.report.outcome import SEVERITY, worst
from report.samples import VERDICTS, outcome, part


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("proved", 1),  # a proof where a refutation was expected is the wrong answer as well
        ("proved up to", 3),
        ("holds to", 3),
        ("refuted", 1),
        ("undetermined", 3),
        ("vacuous", 4),
        ("invalid pruner", 2),
        ("disagreement", 5),
    ],
)
def test_an_unexpected_answer_has_a_code(name: str, code: int) -> None:
    assert part(VERDICTS[name], as_expected=False).code == code


@pytest.mark.parametrize("name", VERDICTS)
def test_an_expected_answer_passes_if_it_is_one(name: str) -> None:
    missing = name in ("undetermined", "invalid pruner", "disagreement")
    assert part(VERDICTS[name]).passed is not missing


def test_a_claim_passes_only_if_something_was_asked_and_all_of_it_passed() -> None:
    good, bad = part(VERDICTS["proved"]), part(VERDICTS["vacuous"], as_expected=False)
    assert outcome(good).code == 0
    assert outcome(good, bad).code == 4
    assert outcome().code == 4
    assert outcome(good, errors=("it broke",)).code == 70


def test_the_worst_code_wins() -> None:
    assert worst([]) == 0
    assert [worst([0, 3, code]) for code in (1, 2, 4, 5, 70)] == [1, 2, 4, 5, 70]
    assert worst(list(SEVERITY)) == 70
