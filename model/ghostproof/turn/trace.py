"""A session told step by step: which action or pass did what to which tool, and what the budget said.

A trace is plain data. It is made by `turn.session.play` and by nothing else, so that whatever is shown has been run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ghostproof.turn.tool import Value

Snapshot = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Script:
    """Everything that is free in a session, as concrete values: replaying it needs nothing else.

    `tools` are the fixed fields of each tool. Each turn of `turns` has the budgets and, tool by tool, the names of the
    environment, late, response and execution actions. The last turn ends at its prompt; its responses are not read.
    """

    tools: tuple[Snapshot, ...]
    rest_tokens: int
    turns: tuple[ScriptTurn, ...]


@dataclass(frozen=True, slots=True)
class ScriptTurn:
    """The choices of one turn, one action name a tool in each of the groups; budgets in tokens.

    `late` is empty where nothing can happen between arbitration and the request.
    """

    budgets: Mapping[str, int]
    environment: tuple[str, ...]
    response: tuple[str, ...]
    execution: tuple[str, ...]
    late: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One change of one tool. `actor` is `environment`, `late`, `response`, `execution` or a pass name; `action` says
    which.

    `before` and `after` are the fields that changed; for a pass `numbers` are the turn's token totals and budgets read
    before the visit.
    """

    actor: str
    action: str
    tool: int
    before: Snapshot
    after: Snapshot
    numbers: Mapping[str, int]

    @property
    def by_pass(self) -> bool:
        """Whether a pass made this step; a pass may have the name of any other actor."""
        return self.actor == self.action


@dataclass(frozen=True, slots=True)
class PassEnd:
    """How a pass ended: `fits`, `visited` (no condition), or `unchanged` (a whole round changed nothing)."""

    name: str
    reason: str
    visits: int
    tokens_before: int
    tokens_after: int


@dataclass(frozen=True, slots=True)
class Request:
    """One sent request: the tools as the prompt shows them, the totals, and which tools violate the property."""

    turn: int
    steps: tuple[Step | PassEnd, ...]
    tools: tuple[Snapshot, ...]
    numbers: Mapping[str, int]
    violations: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Trace:
    """A played session. `names` are the tools' names for people."""

    pruner: str
    judged: str
    names: tuple[str, ...]
    script: Script
    requests: tuple[Request, ...]
    budgets: tuple[str, ...]

    @property
    def size(self) -> tuple[int, int]:
        """Requests sent, and tools."""
        return (len(self.requests), len(self.names))

    @property
    def pruned(self) -> bool:
        """Whether some pass changed something."""
        steps = (step for request in self.requests for step in request.steps)
        return any(isinstance(step, Step) and step.by_pass for step in steps)


@dataclass(frozen=True, slots=True)
class Walk:
    """A trace of a plain system of commands: the states, as values, with the commands taken between them."""

    states: tuple[Mapping[str, bool | int | str], ...]
    commands: tuple[str, ...]

    @property
    def size(self) -> tuple[int, int]:
        """Commands taken, and one system."""
        return (len(self.commands), 1)
