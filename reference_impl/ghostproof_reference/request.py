"""A request, whatever provider it goes to: declared tools, and the history in order.

Every item may carry its `tokens`; without them they are counted. `payload` is what stands on the wire for it, kept
untouched and never read here except to count it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from ghostproof_reference.errors import MalformedRequestError

Schema = Mapping[str, object]
"""A JSON schema as it stands on the wire."""


class Effect(Enum):
    """What calling a tool does. Unknown counts as mutation."""

    READING = "reading"
    MUTATION = "mutation"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as the runtime declares it this turn.

    `schema` is what it wants to show. `lossy` says that required fields, types or enums were lost from it (a lost
    description loses nothing); `full` is then the schema without loss, where the runtime has it. `pinned`: the schema
    may not be withheld. `deferred`: declared without being shown, such as behind a provider's tool search.
    `version` names the executor's version of the schema; without it the structure of `full` or `schema` is the version.
    """

    name: str
    schema: Schema = field(default_factory=dict, hash=False)
    description: str = ""
    effect: Effect = Effect.UNKNOWN
    pinned: bool = False
    deferred: bool = False
    lossy: bool = False
    full: Schema | None = field(default=None, hash=False)
    version: str | None = None
    tokens: int | None = None
    full_tokens: int | None = None
    tombstone_tokens: int | None = None
    payload: object = field(default=None, hash=False)

    @property
    def changes_state(self) -> bool:
        """Whether a wrong call may do damage: all but what is known to read."""
        return self.effect is not Effect.READING

    def without_loss(self) -> Tool:
        """The same tool showing its full schema. Its payload is gone: that was written for the other one."""
        if self.full is None:
            return self
        return replace(self, schema=self.full, lossy=False, full=None, tokens=self.full_tokens, payload=None)

    def text(self) -> str:
        """What is counted for the schema as shown."""
        declared = {"name": self.name, "description": self.description, "parameters": self.schema}
        return as_text(declared if self.payload is None else self.payload)


@dataclass(frozen=True, slots=True)
class Call:
    """One call inside a call group. `arguments` is JSON text of an object, or any text with `free_text`.

    A call without any value (`{}` or nothing) leaves nothing to rebuild from: no argument residency. `version`
    names the schema it was made by; without it, that is the one sent last.
    """

    tool: str
    id: str
    arguments: str
    free_text: bool = False
    version: str | None = None

    @property
    def carries_values(self) -> bool:
        """Whether a model could rebuild a call from it."""
        written = self.arguments.strip()
        return bool(written) if self.free_text else "".join(written.split()) not in ("", "{}", "null")


@dataclass(frozen=True, slots=True)
class Result:
    """What a call returned."""

    call_id: str
    text: str


@dataclass(frozen=True, slots=True)
class CallGroup:
    """One assistant message with its parallel calls and all their results: evicted together or kept.

    `pinned`: may not be evicted. `shows` names tools whose schemas the results reveal, such as a tool search's.
    """

    calls: tuple[Call, ...]
    results: tuple[Result, ...] = ()
    pinned: bool = False
    shows: tuple[str, ...] = ()
    tokens: int | None = None
    payload: object = field(default=None, hash=False)

    def text(self) -> str:
        """What is counted for it."""
        if self.payload is not None:
            return as_text(self.payload)
        return "\n".join(
            [*(f"{call.tool} {call.arguments}" for call in self.calls), *(result.text for result in self.results)]
        )


@dataclass(frozen=True, slots=True)
class Showing:
    """An item of the history, not a call, that shows the schemas of `shows`. It may be evicted like a call group."""

    shows: tuple[str, ...]
    pinned: bool = False
    tokens: int | None = None
    payload: object = field(default=None, hash=False)

    def text(self) -> str:
        """What is counted for it."""
        return as_text(list(self.shows) if self.payload is None else self.payload)


@dataclass(frozen=True, slots=True)
class Text:
    """Anything else: what the user and the model say. The arbiter never takes it away."""

    content: str
    tokens: int | None = None
    payload: object = field(default=None, hash=False)

    def text(self) -> str:
        """What is counted for it."""
        return self.content if self.payload is None else as_text(self.payload)


@dataclass(frozen=True, slots=True)
class Tombstone:
    """One line that says that the schema of `tool` is withheld and how to request it."""

    tool: str
    line: str
    tokens: int | None = None

    def text(self) -> str:
        """What is counted for it."""
        return self.line


@dataclass(frozen=True, slots=True)
class Notice:
    """One line that says that the schema of `tool` changed since its earlier calls were made."""

    tool: str
    line: str
    tokens: int | None = None

    def text(self) -> str:
        """What is counted for it."""
        return self.line


Item = CallGroup | Showing | Text | Tombstone | Notice


@dataclass(frozen=True, slots=True)
class Request:
    """What the runtime would send, or what the arbiter lets it send. `rest_tokens`: the system prompt and the like.

    `history` is a tuple, a list that nobody changes, or the history of a request that the arbiter let through.
    """

    tools: tuple[Tool, ...] = ()
    history: Sequence[Item] = ()
    rest_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Aside:
    """The payload of an item that stands between a call and its result, and stays when these go.

    It follows the group of the call `call_id`, and stands on the wire behind the first `place` payloads from that
    group's beginning.
    """

    payload: object
    call_id: str
    place: int


def plain(found: object) -> object:
    """What stands in JSON text for what is no JSON value: an aside for its payload, anything else for its text."""
    return found.payload if isinstance(found, Aside) else str(found)


def as_text(payload: object) -> str:
    """JSON text of a payload, for counting. Raises MalformedRequestError for what no JSON can hold."""
    try:
        return json.dumps(payload, ensure_ascii=False, separators=(",", ":"), default=plain)
    except (TypeError, ValueError, RecursionError) as error:
        raise MalformedRequestError("a payload", f"no JSON can hold it: {error}") from error
