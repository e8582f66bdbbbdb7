"""One mutant on every run, a slice with time, and canaries: a harness that makes its own kills kills nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import mutants.__main__ as command
from mutants.__main__ import chosen, closing, rows
from mutants.catalogue import Mutant, WrongCatalogueError, mutant, mutants
from mutants.killing import FAILED, LATE, PASSED, Seen, of_check, run
from mutants.trial import AS_DECLARED, Outcome, judge, tried, untouched
from mutants.workshop import StaleError, Workshop, mutate
from repository.tree import ROOT

CATALOGUE = mutants()
QUICK = [item for item in CATALOGUE if item.quick]
BY_NAME = {item.name: item for item in CATALOGUE}
SECONDS = 60.0


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    return Workshop(tmp_path_factory.mktemp("mutants"))


def _quick() -> list[object]:
    """The slice; CI has time for one of them."""
    always = "the visiting order is ignored"
    return [pytest.param(item, id=item.name, marks=[] if item.name == always else [pytest.mark.slow]) for item in QUICK]


@pytest.mark.parametrize("item", _quick())
def test_a_mutant_meets_its_fate(item: Mutant, workshop: Workshop) -> None:
    # That its killer spares the untouched checkout is what the rest of this suite says, and `make mutants` tries.
    before = Seen(PASSED if item.killer.test else "untouched", "")
    outcome = tried(item, workshop, before)
    assert outcome.what == AS_DECLARED, outcome.details


@pytest.mark.parametrize("item", CATALOGUE, ids=lambda item: item.name)
def test_no_entry_is_stale(item: Mutant, tmp_path: Path) -> None:
    copy = tmp_path / "copy.py"
    copy.write_text((ROOT / item.file).read_text())
    mutate(copy, item)
    compile(copy.read_text(), item.file, "exec")


def test_model_pruners_and_checker_have_mutants_and_the_slice_is_small() -> None:
    folders = {item.file.removeprefix("model/ghostproof/").partition("/")[0] for item in CATALOGUE}
    assert folders >= {"turn", "variants", "lift", "engines", "certify", "report", "host", "verifier", "tests"}
    assert 10 <= len(QUICK) <= 15
    assert len(CATALOGUE) >= 100


# ---- canaries -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", [pytest.param("bmc is off by one depth", marks=pytest.mark.slow), "the gate spares pinned tools"]
)
def test_a_mutant_that_changes_nothing_survives(name: str, workshop: Workshop) -> None:
    identity = replace(BY_NAME[name], new=BY_NAME[name].old)
    before = untouched([identity.killer], workshop, 1)[identity.killer]
    outcome = tried(identity, workshop, before)
    assert outcome.what == "SURVIVOR", outcome.details
    assert closing([outcome])[-1] == "1 mutant: 1 SURVIVOR."


@pytest.mark.slow
def test_a_mutant_that_breaks_the_import_is_killed_for_the_wrong_reason(workshop: Workshop) -> None:
    broken = replace(BY_NAME["bmc is off by one depth"], new="for requests in nowhere(")
    outcome = tried(broken, workshop, Seen(PASSED, ""))
    assert outcome.what == "WRONG REASON"


def test_a_killer_that_takes_too_long_is_inconclusive(workshop: Workshop) -> None:
    item = BY_NAME["bmc is off by one depth"]
    assert run(item.killer, workshop.untouched, 0.05) == Seen(LATE, "")
    assert judge(item, Seen(LATE, ""), Seen(PASSED, ""))[0] == "INCONCLUSIVE"


KILLED = BY_NAME["bmc is off by one depth"]
REFUTED = BY_NAME["the gate spares pinned tools"]
EQUIVALENT = BY_NAME["constants know too much"]
GOOD = Seen(PASSED, "")


@pytest.mark.parametrize(
    ("item", "seen", "before", "what"),
    [
        pytest.param(KILLED, Seen(FAILED, f"assert {KILLED.says}"), GOOD, AS_DECLARED, id="killed"),
        pytest.param(KILLED, Seen(FAILED, "assert else"), GOOD, "WRONG REASON", id="another message"),
        pytest.param(KILLED, Seen("not run", KILLED.says), GOOD, "WRONG REASON", id="the test did not run"),
        pytest.param(KILLED, GOOD, GOOD, "SURVIVOR", id="the test passes"),
        pytest.param(KILLED, Seen(FAILED, KILLED.says), Seen(FAILED, KILLED.says), "NO KILLER", id="fails anyhow"),
        pytest.param(
            REFUTED, Seen("refuted in 2 requests, 1 tools", REFUTED.says), Seen("proved", ""), AS_DECLARED, id="refuted"
        ),
        pytest.param(
            REFUTED,
            Seen("refuted in 3 requests, 1 tools", REFUTED.says),
            Seen("proved", ""),
            "WRONG REASON",
            id="longer",
        ),
        pytest.param(REFUTED, Seen("undetermined", ""), Seen("proved", ""), "WRONG REASON", id="undetermined"),
        pytest.param(REFUTED, Seen("proved", ""), Seen("proved", ""), "SURVIVOR", id="proved"),
        pytest.param(EQUIVALENT, Seen("proved", ""), Seen("proved", ""), AS_DECLARED, id="equivalent"),
        pytest.param(EQUIVALENT, Seen("vacuous", ""), Seen("proved", ""), "NOT EQUIVALENT", id="not equivalent"),
    ],
)
def test_only_the_declared_fate_counts(item: Mutant, seen: Seen, before: Seen, what: str) -> None:
    assert judge(item, seen, before)[0] == what


@pytest.mark.parametrize(
    ("code", "said", "answer"),
    [
        pytest.param(1, "refuted: x (2 requests, 1 tool)\nGHOST", "refuted in 2 requests, 1 tools", id="refuted"),
        pytest.param(2, "ghostproof: invalid pruner: x: y; z", "invalid pruner", id="invalid"),
        pytest.param(4, "vacuous: x\nmissing", "vacuous", id="vacuous"),
        pytest.param(70, "ghostproof: internal error", "internal error", id="internal error"),
        pytest.param(1, "Traceback (most recent call last):", "exit code 1", id="a crash is no refutation"),
    ],
)
def test_what_a_check_answers(code: int, said: str, answer: str) -> None:
    assert of_check(code, said).answer == answer


@pytest.mark.parametrize("old", ["nowhere to be found", "return"])
def test_an_entry_must_replace_exactly_one_text(old: str, tmp_path: Path) -> None:
    file = tmp_path / "x.py"
    file.write_text("def f():\n    return 1\n\n\ndef g():\n    return 2\n")
    with pytest.raises(StaleError, match="occurs"):
        mutate(file, replace(KILLED, old=old))


ENTRY = {"name": "x", "file": "x.py", "old": "a", "new": "b", "fate": "killed", "test": "t.py::t", "says": "assert"}


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"colour": "red"}, "unknown keys colour"),
        ({"fate": "gone"}, "a fate"),
        ({"says": ""}, "a sign"),
        ({"fate": "equivalent"}, "a reason"),
        ({"check": "x.py:P"}, "one killer"),
        ({"fate": "refuted"}, "a check where a check answers"),
        ({"requests": 2, "tools": 1}, "requests and tools where it is refuted"),
    ],
)
def test_an_entry_that_cannot_be_meant_is_refused(changed: dict[str, Any], said: str) -> None:
    assert mutant(ENTRY).declared == "killed"
    with pytest.raises(WrongCatalogueError, match=said):
        mutant(ENTRY | changed)


@pytest.mark.parametrize(
    ("what", "code"),
    [
        (AS_DECLARED, 0),
        ("INCONCLUSIVE", 1),
        ("SURVIVOR", 1),
        ("WRONG REASON", 1),
        ("NOT EQUIVALENT", 1),
        ("NO KILLER", 1),
        ("STALE", 1),
    ],
)
def test_whatever_is_not_as_declared_fails_the_gate(
    what: str, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    became = [Outcome(KILLED, what, "details", 1.0), Outcome(EQUIVALENT, AS_DECLARED, "", 1.0)]
    monkeypatch.setattr(command, "Workshop", lambda folder: folder)
    monkeypatch.setattr(command, "chosen", lambda words: [KILLED, EQUIVALENT])
    monkeypatch.setattr(command, "tried_all", lambda mutants, workshop, jobs: iter(became))
    assert command.main([]) == code
    assert what in capsys.readouterr().out


def test_no_mutant_at_all_is_no_success(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["of this name there is none"]) == 1
    assert "0 mutants: nothing was tried." in capsys.readouterr().out


def test_the_table_and_its_closing_line() -> None:
    outcomes = [Outcome(KILLED, AS_DECLARED, "failed", 1.0), Outcome(REFUTED, "SURVIVOR", "still proved", 2.0)]
    assert [row[3] for row in rows(outcomes)] == [AS_DECLARED, "SURVIVOR"]
    assert closing(outcomes) == [
        "the gate spares pinned tools: SURVIVOR: still proved",
        "2 mutants: 1 SURVIVOR, 1 as declared.",
    ]
    assert chosen(["off by one"]) == [KILLED]
