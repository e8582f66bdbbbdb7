"""Follows calls, and what they take: attributes, argument lists, generators that are used up at once."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from enum import Enum
from types import FunctionType

from ghostproof.lift.source_builtins import ALLOWED, CONSUMERS, elements, refuse_call, truth
from ghostproof.lift.source_frame import Frame
from ghostproof.lift.source_lookup import Getter, attribute, call_method
from ghostproof.lift.source_text import Site
from ghostproof.lift.source_values import (
    SEEN_TOOL,
    SYMBOLIC,
    TOOL,
    TURN,
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
    join,
    only,
)
from ghostproof.turn.budget import Turn
from ghostproof.turn.tool import Tool


class Calls:
    """The calls of one frame; `Expressions` says how any other expression is followed."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame

    def value(self, node: ast.expr) -> Values:
        """What `node` may stand for."""
        raise NotImplementedError

    def test(self, node: ast.expr) -> None:
        """Follow `node` as a truth test."""
        truth(self.value(node), self.site(node))

    def site(self, node: ast.AST) -> Site:
        """Where `node` stands, for messages."""
        return self.frame.site.at(node)

    def attribute(self, node: ast.Attribute) -> Values:
        """`object.name`, read."""
        return join(self._attribute(value, node.attr, self.site(node)) for value in self.value(node.value))

    def _attribute(self, value: Value, name: str, site: Site) -> Values:
        if value in (TOOL, SEEN_TOOL, TURN):
            self.refuse_private(value, name, site)
            if _is_method(value, name):
                site.reject(f"the method `{name}` of {value.words} without a call", f"write `{name}()`")
            return UNKNOWN
        if isinstance(value, Constant) and isinstance(value.value, Enum):
            found = attribute(value.value, name, site)
        elif isinstance(value, Foreign):
            found = attribute(value.thing, name, site)
        else:
            instead = "compare it, or use + and -" if value in (SYMBOLIC,) else "use local variables and literal tuples"
            site.reject(f"the attribute `{name}` of {value.words}", instead)
        if isinstance(found, Getter):
            return self.frame.check.enter(found.function, [], {}, site)
        return only(found)

    def refuse_private(self, value: Value, name: str, site: Site) -> None:
        """Refuse what the model keeps to itself."""
        if name.startswith("_"):
            site.reject(f"the private attribute `{name}` of {value.words}", "use its public attributes")

    def call(self, node: ast.Call) -> Values:
        """A call: of a method of the tool, of an allowed built-in, or of a function that is checked in turn."""
        site = self.site(node)
        if isinstance(node.func, ast.Call | ast.Subscript):
            self.value(node.func)
            site.reject("a call of what a call or a subscript gave", "give the function a name and call that")
        if isinstance(node.func, ast.Attribute):
            owners = self.value(node.func.value)
            if any(owner in (TOOL, SEEN_TOOL, TURN) for owner in owners):
                return self._own_method(owners, node, site)
            callees = join(self._attribute(owner, node.func.attr, site) for owner in owners)
        else:
            callees = self.value(node.func)
        given, named = self._arguments(node, callees)
        return self.apply(callees, given, named, site)

    def apply(self, callees: Values, given: list[Values], named: dict[str, Values], site: Site) -> Values:
        """What calling one of `callees` may return."""
        return join([self._apply(callee, given, named, site) for callee in callees])

    def _apply(self, callee: Value, given: list[Values], named: dict[str, Values], site: Site) -> Values:
        check = self.frame.check
        if isinstance(callee, Function):
            return check.enter(callee, given, named, site)
        if isinstance(callee, Closure):
            return check.enter_closure(callee, given, named, site)
        if isinstance(callee, Foreign):
            allowed = ALLOWED.get(id(callee.thing))
            if allowed is not None:
                return allowed(given, named, lambda key, items: self.apply(key, items, {}, site), site)
            method = call_method(callee.thing, site)
            if method is not None:
                return check.enter(method, given, named, site)
        return refuse_call(callee, site)

    def _own_method(self, owners: Values, node: ast.Call, site: Site) -> Values:
        assert isinstance(node.func, ast.Attribute)
        name = node.func.attr
        for owner in owners:
            if owner not in (TOOL, SEEN_TOOL, TURN):
                site.reject(f"a call of `{name}` of what is not always the tool", "use one variable for the tool alone")
            self.refuse_private(owner, name, site)
            if not _is_method(owner, name):
                site.reject(f"a call of `{name}`, which is no method of {owner.words}", f"read it: `{name}`")
            if owner is SEEN_TOOL:
                site.reject(
                    f"a call of the method `{name}` of the tool", "only read its attributes: here nothing may change"
                )
        given, named = self._arguments(node, frozenset())
        for value in join([*given, *named.values()]):
            if not is_data(value) and value not in (TOOL, TURN):
                site.reject(f"{value.words} as an argument of `{name}`", "pass integers and booleans")
        return UNKNOWN

    def _arguments(self, node: ast.Call, callees: Values) -> tuple[list[Values], dict[str, Values]]:
        consumed = bool(callees) and all(isinstance(c, Foreign) and id(c.thing) in CONSUMERS for c in callees)
        if consumed and len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp):
            given = [self.comprehend(node.args[0])]
        else:
            given = list(self.spread(node.args, "`*` in a call").items)
        named: dict[str, Values] = {}
        for keyword in node.keywords:
            values = self.value(keyword.value)
            if keyword.arg is not None:
                named[keyword.arg] = values
                continue
            for value in values:
                if len(values) > 1 or not isinstance(value, Keywords):
                    self.site(keyword).reject(f"`**` of {value.words}", "write the keyword arguments one by one")
                named.update(value.entries)
        return given, named

    def spread(self, nodes: Iterable[ast.expr], what: str) -> Items:
        """The values of `nodes`, with those behind a `*` written out."""
        items: list[Values] = []
        for node in nodes:
            if not isinstance(node, ast.Starred):
                items.append(self.value(node))
                continue
            for value in (values := self.value(node.value)):
                if len(values) > 1 or not isinstance(value, Items):
                    self.site(node).reject(f"{what} of {value.words} of unknown length", "write the values one by one")
                items += value.items
        return Items(items)

    def comprehend(self, node: ast.ListComp | ast.GeneratorExp) -> Values:
        """The values that a comprehension gives."""
        variables: dict[str, Values] = {}
        for position, part in enumerate(node.generators):
            if part.is_async:
                self.site(part.target).reject("async for", "write a plain for")
            site = self.site(part.target)
            items = elements(self.value(part.iter), "a comprehension over", site)
            if not position:
                self.frame.comprehensions.append(variables)
            self.bind(part.target, items, variables.__setitem__)
            for condition in part.ifs:
                self.test(condition)
        item = self.value(node.elt)
        if not all(map(_is_fact, item)):
            self.site(node.elt).reject("a comprehension of something else than values", "call the functions one by one")
        self.frame.comprehensions.pop()
        return only(Many(item))

    def bind(self, target: ast.expr, values: Values, assign: Callable[[str, Values], None]) -> None:
        """Bind a name, or a tuple of names to a tuple of as many values."""
        if isinstance(target, ast.Name):
            assign(target.id, values)
            return
        site = self.site(target)
        if not isinstance(target, ast.Tuple | ast.List):
            site.reject(
                f"{type(target).__name__} as a target", "assign to a local variable or to an attribute of the tool"
            )
        for value in values:
            if not isinstance(value, Items):
                site.reject(f"the unpacking of {value.words} of unknown length", "unpack a literal tuple")
            if len(value.items) != len(target.elts):
                site.reject(
                    f"{len(value.items)} values for {len(target.elts)} targets", "write as many as there are values"
                )
        for index, part in enumerate(target.elts):
            self.bind(part, join(value.items[index] for value in values if isinstance(value, Items)), assign)


def _is_method(owner: Value, name: str) -> bool:
    return isinstance(vars(Turn if owner is TURN else Tool).get(name), FunctionType)


def _is_fact(value: Value) -> bool:
    return is_data(value) or value in (TOOL, SEEN_TOOL, TURN)
