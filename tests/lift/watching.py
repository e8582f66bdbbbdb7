"""A session played with every single visit noted, also those that change nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ghostproof.turn.action import Others
from ghostproof.turn.budget import Turn, totals
from ghostproof.turn.environment import ENVIRONMENT_BY_NAME, settle
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.response import EXECUTION_BY_NAME, RESPONSE_BY_NAME, open_response
from ghostproof.turn.session import Arbitration, new_tool, others_of, snapshot
from ghostproof.turn.tool import Tool
from ghostproof.turn.trace import Script, Snapshot

TABLES = {"environment": ENVIRONMENT_BY_NAME, "response": RESPONSE_BY_NAME, "execution": EXECUTION_BY_NAME}


@dataclass(frozen=True)
class Noted:
    """One thing that happened: what, to which tool if to one, and how all tools and the turn's numbers stand after it.

    `what` is `settle`, `open`, `prompt`, an actor of a turn, `visit` or `end`; `name` the action, the pass, or how a
    pass ended. `numbers` are those that a visit saw, `others` what an action knew.
    """

    what: str
    name: str
    place: int
    tool: int
    after: tuple[Snapshot, ...]
    turn: Turn
    numbers: Turn | None = None
    others: Others | None = None


class Watched(Arbitration):
    """Notes every visit and every end of a pass."""

    def __init__(
        self, pruner: Pruner, tools: Sequence[Tool], budgets: dict[str, int], rest: int, notes: list[Noted]
    ) -> None:
        super().__init__(pruner, tools, budgets, rest)
        self._notes = notes
        self._place = 0

    def note(self, what: str, name: str, tool: int = -1, numbers: Turn | None = None) -> None:
        after = tuple(snapshot(item) for item in self.tools)
        self._notes.append(Noted(what, name, self._place, tool, after, self.standing(), numbers))

    def standing(self) -> Turn:
        """The numbers as they stand, summed anew."""
        return Turn(**totals(self.tools), rest_tokens=self.rest_tokens, **self.budgets)

    def _visit(self, item: Pass, index: int, turn: Turn) -> bool:
        changed = super()._visit(item, index, turn)
        self.note("visit", item.name, index, turn)
        return changed

    def _run_pass(self, item: Pass) -> tuple[str, int]:
        reason, visits = super()._run_pass(item)
        self.note("end", reason)
        self._place += 1
        return reason, visits


def watch(pruner: Pruner, script: Script) -> list[Noted]:
    """The session of `script`, as it happened."""
    tools = [new_tool(fixed, pruner.memory) for fixed in script.tools]
    notes: list[Noted] = []
    for number, played in enumerate(script.turns, start=1):
        run = Watched(pruner, tools, dict(played.budgets), script.rest_tokens, notes)

        def act(actor: str, names: Sequence[str], run: Watched = run) -> None:
            known = [others_of(tools, index) for index in range(len(tools))]
            for index, name in enumerate(names):
                TABLES[actor][name].effect(tools[index], known[index])
                after = tuple(snapshot(item) for item in tools)
                notes.append(Noted(actor, name, -1, index, after, run.standing(), others=known[index]))

        if number > 1:
            for tool in tools:
                settle(tool)
            run.note("settle", "")
        act("environment", played.environment)
        run.run()
        run.note("prompt", "")
        if number < len(script.turns):
            for tool in tools:
                open_response(tool)
            run.note("open", "")
            act("response", played.response)
            act("execution", played.execution)
    return notes
