"""One activation of a checked function: its names, what they may stand for at this point, and what it may return."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ghostproof.lift.source_lookup import free_value, global_value
from ghostproof.lift.source_syntax import local_names
from ghostproof.lift.source_text import FunctionNode, Site
from ghostproof.lift.source_values import Closure, Function, Values, join, only

# None where control cannot be: after a return, a break or a continue.
Environment = dict[str, Values] | None


class Check(Protocol):
    """What a frame asks of the check that it is part of."""

    def enter(self, callee: Function, given: Sequence[Values], named: dict[str, Values], site: Site) -> Values:
        """Check a call of a function and say what it may return."""

    def enter_closure(self, callee: Closure, given: Sequence[Values], named: dict[str, Values], site: Site) -> Values:
        """The same of a function inside a function."""

    def is_ours(self, thing: object) -> bool:
        """A function or class of the model itself."""


class Frame:
    """`outer` is the frame that a nested function was defined in, under `depth` comprehensions of it; `function` is the
    function object around it all.
    """

    def __init__(
        self,
        check: Check,
        function: Function,
        node: FunctionNode,
        site: Site,
        bound: dict[str, Values],
        outer: Frame | None = None,
        depth: int = 0,
    ) -> None:
        self.check = check
        self.function = function
        self.node = node
        self.site = site
        self.outer = outer
        self.depth = depth
        self.locals = local_names(node)
        self.environment: Environment = dict(bound)
        self.comprehensions: list[dict[str, Values]] = []
        self.returned: list[Values] = []
        self.loops: list[Loop] = []

    def read(self, name: str, site: Site) -> Values:
        """What `name` may stand for here, by Python's rule: comprehension, function, functions around it, module."""
        frame: Frame = self
        depth = len(self.comprehensions)
        while True:
            for variables in reversed(frame.comprehensions[:depth]):
                if name in variables:
                    return variables[name]
            if name in frame.locals:
                found = (frame.environment or {}).get(name)
                if found is None:
                    site.reject(f"the local variable `{name}` is read before it is assigned", "assign it first")
                return found
            if frame.outer is None:
                break
            frame, depth = frame.outer, frame.depth
        free = free_value(name, self.function.function, site)
        return only(free if free is not None else global_value(name, self.function.function, site))

    def assign(self, name: str, values: Values) -> None:
        """`name` stands for `values` from here on."""
        if self.environment is not None:
            self.environment[name] = values

    def fork(self) -> Environment:
        """A copy of the names, to be put back for another branch."""
        return None if self.environment is None else dict(self.environment)

    def meet(self, environments: Sequence[Environment]) -> None:
        """Go on where these branches meet."""
        self.environment = merge(environments)


class Loop:
    """The names where a loop was left early or begun again early."""

    def __init__(self) -> None:
        self.breaks: list[Environment] = []
        self.continues: list[Environment] = []


def merge(environments: Sequence[Environment]) -> Environment:
    """The names where branches meet."""
    alive = [environment for environment in environments if environment is not None]
    if not alive:
        return None
    if len(alive) == 1:
        return dict(alive[0])
    names = dict.fromkeys(name for environment in alive for name in environment)
    return {name: join([each[name] for each in alive if name in each]) for name in names}
