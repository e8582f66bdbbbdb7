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


# A row is: what it shows, the body of a pass, what must be found, what must be suggested. The line that must be named
# ends in the row's marker, by default `#!`; without one it is the first line of the body.
BODIES: list[tuple[str, ...]] = [
    ("is", "if tool.pinned is True: pass", "an identity test (`is`)", "write `==`, or `not x`"),
    ("is not", "if tool.pinned is not None: pass", "an identity test (`is not`)", "write `!=`"),
    ("match None", "match tool.calls:\n  case None: pass  #!", "a match on None, True or False", "`if x:`"),
    ("match True", "match tool.pinned:\n  case True: pass  #!", "identity test", "`if x:` and `if not x:`"),
    ("class pattern", "match tool.calls:\n  case int(): pass  #!", "a class pattern", "match values"),
    ("mapping pattern", "match tool.calls:\n  case {1: _}: pass  #!", "a mapping pattern", "match values"),
    ("starred pattern", "match (1, tool.calls):\n  case 1, *_: pass  #!", "a starred pattern", "name each part"),
    ("sequence pattern", "match tool.calls:\n  case 1, _: pass  #!", "a sequence pattern on a value", "literal tuple"),
    (
        "a try statement",
        "try: pass  #!\nexcept ValueError: pass",
        "a try statement",
        "must not raise or catch",
    ),
    ("try star", "try: pass  #!\nexcept* ValueError: pass", "a try statement", "must not raise or catch"),
    ("with", "with turn: pass", "a with statement", "leave it out"),
    ("raise", "tool.hide_schema()\nraise ValueError  #!", "a raise statement", "a pass must not raise"),
    ("raise never reached", "return\nraise ValueError  #!", "a raise statement", "a pass must not raise"),
    ("assert", "assert tool.calls > 0", "an assert statement", "write `if not condition: return`"),
    ("while", "while tool.calls_resident: tool.evict_call()", "a while loop", "visits each tool again"),
    ("range of a field", "for _ in range(tool.calls): pass", "range() of a value of the tool", "use a constant"),
    ("loop over a field", "for _ in tool.calls: pass", "a loop over a value of the tool", "literal tuple"),
    ("loop over a string", "for _ in 'ab': pass", "a loop over the constant 'ab'", "literal tuple"),
    ("loop over frozenset", "for _ in KINDS: pass", "frozenset, whose order is arbitrary", "loop over a tuple"),
    ("growing local", "seen = ()\nfor _ in (1, 2):  #!\n  seen = (seen,)", "grows with each round", "name each part"),
    ("comprehension", "any(x for x in turn.tools)", "a comprehension over a value of the tool", "literal tuple"),
    ("dict comprehension", "x = {n: n for n in (1, 2)}", "a dict comprehension", "write a tuple"),
    ("set comprehension", "x = {n for n in (1, 2)}", "a set comprehension", "write a tuple"),
    ("stored generator", "x = (n for n in (1, 2))", "a generator that is not used up at once", "inside any()"),
    ("float literal", "if tool.calls > 0.5: pass", "a float: 0.5", "use integers"),
    ("bytes literal", "x = b'a'", "a bytes: b'a'", "use integers"),
    ("division", "x = tool.calls / 2", "division (`/`)", "tokens are exact"),
    ("float()", "x = float(tool.calls)", "float()", "tokens are exact"),
    ("float constant", "x = tool.calls > RATE", "`RATE` is a float", "use integers"),
    ("decimal constant", "x = tool.calls > PRICE", "`PRICE` is a Decimal", "use integers"),
    ("multiplication", "x = tool.calls * 2", "`*` on what may be a value of the tool", "use + and -"),
    ("floor division", "x = tool.calls // 2", "`//` on what may be a value of the tool", "use + and -"),
    ("modulo", "x = turn.total_budget % 2", "`%` on what may be a value", "use + and -"),
    ("power", "x = tool.calls ** 2", "`**` on what may be a value", "use + and -"),
    ("negative power", "x = 2 ** -1", "`**` with something else than 0 to 64", "write the number"),
    ("bit and", "if tool.pinned & tool.requested: pass", "`&` on what may be", "write `and` for flags"),
    ("bit or", "tool.pinned |= tool.requested", "`|` on what may be", "write `or` for flags"),
    ("bit xor", "x = tool.pinned ^ True", "`^` on what may be", "write `!=` for flags"),
    ("shift", "x = tool.calls << 1", "`<<` on what may be", "use + and -"),
    ("invert", "x = ~tool.pinned", "`~` of a value of the tool", "write `not`"),
    ("f-string", "x = f'{tool.calls}'", "an f-string", "leave text out"),
    ("str.format", "x = '{}'.format(tool.calls)", "the attribute `format` of the constant '{}'", "local variables"),
    ("percent format", "x = '%s' % tool.calls", "`%` on what may be", "use + and -"),
    ("str", "x = str(tool.calls)", "str()", "leave text out"),
    ("repr", "x = repr(tool)", "repr()", "leave text out"),
    ("int", "x = int(tool.pinned)", "int()", "write `1 if condition else 0`"),
    ("len", "x = len((tool.calls,))", "len()", "write the number"),
    ("hash", "x = hash(tool.calls)", "hash()", "the tool's own fields"),
    ("id", "x = id(tool)", "id()", "the tool's own fields"),
    ("type", "x = type(tool.calls)", "type()", "the tool's own fields"),
    ("isinstance", "if isinstance(tool.calls, int): pass", "isinstance()", "the tool's own fields"),
    ("getattr", "x = getattr(tool, 'calls')", "getattr()", "write the attribute by its name"),
    ("setattr", "setattr(tool, 'calls', 0)", "setattr()", "write the attribute by its name"),
    ("hasattr", "x = hasattr(tool, 'calls')", "hasattr()", "write the attribute by its name"),
    ("delattr", "delattr(tool, 'calls')", "delattr()", "write the attribute by its name"),
    ("vars", "x = vars(tool)", "vars()", "write the attribute by its name"),
    ("dir", "x = dir(tool)", "dir()", "write the attribute by its name"),
    ("__dict__", "tool.__dict__", "two leading underscores: `__dict__`", "use a name without them"),
    ("eval", "eval('tool.calls')", "eval()", "write the code itself"),
    ("exec", "exec('tool.calls = 0')", "exec()", "write the code itself"),
    ("compile", "compile('1', '', 'eval')", "compile()", "write the code itself"),
    ("open", "open('log')", "open()", "--callable"),
    ("print", "print(tool.calls)", "print()", "--callable"),
    ("input", "input()", "input()", "--callable"),
    ("breakpoint", "breakpoint()", "breakpoint()", "--callable"),
    ("globals", "globals()", "globals()", "by its name"),
    ("locals", "locals()", "locals()", "by its name"),
    ("__import__", "__import__('os')", "__import__()", "write the code itself"),
    ("super", "super()", "super()", "name the class"),
    ("sorted", "x = sorted((tool.calls, 1))", "sorted()", "write a literal tuple"),
    ("set()", "x = set((tool.calls,))", "set()", "write a literal tuple"),
    ("set literal", "x = tool.calls in {1, 2}", "a set", "write a tuple and compare"),
    ("dict()", "x = dict()", "dict()", "write a literal tuple"),
    ("dict literal", "x = {1: 2}[tool.calls]", "a dict", "write a tuple and compare"),
    ("frozenset membership", "x = tool.calls in KINDS", "membership in a frozenset", "use a tuple"),
    ("range membership", "x = tool.calls in range(3)", "membership in a tuple or list", "`x in (1, 2)`"),
    ("symbolic subscript", "x = STEPS[tool.calls]", "a subscript that is not known yet", "write if and elif"),
    ("subscript of a field", "x = tool.calls[0]", "a subscript of a value of the tool", "literal tuples"),
    ("subscript too far", "x = STEPS[3]", "a subscript beyond the end", "write one that is there"),
    ("slice", "x = STEPS[1:]", "a slice", "write the tuple"),
    ("import", "import time", "an import inside a function", "at the top of the file"),
    ("from import", "from time import time", "an import inside a function", "at the top of the file"),
    ("time.time", "x = time.time()", "a clock: `time.time`", "tool.idle_turns"),
    ("datetime.now", "x = datetime.datetime.now()", "a clock: `datetime.datetime.now`", "--callable"),
    ("random.random", "if random.random() > tool.calls: pass", "randomness: `random.random`", "--callable"),
    ("random.randint", "x = random.randint(0, 1)", "randomness: `random.randint`", "--callable"),
    ("secrets", "x = secrets.randbelow(3)", "randomness: `secrets.randbelow`", "--callable"),
    ("uuid", "x = uuid.uuid4()", "randomness: `uuid.uuid4`", "--callable"),
    ("os.getpid", "x = os.getpid()", "a call of `getpid` of posix, which is not written in Python", "--callable"),
    ("os.getenv", "x = os.getenv('A')", "a call of `os.getenv`, which is in the standard", "--callable"),
    ("os.environ", "x = os.environ['A']", "a subscript of an object of class `_Environ`", "local variables"),
    ("sys.exit", "sys.exit()", "a call of `exit` of sys, which is not written in Python", "--callable"),
    ("subprocess", "subprocess.run(['ls'])", "a call of `subprocess.run`, which is in the standard", "--callable"),
    ("socket", "socket.create_connection(('a', 1))", "a call of `socket.create_connection`", "--callable"),
    ("logging", "logging.info('visited')", "a call of `logging.info`", "--callable"),
    ("logger", "LOG.info('visited')", "a call of `logging.Logger.info`", "--callable"),
    ("threading", "threading.Thread()", "the making of a `Thread`", "at the top of the file"),
    ("math", "x = math.floor(tool.calls)", "a call of `floor` of math, which is not written in Python", "helper"),
    ("lru_cache", "cached(tool)", "a call of `cached`, which a `_lru_cache_wrapper` wraps", "leave the decorator out"),
    ("singledispatch", "dispatched(tool)", "a call of `functools.dispatched`, which is in the standard", "helper"),
    ("object made", "x = Settings()", "the making of a `Settings`", "make objects at the top of the file"),
    ("global", "global COUNT  #!\nCOUNT = 1", "a global statement", "the pruner's `memory`"),
    ("nonlocal", "x = 0\ndef f():\n  nonlocal x  #!\n  x = 1\nf()", "a nonlocal statement", "the pruner's `memory`"),
    ("write to the turn", "turn.total_budget = 1", "a write to `total_budget` of the turn", "write to the tool only"),
    ("write to a module", "time.seen = tool.calls", "a write to `seen` of `time`", "`memory`"),
    ("write to an object", "SETTINGS.limit = tool.calls", "a write to `limit` of an object of class", "`memory`"),
    ("write to a class", "Settings.limit += 1", "a write to `limit` of `Settings`", "`memory`"),
    ("write to maybe not the tool", "x = tool if tool.pinned else SETTINGS\nx.calls = 1  #!", "a write to", "`memory`"),
    ("write to a function", "def f(): pass\nf.seen = 1  #!", "a write to `seen` of the function `f`", "`memory`"),
    ("write to a private field", "tool._seen = 1", "the private attribute `_seen` of the tool", "public"),
    ("write of a tuple", "tool.calls = (1, 2)", "a tuple or list as a field of the tool", "integer or a boolean"),
    ("subscript store", "x = [1]\nx[0] = 2  #!", "a write to a subscript", "use local variables"),
    ("subscript in place", "x = [1]\nx[0] += 2  #!", "a write to a subscript", "use local variables"),
    ("append", "x = [1]\nx.append(2)  #!", "the attribute `append` of a tuple or list", "literal tuples"),
    ("list in place", "x = [1]\nx += [2]  #!", "an augmented assignment of a tuple or list", "(*before, new)"),
    ("del attribute", "del tool.calls", "a del statement", "assign another value"),
    ("del local", "x = 1\ndel x  #!", "a del statement", "assign another value"),
    ("mutable list", "x = SEEN[0]", "`SEEN` is a list, which can change", "use a tuple"),
    ("mutable dict", "x = TABLE", "`TABLE` is a dict, which can change", "use a tuple"),
    ("list in a tuple", "x = NESTED[0]", "an item of `NESTED` is a list, which can change", "use a tuple"),
    ("rebound global", "x = COUNT", "`COUNT` is rebound by a function", "use a constant"),
    ("yield", "yield tool", "a yield", "return instead"),
    ("yield from", "yield from ()", "a yield from", "return instead"),
    ("await inside", "async def f():  #!\n  await turn", "an async function", "a plain function"),
    ("recursion", "visit(tool, turn)", "recursion: visit calls visit", "write the steps out"),
    ("mutual recursion", "ping(tool)", "recursion: ping calls pong calls ping", "write the steps out", "#:pong"),
    ("nested recursion", "def f(): return f()  #!\nf()", "recursion: f calls f", "write the steps out"),
    ("call of a call", "maker()(tool)", "the function `made` as a result", "by their names", "#:maker"),
    ("call of a subscript", "(ping, pong)[0](tool)", "a call of what a call or a subscript gave", "a name"),
    ("call of a field", "tool.calls(1)", "a call of `calls`, which is no method of the tool", "read it"),
    ("call of a local", "f = tool.calls\nf()  #!", "a call of a value of the tool", "by its name"),
    ("function as result", "def f(): return ping  #!\nf()", "the function `ping` as a result", "by their names"),
    ("wrong arguments", "ping(tool, 1)", "`ping` cannot be called so: 2 positional arguments for 1", "what it takes"),
    ("unknown name", "x = missing", "the name `missing` is not defined", "at the top of the file"),
    ("read too early", "x = y  #!\ny = 1", "the local variable `y` is read before it is assigned", "assign it first"),
    ("unknown attribute", "x = time.never", "the module `time` has no `never`", "something that it defines"),
    ("method not called", "if tool.evict_call: pass", "the method `evict_call` of the tool without a call", "()"),
    ("truth of the tool", "if tool: pass", "a truth test of the tool", "one of its attributes"),
    ("equality of tools", "if tool == turn: pass", "a comparison with the tool", "compare integers"),
    ("attribute of a field", "x = tool.calls.real", "the attribute `real` of a value of the tool", "compare it"),
    ("truth of an object", "if SIZED: pass", "a truth test of an object of class `Sized`", "an attribute of it"),
    ("property that counts", "x = COUNTING.calls", "the attribute `append` of a tuple", "literal tuples", "#:getter"),
    ("computed attribute", "x = MAGIC.calls", "`calls` of a `Magic`, which its `__getattr__` computes", "ordinary"),
    ("own lookup", "x = LOOKUP.calls", "its own `__getattribute__`", "an ordinary class"),
    ("descriptor", "x = CACHED.calls", "is computed by a `cached_property`", "ordinary attribute"),
    ("overloaded enum", "x = tool.calls == Odd.ONE", "an enum with its own `__eq__`", "without special methods"),
    ("class inside", "class X: pass", "a class inside a function", "at the top of the file"),
    ("decorated inside", "@ping\ndef f(): pass  #!", "a decorated function inside", "at the top of the file"),
    ("computed annotation", "def f(x: ping(1)): pass", "an annotation that computes something", "a plain type"),
    ("walrus in comprehension", "any((x := n) for n in (1, 2))", "`:=` in a comprehension", "write a for loop"),
    ("tuple against number", "x = (tool.calls,) == tool.calls", "a comparison of a tuple with a", "like with like"),
    ("unpacking a field", "x, y = tool.calls", "the unpacking of a value of the tool", "unpack a literal tuple"),
    ("starred target", "x, *y = 1, 2", "a starred target", "name each part"),
    ("wrong count", "x, y = 1, 2, 3", "3 values for 2 targets", "as many as there are values"),
    ("lambda to a method", "tool.show_schema(lambda: 1)", "a lambda as an argument of `show_schema`", "pass integers"),
    ("foreign tool", "OTHER.hide_schema()", "`Tool.hide_schema` of an object that is neither", "the tool that is"),
    ("template or unknown", "lambda: (yield)", "a yield", "return instead"),
]

