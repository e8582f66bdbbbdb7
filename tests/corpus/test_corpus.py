"""Every engine gives the answer of the manifest: verdict, requests, tools, tokens and states."""

from __future__ import annotations

from importlib import import_module

import pytest

from corpus.manifest import FOLDER, Entry, entries, reduced, scenarios
from corpus.sessions import Allowance
from ghostproof.check import check_target
from ghostproof.engines.problem import Bounds
from ghostproof.engines.table import ENGINES, engine
from ghostproof.examine import examine
from ghostproof.host.admit import admit
from ghostproof.host.host import LocalHost
from ghostproof.host.problem import PrunerProblem
from ghostproof.turn.explore import Grid
from ghostproof.turn.property import PROPERTIES, Property
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.scenario import Scenario
from ghostproof.turn.trace import Trace
from ghostproof.turn.verdict import HoldsTo, Proved, Refuted, Verdict
from lift.sessions import cost_of

ENTRIES = entries()
REFUTED = [entry for entry in ENTRIES if entry.verdict == "Refuted"]
SCENARIOS = scenarios()
BOUNDS = Bounds(turns=6, tools=3)
STATES_MAX = 1_000_000
# Several tools and more tokens than this take up to minutes to enumerate.
QUICK_TOKENS = 8


def pruner_of(target: str) -> Pruner:
    """The pruner that a target names."""
    file, _, name = target.partition(".py:")
    found: Pruner = getattr(import_module(f"corpus.{file}"), name)
    return found


def asked(entry: Entry) -> tuple[LocalHost, Scenario, Property]:
    """What the entry is about."""
    return LocalHost(pruner_of(entry.target)), SCENARIOS[entry.scenario], PROPERTIES[entry.judged]


def on_grid(entry: Entry, turns: int) -> Verdict:
    """The answer of explicit search on the entry's grid."""
    problem = PrunerProblem(*asked(entry), entry.explicit.grid, BOUNDS.limits)
    return engine("explicit")(problem, Bounds(turns=turns, states=STATES_MAX)).verdict


def size_of(verdict: Verdict, entry: Entry) -> tuple[int, int, int] | None:
    """Requests, tools and tokens of a counterexample of the entry's pruner."""
    if not isinstance(verdict, Refuted):
        return None
    assert isinstance(verdict.trace, Trace)
    return cost_of(verdict.trace, asked(entry)[1])


def allowance(entry: Entry) -> Allowance:
    """The second enumeration for an entry."""
    host, scenario, judged = asked(entry)
    return Allowance(pruner_of(entry.target), scenario, judged, host.lifted.budget_names, host.lifted.tested_budgets)


def is_quick(entry: Entry) -> bool:
    """Whether the second enumeration takes seconds."""
    return entry.tools == 1 or entry.tokens <= QUICK_TOKENS


# ---- the manifest -------------------------------------------------------------------------------------------------


def test_the_manifest_has_what_was_promised() -> None:
    unsound = {entry.target for entry in REFUTED}
    sound = {entry.target for entry in ENTRIES if entry.target.startswith("sound_")}
    assert len(unsound) >= 20
    assert len(sound) >= 20
    assert all(target.startswith("unsound_") for target in unsound)
    assert {entry.scenario for entry in ENTRIES} == set(SCENARIOS)
    assert len({str(entry) for entry in ENTRIES}) == len(ENTRIES)


def test_every_pruner_of_the_folder_is_in_the_manifest() -> None:
    """And each has a name and a reason of its own: none is there twice."""
    here = {
        f"{file.name}:{name}"
        for pattern in ("sound_*.py", "unsound_*.py", "vacuous.py")
        for file in FOLDER.glob(pattern)
        for name, thing in vars(import_module(f"corpus.{file.stem}")).items()
        if isinstance(thing, Pruner)
    }
    assert here == {entry.target for entry in ENTRIES}
    assert len({pruner_of(target).name for target in here}) == len(here)
    assert len({entry.reason for entry in ENTRIES}) == len(ENTRIES)


