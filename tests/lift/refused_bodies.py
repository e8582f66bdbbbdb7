"""Bodies of a pass that must be refused, each with what the refusal must say."""

from __future__ import annotations

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
