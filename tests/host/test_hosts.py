"""A pruner in a child process and the same pruner here: the same terms, traces, moves and verdicts."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest

from engines.corpus import CORPUS, HANDED_OVER, ORDINARY_UNPINNED, SCENARIOS
from ghostproof.check import check_target
from ghostproof.engines.explicit import explicit
from ghostproof.engines.problem import Bounds
from ghostproof.examine import examine
from ghostproof.host.admit import as_pruner
from ghostproof.host.data import grid_of, key_of, move_data, move_of, scenario_data, scenario_of
from ghostproof.host.foreign import ForeignHost
from ghostproof.host.host import LocalHost
from ghostproof.host.problem import PrunerProblem
from ghostproof.lift.limits import Limits
from ghostproof.turn.errors import PrunerError
from ghostproof.turn.explore import Grid, Move
from ghostproof.turn.property import NO_GHOST, NO_MUTATION_GHOST
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.scenario import Scenario
from ghostproof.turn.verdict import HoldsTo, InvalidPruner, Proved, Refuted, Verdict
from lift.sessions import random_script
from lift.test_transport import same_meaning

BOUNDS = Bounds(turns=2, tools=2, limits=Limits(rlimit=20_000_000))
GRID = Grid(tools=2, budgets=(1, 2))

# One file for each pruner under test, so that it is loaded as a stranger's would be.
EXPOSED = "from engines.corpus import CORPUS\nP = CORPUS[{name!r}]\n"
NAMES = ("argument-first", "schema-first", "eviction planned", "stale view", "separate budgets")


@pytest.fixture(scope="module")
def hosts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, ForeignHost]]:
    folder = tmp_path_factory.mktemp("foreign")
    opened: dict[str, ForeignHost] = {}
    for place, name in enumerate(NAMES):
        file = folder / f"pruner_{place}.py"
        file.write_text(EXPOSED.format(name=name))
        opened[name] = ForeignHost(f"{file}:P", seconds=20, megabytes=1024)
    yield opened
    for host in opened.values():
        host.__exit__(None, None, None)


@pytest.mark.parametrize("name", NAMES)
def test_the_lifted_pruner_is_the_same(name: str, hosts: dict[str, ForeignHost]) -> None:
    local = LocalHost(CORPUS[name])
    foreign = hosts[name]
    assert foreign.lifted.name == local.lifted.name
    assert foreign.lifted.memory == local.lifted.memory
    assert [item.name for item in foreign.lifted.passes] == [item.name for item in local.lifted.passes]
    assert foreign.lifted.budget_names == local.lifted.budget_names
    assert foreign.compared > 0
    same_meaning(foreign.lifted, local.lifted)


@pytest.mark.parametrize("name", NAMES)
def test_a_session_played_there_is_the_session_played_here(name: str, hosts: dict[str, ForeignHost]) -> None:
    local, chance, played = LocalHost(CORPUS[name]), random.Random(name), 0
    while played < 20:
        scenario = chance.choice(SCENARIOS)
        script = random_script(
            chance.choice, CORPUS[name], scenario, local.lifted.budget_names, chance.randint(1, 3), chance.randint(1, 3)
        )
        if script is not None:
            for judged in (NO_GHOST, NO_MUTATION_GHOST):
                assert hosts[name].play(script, judged) == local.play(script, judged)
            played += 1


def test_two_passes_of_one_name_are_refused_here_as_there() -> None:
    twice = Pruner(*CORPUS["argument-first"].passes, CORPUS["argument-first"].passes[0])
    with pytest.raises(PrunerError, match="has two passes named"):
        LocalHost(twice)


def test_a_session_may_be_played_before_the_terms_are_read(tmp_path: Path) -> None:
    file = tmp_path / "pruner.py"
    file.write_text(EXPOSED.format(name="argument-first"))
    local, chance = LocalHost(CORPUS["argument-first"]), random.Random(1)
    script = None
    while script is None:
        script = random_script(chance.choice, CORPUS["argument-first"], SCENARIOS[0], local.lifted.budget_names, 2, 2)
    with ForeignHost(f"{file}:P", seconds=20, megabytes=1024) as foreign:
        assert foreign.play(script, NO_GHOST) == local.play(script, NO_GHOST)


@pytest.mark.parametrize("name", NAMES)
def test_a_search_there_is_the_search_here(name: str, hosts: dict[str, ForeignHost]) -> None:
    local, foreign = LocalHost(CORPUS[name]), hosts[name]
    starts = local.starts(HANDED_OVER, NO_GHOST, GRID)
    assert foreign.starts(HANDED_OVER, NO_GHOST, GRID) == starts
    level = starts
    for _ in range(2):
        rows = local.moves(HANDED_OVER, NO_GHOST, GRID, level)
        assert foreign.moves(HANDED_OVER, NO_GHOST, GRID, level) == rows
        level = [key for row in rows for _, key, _ in row][:40]
    moves = [local.moves(HANDED_OVER, NO_GHOST, GRID, [starts[-1]])[0][0][0]]
    assert foreign.script(HANDED_OVER, NO_GHOST, GRID, starts[-1], moves) == local.script(
        HANDED_OVER, NO_GHOST, GRID, starts[-1], moves
    )


def test_a_long_search_is_answered_piece_by_piece(
    hosts: dict[str, ForeignHost], monkeypatch: pytest.MonkeyPatch
) -> None:
    local, foreign = LocalHost(CORPUS["argument-first"]), hosts["argument-first"]
    starts = local.starts(HANDED_OVER, NO_GHOST, GRID)
    asked: list[str] = []
    real = ForeignHost._ask

    def ask(self: ForeignHost, message: dict[str, str]) -> object:
        asked.append(message["do"])
        return real(self, message)

    monkeypatch.setattr(ForeignHost, "_ask", ask)
    monkeypatch.setattr(foreign, "_soon", 0.0)
    rows = foreign.moves(HANDED_OVER, NO_GHOST, GRID, starts)
    assert rows == local.moves(HANDED_OVER, NO_GHOST, GRID, starts)
    assert asked == ["moves", *["more"] * sum(map(len, rows))]


def told(verdict: Verdict) -> object:
    """A verdict, without how one reading or the other worded the invariant."""
    if isinstance(verdict, Proved):
        return ("proved", verdict.engine, [(item.by, item.count) for item in verdict.checked][:2])
    if isinstance(verdict, Refuted):
        return ("refuted", verdict.trace.size, verdict.minimality)
    if isinstance(verdict, HoldsTo):
        return ("holds", verdict.turns, verdict.tools, verdict.sizes, verdict.explored)
    return verdict


@pytest.mark.parametrize("strategy", ["auto", "bmc"])
@pytest.mark.parametrize("name", NAMES)
def test_the_verdict_there_is_the_verdict_here(name: str, strategy: str, hosts: dict[str, ForeignHost]) -> None:
    local = examine(LocalHost(CORPUS[name]), HANDED_OVER, NO_GHOST, BOUNDS, strategy)
    foreign = examine(hosts[name], HANDED_OVER, NO_GHOST, BOUNDS, strategy)
    assert told(foreign) == told(local)
    if isinstance(local, Refuted) and isinstance(foreign, Refuted):
        assert foreign.trace == local.trace or foreign.trace.size == local.trace.size


@pytest.mark.parametrize("name", NAMES)
def test_explicit_search_there_counts_what_it_counts_here(name: str, hosts: dict[str, ForeignHost]) -> None:
    verdicts = []
    for host in (LocalHost(CORPUS[name]), hosts[name]):
        problem = PrunerProblem(host, ORDINARY_UNPINNED, NO_GHOST, GRID, BOUNDS.limits)
        verdicts.append(explicit(problem, BOUNDS).verdict)
    assert verdicts[0] == verdicts[1]


# ---- what crosses --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_a_scenario_crosses_unchanged(scenario: Scenario) -> None:
    assert scenario_of(json.loads(json.dumps(scenario_data(scenario)))) == scenario


def test_a_grid_a_key_and_a_move_cross_unchanged() -> None:
    grid = Grid(tools=3, sizes=(1, 4), budgets=(0, 9), pinned=(True, False))
    assert grid_of(json.loads(json.dumps(asdict(grid)))) == grid
    move = Move((("total_budget", 3),), ("call",), ("accept",), ("idle",))
    assert move_of(json.loads(json.dumps(move_data(move)))) == move
    local = LocalHost(CORPUS["stale view"])
    start = local.starts(HANDED_OVER, NO_GHOST, GRID)[0]
    for _, key, _ in local.moves(HANDED_OVER, NO_GHOST, GRID, [start])[0]:
        assert key_of(json.loads(json.dumps(key))) == key
        hash(key)


# ---- the whole way through check_target ----------------------------------------------------------------------------


def test_a_proof_of_a_foreign_pruner_is_reported_with_its_checks() -> None:
    report = check_target(
        "ghostproof.variants.arbitration:argument_first", scenario=HANDED_OVER, judged=NO_GHOST, bounds=BOUNDS
    )
    assert isinstance(report.verdict, Proved)
    assert [item.by for item in report.verdict.checked][:2] == ["z3", "cvc5"]
    assert report.compared > 100
    assert report.solver_seconds > 0
    assert set(report.places) == {"expand", "trim_history", "prune_schema", "gate"}


def test_a_refutation_of_a_foreign_pruner_is_played_in_the_child() -> None:
    report = check_target(
        "ghostproof.variants.arbitration:schema_first", scenario=HANDED_OVER, judged=NO_GHOST, bounds=BOUNDS
    )
    assert isinstance(report.verdict, Refuted)
    assert report.verdict.trace.size == (1, 2)


def test_a_host_that_was_refused_says_so_at_every_question(tmp_path: Path) -> None:
    file = tmp_path / "pruner.py"
    file.write_text("P = 7\n")
    with ForeignHost(f"{file}:P", seconds=10, megabytes=512) as host, pytest.raises(PrunerError, match="not a Pruner"):
        assert host.lifted is None


def test_an_instance_and_a_class_of_it_are_both_pruners() -> None:
    pruner = CORPUS["argument-first"]

    class Made(type(pruner)):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__(*pruner.passes)

    taken = as_pruner(pruner, "x")
    assert (taken.passes, taken.memory, taken.name) == (pruner.passes, pruner.memory, pruner.name)
    assert as_pruner(Made, "x").passes == pruner.passes
    assert as_pruner(Made(), "x").name == "Made"


# A pass that behaves until it has been lifted and compared, and then breaks. Only reading its source could tell; the
# child must survive being lied to and name the pass.
TURNS_BAD = """
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.host import admit, worker