PREAMBLE = """\
import datetime, decimal, enum, functools, logging, math, os, random, secrets, socket, subprocess, sys, threading
import time, uuid
from ghostproof.turn.tool import Tool, INITIAL
RATE, PRICE, STEPS, KINDS, SEEN, TABLE = 0.5, decimal.Decimal(1), (1, 2, 4), frozenset({1}), [1], {1: 2}
NESTED, COUNT, LOG, OTHER = ([1],), 0, logging.getLogger("pruner"), Tool(INITIAL)
def count():
    global COUNT
    COUNT += 1
def ping(tool): return pong(tool)
def pong(tool): return ping(tool)  #:pong
def maker():
    def made(tool): pass
    return made  #:maker
@functools.cache
def cached(tool): return True
@functools.singledispatch
def dispatched(tool): return True
class Settings:
    limit = 1
SETTINGS = Settings()
class Sized:
    def __len__(self): return 0
SIZED = Sized()
class Counting:
    seen = ()
    @property
    def calls(self): self.seen.append(1)  #:getter
COUNTING = Counting()
class Magic:
    def __getattr__(self, name): return 1
MAGIC = Magic()
class Lookup:
    def __getattribute__(self, name): return 1
LOOKUP = Lookup()
class Cached:
    @functools.cached_property
    def calls(self): return time.time()
CACHED = Cached()
class Odd(enum.Enum):
    ONE = 1
    def __eq__(self, other): return True
"""


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