# ---- the answers --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("entry", ENTRIES, ids=str)
def test_check_gives_the_answer(entry: Entry) -> None:
    host, scenario, judged = asked(entry)
    admit(pruner_of(entry.target))
    verdict = examine(host, scenario, judged, BOUNDS)
    assert type(verdict).__name__ == entry.verdict
    assert size_of(verdict, entry) == (entry.minimal if entry in REFUTED else None)


@pytest.mark.parametrize("entry", [entry for entry in ENTRIES if entry.without], ids=str)
def test_without_its_cause_the_fault_is_gone(entry: Entry) -> None:
    assert entry.without is not None
    host, scenario, judged = asked(entry)
    assert isinstance(examine(host, scenario, judged, BOUNDS), Refuted)
    verdict = examine(host, reduced(scenario, entry.without), judged, BOUNDS)
    assert type(verdict).__name__ == entry.without.verdict


@pytest.mark.parametrize("entry", ENTRIES, ids=str)
def test_explicit_search_counts_the_states(entry: Entry) -> None:
    verdict = on_grid(entry, entry.explicit.turns)
    assert isinstance(verdict, HoldsTo), verdict
    assert verdict.explored == entry.explicit.states


@pytest.mark.parametrize("entry", REFUTED, ids=str)
def test_explicit_search_finds_a_violation_just_as_short(entry: Entry) -> None:
    requests, tools, _ = entry.minimal
    verdict = on_grid(entry, requests)
    if entry.explicit.fits:
        assert entry.explicit.turns == requests - 1
        assert isinstance(verdict, Refuted)
        assert verdict.trace.size == (requests, tools)
    else:
        assert isinstance(verdict, HoldsTo)


@pytest.mark.parametrize("entry", [entry for entry in ENTRIES if entry.explicit.states <= 150], ids=str)
def test_a_second_enumeration_counts_the_same_states(entry: Entry) -> None:
    assert allowance(entry).states(entry.explicit.grid, entry.explicit.turns) == entry.explicit.states


@pytest.mark.parametrize("entry", [entry for entry in REFUTED if is_quick(entry)], ids=str)
def test_a_second_enumeration_finds_the_same_minimum(entry: Entry) -> None:
    requests, tools, tokens = entry.minimal
    assert allowance(entry).first(requests, tools, tokens) == entry.minimal


# ---- what takes longer --------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("entry", ENTRIES, ids=str)
def test_check_gives_the_answer_in_a_child(entry: Entry) -> None:
    report = check_target(
        str(FOLDER / entry.target),
        scenario=SCENARIOS[entry.scenario],
        judged=PROPERTIES[entry.judged],
        bounds=BOUNDS,
        seconds=60.0,
    )
    assert report.compared > 0
    assert type(report.verdict).__name__ == entry.verdict
    assert size_of(report.verdict, entry) == (entry.minimal if entry in REFUTED else None)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in ENGINES if name != "explicit"])
@pytest.mark.parametrize("entry", ENTRIES, ids=str)
def test_no_engine_contradicts_the_answer(entry: Entry, name: str) -> None:
    """A definite answer of one engine by itself is the answer; a search to a bound is none about what is beyond."""
    bounds = Bounds(turns=max(4, entry.requests), tools=3)
    verdict = engine(name)(PrunerProblem(*asked(entry), Grid(), bounds.limits), bounds).verdict
    if entry in REFUTED:
        assert not isinstance(verdict, Proved)
        if name == "bmc":
            assert size_of(verdict, entry) == entry.minimal
    else:
        assert not isinstance(verdict, Refuted)


@pytest.mark.slow
@pytest.mark.parametrize("entry", [entry for entry in ENTRIES if entry.explicit.states > 150], ids=str)
def test_a_second_enumeration_counts_the_same_larger_spaces(entry: Entry) -> None:
    assert allowance(entry).states(entry.explicit.grid, entry.explicit.turns) == entry.explicit.states


@pytest.mark.slow
@pytest.mark.parametrize("entry", [entry for entry in REFUTED if not is_quick(entry)], ids=str)
def test_a_second_enumeration_finds_the_same_larger_minimum(entry: Entry) -> None:
    requests, tools, tokens = entry.minimal
    assert allowance(entry).first(requests, tools, tokens) == entry.minimal
