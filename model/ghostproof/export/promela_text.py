"""Terms as Promela expressions over the fields of one of several tools, and simultaneous updates as statements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ghostproof.lift.plain import OTHERS, TURN
from ghostproof.lift.term import Sort, Term

TYPES: Mapping[Sort, str] = {"Bool": "bool", "Int": "int"}


class Names:
    """What each variable is called: `t1_calls` for a field of the first tool, `turn_...` and `others1_...` beside."""

    def __init__(self, sorts: Mapping[str, Sort]) -> None:
        self.sorts = sorts
        # A pruner's memory may be called anything; Promela knows letters of ASCII only.
        self._plain = {
            name: name if name.isascii() and name.isidentifier() else f"field_{index}"
            for index, name in enumerate(sorts)
        }

    def field(self, tool: int, name: str) -> str:
        """The global that holds a field of tool number `tool`, counted from 1."""
        return f"t{tool}_{self._plain[name]}"

    def scratch(self, name: str) -> str:
        """Where the next value of a field waits until all of them are computed."""
        return f"next_{self._plain[name]}"

    def variable(self, name: str, tool: int) -> str:
        """Any variable of a term about tool number `tool`."""
        if name.startswith(TURN):
            return f"turn_{name.removeprefix(TURN)}"
        if name.startswith(OTHERS):
            return f"others{tool}_{name.removeprefix(OTHERS)}"
        return self.field(tool, name)

    def text(self, term: Term, tool: int) -> str:
        """`term` about tool number `tool` as an expression."""
        parts = [self.text(child, tool) for child in term.children]
        match term.op:
            case "true" | "false":
                return term.op
            case "var":
                return self.variable(term.arguments[0], tool)
            case "not":
                return f"(!{parts[0]})"
            case "and" | "or":
                return f"({(' && ' if term.op == 'and' else ' || ').join(parts)})"
            case "ite":
                return f"({parts[0]} -> {parts[1]} : {parts[2]})"
            case "nonpositive":
                return f"({parts[0]} <= 0)"
            case "zero":
                return f"({parts[0]} == 0)"
            case "linear":
                factors = [factor for _, factor in term.arguments[1:]]
                summed = [p if factor == 1 else f"({factor}) * {p}" for p, factor in zip(parts, factors, strict=True)]
                base = term.arguments[0]
                return f"({' + '.join([*summed, f'({base})'] if base or not summed else summed)})"
        raise AssertionError(term.op)

    def assigned(self, updates: Mapping[str, Term], tool: int) -> list[str]:
        """All of `updates` at once: every value is computed before any field changes."""
        if len(updates) == 1:
            ((name, value),) = updates.items()
            return [f"{self.field(tool, name)} = {self.text(value, tool)};"]
        waiting = [f"{self.scratch(name)} = {self.text(value, tool)};" for name, value in updates.items()]
        return [*waiting, *(f"{self.field(tool, name)} = {self.scratch(name)};" for name in updates)]


def d_step(*statements: str) -> str:
    """The statements as one deterministic step."""
    return f"d_step {{ {' '.join(statements)} }}"


def option(guard: str, *statements: str) -> str:
    """A choice that is one step: where `guard` holds, the statements."""
    return f":: d_step {{ {guard} -> {' '.join(statements) or 'skip'} }}"


def choice(options: Iterable[str]) -> list[str]:
    """A choice between options."""
    return ["if", *options, "fi;"]
