"""Where passes and targets are written, as SARIF will point at them."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from ghostproof.host.places import function_place, pass_places, target_place
from ghostproof.turn.budget import Turn
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.tool import Tool


def visit(tool: Tool, turn: Turn) -> None:
    return None


class Visits:
    def method(self, tool: Tool, turn: Turn) -> None:
        return None

    def __call__(self, tool: Tool, turn: Turn) -> None:
        return None


LINES = dict(enumerate(Path(__file__).read_text().splitlines(), start=1))


def test_functions_methods_and_what_is_called_like_one() -> None:
    for thing in (visit, Visits().method, Visits(), partial(visit), lambda tool, turn: None):
        place = function_place(thing)
        assert place is not None
        path, line = place
        assert Path(path).resolve() == Path(__file__)
        assert "def " in LINES[line] or "lambda" in LINES[line]


def test_passes_by_name_and_those_without_code_left_out() -> None:
    places = pass_places(Pruner(Pass(visit), Pass(print, name="built in")))
    assert list(places) == ["visit"]
    assert LINES[places["visit"][1]].startswith("def visit(")


@pytest.mark.parametrize(
    ("name", "line"),
    [("prune", 4), ("PRUNER", 7), ("Kind", 2), ("Kind.inner", 2), ("later", 9), ("elsewhere", 1), ("prun", 1)],
)
def test_targets(tmp_path: Path, name: str, line: int) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "from x import elsewhere\nclass Kind:\n    prune = 1\ndef prune(request):\n"
        "    PRUNER = 1\n    return request\nPRUNER: object = 1\n\nasync def later(): ...\n"
    )
    assert target_place(f"{file}:{name}") == (str(file), line)


def test_targets_without_a_file_to_point_at(tmp_path: Path) -> None:
    assert target_place("package.module:NAME") is None
    assert target_place(f"{tmp_path / 'missing.py'}:NAME") is None
    (tmp_path / "folder.py").mkdir()
    assert target_place(f"{tmp_path / 'folder.py'}:NAME") is None
