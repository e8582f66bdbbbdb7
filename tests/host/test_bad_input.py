"""Every kind of pruner model that cannot be checked earns one clear line: where, what was found, what to do instead."""

from __future__ import annotations

import ast
import os
import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ghostproof.check import check_target
from ghostproof.engines.problem import Bounds
from ghostproof.host.admit import as_pruner
from ghostproof.host.readable import OF_A_TOOL, OF_A_TURN
from ghostproof.report import verdict_words
from ghostproof.turn.budget import Turn
from ghostproof.turn.errors import PrunerError
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.scenario import ANYTHING
from ghostproof.turn.tool import Tool
from ghostproof.turn.verdict import InvalidPruner, Proved, Verdict, exit_code
from host.refusals import LOADED, PREAMBLE, SHAPES

BROKEN = Path(__file__).parents[1] / "pruners" / "model" / "broken.py"


def verdict_on(target: str, engine: str = "auto", seconds: float = 20.0, megabytes: int = 1024) -> Verdict:
    return check_target(
        target,
        scenario=ANYTHING,
        judged=NO_GHOST,
        bounds=Bounds(turns=1, tools=1),
        engine=engine,
        seconds=seconds,
        megabytes=megabytes,
    ).verdict


def refusal(target: str, engine: str = "auto", seconds: float = 20.0, megabytes: int = 1024) -> InvalidPruner:
    """The refusal, which must be one clear line and nothing that a terminal would obey."""
    verdict = verdict_on(target, engine, seconds, megabytes)
    assert isinstance(verdict, InvalidPruner), verdict
    assert exit_code(verdict) == 2
    for part in (verdict.where, verdict.found, verdict.instead):
        assert part.strip()
        assert part.isprintable()
    line = str(verdict)
    assert "\n" not in line
    assert len(line) < 900
    return verdict


def broken(name: str) -> str:
    return f"{BROKEN}:{name}"


def test_the_file_of_broken_pruners_has_one_that_works() -> None:
    for name in ("good", "Good"):
        assert isinstance(verdict_on(broken(name)), Proved)


# Target, where, what was found, and what to do instead; each as a part of the whole.


@pytest.mark.parametrize("name", SHAPES)
def test_a_pruner_that_cannot_be_checked_is_refused_in_one_clear_line(name: str) -> None:
    where, found, instead = SHAPES[name]
    verdict = refusal(broken(name))
    assert where in verdict.where
    assert found in verdict.found
    assert instead in verdict.instead


def test_every_broken_pruner_of_the_file_is_refused_somewhere_here() -> None:
    made = {
        target.id
        for node in ast.parse(BROKEN.read_text()).body
        if isinstance(node, (ast.Assign, ast.AnnAssign))
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }
    assert made - {"good", "pass_settling_never"} <= set(SHAPES)


def test_where_a_line_is_known_it_is_the_line_of_the_construct() -> None:
    verdict = refusal(broken("pass_looping"))
    place = verdict.where.split(" (in ")[0]
    file, _, line = place.rpartition(":")
    assert os.path.basename(file) == "broken.py"
    assert BROKEN.read_text().splitlines()[int(line) - 1].strip() == "while tool.schema_shown:"


@pytest.mark.parametrize("engine", ["explicit", "auto"])
def test_a_pass_that_never_settles_is_refused_when_it_is_run(engine: str) -> None:
    verdict = refusal(broken("pass_settling_never"), engine=engine)
    assert (verdict.where, verdict.found[:13]) == ("pass settling_never", "never settles")
    assert "bring the budget condition closer" in verdict.instead


# ---- what goes wrong while it is loaded ----------------------------------------------------------------------------


@pytest.mark.parametrize("how", LOADED)
def test_a_file_that_cannot_be_loaded_is_refused_in_one_clear_line(how: str, tmp_path: Path) -> None:
    source, where, found, instead = LOADED[how]
    file = tmp_path / "pruner.py"
    file.write_text(source)
    verdict = refusal(f"{file}:P")
    assert where in verdict.where
    assert found in verdict.found
    assert instead in verdict.instead


def test_a_missing_file_is_named() -> None:
    verdict = refusal("/nowhere/at/all.py:P")
    assert (verdict.where, verdict.found) == ("/nowhere/at/all.py", "there is no such file")


