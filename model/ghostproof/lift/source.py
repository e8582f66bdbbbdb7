"""The first net against a wrong lifting: the source of every function that a pruner reaches is checked before it runs.

Run on symbolic values, some constructs would silently mean something else than on plain ones, and whatever reads or
writes outside the tool would be seen once instead of at each visit. So a function is followed from the parameters it is
given: what each name may stand for, what may be symbolic, which functions can be called with what. It passes only if
all of it is on a list of what means the same in both readings. The lists are `source_syntax` (nodes), `source_builtins`
(built-ins) and `source_expression` and `source_statement` (what may be done with what).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import NamedTuple

from ghostproof.lift.source_binding import MismatchError, bind
from ghostproof.lift.source_builtins import refuse_call, refuse_standard
from ghostproof.lift.source_frame import Frame
from ghostproof.lift.source_lookup import call_method, value_of
from ghostproof.lift.source_statement import Body, is_data_only
from ghostproof.lift.source_syntax import check_syntax
from ghostproof.lift.source_text import FunctionNode, Site, locate, standard_library
from ghostproof.lift.source_values import (
    PLAIN,
    SEEN_TOOL,
    SYMBOLIC,
    TOOL,
    TURN,
    UNKNOWN,
    Closure,
    Constant,
    Foreign,
    Function,
    Value,
    Values,
    holds_closure,
    name_of,
    only,
)
from ghostproof.turn.place import shown_path
from ghostproof.turn.tool import Tool

Trusted = Callable[[object], bool]


class Reached(NamedTuple):
    """One function that was checked: its qualified name, its file and its first line."""

    name: str
    file: str
    line: int


class Role(NamedTuple):
    """What a function is called with, in words and as values, and whether its result is used."""

    called: str
    given: tuple[Value, ...]
    result: bool


ROLES: dict[str, Role] = {
    "pass": Role("(tool, turn)", (TOOL, TURN), False),
    "order": Role("(tool)", (SEEN_TOOL,), True),
    "until": Role("(turn)", (TURN,), True),
}


def check_source(function: Callable[..., object], role: str, trusted: Trusted) -> tuple[Reached, ...]:
    """Check `function` and all that it reaches, and say what that was.

    `role` is "pass" (called with tool and turn, may change the tool), "order" (a key, called with the tool) or "until"
    (a budget condition, called with the turn). `trusted` says of a function or class that it is the model's own: it is
    not checked and not reported. Raises PrunerError.
    """
    called, given, result = ROLES[role]
    name = name_of(function) or type(function).__qualname__
    site = Site("", 0, f"the {role} function `{name}`")  # until a file is known
    callee = value_of(function, f"the {role} function", site)
    if isinstance(callee, Foreign) and not issubclass(type(callee.thing), type):
        callee = call_method(callee.thing, site) or callee
    if isinstance(callee, Function) and trusted(callee.function):
        return ()
    if not isinstance(callee, Function):
        refuse_call(callee, site)
        raise AssertionError("refused above")
    code = callee.function.__code__
    site = Site(shown_path(code.co_filename), code.co_firstlineno, callee.function.__qualname__)
    module = standard_library(callee.function)
    if module:
        refuse_standard(module, callee.function.__qualname__, site)
    check = _Check(trusted)
    try:
        returned = check.follow(callee, [only(value) for value in given], {}, None)
    except RecursionError:
        site.reject("an expression or a chain of calls that is nested too deeply", "split it with local variables")
    except MismatchError as error:
        site.reject(f"the {role} function cannot be called with {called}: {error}", f"give it the parameters {called}")
    if result:
        for value in returned:
            if not (value in (SYMBOLIC, PLAIN) or (isinstance(value, Constant) and isinstance(value.value, int))):
                site.reject(f"the {role} function may return {value.words}", "return an integer or a boolean")
    return tuple(check.reached)


class _Check:
    """One check in progress."""

    def __init__(self, trusted: Trusted) -> None:
        self.is_ours = trusted
        self.reached: dict[Reached, None] = {}
        self._known: dict[object, Values] = {}
        self._checked: set[int] = set()
        self._active: list[tuple[FunctionNode, str]] = []

    def enter(self, callee: Function, given: Sequence[Values], named: dict[str, Values], site: Site) -> Values:
        """Check a call of a function and say what it may return."""
        function = callee.function
        if self.is_ours(function):
            return self._enter_ours(callee, given, named, site)
        module = standard_library(function)
        if module:
            refuse_standard(module, function.__qualname__, site)
        try:
            return self.follow(callee, given, named, site)
        except MismatchError as error:
            site.reject(f"`{function.__qualname__}` cannot be called so: {error}", "call it with what it takes")

    def _enter_ours(self, callee: Function, given: Sequence[Values], named: dict[str, Values], site: Site) -> Values:
        name = callee.function.__qualname__
        for values in callee.arguments[:1]:
            for value in values:
                if isinstance(value, Foreign) and self.is_ours(type(value.thing)):
                    site.reject(
                        f"`{name}` of an object that is neither the tool nor the turn", "use the tool that is visited"
                    )
        for values in (*given, *named.values()):
            for value in values:
                if value is SEEN_TOOL and callee.function in vars(Tool).values():
                    site.reject(f"a call of `{name}`", "only read the tool's attributes: here nothing may change")
                if not (is_data_only(only(value)) or value in (TOOL, SEEN_TOOL, TURN)):
                    site.reject(
                        f"{value.words} as an argument of `{name}`", "pass the tool, the turn, integers and booleans"
                    )
        return UNKNOWN

    def follow(self, callee: Function, given: Sequence[Values], named: dict[str, Values], site: Site | None) -> Values:
        """Check a function of the user with these arguments, once for each kind of arguments."""
        given = (*callee.arguments, *given)
        named = {**callee.keywords.entries, **named}
        key = (callee, tuple(given), tuple(sorted(named)), tuple(named[name] for name in sorted(named)))
        if key in self._known:
            return self._known[key]
        function = callee.function
        node, file, start = locate(function, site)
        self.reached[Reached(function.__qualname__, file.shown, function.__code__.co_firstlineno)] = None
        if id(node) not in self._checked:
            check_syntax(node, start)
            self._checked.add(id(node))
        bound = bind(node.args, _defaults(function, start), given, named)
        frame = Frame(self, callee, node, start, bound)
        returned = self._run(frame, function.__qualname__, site or start)
        if not any(map(holds_closure, (*given, *named.values()))):
            self._known[key] = returned
        return returned

    def enter_closure(self, callee: Closure, given: Sequence[Values], named: dict[str, Values], site: Site) -> Values:
        """Check a call of a function inside a function; its syntax was checked with the function around it."""
        outer = callee.frame
        assert isinstance(outer, Frame)
        name = "a lambda" if isinstance(callee.node, ast.Lambda) else callee.node.name
        try:
            bound = bind(callee.node.args, callee.defaults, given, named)
        except MismatchError as error:
            site.reject(f"`{name}` cannot be called so: {error}", "call it with what it takes")
        start = Site(outer.site.path, callee.node.lineno, outer.site.name)
        return self._run(Frame(self, outer.function, callee.node, start, bound, outer, callee.depth), name, site)

    def _run(self, frame: Frame, name: str, site: Site) -> Values:
        if any(node is frame.node for node, _ in self._active):
            names = [active for node, active in self._active]
            around = names[[node is frame.node for node, _ in self._active].index(True) :]
            site.reject(
                f"recursion: {' calls '.join([*around, name])}, to a depth that is not known",
                "write the steps out, or let the pass do one step: it visits each tool again until its condition holds",
            )
        self._active.append((frame.node, name))
        try:
            return Body(frame).run()
        finally:
            self._active.pop()


def _defaults(function: FunctionType, site: Site) -> dict[str, Values]:
    code = function.__code__
    positional = code.co_varnames[: code.co_argcount]
    values = function.__defaults__ or ()
    found: dict[str, object] = dict(zip(positional[len(positional) - len(values) :], values, strict=True))
    found.update(function.__kwdefaults__ or {})
    return {name: only(value_of(value, f"the default of `{name}`", site)) for name, value in found.items()}
