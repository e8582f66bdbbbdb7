"""The source check lets pass what means the same lifted, and names place, construct and remedy of everything else."""

from __future__ import annotations

import importlib.util
import itertools
import os
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from ghostproof.lift.plain import TURN, lift_visit, tool_sorts
from ghostproof.lift.source import check_source
from ghostproof.lift.term import evaluate
from ghostproof.turn.budget import Turn
from ghostproof.turn.errors import PrunerError
from ghostproof.turn.pruner import Pass
from ghostproof.turn.tool import PRUNER_WRITES, Tool, Value
from ghostproof.turn.verdict import InvalidPruner
from lift.refused_bodies import BODIES, PREAMBLE
from pruners.source import allowed

numbers = itertools.count()


def ours(thing: object) -> bool:
    """What the real caller trusts: the model's own functions and classes."""
    return str(getattr(thing, "__module__", "")).startswith("ghostproof.turn")


@pytest.mark.parametrize("name", allowed.PASSES)
def test_allowed_construct_passes_and_means_the_same_lifted(name: str) -> None:
    visit = allowed.PASSES[name]
    reached = check_source(visit, "pass", ours)
    assert reached
    assert all(os.path.basename(function.file) in ("allowed.py", "helpers.py") for function in reached)
    sorts = tool_sorts(allowed.MEMORY)
    relation = lift_visit(Pass(visit, name="visit"), sorts)
    chance = random.Random(name)
    for _ in range(200):
        fields: dict[str, Value] = {
            field: chance.random() < 0.5 if sort == "Bool" else chance.randrange(6) for field, sort in sorts.items()
        }
        numbers_of_turn = {field: chance.randrange(12) for field in Turn.__slots__}
        tool = Tool(fields)
        visit(tool, Turn(**numbers_of_turn))
        values = {**fields, **{TURN + field: value for field, value in numbers_of_turn.items()}}
        assert vars(tool) == {**fields, **{field: evaluate(term, values) for field, term in relation.updates.items()}}


def test_every_function_that_is_reached_is_reported_once() -> None:
    reached = check_source(allowed.PASSES["helper functions"], "pass", ours)
    assert [function.name for function in reached] == ["helper_functions", "is_idle", "_cost_of", "_visit_of"]
    for function in reached:
        text = Path(function.file).read_text().splitlines()
        assert text[function.line - 1].startswith(f"def {function.name}(")


def test_what_really_runs_is_checked_of_a_decorated_function() -> None:
    reached = check_source(allowed.PASSES["decorated"], "pass", ours)
    lines = [Path(function.file).read_text().splitlines()[function.line - 1].strip() for function in reached]
    assert lines == ["@wraps(visit)", "@unless_pinned"]


def test_orders_and_conditions_have_their_own_parameters() -> None:
    def order(tool: Tool) -> int:
        return -tool.calls

    def until(turn: Turn) -> bool:
        return turn.prompt_tokens <= turn.total_budget

    assert len(check_source(order, "order", ours)) == len(check_source(until, "until", ours)) == 1


def test_our_own_functions_are_neither_checked_nor_reported() -> None:
    from ghostproof.turn.budget import prompt_fits
    from ghostproof.turn.pruner import least_recently_called

    assert check_source(least_recently_called, "order", ours) == check_source(prompt_fits, "until", ours) == ()


@pytest.fixture
def load(tmp_path: Path) -> Iterator[Callable[[str], ModuleType]]:
    """Import a module from its source text."""
    names = []

    def write(text: str) -> ModuleType:
        name = f"pruner_{next(numbers)}"
        path = tmp_path / f"{name}.py"
        path.write_text(text)
        specification = importlib.util.spec_from_file_location(name, path)
        assert specification is not None
        assert specification.loader is not None
        module = importlib.util.module_from_spec(specification)
        sys.modules[name] = module
        names.append(name)
        specification.loader.exec_module(module)
        return module

    yield write
    for name in names:
        del sys.modules[name]


