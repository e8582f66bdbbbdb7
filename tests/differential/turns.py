"""One turn of a session: the reference arbitrates, the model takes its decisions as visits, and both are compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from differential.session import Disagreement, Session, called, identity
from ghostproof.conformance.compare import difference
from ghostproof.conformance.expect import expected
from ghostproof.conformance.passes import ORDERS
from ghostproof.conformance.refine import schema_word
from ghostproof.turn.budget import Turn, totals
from ghostproof.turn.session import new_tool
from ghostproof.turn.tool import Tool
from ghostproof.variants.arbitration import expand, gate, prune_schema
from ghostproof.variants.trims import trim_calls
from ghostproof_reference.__main__ import Case, group_of, part
from ghostproof_reference.budget import Budget, JointBudget, SeparateBudgets
from ghostproof_reference.errors import BudgetExceeded, GhostToolInvariantError
from ghostproof_reference.gate import GateMode
from ghostproof_reference.outcome import Action, Decision, Outcome
from ghostproof_reference.request import CallGroup, Item, Notice, Request, Text, Tombstone

GROUPS_COMPARED = 10
"""Up to so many call groups the whole answer is compared: the model takes two passes for each."""


def send(session: Session, budget: Budget) -> None:
    """Arbitrate and compare; where the budget is too small, again at exactly what must stay."""
    _OneTurn(session, session.begin_prompt()).send(budget)


def demand(session: Session) -> tuple[int, int, int]:
    """What the prompt would take as things stand, by the model: in all, for arguments, for schemas; in tokens."""
    prompt = session.begin_prompt()
    tools = {name: Tool(dict(tool.__dict__)) for name, tool in session.tools.items()}
    for tool in tools.values():
        expand(tool, _numbers(tools, 0, 0))
    turn = _numbers(tools, session.runtime.rest + _texts(prompt), 0)
    sizes = session.sizes
    notices = sum(sizes[name].notice for name in tools if session.notice_owed(name))
    return turn.demand_tokens + notices, turn.argument_tokens + _reserved(session), turn.schema_tokens


def _numbers(tools: dict[str, Tool], rest: int, total: int) -> Turn:
    return Turn(**totals(tools.values()), rest_tokens=rest, schema_budget=0, argument_budget=0, total_budget=total)


def _texts(prompt: Sequence[Item]) -> int:
    return sum(item.tokens or 0 for item in prompt if isinstance(item, Text))


def _reserved(session: Session) -> int:
    return sum(
        max(size.tombstone, size.notice if session.outdated(name) else 0)
        for name, size in session.sizes.items()
        if session.tools[name].arguments_resident
    )


class _OneTurn:
    def __init__(self, session: Session, before: tuple[Item, ...]) -> None:
        self.session = session
        self.tools = session.tools
        self.before = before
        self.rest = session.runtime.rest + _texts(before)

    def send(self, budget: Budget) -> None:
        session = self.session
        known = session.arbiter.states()
        try:
            outcome = self.ask(budget)
        except BudgetExceeded as error:
            session.met["exceeded"] += 1
            self.compare(budget, self.exceeded(error), self.cleared())
            if session.arbiter.states() != known:
                raise Disagreement("a turn that was not sent changed what was known") from error
            if error.needed <= error.limit:
                raise Disagreement(f"{error.budget}: {error.needed} tokens fit in {error.limit}") from error
            self.send(_raised(budget, error))
        except GhostToolInvariantError as error:
            session.met["raised"] += 1
            self.compare(budget, {"outcome": "ghost-tool-invariant", "tools": self.listed(error.tools)}, self.cleared())
            for name in error.tools:
                if not self.tools[name].ghost:
                    raise Disagreement(f"{name}: said to be a ghost, and in the model it is none") from error
                # What a runtime can do about it: show the schema.
                if self.tools[name].registered:
                    session.request(name)
                else:
                    session.come_back(name)
            send(session, budget)
        else:
            self.sent(budget, outcome)

    def listed(self, names: tuple[str, ...]) -> list[str]:
        return [name for name in self.in_order() if name in names]

    def ask(self, budget: Budget) -> Outcome:
        session = self.session
        declared = session.declarations()
        if session.runtime.keeps == "grown" and session.turns and not session.rewritten:
            return session.arbiter.advance(session.fresh, budget, declared)
        history = (*session.given, *session.fresh)
        return session.arbiter.arbitrate(Request(declared, history, session.runtime.rest), budget)

    # ---- the whole answer, by the model's argument-first pruner -----------------------------------------------------

    def cleared(self) -> set[str]:
        """The tools whose tombstones are none any more since their schemas are shown."""
        return {name for name, tool in self.tools.items() if tool.schema_resident}

    def case(self, budget: Budget, gone: set[str]) -> dict[str, Any]:
        """What is asked, without the tombstones that are gone."""
        session, sizes = self.session, self.session.sizes
        ranks = self.pruning_ranks()
        tools = [
            {
                "name": name, "effect": "mutation" if tool.mutation else "reading", "schema": schema_word(tool),
                "registered": tool.registered, "requested": tool.requested, "pinned": tool.pinned,
                "schema_tokens": tool.schema_tokens, "tombstone_tokens": tool.tombstone_tokens,
                "idle_turns": len(ranks) - ranks[name], "calls": session.calls[name],
            }
            for name, tool in self.in_order().items()
        ]  # fmt: skip
        history = [
            {"kind": "tombstone", "tool": item.tool}
            if isinstance(item, Tombstone)
            else {
                "kind": "calls",
                "id": identity(item),
                "calls": [{"tool": name, "tokens": sizes[name].call} for name in called(item)],
            }
            for item in self.before
            if isinstance(item, CallGroup) or (isinstance(item, Tombstone) and item.tool not in gone)
        ]
        return {
            "tools": tools, "history": history, "rest_tokens": self.rest, "budgets": _named(budget),
            "order": "least-recently-called", "gate": session.runtime.gate.value,
        }  # fmt: skip

    def in_order(self) -> dict[str, Tool]:
        """The tools in the order in which the arbiter came to know them."""
        return {name: self.tools[name] for name in (*self.session.known, *self.tools)}

    def pruning_ranks(self) -> dict[str, int]:
        """The place of each tool in the visiting order of the runtime; ties in declared order, which is another one."""
        session = self.session

        def key(name: str) -> int:
            tool = Tool(dict(self.tools[name].__dict__))
            tool.idle_turns = session.numbered - session.last_called.get(name, -1)
            tool.calls = session.calls[name]
            return ORDERS[session.runtime.order](tool)

        return {name: place for place, name in enumerate(sorted(self.tools, key=key))}

    def comparable(self) -> bool:
        """Not notices, whose tokens come and go in a turn; nor a tool shown and requested, which no case can be."""
        returned = any(tool.requested and tool.schema_resident for tool in self.tools.values())
        outdated = any(map(self.session.outdated, self.tools))
        return len(self.session.groups) <= GROUPS_COMPARED and not returned and not outdated

    def compare(self, budget: Budget, answer: dict[str, Any], gone: set[str]) -> None:
        """The answer beside the model's own, while the tools stand as they did before the turn."""
        if not self.comparable():
            return
        wanted = expected("arbitrate", self.case(budget, gone))
        for tool in wanted.get("tools", ()) if wanted["outcome"] == "send" else ():
            # Without arguments a lossy schema is shown as it is.
            lossy = tool["name"] in self.session.lossy - self.session.unabridged
            expanded = {"decision": "expanded", "tool": tool["name"]} in wanted["decisions"]
            if lossy and not expanded and not tool["arguments"] and tool["schema"] == "shown":
                tool["schema"] = "lossy"
        self.session.met["compared"] += 1
        if said := difference(wanted, answer):
            raise Disagreement(said)

    def exceeded(self, error: BudgetExceeded) -> dict[str, Any]:
        parts = [part(one) for one in error.irreducible if one.what not in ("rest", "texts")]
        if error.budget == "total" and self.rest:
            parts.append({"what": "rest", "tokens": self.rest})
        return {
            "outcome": "budget-exceeded", "budget": error.budget, "limit": error.limit, "needed": error.needed,
            "irreducible": parts,
        }  # fmt: skip

    # ---- each decision, as a visit of the model ---------------------------------------------------------------------

    def sent(self, budget: Budget, outcome: Outcome) -> None:
        session = self.session
        tombstoned = {one.tool for one in outcome.decisions if one.action is Action.TOMBSTONED}
        stood = {item.tool for item in self.before if isinstance(item, Tombstone)}
        lost = {name for name in stood if name in tombstoned and session.rewritten}
        for name in lost:
            session.tools[name].tombstoned = False
            session.met["tombstone lost"] += 1
        gone = lost | self.cleared()
        case = self.case(budget, gone)
        history = tuple(item for item in outcome.request.history if isinstance(item, CallGroup | Tombstone))
        answer = Case(case).sent(replace(outcome, request=replace(outcome.request, history=history)))
        was = {name: Tool(dict(tool.__dict__)) for name, tool in self.tools.items()}
        groups = dict(session.groups)
        # A tool that is pruned in the turn in which it returned was never shown. The reference leaves the one that
        # stood, and the model writes another. Either is sound, and each decision of the reference is still a visit.
        pruned = {one.tool for one in outcome.decisions if one.action is Action.PRUNED}
        revived = (self.cleared() & stood & pruned) - tombstoned
        comparable = self.comparable() and not revived
        for decision in outcome.decisions:
            self.take(budget, decision)
        if session.runtime.gate is GateMode.TOMBSTONE:
            for tool in self.tools.values():
                gate(tool, self.numbers(budget))
        self.check(budget, outcome)
        if comparable:
            self.compare_before(was, groups, budget, answer, gone)
        session.met.update({one.action.value for one in outcome.decisions})
        session.met["exact"] += isinstance(budget, JointBudget) and outcome.after.total == budget.total
        session.end_turn(tuple(outcome.request.history))

    def compare_before(
        self,
        was: dict[str, Tool],
        groups: dict[str, CallGroup],
        budget: Budget,
        answer: dict[str, Any],
        gone: set[str],
    ) -> None:
        """`compare`, as things stood before the decisions."""
        session, now = self.session, (self.tools, self.session.groups)
        self.tools, session.groups = was, groups
        try:
            self.compare(budget, answer, gone)
        finally:
            self.tools, session.groups = now

    def numbers(self, budget: Budget) -> Turn:
        notices = sum(size.notice for name, size in self.session.sizes.items() if self.session.notice_owed(name))
        return _numbers(self.tools, self.rest + notices, budget.total if isinstance(budget, JointBudget) else 0)

    def too_large(self, budget: Budget, action: Action) -> bool:
        turn = self.numbers(budget)
        if isinstance(budget, JointBudget):
            return turn.demand_tokens > turn.total_budget
        if action is Action.EVICTED:
            reserved = _reserved(self.session) if self.session.runtime.gate is GateMode.TOMBSTONE else 0
            return turn.argument_tokens + reserved > budget.arguments
        return turn.schema_tokens > budget.schemas

    def take(self, budget: Budget, one: Decision) -> None:
        """A decision of the reference as an enabled visit of the model."""
        session, name = self.session, one.tool or ""
        if one.action is Action.EVICTED:
            self.evict(budget, group_of(one.item or ""))
        elif one.action is Action.PRUNED:
            stale = name in session.migrated and session.outdated(name)
            if session.runtime.gate is GateMode.TOMBSTONE and not stale and not self.too_large(budget, one.action):
                raise Disagreement(f"pruned {name}: not allowed where the prompt fits")
            self.visit("pruned", name, budget)
            session.unabridged.discard(name)
        elif one.action is Action.EXPANDED:
            tool = self.tools[name]
            if not (tool.requested and tool.registered):
                raise Disagreement(f"expanded {name}: not an enabled visit of the model")
            expand(tool, self.numbers(budget))
            session.unabridged.add(name)
            session.acknowledged[name] = session.declared[name]
        elif one.action is Action.TOMBSTONED:
            self.visit("tombstoned", name, budget)
        elif one.action is Action.REFUSED and not session.compression_refused(name):
            tool = self.tools[name]
            if not tool.requested or tool.registered:
                raise Disagreement(f"refused {name}: the model would have expanded it")

    def evict(self, budget: Budget, number: str) -> None:
        group = self.session.groups.get(number)
        if group is None:
            raise Disagreement(f"evicted {number}: it does not stand in the prompt")
        if self.session.runtime.gate is GateMode.TOMBSTONE and not self.too_large(budget, Action.EVICTED):
            raise Disagreement(f"evicted {', '.join(called(group))}: not allowed where the prompt fits")
        for name in called(group):
            self.visit("evicted", name, budget)
            if not self.tools[name].arguments_resident:
                self.tools[name].tombstoned = False
        del self.session.groups[number]
        self.session.weigh_loss(called(group))

    def visit(self, word: str, name: str, budget: Budget) -> None:
        tool = self.tools[name]
        before = dict(tool.__dict__)
        {"evicted": trim_calls, "pruned": prune_schema, "tombstoned": gate}[word](tool, self.numbers(budget))
        if tool.__dict__ == before:
            raise Disagreement(f"{word} {name}: not an enabled visit of the model")

    # ---- what is sent -----------------------------------------------------------------------------------------------

    def check(self, budget: Budget, outcome: Outcome) -> None:
        """The request as it is sent, read off its items: ghosts, residency, markers, order, orphans, tokens."""
        request, session = outcome.request, self.session
        shown = {tool.name: tool for tool in request.tools}
        for name, size in session.sizes.items():
            found = new_tool({"mutation": not size.reading, "pinned": size.pinned}, {})
            found.schema_shown = name in shown
            found.schema_lossy = name in shown and shown[name].lossy
            found.calls_resident = sum(name in called(item) for item in request.history if isinstance(item, CallGroup))
            tombstones = sum(isinstance(item, Tombstone) and item.tool == name for item in request.history)
            notices = sum(isinstance(item, Notice) and item.tool == name for item in request.history)
            found.tombstone_resident = tombstones > 0
            if found.ghost:
                raise Disagreement(f"{name}: a ghost is sent")
            if tombstones > 1:
                raise Disagreement(f"{name}: {tombstones} tombstones are sent")
            self.alike(name, found)
            if notices != self.session.notice_owed(name):
                raise Disagreement(f"{name}: {notices} notices are sent, and owed is {session.notice_owed(name)}")
        self.ordered(request)
        self.within(budget, outcome)

    def alike(self, name: str, found: Tool) -> None:
        wanted = self.tools[name]
        for what in ("schema_shown", "schema_lossy", "calls_resident", "tombstone_resident"):
            if getattr(found, what) != getattr(wanted, what):
                raise Disagreement(
                    f"{name}: {what} is {getattr(wanted, what)} in the model, and {getattr(found, what)} is sent"
                )

    def ordered(self, request: Request) -> None:
        """What stood keeps its order, call groups are whole, and what is new comes last."""
        groups = [item for item in request.history if isinstance(item, CallGroup)]
        for group in groups:
            if {call.id for call in group.calls} != {result.call_id for result in group.results}:
                raise Disagreement(f"orphan: {identity(group)} has calls without results, or results without calls")
        for group in groups:
            if group != self.session.groups.get(identity(group)):
                raise Disagreement(f"parallel calls: {identity(group)} is not sent as it was made")
        stood = [item for item in self.before if not isinstance(item, Tombstone)]
        kept = [item for item in request.history if not isinstance(item, Tombstone | Notice)]
        if kept != [item for item in stood if isinstance(item, Text) or item in kept]:
            raise Disagreement("order: what stood in the history is sent in another order, or a text is gone")

    def within(self, budget: Budget, outcome: Outcome) -> None:
        request = outcome.request
        schemas = sum(tool.tokens or 0 for tool in request.tools)
        history = sum(item.tokens or 0 for item in request.history if not isinstance(item, Text))
        tokens = schemas + history + _texts(request.history) + request.rest_tokens
        if tokens != outcome.after.total:
            raise Disagreement(f"tokens: {tokens} are sent, and said are {outcome.after.total}")
        if tokens != (wanted := self.numbers(budget).prompt_tokens):
            raise Disagreement(f"tokens: {tokens} are sent, and by the model {wanted}")
        if isinstance(budget, JointBudget):
            if tokens > budget.total:
                raise Disagreement(f"tokens: {tokens} are sent, and the budget is {budget.total}")
        elif history > budget.arguments or schemas > budget.schemas:
            raise Disagreement(f"tokens: {history} and {schemas} are sent, and the budgets are {budget}")


def _named(budget: Budget) -> dict[str, Any]:
    if isinstance(budget, JointBudget):
        return {"kind": "joint", "total": budget.total}
    return {"kind": "separate", "arguments": budget.arguments, "schemas": budget.schemas}


def _raised(budget: Budget, error: BudgetExceeded) -> Budget:
    if isinstance(budget, JointBudget):
        return JointBudget(error.needed)
    if error.budget == "arguments":
        return SeparateBudgets(error.needed, budget.schemas)
    return SeparateBudgets(budget.arguments, error.needed)
