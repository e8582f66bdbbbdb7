"""When two payloads are one: as JSON text, with keys in any order.

Python's own equality takes `true`, `1` and `1.0` for one value. On the wire they are three, and a schema that says
`{"const": 1}` is another than one that says `{"const": true}`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from ghostproof_reference.errors import MalformedRequestError
from ghostproof_reference.request import Aside, Item, Tool, plain

_ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True, default=plain).encode


def canonical_text(payload: object, what: str = "a payload") -> str:
    """JSON text that two payloads share exactly if they are one.

    Raises MalformedRequestError, which names `what`, for what no JSON can hold.
    """
    try:
        return _ENCODE(payload)
    except (TypeError, ValueError, RecursionError) as error:
        raise MalformedRequestError(what, f"no JSON can hold it: {error}") from error


def declaration_text(tool: Tool) -> str:
    """All that a declaration says, as text: what was changed in place since is seen by it."""
    return canonical_text(
        (
            *(tool.name, tool.description, tool.effect.value, tool.version, tool.schema, tool.full, tool.payload),
            *(tool.pinned, tool.deferred, tool.lossy, tool.tokens, tool.full_tokens, tool.tombstone_tokens),
        ),
        f"tool {tool.name!r}",
    )


def same_item(one: Item, other: Item) -> bool:
    """Whether two items of a history are one. An item is the same as itself: what was changed in place is not seen."""
    if one is other:
        return True
    return one == other and same_value(getattr(one, "payload", None), getattr(other, "payload", None))


def same_value(one: object, other: object) -> bool:
    """Whether two payloads are one. It costs nothing where they are the same object."""
    if one is other:
        return True
    if isinstance(one, Aside) and isinstance(other, Aside):
        return (one.call_id, one.place) == (other.call_id, other.place) and same_value(one.payload, other.payload)
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return len(one) == len(other) and all(key in other and same_value(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same_value, one, other))
    if type(one) is float:
        return type(other) is float and repr(one) == repr(other)
    return type(one) is type(other) and one == other