def refusal(function: Callable[..., object], role: str = "pass") -> InvalidPruner:
    """The verdict on what must be refused."""
    with pytest.raises(PrunerError) as caught:
        check_source(function, role, ours)
    return caught.value.verdict


@pytest.mark.parametrize("row", BODIES, ids=lambda row: row[0])
def test_refused_construct_is_named_with_its_place_and_remedy(
    row: tuple[str, ...], load: Callable[[str], ModuleType]
) -> None:
    _, body, found, instead, *marker = row
    text = PREAMBLE + "def visit(tool, turn):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    module = load(text)
    verdict = refusal(module.visit)
    marked = [
        line for line, written in enumerate(text.splitlines(), 1) if written.endswith(marker[0] if marker else "#!")
    ]
    line = marked[0] if marked else PREAMBLE.count("\n") + 2
    place, _, name = verdict.where.partition(" (in ")
    assert place == f"{module.__file__}:{line}", verdict
    assert name.endswith(")")
    assert found in verdict.found, verdict
    assert instead in verdict.instead, verdict


def test_lambdas_on_one_line_are_told_apart(load: Callable[[str], ModuleType]) -> None:
    module = load(
        "first, second, third = (lambda tool, turn: tool.hide_schema(), lambda tool, turn: tool.calls / 2,"
        " lambda tool, turn: (lambda tool, turn: tool.evict_call())(tool, turn))\n"
        "outer = lambda: lambda tool, turn: tool.show_schema() or tool.calls * 2\n"
    )
    assert check_source(module.first, "pass", ours)
    assert check_source(module.third, "pass", ours)
    assert "division" in refusal(module.second).found
    assert "`*`" in refusal(module.outer()).found


def test_a_shadowed_built_in_is_what_it_is_bound_to(load: Callable[[str], ModuleType]) -> None:
    good = load("def min(a, b): return a if a < b else b\ndef visit(tool, turn): tool.limit = min(tool.calls, 2)\n")
    assert [function.name for function in check_source(good.visit, "pass", ours)] == ["visit", "min"]
    bad = load("def min(a, b): return a / b\ndef visit(tool, turn): tool.limit = min(tool.calls, 2)\n")
    assert refusal(bad.visit).where == f"{bad.__file__}:1 (in min)"
    assert refusal(load("import math\nabs = math.fabs\ndef visit(tool, turn): abs(1)\n").visit).found.startswith(
        "a call of `fabs`"
    )


@pytest.mark.parametrize("name", sorted(PRUNER_WRITES))
def test_the_state_changes_by_its_methods_only(name: str, load: Callable[[str], ModuleType]) -> None:
    """A schema shown by hand would leave the tombstone standing, which then masks a ghost."""
    module = load(
        f"def here(tool, turn): tool.{name} = True\n"
        f"def counted(tool, turn): tool.{name} += 1\n"
        f"def looped(tool, turn):\n  for tool.{name} in (True,): pass\n"
        f"def helped(tool, turn): change(tool)\n"
        f"def change(other): other.pinned, other.{name} = True, False\n"
    )
    for visit in (module.here, module.counted, module.looped, module.helped):
        verdict = refusal(visit)
        assert verdict.found == f"a write to `{name}` of the tool"
        assert verdict.instead.startswith(("call `", "write to `tombstoned`"))


def test_helpers_of_other_files_are_named_with_their_file(load: Callable[[str], ModuleType]) -> None:
    other = load("import time\n\ndef late(tool):\n    return time.monotonic() > tool.calls\n")
    module = load(f"from {other.__name__} import late\ndef visit(tool, turn):\n    late(tool)\n")
    assert refusal(module.visit).where == f"{other.__file__}:4 (in late)"


def test_a_constant_of_another_file_that_is_rebound_there(load: Callable[[str], ModuleType]) -> None:
    other = load("LIMIT = 1\ndef widen():\n    global LIMIT\n    LIMIT += 1\n")
    module = load(f"import {other.__name__} as other\ndef visit(tool, turn):\n    tool.limit = other.LIMIT\n")
    assert "`LIMIT` is rebound by a function" in refusal(module.visit).found


