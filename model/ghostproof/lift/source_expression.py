"""Follows expressions: what each may stand for, and whether it does on symbolic values what it does on plain ones."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from ghostproof.lift.source_builtins import comparable, numbers, truth
from ghostproof.lift.source_call import Calls
from ghostproof.lift.source_text import Site
from ghostproof.lift.source_values import (
    FIXED,
    FROZENSET,
    UNKNOWN,
    Closure,
    Constant,
    Items,
    Many,
    Value,
    Values,
    is_data,
    is_plain,
    join,
    only,
)

_SIGNS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**", ast.LShift: "<<",
    ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
}  # fmt: skip

_FLAGS = {ast.BitAnd: "write `and` for flags", ast.BitOr: "write `or` for flags", ast.BitXor: "write `!=` for flags"}


class Expressions(Calls):
    """The expressions of one frame."""

    def value(self, node: ast.expr) -> Values:
        """What `node` may stand for."""
        follow = _EXPRESSIONS.get(type(node))
        if follow is None:
            self.site(node).reject(f"{type(node).__name__} in this place", "write a plain expression")
        return follow(self, node)

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
        return only(self.spread(node.elts, "`*` in a tuple or list"))

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
        return self.comprehend(node)


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
