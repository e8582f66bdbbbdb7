"""Is an item what it claims to be? Each check names the item it rejects."""

from __future__ import annotations

import json
from collections.abc import Mapping

from ghostproof_reference.errors import MalformedRequestError
from ghostproof_reference.request import Call, CallGroup, Effect, Notice, Showing, Text, Tombstone, Tool


def named(what: str, name: object) -> None:
    """A tool has a name."""
    if not isinstance(name, str) or not name.strip():
        raise MalformedRequestError(what, f"a tool needs a name, not {name!r:.80}")


def check_tool(tool: object, place: str) -> None:
    """A declared tool."""
    if not isinstance(tool, Tool):
        raise MalformedRequestError(place, f"not a Tool: {tool!r:.80}")
    named(place, tool.name)
    label = f"tool {tool.name!r}"
    if not isinstance(tool.effect, Effect):
        raise MalformedRequestError(label, f"its effect is not an Effect: {tool.effect!r:.80}")
    for schema in (tool.schema, tool.full):
        if schema is not None and not isinstance(schema, Mapping):
            raise MalformedRequestError(label, f"a schema is an object, not {schema!r:.80}")
    if tool.full is not None and not tool.lossy:
        raise MalformedRequestError(label, "a full schema beside one that is not lossy: which one is shown?")


def check_item(item: object, place: str) -> str:
    """An item of the history. Returns the label that names it."""
    match item:
        case CallGroup():
            return _check_group(item, place)
        case Showing():
            for name in item.shows:
                named(place, name)
            return f"showing of {', '.join(item.shows)}"
        case Text():
            if not isinstance(item.content, str):
                raise MalformedRequestError(place, f"a text is a string, not {item.content!r:.80}")
            return f"text at {place}"
        case Tombstone() | Notice():
            named(place, item.tool)
            return f"{type(item).__name__.lower()} of {item.tool}"
    raise MalformedRequestError(place, f"not an item of a history: {item!r:.80}")


def _check_group(group: CallGroup, place: str) -> str:
    if not group.calls:
        raise MalformedRequestError(place, "a call group without a call")
    ids = set()
    for call in group.calls:
        _check_call(call, place)
        if call.id in ids:
            raise MalformedRequestError(f"call {call.id!r}", "two calls have this id")
        ids.add(call.id)
    answered = set()
    for result in group.results:
        if result.call_id not in ids:
            raise MalformedRequestError(f"result of {result.call_id!r}", "there is no such call in its group")
        if result.call_id in answered:
            raise MalformedRequestError(f"result of {result.call_id!r}", "a second result for one call")
        answered.add(result.call_id)
    for name in group.shows:
        named(place, name)
    return f"calls {', '.join(call.id for call in group.calls)}"


def _check_call(call: Call, place: str) -> None:
    if not isinstance(call.id, str) or not call.id:
        raise MalformedRequestError(place, f"a call needs an id, not {call.id!r:.80}")
    label = f"call {call.id!r}"
    named(label, call.tool)
    if not isinstance(call.arguments, str):
        raise MalformedRequestError(label, f"arguments are text, not {call.arguments!r:.80}")
    if call.free_text or not call.arguments.strip():
        return
    try:
        decoded = json.loads(call.arguments)
    except (ValueError, RecursionError) as error:
        raise MalformedRequestError(
            label, f"its arguments are not whole JSON ({error}): {call.arguments!r:.80}"
        ) from None
    if decoded is not None and not isinstance(decoded, dict):
        raise MalformedRequestError(label, f"its arguments are not a JSON object: {call.arguments!r:.80}")