def test_a_missing_module_is_named() -> None:
    verdict = refusal("no_such_package.pruners:P")
    assert (verdict.where, verdict.found) == ("no_such_package.pruners", "there is no such module")


@pytest.mark.parametrize("target", ["", "P", "pruner.py", "pruner.py:", ":P"])
def test_a_target_without_a_name_is_refused(target: str) -> None:
    assert "names nothing in it" in refusal(target).found


def test_a_folder_or_a_file_of_another_kind_is_said_to_be_there(tmp_path: Path) -> None:
    (tmp_path / "pruner").write_text("P = 1")
    assert refusal(f"{tmp_path}:P").found == "is a folder"
    assert refusal(f"{tmp_path}/pruner:P").found == "is no .py file"


FORGED = """
from ghostproof.turn.pruner import Pass, Pruner
import ghostproof.turn.tool as ours

class Stateful:
    seen = 0

    def __call__(self, tool, turn):
        Stateful.seen += 1
        tool.hide_schema()

def hide(tool, turn):
    global seen
    seen = 1
    tool.hide_schema()

Stateful.__module__ = Stateful.__call__.__module__ = hide.__module__ = ours.__name__
A, B = Pruner(Pass(Stateful())), Pruner(Pass(hide))
"""


UNREADABLE = """
from ghostproof.turn.pruner import Pass, Pruner
def small(tool):
    return tool.schema_tokns < 3
def of_tool(tool, turn):
    if small(tool):
        tool.hide_schema()
def of_turn(tool, turn):
    if turn.tools:
        tool.hide_schema()
def of_both(tool, turn):
    if tool.seen:
        tool.hide_schema()
def oldest(tool):
    return tool.turns
TOOL = Pruner(Pass(of_tool), memory={"mine": 0})
TURN = Pruner(Pass(of_turn))
BOTH = Pruner(Pass(of_both), memory={"seem": False})
ORDER = Pruner(Pass(of_tool, order=oldest, name="sorted"))
"""


@pytest.mark.parametrize(
    ("name", "line", "within", "read", "meant", "known"),
    [
        ("TOOL", 4, "of_tool", "tool.schema_tokns", "did you mean schema_tokens or ", {*OF_A_TOOL, "mine"}),
        ("TURN", 9, "of_turn", "turn.tools", "a turn has schema_tokens, ", {*OF_A_TURN}),
        ("BOTH", 12, "of_both", "tool.seen", "did you mean seem", {*OF_A_TOOL, "seem"}),
        ("ORDER", 15, "sorted", "tool.turns", "", {*OF_A_TOOL}),
    ],
)
def test_what_a_pass_reads_in_vain_is_refused_with_its_line_and_what_there_is(
    name: str, line: int, within: str, read: str, meant: str, known: set[str], tmp_path: Path
) -> None:
    (tmp_path / "mine.py").write_text(UNREADABLE)
    verdict = refusal(f"{tmp_path}/mine.py:{name}")
    assert verdict.where == f"{tmp_path}/mine.py:{line} (in pass {within})"
    assert verdict.found == f"reads {read}, which a pass does not have"
    assert verdict.instead.startswith(meant)
    listed = re.search(r"a (?:tool|turn) has ([^;]*)", verdict.instead)
    assert listed is not None
    assert set(listed[1].split(", ")) == known
    assert verdict.instead in verdict_words.invalid(verdict)  # nothing is cut off