def test_a_cell_that_a_sibling_rebinds(load: Callable[[str], ModuleType]) -> None:
    module = load(
        "def make():\n    seen = 0\n    def visit(tool, turn):\n        return seen\n"
        "    def count():\n        nonlocal seen\n        seen += 1\n    return visit\nvisit = make()\n"
    )
    assert "`seen` is rebound by a function" in refusal(module.visit).found


def test_a_decorator_is_checked_as_what_runs(load: Callable[[str], ModuleType]) -> None:
    module = load(
        "import functools, time\n"
        "def timed(visit):\n"
        "    @functools.wraps(visit)\n"
        "    def wrapper(*args, **kwargs):\n"
        "        start = time.perf_counter()\n"
        "        return visit(*args, **kwargs)\n"
        "    return wrapper\n"
        "@timed\n"
        "def visit(tool, turn): pass\n"
    )
    verdict = refusal(module.visit)
    assert verdict.where == f"{module.__file__}:5 (in visit)"  # functools.wraps gave the wrapper that name
    assert "a clock" in verdict.found


def test_what_a_method_may_not_do(load: Callable[[str], ModuleType]) -> None:
    module = load(
        "class Trim:\n"
        "    def __init__(self): self.seen = 0; self.names = []; self.rate = 0.5\n"
        "    def count(self, tool, turn): self.seen += 1\n"
        "    def collect(self, tool, turn): self.names.append(1)\n"
        "    def rated(self, tool, turn): return tool.calls > self.rate\n"
        "    def missing(self, tool, turn): return self.never\n"
        "    async def later(self, tool, turn): pass\n"
        "class Twice(Trim):\n"
        "    def count(self, tool, turn): super().count(tool, turn)\n"
        "trim, twice = Trim(), Twice()\n"
    )
    assert refusal(module.trim.count).where == f"{module.__file__}:3 (in Trim.count)"
    assert refusal(module.trim.count).found == "a write to `seen` of an object of class `Trim`"
    assert "`names` of a `Trim` is a list, which can change" in refusal(module.trim.collect).found
    assert "`rate` of a `Trim` is a float" in refusal(module.trim.rated).found
    assert "`Trim` has no attribute `never`" in refusal(module.trim.missing).found
    assert "an async function" in refusal(module.trim.later).found
    assert "name the class" in refusal(module.twice.count).instead


def test_mutable_defaults_and_partial_arguments(load: Callable[[str], ModuleType]) -> None:
    module = load(
        "from functools import partial\n"
        "def visit(tool, turn, seen=[]): pass\n"
        "def limited(tool, turn, limits): pass\n"
        "given = partial(limited, limits=[1])\n"
        "builtin = partial(print, 1)\n"
    )
    assert refusal(module.visit).found == "the default of `seen` is a list, which can change"
    assert refusal(module.visit).where == f"{module.__file__}:2 (in visit)"
    assert "`limits` of the pass function is a list" in refusal(module.given).found
    assert "a partial of `print`" in refusal(module.builtin).found


@pytest.mark.parametrize(
    ("text", "role", "found", "instead"),
    [
        ("def f(tool): pass", "pass", "1", "(tool, turn)"),
        ("def f(tool, turn, other): pass", "pass", "`other` is missing", "(tool, turn)"),
        ("def f(tool, turn): return 0", "order", "`turn` is missing", "(tool)"),
        ("def f(tool): return (tool.calls, 1)", "order", "may return a tuple or list", "an integer or a boolean"),
        ("def f(tool):\n  if tool.calls: return 1", "order", "may return the constant None", "integer or a boolean"),
        ("def f(tool): return tool", "order", "may return the tool", "an integer or a boolean"),
        ("def f(tool): tool.calls = 0", "order", "a write to `calls` of the tool", "only read it"),
        ("def f(tool): tool.evict_call()", "order", "a call of the method `evict_call`", "only read"),
        (
            "from ghostproof.turn.tool import Tool\ndef f(tool): Tool.evict_call(tool)",
            "order",
            "evict_call`",
            "only read",
        ),
        (
            "import operator\nf = operator.attrgetter('calls')",
            "order",
            "`operator.attrgetter`, which is not",
            "function",
        ),
        ("from random import randint as f", "order", "randomness: `random.randint`", "--callable"),
        ("def f(turn): turn.rest_tokens = 0", "until", "a write to `rest_tokens` of the turn", "tool only"),
    ],
)
def test_each_role_has_its_parameters_and_rights(
    text: str, role: str, found: str, instead: str, load: Callable[[str], ModuleType]
) -> None:
    verdict = refusal(load(text).f, role)
    assert verdict.where
    assert found in verdict.found
    assert instead in verdict.instead


