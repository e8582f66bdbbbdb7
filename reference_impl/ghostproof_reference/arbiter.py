"""The arbiter: takes what the runtime would send, and answers with what may be sent.

Argument-first, in every turn: show what was requested, evict arguments until their budget fits, prune schemas until
theirs does, and let the gate look at every tool last. A turn happens as a whole or not at all: whatever is raised,
the arbiter is as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ghostproof_reference.budget import Budget, check_budget
from ghostproof_reference.errors import MalformedRequestError
from ghostproof_reference.expansion import ReexpansionRequested, RequestCounts, requested_name
from ghostproof_reference.gate import ToolContextState
from ghostproof_reference.history import History
from ghostproof_reference.inventory import Inventory
from ghostproof_reference.outcome import Outcome
from ghostproof_reference.passes import Turn
from ghostproof_reference.request import Item, Request, Tool
from ghostproof_reference.settings import Settings
from ghostproof_reference.spending import Spending
from ghostproof_reference.tokens import tokens


class Arbiter:
    """One session of one agent.

    What it evicted stays evicted, and what it pruned stays withheld until the model requests it, so that prompts keep
    their prefix from turn to turn. Where a history is rewritten (compaction, a rewind), what it shares with the last
    one stays as it was, calls are recognised by their ids, names and arguments, and tombstones are carried forward.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = Settings() if settings is None else settings
        self.turn = 0
        """Requests answered so far."""
        self.requests = RequestCounts()
        self._inventory = Inventory(self.settings)
        self._history = History(self._inventory)

    def arbitrate(self, request: Request, budget: Budget) -> Outcome:
        """What to send in place of `request`, whose history is whole: as the runtime has it, or as sent last and grown.

        Raises MalformedRequestError, TokenCountError, GhostToolInvariantError, or BudgetExceeded.
        """
        if not isinstance(request, Request):
            raise MalformedRequestError("request", f"not a Request: {request!r:.80}")
        return self._answer(budget, request.tools, request.rest_tokens, lambda: self._history.follow(request.history))

    def advance(self, appended: Sequence[Item], budget: Budget, tools: Sequence[Tool] | None = None) -> Outcome:
        """The same where the history only grew by `appended`: the cost does not depend on what was there before.

        `tools` are the declared tools if they changed. Raises as `arbitrate` does.
        """
        if tools is None and self._inventory.given is None:
            tools = ()
        return self._answer(budget, tools, self._inventory.totals.rest, lambda: self._history.extend(appended))

    def _answer(
        self, budget: Budget, tools: Sequence[Tool] | None, rest_tokens: int, take_history: Callable[[], None]
    ) -> Outcome:
        check_budget(budget)
        inventory, mark = self._inventory, self._inventory.mark()
        try:
            take_history()
            migrated = [] if tools is None else inventory.declare(tools)
            inventory.totals.rest = tokens("rest_tokens", "", self.settings.count, rest_tokens)
            before = inventory.totals.usage()
            turn = Turn(inventory, self._history)
            turn.migrate(migrated)
            turn.expand()
            spending = Spending(budget, inventory, self._history)
            turn.spend(spending)
            turn.gate()
            spending.check()
        except BaseException:
            inventory.roll_back(mark)
            raise
        self._history.settle()
        inventory.settle()
        self.turn += 1
        sent = Request(self._shown(), self._history.sent, rest_tokens)
        return Outcome(self.turn, sent, tuple(turn.decisions), before, inventory.totals.usage())

    def _shown(self) -> tuple[Tool, ...]:
        shown = (self._inventory.shown(self._inventory.records[tool.name]) for tool in self._inventory.declared)
        return tuple(tool for tool in shown if tool is not None)

    # ---- what the model and the runtime may ask ---------------------------------------------------------------------

    def states(self) -> dict[str, ToolContextState]:
        """Every tool that is declared or has arguments, as it stood in the last request sent."""
        records = self._inventory.records.values()
        return {record.name: self._inventory.state(record) for record in records if record.declared or record.groups}

    def withheld(self) -> tuple[str, ...]:
        """Declared tools whose schemas were not shown in the last request sent."""
        inventory = self._inventory
        return tuple(t.name for t in inventory.declared if not inventory.schema_resident(inventory.records[t.name]))

    def request_schema(self, name: str) -> str:
        """The model requests a schema: the next request shows it. Returns what to tell the model.

        A request for a tool that is not declared at present stands until it is. Counted and passed to
        `Settings.on_request` whenever the tool was ever declared or a tombstone of it stands; what that raises passes
        through, and the request stands.
        """
        record = self._inventory.records.get(name)
        if record is None or (record.tool is None and record.tombstone is None):
            listed = ", ".join(self.withheld()) or "none"
            return f"There is no tool of that name. Withheld at present: {listed}."
        event = ReexpansionRequested(self.turn, name, record.tombstone is not None)
        self.requests.add(event)
        resident = self._inventory.schema_resident(record)
        record.requested = record.requested or not resident
        if self.settings.on_request is not None:
            self.settings.on_request(event)
        if resident:
            return f"The schema of {name} is shown already."
        if not record.declared:
            return f"{name} is not available now. Its schema will be shown when it is."
        return f"The schema of {name} will be shown in the next request."

    def answer_request(self, arguments: str) -> str:
        """The handler of the request tool: `arguments` as the model wrote them. Never raises for what they contain."""
        name = requested_name(arguments)
        if name is None:
            return 'Expected {"tool_name": NAME}, with the name of the tool whose schema is needed.'
        return self.request_schema(name)

    def unanswered(self) -> None:
        """No model answered the last request, such as one that the provider failed on: what it showed stays requested.

        The next request then shows the schemas that the last one showed by request and prunes none of them, whatever
        history it has; a budget that they do not fit raises BudgetExceeded. A request of the model is counted once,
        when it is made. Nothing happens if the last request honoured none.
        """
        for record in self._inventory.honoured:
            record.requested = True

    def cancel_request(self, name: str) -> None:
        """Withdraw a request, such as one whose schema does not fit the budget. Nothing happens if there is none."""
        record = self._inventory.records.get(name)
        if record is not None:
            record.requested = False
