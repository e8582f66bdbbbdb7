"""Follows statements: where control may go, and that nothing outside the tool is written."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from ghostproof.lift.source_builtins import comparable, elements
from ghostproof.lift.source_expression import Expressions
from ghostproof.lift.source_frame import Loop
from ghostproof.lift.source_values import (
    NONE,
    SEEN_TOOL,
    TOOL,
    TURN,
    Foreign,
    Items,
    Many,
    Values,
    is_data,
    is_scalar,
    join,
    only,
)
from ghostproof.turn.tool import PRUNER_WRITES

_SHOWING = "call `show_schema()`, `reveal_schema()`, `show_schema_lossily()` or `hide_schema()`"
_EVICTING = "call `evict_call()`, `evict_all_calls()` or `empty_call()`"
_METHODS = {
    **dict.fromkeys(("schema_shown", "schema_lossy", "schema_current"), _SHOWING),
    **dict.fromkeys(("calls_resident", "emptied"), _EVICTING),
    **dict.fromkeys(("tombstone_resident", "calls_before_tombstone"), "write to `tombstoned`"),
    "evidence_resident": "call `reveal_schema()` or `evict_evidence()`",
    "truncated": "call `truncate_calls()`",
}

# A loop's names settle after as many rounds as values can still be added; a name that grows with each round never does.
_ROUNDS = 12


class Body(Expressions):
    """The statements of one frame."""

    def run(self) -> Values:
        """Follow the whole function and say what it may return."""
        node = self.frame.node
        if isinstance(node, ast.Lambda):
            self._return(self.value(node.body), node.body)
        else:
            self.block(node.body)
            if self.frame.environment is not None:
                self.frame.returned.append(NONE)
        return join(self.frame.returned)

    def block(self, statements: Sequence[ast.stmt]) -> None:
        """Follow statements until control leaves them."""
        for statement in statements:
            if self.frame.environment is None:
                return  # nothing reaches the rest; its syntax was checked with the whole
            follow = _STATEMENTS.get(type(statement))
            if follow is None:
                self.site(statement).reject(f"{type(statement).__name__} in this place", "write a plain statement")
            follow(self, statement)

    def nothing(self, node: ast.Pass) -> None:
        """`pass`."""

    def expression(self, node: ast.Expr) -> None:
        """A call for its effect, or a docstring."""
        if not isinstance(node.value, ast.Constant):
            self.value(node.value)

    def returning(self, node: ast.Return) -> None:
        """`return`."""
        self._return(NONE if node.value is None else self.value(node.value), node)

    def _return(self, values: Values, node: ast.AST) -> None:
        for value in values:
            if not (is_data(value) or value in (TOOL, SEEN_TOOL, TURN) or isinstance(value, Foreign | Items | Many)):
                self.site(node).reject(f"{value.words} as a result", "return values; call functions by their names")
        self.frame.returned.append(values)
        self.frame.environment = None

    def assign(self, node: ast.Assign) -> None:
        """`a = b = value`."""
        values = self.value(node.value)
        for target in node.targets:
            self.store(target, values)

    def annotated(self, node: ast.AnnAssign) -> None:
        """`a: type = value`."""
        if node.value is not None:
            self.store(node.target, self.value(node.value))

    def augmented(self, node: ast.AugAssign) -> None:
        """`a += value`."""
        site = self.site(node)
        target = node.target
        if isinstance(target, ast.Name):
            before = self.frame.read(target.id, site) if target.id in self.frame.locals else frozenset()
        elif isinstance(target, ast.Attribute):
            before = self.attribute(ast.copy_location(ast.Attribute(target.value, target.attr, ast.Load()), target))
        else:
            site.reject("a write to a subscript", "use local variables: `first = ...`")
        if any(isinstance(value, Items | Many) for value in before):
            site.reject("an augmented assignment of a tuple or list", "write `all = (*before, new)`")
        self.store(target, self.arithmetic(before, node.op, self.value(node.value), site))

    def store(self, target: ast.expr, values: Values) -> None:
        """Write `values` to a local variable, to a tuple of targets or to an attribute of the tool."""
        if isinstance(target, ast.Tuple | ast.List):
            for index, part in enumerate(target.elts):
                self._store_part(target, index, part, values)
        elif isinstance(target, ast.Name):
            self.frame.assign(target.id, values)
        elif isinstance(target, ast.Attribute):
            self._store_attribute(target, values)
        elif isinstance(target, ast.Subscript):
            self.site(target).reject("a write to a subscript", "use local variables: `first = ...`")
        else:
            self.bind(target, values, self.frame.assign)

    def _store_part(self, target: ast.Tuple | ast.List, index: int, part: ast.expr, values: Values) -> None:
        # `bind` checks the shape; the part itself may be an attribute, which `bind` does not know.
        names = ast.Tuple([ast.copy_location(ast.Name("_"), target) for _ in target.elts])
        self.bind(ast.copy_location(names, target), values, lambda name, bound: None)
        if isinstance(part, ast.Starred):
            self.site(part).reject("a starred target", "name each part of the tuple")
        self.store(part, join(value.items[index] for value in values if isinstance(value, Items)))

    def _store_attribute(self, target: ast.Attribute, values: Values) -> None:
        site = self.site(target)
        for owner in self.value(target.value):
            if owner is SEEN_TOOL:
                site.reject(f"a write to `{target.attr}` of the tool", "only read it: here nothing may change")
            if owner is not TOOL:
                site.reject(
                    f"a write to `{target.attr}` of {owner.words}",
                    "write to the tool only; what must last goes into the pruner's `memory`",
                )
            self.refuse_private(owner, target.attr, site)
            # The methods keep what is true of every state: showing clears the tombstone, calls are only taken away.
            if target.attr in PRUNER_WRITES:
                site.reject(f"a write to `{target.attr}` of the tool", _METHODS[target.attr])
        for value in values:
            if not is_scalar(value):
                site.reject(f"{value.words} as a field of the tool", "write an integer or a boolean")

    def branch(self, node: ast.If) -> None:
        """`if`."""
        self.test(node.test)
        before = self.frame.fork()
        self.block(node.body)
        after = self.frame.environment
        self.frame.environment = before
        self.block(node.orelse)
        self.frame.meet([after, self.frame.environment])

    def loop(self, node: ast.For) -> None:
        """`for` over something of a written length, followed until the names settle."""
        items = elements(self.value(node.iter), "a loop over", self.site(node))
        for _ in range(_ROUNDS):
            before = self.frame.fork()
            loop = Loop()
            self.frame.loops.append(loop)
            self.store(node.target, items)
            self.block(node.body)
            self.frame.loops.pop()
            self.frame.meet([before, self.frame.environment, *loop.continues])
            if self.frame.environment == before:
                break
        else:
            self.site(node).reject("a local variable that grows with each round of the loop", "name each part")
        self.block(node.orelse)
        self.frame.meet([self.frame.environment, *loop.breaks])

    def leave(self, node: ast.Break) -> None:
        """`break`."""
        self.frame.loops[-1].breaks.append(self.frame.fork())
        self.frame.environment = None

    def skip(self, node: ast.Continue) -> None:
        """`continue`."""
        self.frame.loops[-1].continues.append(self.frame.fork())
        self.frame.environment = None

    def nested(self, node: ast.FunctionDef) -> None:
        """A function inside the function; its body is followed where it is called."""
        self.frame.assign(node.name, only(self.closure(node)))

    def match(self, node: ast.Match) -> None:
        """`match` on values."""
        subject = self.value(node.subject)
        ends = []
        for case in node.cases:
            before = self.frame.fork()
            self.pattern(case.pattern, subject)
            if case.guard is not None:
                self.test(case.guard)
            missed = self.frame.fork()
            self.block(case.body)
            ends.append(self.frame.environment)
            if case.guard is None and _always_matches(case.pattern):
                self.frame.environment = None
                break
            self.frame.meet([before, missed])
        self.frame.meet([*ends, self.frame.environment])

    def pattern(self, pattern: ast.pattern, subject: Values) -> None:
        """Bind what `pattern` captures of `subject`."""
        site = self.site(pattern)
        match pattern:
            case ast.MatchValue(value=value):
                constants = self.value(value)
                comparable(subject, "a match", site)
                if not is_data_only(constants):
                    site.reject("a pattern that is no constant", "match integers, strings and members of enums")
            case ast.MatchAs(pattern=inner, name=name):
                if inner is not None:
                    self.pattern(inner, subject)
                if name is not None:
                    self.frame.assign(name, subject)
            case ast.MatchOr(patterns=patterns):
                ends = []
                for inner in patterns:
                    before = self.frame.fork()
                    self.pattern(inner, subject)
                    ends.append(self.frame.environment)
                    self.frame.environment = before
                self.frame.meet(ends)
            case ast.MatchSequence(patterns=patterns):
                for item in subject:
                    if not isinstance(item, Items):
                        site.reject(f"a sequence pattern on {item.words}", "match a literal tuple: `match (a, b):`")
                for index, inner in enumerate(patterns):
                    parts = [
                        item.items[index] for item in subject if isinstance(item, Items) and index < len(item.items)
                    ]
                    self.pattern(inner, join(parts))
            case _:
                site.reject(f"the pattern {type(pattern).__name__}", "match values")


def is_data_only(values: Values) -> bool:
    """Nothing but scalars and tuples of them."""
    return all(map(is_data, values))


def _always_matches(pattern: ast.pattern) -> bool:
    return isinstance(pattern, ast.MatchAs) and (pattern.pattern is None or _always_matches(pattern.pattern))


_STATEMENTS: dict[type[ast.stmt], Callable[[Body, Any], None]] = {
    ast.Pass: Body.nothing,
    ast.Expr: Body.expression,
    ast.Return: Body.returning,
    ast.Assign: Body.assign,
    ast.AnnAssign: Body.annotated,
    ast.AugAssign: Body.augmented,
    ast.If: Body.branch,
    ast.For: Body.loop,
    ast.Break: Body.leave,
    ast.Continue: Body.skip,
    ast.FunctionDef: Body.nested,
    ast.Match: Body.match,
}
