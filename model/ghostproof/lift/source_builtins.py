"""The built-ins that do on symbolic values what they do on plain ones, and why each of the others is refused.

Allowed are those that only compare, add and test their arguments; each says what it asks of them and what comes out.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from types import BuiltinFunctionType, FunctionType

from ghostproof.lift.source_text import AS_CALLABLE, Site
from ghostproof.lift.source_values import (
    FIXED,
    FROZENSET,
    SYMBOLIC,
    UNKNOWN,
    Closure,
    Constant,
    Foreign,
    Function,
    Items,
    Keywords,
    Many,
    Value,
    Values,
    is_data,
    is_plain,
    is_scalar,
    join,
    name_of,
    only,
)

Arguments = list[Values]
Named = dict[str, Values]
Apply = Callable[[Values, Arguments], Values]
Builtin = Callable[[Arguments, Named, Apply, Site], Values]

_WITHOUT_TEXT = "leave text out: a pass decides on booleans and integers"
_WITHOUT_CLASSES = "write the test on the tool's own fields"
_BY_NAME = "write the attribute by its name"
_SHOWN = f"leave it out: a pass must not touch the world outside; {AS_CALLABLE}"
_LISTED = "write a literal tuple: a table or an order of values that are not known yet cannot be lifted"

_INSTEAD: dict[str, str] = {
    **dict.fromkeys(("str", "repr", "format", "ascii", "chr", "ord", "bytes", "bytearray"), _WITHOUT_TEXT),
    **dict.fromkeys(
        ("hash", "id", "type", "isinstance", "issubclass", "callable", "super", "object"), _WITHOUT_CLASSES
    ),
    **dict.fromkeys(("getattr", "setattr", "hasattr", "delattr", "vars", "dir", "globals", "locals"), _BY_NAME),
    **dict.fromkeys(("sorted", "set", "frozenset", "dict", "list", "tuple", "map", "filter", "reversed"), _LISTED),
    **dict.fromkeys(("open", "print", "input", "breakpoint", "exit", "quit", "help"), _SHOWN),
    **dict.fromkeys(("eval", "exec", "compile", "__import__"), "write the code itself"),
    **dict.fromkeys(("float", "complex", "round", "divmod", "pow"), "use + and - of integers: tokens are exact"),
    "int": "write `1 if condition else 0` for a flag; anything else is an integer already",
    "len": "write the number: only literal tuples have a length here",
    "iter": "write a for loop over a literal tuple",
    "next": "write a for loop over a literal tuple",
    "slice": "write the tuple that you need",
    "super": "name the class: `Base.method(self, tool, turn)`",
}

_CLOCK = f"let the turn be the clock (`tool.idle_turns`); {AS_CALLABLE}"
_CHANCE = f"let the environment choose: a pass must be a function of tool and turn; {AS_CALLABLE}"
_WORLD: dict[str, tuple[str, str]] = {
    **dict.fromkeys(("time", "datetime", "calendar", "sched"), ("a clock", _CLOCK)),
    **dict.fromkeys(("random", "_random", "secrets", "uuid"), ("randomness", _CHANCE)),
}


def elements(values: Values, what: str, site: Site) -> Values:
    """What `values` may yield when looped over; refuses whatever has no bound that is written in the source."""
    found = []
    for value in values:
        if isinstance(value, Items):
            found.append(join(value.items))
        elif isinstance(value, Many):
            found.append(value.item)
        elif value is FROZENSET:
            site.reject(f"{what} a frozenset, whose order is arbitrary", "loop over a tuple")
        else:
            bound = "which is not known yet" if value is SYMBOLIC else "which is no literal tuple or list"
            site.reject(
                f"{what} {value.words}, {bound}",
                "loop over a literal tuple or range(constant); or let the pass do one step, it visits each tool again",
            )
    return join(found)


def numbers(values: Values, what: str, site: Site) -> Values:
    """The result of arithmetic on `values`: symbolic if one of them may be."""
    for value in values:
        if not is_scalar(value):
            site.reject(f"{what} of {value.words}", "use integers and booleans of the tool and the turn")
    return FIXED if is_plain(values) else UNKNOWN


def truth(values: Values, site: Site) -> Values:
    """The result of a truth test; refuses what is true for reasons that have nothing to do with the tool's state."""
    for value in values:
        if isinstance(value, Foreign):
            kind = type(value.thing)
            if any("__bool__" in vars(base) or "__len__" in vars(base) for base in kind.__mro__):
                site.reject(f"a truth test of {value.words}", "test an attribute of it")
        elif not (is_scalar(value) or isinstance(value, Items | Many | Function | Closure)):
            site.reject(f"a truth test of {value.words}", "test one of its attributes")
    return FIXED if is_plain(values) else UNKNOWN


def comparable(values: Values, what: str, site: Site) -> None:
    """Refuse to compare what is no data: its `==` or `<` would be foreign code, or identity."""
    for value in values:
        if not is_data(value):
            site.reject(f"{what} with {value.words}", "compare integers, booleans and constants")