def hide(tool, turn):
    if tool.schema_shown:
        tool.hide_schema()

def {name}(tool, turn):
    {what}

P = Pruner(Pass(hide), name="turns bad")
real = worker.admit

def swapped(pruner):
    answer = real(pruner)
    object.__setattr__(pruner.passes[0], "visit", {name})
    return answer

worker.admit = swapped
"""


@pytest.mark.parametrize(
    ("what", "found"),
    [
        ("tool.pinned = not tool.pinned", "changes tool.pinned"),
        ("raise ValueError('late')", "raised ValueError: late"),
        ("return 5", "returns nonsense: an int"),
        ("import os; os._exit(3)", "ended the interpreter with exit status 3"),
        ("tool.calls_resident = -2", "leaves tool.calls_resident at -2"),
    ],
)
def test_a_pass_that_turns_bad_after_it_was_admitted_is_refused_when_it_is_run(
    what: str, found: str, tmp_path: Path
) -> None:
    file = tmp_path / "pruner.py"
    file.write_text(TURNS_BAD.format(name="bad", what=what))
    report = check_target(
        f"{file}:P", scenario=HANDED_OVER, judged=NO_GHOST, bounds=BOUNDS, engine="explicit", seconds=10
    )
    assert isinstance(report.verdict, InvalidPruner)
    assert found in report.verdict.found
