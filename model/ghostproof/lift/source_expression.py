"""Follows expressions: what each may stand for, and whether it does on symbolic values what it does on plain ones."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from enum import Enum
from types import FunctionType
from typing import Any

from ghostproof.lift.source_builtins import ALLOWED, CONSUMERS, comparable, elements, numbers, refuse_call, truth
from ghostproof.lift.source_frame import Frame
from ghostproof.lift.source_lookup import Getter, attribute, call_method
from ghostproof.lift.source_text import Site
from ghostproof.lift.source_values import (
    FIXED,
    FROZENSET,
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
    is_plain,
    join,
    only,
)
from ghostproof.turn.budget import Turn
from ghostproof.turn.tool import Tool

_SIGNS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**", ast.LShift: "<<",
    ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
}  # fmt: skip

_FLAGS = {ast.BitAnd: "write `and` for flags", ast.BitOr: "write `or` for flags", ast.BitXor: "write `!=` for flags"}


class Expressions:
    """The expressions of one frame."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame

    def value(self, node: ast.expr) -> Values:
        """What `node` may stand for."""
        follow = _EXPRESSIONS.get(type(node))
        if follow is None:
            self.site(node).reject(f"{type(node).__name__} in this place", "write a plain expression")
        return follow(self, node)

    def test(self, node: ast.expr) -> None:
        """Follow `node` as a truth test."""
        truth(self.value(node), self.site(node))

    def site(self, node: ast.AST) -> Site:
        """Where `node` stands, for messages."""
        return self.frame.site.at(node)

    def constant(self, node: ast.Constant) -> Values:
        """A literal."""
        return only(Constant(node.value))

    def name(self, node: ast.Name) -> Values:
        """A name that is read."""
        return self.frame.read(node.id, self.site(node))

    def named(self, node: ast.NamedExpr) -> Values:
        """`name := value`."""
        values = self.value(node.value)
        if self.frame.comprehensions:
            self.site(node).reject("`:=` in a comprehension", "write a for loop over the literal tuple")
        self.frame.assign(node.target.id, values)
        return values

    def sequence(self, node: ast.Tuple | ast.List) -> Values:
        """A literal tuple or list."""
        return only(self._spread(node.elts, "`*` in a tuple or list"))

    def _spread(self, nodes: Iterable[ast.expr], what: str) -> Items | Many:
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

    def boolean(self, node: ast.BoolOp) -> Values:
        """`and`, `or`: the value is one of the operands, and all but the last are tested."""
        results, ends = [], []
        for index, operand in enumerate(node.values):
            results.append(self.value(operand))
            if index < len(node.values) - 1:
                truth(results[-1], self.site(operand))
            ends.append(self.frame.fork())
        self.frame.meet(ends)
        return join(results)

    def unary(self, node: ast.UnaryOp) -> Values:
        """`not`, `-`, `+`, and `~` of a constant."""
        values = self.value(node.operand)
        if isinstance(node.op, ast.Not):
            return truth(values, self.site(node))
        if isinstance(node.op, ast.Invert) and not is_plain(values):
            self.site(node).reject("`~` of a value of the tool or the turn", "write `not` for a flag")
        return numbers(values, "a sign", self.site(node))

    def binary(self, node: ast.BinOp) -> Values:
        """Arithmetic."""
        return self.arithmetic(self.value(node.left), node.op, self.value(node.right), self.site(node))

    def arithmetic(self, left: Values, operator: ast.operator, right: Values, site: Site) -> Values:
        """`+` and `-` of anything known to be a number; the others of constants only."""
        sign = _SIGNS[type(operator)]
        if isinstance(operator, ast.Add) and all(isinstance(value, Items) for value in left | right):
            return join(only(Items(a.items + b.items)) for a in left for b in right)  # type: ignore[attr-defined]
        if isinstance(operator, ast.Add | ast.Sub):
            return numbers(join([left, right]), f"`{sign}`", site)
        if not (is_plain(left) and is_plain(right)):
            site.reject(
                f"`{sign}` on what may be a value of the tool or the turn",
                _FLAGS.get(type(operator), "use + and - of fields and constants only"),
            )
        if isinstance(operator, ast.Pow | ast.LShift):
            return self._power(left, operator, right, site)
        return FIXED

    def _power(self, left: Values, operator: ast.operator, right: Values, site: Site) -> Values:
        # A negative exponent would give a float, and a huge one would take for ever.
        for value in right:
            if not isinstance(value, Constant) or not isinstance(value.value, int) or not 0 <= value.value <= 64:
                site.reject(f"`{_SIGNS[type(operator)]}` with something else than 0 to 64", "write the number")
        return FIXED

    def conditional(self, node: ast.IfExp) -> Values:
        """`a if test else b`."""
        self.test(node.test)
        before = self.frame.fork()
        first = self.value(node.body)
        after = self.frame.fork()
        self.frame.environment = before
        second = self.value(node.orelse)
        self.frame.meet([after, self.frame.environment])
        return join([first, second])

    def compare(self, node: ast.Compare) -> Values:
        """Comparisons, chained or not, and membership in a literal tuple."""
        operands = [self.value(node.left), self.value(node.comparators[0])]
        if len(node.ops) > 1:  # the later operands are looked at only while the comparisons hold
            early = self.frame.fork()
            operands += map(self.value, node.comparators[1:])
            self.frame.meet([early, self.frame.environment])
        for left, operator, right in zip(operands, node.ops, operands[1:], strict=False):
            self._pair(left, operator, right, self.site(node))
        return FIXED if all(map(is_plain, operands)) else UNKNOWN

    def _pair(self, left: Values, operator: ast.cmpop, right: Values, site: Site) -> None:
        comparable(left, "a comparison", site)
        if not isinstance(operator, ast.In | ast.NotIn):
            comparable(right, "a comparison", site)
            # A tuple and a number are never equal when plain; a symbolic number would refuse the question.
            if any(isinstance(value, Items | Many) for value in left) != any(
                isinstance(value, Items | Many) for value in right
            ):
                site.reject("a comparison of a tuple with a single value", "compare like with like")
            return
        for value in right:
            if isinstance(value, Constant) and isinstance(value.value, str) and is_plain(left):
                continue
            if value is FROZENSET:
                if not is_plain(left):
                    site.reject("membership in a frozenset, which takes the hash", "use a tuple")
            elif not isinstance(value, Items) or not is_data(value):
                site.reject(f"membership in {value.words}", "use a literal tuple of constants: `x in (1, 2)`")

    def attribute(self, node: ast.Attribute) -> Values:
        """`object.name`, read."""
        return join(self._attribute(value, node.attr, self.site(node)) for value in self.value(node.value))

    def _attribute(self, value: Value, name: str, site: Site) -> Values:
        if value in (TOOL, SEEN_TOOL, TURN):
            self._refuse_private(value, name, site)
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

    def _refuse_private(self, value: Value, name: str, site: Site) -> None:
        if name.startswith("_"):
            site.reject(f"the private attribute `{name}` of {value.words}", "use its public attributes")

    def subscript(self, node: ast.Subscript) -> Values:
        """`tuple[constant]`."""
        site = self.site(node)
        index = self.value(node.slice)
        if not is_plain(index):
            site.reject("a subscript that is not known yet", "write if and elif, or compare with each")
        return join(self._item(value, index, site) for value in self.value(node.value))

    def _item(self, value: Value, index: Values, site: Site) -> Values:
        if isinstance(value, Many):
            return value.item
        if not isinstance(value, Items):
            site.reject(f"a subscript of {value.words}", "use local variables and literal tuples")
        numbers_only = [number.value for number in index if isinstance(number, Constant)]
        if len(numbers_only) == len(index) == 1 and isinstance(numbers_only[0], int):
            if not -len(value.items) <= numbers_only[0] < len(value.items):
                site.reject(
                    "a subscript beyond the end of the tuple (IndexError when it runs)", "write one that is there"
                )
            return value.items[numbers_only[0]]
        return join(value.items)

    def function(self, node: ast.Lambda) -> Values:
        """A lambda, as a value."""
        return only(self.closure(node))

    def closure(self, node: ast.FunctionDef | ast.Lambda) -> Closure:
        """A nested function, with its defaults as they are now."""
        arguments = node.args
        positional = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
        names = positional[len(positional) - len(arguments.defaults) :]
        defaults = {name: self.value(default) for name, default in zip(names, arguments.defaults, strict=True)}
        for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
            if default is not None:
                defaults[argument.arg] = self.value(default)
        return Closure(node, self.frame, len(self.frame.comprehensions), defaults)

    def listing(self, node: ast.ListComp | ast.GeneratorExp) -> Values:
        """A list comprehension; or a generator, which may stand only where it is used up at once."""
        if isinstance(node, ast.GeneratorExp):
            self.site(node).reject(
                "a generator that is not used up at once", "write it inside any(), all(), sum(), min() or max()"
            )
        return self._comprehend(node)

    def _comprehend(self, node: ast.ListComp | ast.GeneratorExp) -> Values:
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
            self._refuse_private(owner, name, site)
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
            given = [self._comprehend(node.args[0])]
        else:
            spread = self._spread(node.args, "`*` in a call")
            given = list(spread.items) if isinstance(spread, Items) else []
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


def _is_method(owner: Value, name: str) -> bool:
    return isinstance(vars(Turn if owner is TURN else Tool).get(name), FunctionType)


def _is_fact(value: Value) -> bool:
    return is_data(value) or value in (TOOL, SEEN_TOOL, TURN)


_EXPRESSIONS: dict[type[ast.expr], Callable[[Expressions, Any], Values]] = {
    ast.Constant: Expressions.constant,
    ast.Name: Expressions.name,
    ast.NamedExpr: Expressions.named,
    ast.Tuple: Expressions.sequence,
    ast.List: Expressions.sequence,
    ast.BoolOp: Expressions.boolean,
    ast.UnaryOp: Expressions.unary,
    ast.BinOp: Expressions.binary,
    ast.IfExp: Expressions.conditional,
    ast.Compare: Expressions.compare,
    ast.Attribute: Expressions.attribute,
    ast.Subscript: Expressions.subscript,
    ast.Lambda: Expressions.function,
    ast.ListComp: Expressions.listing,
    ast.GeneratorExp: Expressions.listing,
    ast.Call: Expressions.call,
}
