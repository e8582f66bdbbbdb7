"""What the model answers and what the executor does with it: one response and one execution a tool a turn.

Several tools may be called in one response. R1 (a reading tool's ghost is asked for, not called) and R2 (a tombstone is
obeyed) are assumptions about models: named switches of a scenario, not facts.
"""

from __future__ import annotations

from ghostproof.turn.action import Action, Kind, Others, named
from ghostproof.turn.tool import Tool


def open_response(tool: Tool) -> None:
    """Before the model answers: a request that was pending has been honoured or not in the prompt just sent."""
    tool.requested = False
    tool.recovering = False


def _always(tool: Tool, others: Others) -> bool:
    return True


def _nothing(tool: Tool, others: Others) -> None:
    return None


def _resident(tool: Tool, others: Others) -> bool:
    return tool.schema_resident


def _tombstoned(tool: Tool, others: Others) -> bool:
    return tool.tombstoned and not tool.schema_resident


def _tombstone_ignored(tool: Tool, others: Others) -> bool:
    return tool.tombstoned and tool.arguments_resident and not tool.schema_resident


def _ghost(tool: Tool, others: Others) -> bool:
    return tool.ghost


def _mutation_ghost(tool: Tool, others: Others) -> bool:
    return tool.ghost and tool.mutation


def _unseen(tool: Tool, others: Others) -> bool:
    return not tool.arguments_resident and not tool.schema_resident and not tool.tombstoned


def _sibling(tool: Tool, others: Others) -> bool:
    return tool.schema_resident and others.rejected


def _call(tool: Tool, others: Others) -> None:
    tool.called = True
    tool.rebuilt = False


def _rebuild(tool: Tool, others: Others) -> None:
    tool.called = True
    tool.rebuilt = True


def _request(tool: Tool, others: Others) -> None:
    tool.requested = True


def _recover(tool: Tool, others: Others) -> None:
    tool.called = True
    tool.recovering = True
    tool.rebuilt = others.rebuilt


SILENT = Action("silent", Kind.RESPONSE, "the model does not use {tool}", _always, _nothing)
REBUILD_ANY = Action(
    "rebuild a call from a ghost",
    Kind.RESPONSE,
    "the model rebuilds a call of {tool} from the stale arguments",
    _ghost,
    _rebuild,
)
REBUILD_MUTATION = Action(
    "rebuild a call from a mutation ghost", Kind.RESPONSE, REBUILD_ANY.sentence, _mutation_ghost, _rebuild
)
CALL = Action("call", Kind.RESPONSE, "the model calls {tool}", _resident, _call)
CALL_DESPITE_TOMBSTONE = Action(
    "call despite the tombstone",
    Kind.RESPONSE,
    "the model ignores the tombstone and rebuilds a call of {tool}",
    _tombstone_ignored,
    _rebuild,
)

RESPONSE: tuple[Action, ...] = (
    SILENT,
    CALL,
    Action("request schema", Kind.RESPONSE, "the model asks for the schema of {tool}", _tombstoned, _request),
    REBUILD_ANY,
    REBUILD_MUTATION,
    Action("ask for a ghost", Kind.RESPONSE, "the model asks for {tool} instead of calling it", _ghost, _request),
    Action("ask", Kind.RESPONSE, "the model asks for {tool}, of which it sees nothing", _unseen, _request),
    Action("call blind", Kind.RESPONSE, "the model calls {tool} from memory, seeing nothing of it", _unseen, _call),
    Action(
        "recover by sibling",
        Kind.RESPONSE,
        "after the rejection of another call the model works around it with {tool}",
        _sibling,
        _recover,
    ),
    CALL_DESPITE_TOMBSTONE,
)


def _called(tool: Tool, others: Others) -> bool:
    return tool.called


def _not_called(tool: Tool, others: Others) -> bool:
    return not tool.called


def _validates(tool: Tool, others: Others) -> bool:
    # With the schema in view a call validates if the schema is current; without it only if nothing migrated since.
    if not tool.called or not tool.registered:
        return False
    if tool.schema_resident:
        return tool.schema_current
    return tool.arguments_current


def _may_fail(tool: Tool, others: Others) -> bool:
    if not tool.called:
        return False
    return not tool.registered or not tool.schema_resident or not tool.schema_current


def _runs_unvalidated(tool: Tool, others: Others) -> bool:
    return tool.called and tool.registered and not tool.schema_resident


def _done(tool: Tool, others: Others) -> None:
    tool.rejected = False
    tool.duplicated = tool.recovering and tool.mutation


def _reject(tool: Tool, others: Others) -> None:
    tool.rejected = True


def _no_execution(tool: Tool, others: Others) -> None:
    tool.rejected = False


NO_EXECUTION = Action("no execution", Kind.EXECUTION, "nothing of {tool} is executed", _not_called, _no_execution)

EXECUTION: tuple[Action, ...] = (
    NO_EXECUTION,
    Action("accept", Kind.EXECUTION, "the executor accepts the call of {tool}", _validates, _done),
    Action("reject", Kind.EXECUTION, "the executor rejects the call of {tool}: validation error", _may_fail, _reject),
    Action(
        "execute unvalidated",
        Kind.EXECUTION,
        "the executor runs the call of {tool} without validating it",
        _runs_unvalidated,
        _done,
    ),
)

RESPONSE_BY_NAME = named(RESPONSE)
EXECUTION_BY_NAME = named(EXECUTION)
