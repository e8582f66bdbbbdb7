"""What T11 asks: when a request for a schema is honoured, how exceptions are recorded, what may go on for ever."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ghostproof.turn.budget import Turn, prompt_fits
from ghostproof.turn.property import Property
from ghostproof.turn.pruner import Pass, Pruner, Visit, declared_order
from ghostproof.turn.response import RESPONSE
from ghostproof.turn.tool import Tool, Value
from ghostproof.variants.arbitration import argument_first, expand, gate, prune_schema, trim_history
from ghostproof_proofs.broken.answers import (
    PENDING,
    expand_and_forget,
    expand_where_it_fits,
    note_request,
    prune_what_is_not_pending,
    prune_what_was_asked_for,
)
from ghostproof_proofs.t2_parts import NOT_WITHIN
from ghostproof_proofs.t10_parts import under_pressure
from ghostproof_proofs.t10_passes import OUTCOME, say_budget_exceeded, say_nothing_yet

OUTCOMES: Mapping[str, Value] = {**OUTCOME, "unanswerable": False}


def record_vanished(tool: Any, turn: Turn) -> None:
    """A request for a tool that the executor no longer has is recorded as such."""
    tool.unanswerable = tool.requested and not tool.registered


def _ignored(tool: Tool) -> bool:
    return tool.requested and tool.registered and not tool.schema_resident


def _asked(tool: Tool) -> bool:
    return tool.requested and tool.registered


def _unrecorded(tool: Any) -> bool:
    missing: bool = tool.requested and not tool.schema_resident
    recorded: bool = tool.unanswerable
    return missing != recorded


def _unanswerable(tool: Any) -> bool:
    found: bool = tool.unanswerable
    return found


def _too_dear(tool: Any) -> bool:
    found: bool = tool.requested and tool.budget_exceeded
    return found


HONOURED = Property("honoured", "what was asked for and is registered has its schema in the prompt", _ignored, _asked)
RECORDED = Property(
    "recorded",
    "a tool that was asked for has its schema in the prompt, or it is recorded that it has vanished, and only then",
    _unrecorded,
    lambda tool: tool.requested,
    OUTCOMES,
)
NEVER_VANISHED = Property(
    "never_vanished", "no request is for a tool that has vanished", _unanswerable, lambda tool: True, OUTCOMES
)
ALWAYS_FITS = Property(
    "always_fits", "BudgetExceeded is never said to a request", _too_dear, lambda tool: tool.requested, OUTCOMES
)

answering = Pruner(
    Pass(say_nothing_yet),
    *argument_first.passes,
    Pass(record_vanished),
    Pass(say_budget_exceeded, until=prompt_fits),
    memory=OUTCOMES,
    name="argument-first, records how requests fare",
)


def pruning_with(visit: Visit, what: str) -> Pruner:
    """Argument-first with another pruning pass."""
    return Pruner(Pass(expand), under_pressure(trim_history), under_pressure(visit), Pass(gate), name=what)


hasty = pruning_with(prune_what_was_asked_for, "argument-first, prunes what was just expanded")
forgetful = Pruner(
    Pass(note_request),
    Pass(expand_and_forget),
    under_pressure(trim_history),
    under_pressure(prune_what_is_not_pending),
    Pass(gate),
    memory=PENDING,
    name="argument-first, clears the request at expansion",
)
grudging = Pruner(Pass(expand_where_it_fits), *argument_first.passes[1:], name="argument-first, makes no room")
deaf = Pruner(*argument_first.passes[1:], name="argument-first, never expands")

# ---- endless sessions


def in_declared_order(visit: Visit, what: str) -> Pruner:
    """Argument-first where no order looks at idle turns, so that a session can return to a state exactly."""
    trim, prune = (Pass(one, declared_order, prompt_fits) for one in (trim_history, visit))
    passes = (Pass(say_nothing_yet), Pass(expand), trim, prune, Pass(gate), Pass(record_vanished))
    last = Pass(say_budget_exceeded, until=prompt_fits)
    return Pruner(*passes, last, memory=OUTCOMES, name=f"argument-first in declared order, {what}")


steady = in_declared_order(prune_schema, "spares what was asked for")
hasty_steady = in_declared_order(prune_what_was_asked_for, "prunes what was just expanded")

VANISHING = replace(
    NOT_WITHIN,
    name="ordinary environment, tools vanish and return, constant budgets, any first prompt",
    environment=(*NOT_WITHIN.environment, "tool vanishes", "tool returns"),
)

# Whether the model calls in vain or not: these are the answers that use a tool.
USES = frozenset(action.name for action in RESPONSE if "call" in action.name or "recover" in action.name)


def asked_for(tool: Any) -> bool:
    """The request was made, and it is about to be answered."""
    requested: bool = tool.requested
    return requested


def ended(tool: Any) -> bool:
    """BudgetExceeded: nothing is sent, and the session does not go on."""
    exceeded: bool = tool.budget_exceeded
    return exceeded


def ended_or_used(tool: Any) -> bool:
    """The session ends; or, by the fairness called USE, the model is shown what it asked for and so calls it."""
    return ended(tool) or (tool.requested and tool.schema_resident)


def ended_used_or_gone(tool: Any) -> bool:
    """As `ended_or_used`; or, by the fairness called PRESENCE, the tool is not gone for ever."""
    return ended_or_used(tool) or not tool.registered