def test_a_file_edited_since_the_import(load: Callable[[str], ModuleType]) -> None:
    module = load("LIMIT = 1\ndef visit(tool, turn):\n    return tool.calls > 1\n")
    path = Path(str(module.__file__))
    assert check_source(module.visit, "pass", ours)
    for edited in (
        "LIMIT = 1\ndef visit(tool, turn):\n    return tool.calls > 12\n",
        "LIMIT = 1\n\ndef visit(tool, turn):\n    return tool.calls > 1\n",
        "LIMIT = 1\ndef visit(tool, turn):\n    return tool.idle_turns > 1\n",
        "LIMIT = 1\ndef visit(turn, tool):\n    return tool.calls > 1\n",
    ):
        path.write_text(edited)
        assert "is not what runs: the file was edited" in refusal(module.visit).found
    path.write_text("def visit(tool, turn:\n")
    assert "cannot be found" in refusal(module.visit).found
    path.unlink()
    assert "cannot be found" in refusal(module.visit).found


def test_source_that_cannot_be_found() -> None:
    namespace: dict[str, Callable[..., object]] = {}
    exec("def visit(tool, turn): pass", namespace)
    verdict = refusal(namespace["visit"])
    assert verdict.found == "the source of `visit` cannot be found"
    assert "--callable" in verdict.instead
    assert "not written in Python" in refusal(os.getpid).found
    assert "print()" in refusal(print).found
    assert "the making of a `Path`" in refusal(Path).found


def test_a_file_read_as_it_is_written(load: Callable[[str], ModuleType], tmp_path: Path) -> None:
    path = tmp_path / "encoded.py"
    path.write_bytes(
        "# -*- coding: latin-1 -*-\n# gr\u00fc\u00dfe\ndef visit(tool, turn): return tool.calls / 2\n".encode("latin-1")
    )
    specification = importlib.util.spec_from_file_location("encoded", path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    assert refusal(module.visit).where == f"{path}:3 (in visit)"


def test_paths_below_the_working_directory_are_shown_short(
    load: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    module = load("def visit(tool, turn):\n    return tool.calls / 2\n")
    assert refusal(module.visit).where == f"{module.__name__}.py:2 (in visit)"


def test_an_expression_nested_too_deeply(load: Callable[[str], ModuleType]) -> None:
    module = load("def visit(tool, turn):\n    return tool.calls" + " + 1" * 900 + "\n")
    assert "nested too deeply" in refusal(module.visit).found


def test_no_code_of_foreign_objects_runs(load: Callable[[str], ModuleType]) -> None:
    module = load(
        "class Trap:\n"
        "    def __getattribute__(self, name): raise SystemExit(name)\n"
        "TRAP = Trap()\n"
        "def read(tool, turn): return TRAP.calls\n"
        "def call(tool, turn): return TRAP(tool)\n"
        "def compare(tool, turn): return tool.calls == TRAP\n"
        "def test(tool, turn): return not TRAP\n"
        "def loop(tool, turn): return any(x for x in TRAP)\n"
    )
    for function in (module.read, module.call, module.compare, module.loop):
        assert "Trap" in refusal(function).found
    assert "Trap" in refusal(module.TRAP).found
    assert check_source(module.test, "pass", ours)