def test_places_are_shown_as_a_user_would_type_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    texts = {
        "exits": "import sys\nsys.exit(3)\n",
        "syntax": "x = (\n",
        "reads": UNREADABLE,
        "prints": PREAMBLE + "print(1)\n",
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.py").write_text(text)
    asked = {"exits": "P", "syntax": "P", "reads": "TOOL", "prints": "P", "missing": "P"}
    for name, pruner in asked.items():
        typed, whole = (refusal(f"{folder}{name}.py:{pruner}").where for folder in ("", f"{tmp_path}/"))
        assert typed == whole
        assert typed.startswith(f"{name}.py")


@pytest.mark.parametrize("name", ["A", "B"])
def test_code_that_calls_itself_ours_is_checked_like_any_other(name: str, tmp_path: Path) -> None:
    (tmp_path / "forged.py").write_text(FORGED)
    assert "forged.py:" in refusal(f"{tmp_path}/forged.py:{name}").where


def hides(tool: Tool, turn: Turn) -> None:
    tool.hide_schema()


class Changing(Pruner):
    """Its passes are others at each reading."""

    reads = 0

    @property
    def passes(self) -> tuple[Pass, ...]:
        self.reads += 1
        return (Pass(hides, name=f"reading {self.reads}"),)

    @passes.setter
    def passes(self, given: tuple[Pass, ...]) -> None: ...


def test_the_passes_are_read_once_so_that_what_is_checked_is_what_runs() -> None:
    changing = Changing()
    read = as_pruner(changing, "here")
    assert [item.name for _ in range(3) for item in read.passes] == ["reading 1"] * 3
    assert changing.reads == 1


def test_a_name_that_is_no_text_is_refused() -> None:
    with pytest.raises(PrunerError, match="has a name that is an int"):
        as_pruner(Pruner(Pass(hides), name=3), "here")  # type: ignore[arg-type]


def test_a_target_with_control_characters_is_shown_harmlessly() -> None:
    verdict = refusal("no\x1b[31m\nfile.py:P")
    assert "\\x1b[31m\\nfile.py" in verdict.where


def hanging(tmp_path: Path, source: str) -> str:
    file = tmp_path / "pruner.py"
    file.write_text(source)
    return f"{file}:P"


@pytest.mark.parametrize(
    "source",
    ["while True:\n    pass\n", PREAMBLE + "import time\ntime.sleep(60)\n"],
    ids=["busy", "asleep"],
)
def test_a_file_that_loads_for_ever_is_ended_at_the_deadline(source: str, tmp_path: Path) -> None:
    started = time.monotonic()
    verdict = refusal(hanging(tmp_path, source), seconds=0.5)
    assert time.monotonic() - started < 15
    assert "pruner.py:" in verdict.where
    assert verdict.found == "did not return within 0.5 s"
    assert "allow more with --deadline" in verdict.instead


def test_a_file_that_takes_too_much_memory_is_ended(tmp_path: Path) -> None:
    verdict = refusal(hanging(tmp_path, PREAMBLE + "kept = bytearray(3_000_000_000)\n"), megabytes=512)
    assert "pruner.py:6" in verdict.where
    assert verdict.found == "needed more than 512 MB of memory"
    assert "allow more with --memory" in verdict.instead


def test_a_child_that_was_refused_leaves_no_process_behind(tmp_path: Path) -> None:
    children: Callable[[], set[str]] = lambda: {  # noqa: E731
        entry for entry in os.listdir("/proc") if entry.isdigit() and _parent(entry) == os.getpid()
    }
    before = children()
    refusal(hanging(tmp_path, "raise ValueError\n"))
    refusal(hanging(tmp_path, "while True:\n    pass\n"), seconds=0.3)
    assert children() <= before


def _parent(process: str) -> int:
    try:
        return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


PATCHED = """
from ghostproof.turn.budget import prompt_fits
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.tool import Tool

def both(self):
    self.schema_shown = False
    self.schema_lossy = False
    self.tombstoned = True

def hide(tool, turn):
    if tool.schema_shown and not tool.requested:
        tool.hide_schema()

{patch}
PRUNER = Pruner(Pass(hide, until=prompt_fits))
"""


@pytest.mark.parametrize(
    "patch",
    [
        "Tool.hide_schema = both",
        "Tool.hide_schema.__code__ = both.__code__",
        "Tool.ghost = False",
        "Tool.__setattr__ = lambda self, name, value: None",
        "import ghostproof.turn.session as session; session.settle = lambda tool: None",
    ],
)
def test_a_module_that_changes_the_model_is_not_judged_by_its_own_rules(patch: str, tmp_path: Path) -> None:
    path = tmp_path / "patched.py"
    path.write_text(PATCHED.replace("{patch}", patch))
    assert "changes the model's own " in refusal(f"{path}:PRUNER").found
    path.write_text(PATCHED.replace("{patch}", ""))
    assert not isinstance(verdict_on(f"{path}:PRUNER"), InvalidPruner)