def _number(given: Arguments, named: Named, apply: Apply, site: Site) -> Values:
    return numbers(join(given), "abs()", site)


def _bool(given: Arguments, named: Named, apply: Apply, site: Site) -> Values:
    return truth(join(given), site)


def _any(given: Arguments, named: Named, apply: Apply, site: Site) -> Values:
    return truth(elements(join(given), "any() or all() over", site), site)


def _sum(given: Arguments, named: Named, apply: Apply, site: Site) -> Values:
    parts = elements(given[0], "sum() over", site) if given else FIXED
    return numbers(join([parts, *given[1:], *named.values()]), "sum()", site)


def _least(given: Arguments, named: Named, apply: Apply, site: Site) -> Values:
    rest = dict(named)
    key, default = rest.pop("key", None), rest.pop("default", None)
    chosen = elements(given[0], "min() or max() over", site) if len(given) == 1 else join(given)
    compared = chosen if key is None else apply(key, [chosen])
    comparable(compared, "min() or max()", site)
    _no_more(rest, site)
    return chosen if default is None else join([chosen, default])


def _range(given: Arguments, named: Named, apply: Apply, site: Site) -> Values:
    _no_more(named, site)
    for bound in given:
        if not is_plain(bound):
            site.reject(
                "range() of a value of the tool or the turn, which is not known yet",
                "use a constant; or let the pass do one step, it visits each tool again until its condition holds",
            )
    return only(Many(FIXED))


def _enumerate(given: Arguments, named: Named, apply: Apply, site: Site) -> Values:
    start = join([*given[1:], *named.values()])
    if not is_plain(start):
        numbers(start, "enumerate()", site)
    count = FIXED if is_plain(start) else UNKNOWN
    return only(Many(only(Items((count, elements(given[0] if given else FIXED, "enumerate() over", site))))))


def _zip(given: Arguments, named: Named, apply: Apply, site: Site) -> Values:
    return only(Many(only(Items(elements(part, "zip() over", site) for part in given))))


def _no_more(named: Named, site: Site) -> None:
    for name in named:
        site.reject(f"an unknown keyword argument `{name}`", "leave it out")


ALLOWED: dict[int, Builtin] = {
    id(abs): _number,
    id(bool): _bool,
    id(any): _any,
    id(all): _any,
    id(sum): _sum,
    id(min): _least,
    id(max): _least,
    id(range): _range,
    id(enumerate): _enumerate,
    id(zip): _zip,
}

# Those that use up a generator before they return, so that nothing can change between its making and its use.
CONSUMERS = frozenset(map(id, (any, all, sum, min, max)))


def refuse_call(value: Value, site: Site) -> Values:
    """Refuse to call something that is neither a Python function nor an allowed built-in, and say what it is."""
    if value is SYMBOLIC or value is FROZENSET or isinstance(value, Constant | Items | Many | Keywords):
        site.reject(f"a call of {value.words}", "call a function or method by its name")
    if not isinstance(value, Foreign):
        site.reject(f"a call of {value.words}", "call one of its methods")
    thing = value.thing
    name = name_of(thing)
    if not name:
        kind = type(thing)
        site.reject(
            f"a call of an object of class `{kind.__module__}.{kind.__qualname__}`, which is not written in Python",
            f"write a function; {AS_CALLABLE}",
        )
    module = str(getattr(thing, "__module__", None) or type(getattr(thing, "__self__", None)).__module__)
    if name in _INSTEAD and getattr(builtins, name, None) is thing:
        site.reject(f"{name}()", _INSTEAD[name])
    refuse_module(module, name, site)
    if isinstance(thing, type):
        site.reject(
            f"the making of a `{name}`",
            "use the tool's fields and local variables; make objects at the top of the file",
        )
    if hasattr(thing, "__wrapped__"):
        site.reject(
            f"a call of `{name}`, which a `{type(thing).__qualname__}` wraps that cannot be looked into",
            "leave the decorator out",
        )
    if isinstance(thing, BuiltinFunctionType) or not isinstance(thing, FunctionType):
        site.reject(
            f"a call of `{name}` of {module}, which is not written in Python, so its source cannot be checked",
            f"write a helper function; {AS_CALLABLE}",
        )
    site.reject(f"a call of `{name}`", "call a function by its name")


def refuse_module(module: str, name: str, site: Site) -> None:
    """Refuse what belongs to a clock or to randomness, and say so."""
    root = module.partition(".")[0]
    if root in _WORLD:
        what, instead = _WORLD[root]
        site.reject(f"{what}: `{root}.{name.removeprefix('Random.')}`", instead)


def refuse_standard(module: str, name: str, site: Site) -> None:
    """Refuse a function of the standard library."""
    refuse_module(module, name, site)
    site.reject(
        f"a call of `{module}.{name}`, which is in the standard library and is not checked",
        f"write a helper function of the tool's own fields; {AS_CALLABLE}",
    )
