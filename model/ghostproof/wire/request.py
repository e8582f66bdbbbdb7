"""One view of one model request, whatever provider format it was written in.

A reader (one file a format) produces it; residency is computed from it alone. Positions count messages from 0; what a
tools field declares stands before all messages, at `BEFORE`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

BEFORE = -1
"""The position of a tools field: before every message."""

Schema = Mapping[str, object]
"""A JSON schema as it stands on the wire."""


class MalformedRequestError(ValueError):
    """A payload that its format does not allow. `item` is a path into the payload, `found` says what stands there."""

    def __init__(self, item: str, found: str) -> None:
        self.item = item
        self.found = found
        super().__init__(f"{item}: {found}")


class SchemaState(Enum):
    """How much of a tool's schema the model can see in a request."""

    RESIDENT = "resident"
    WITHHELD = "withheld"
    """Declared but not shown: deferred, or withdrawn by a removal block."""
    ABSENT = "absent"
    UNKNOWN = "unknown"
    """Kept where we can't look: a server, a cache, a log that records names only."""


class ArgumentState(Enum):
    """What is left of the arguments of one earlier call."""

    FULL = "full"
    TRUNCATED = "truncated"
    """Values are left, but the text is no longer whole: the call cannot be decoded."""
    EMPTIED = "emptied"
    """The call stands there without any value. No argument residency."""


@dataclass(frozen=True, slots=True)
class Declared:
    """A tool as the request declares it. `lossy`: shown, but without some required field, type or enum."""

    tool: str
    state: SchemaState
    schema: Schema | None
    lossy: bool
    where: str
    position: int = BEFORE


@dataclass(frozen=True, slots=True)
class Call:
    """An earlier call of a tool. `id` is None where the format or the log has none; `names` are argument names."""

    position: int
    where: str
    tool: str
    id: str | None
    arguments: ArgumentState
    text: str
    names: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Result:
    """What a call returned, or an error in its place. `tool` is None where the format names only the call's id."""

    position: int
    where: str
    id: str | None
    tool: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Removal:
    """A provider's own block that withdraws a tool: a tombstone by definition."""

    position: int
    where: str
    tool: str


@dataclass(frozen=True, slots=True)
class Text:
    """Anything else the model reads. `about` is the tool that the place itself names, as a tool's description does."""

    position: int
    where: str
    role: str
    text: str
    about: str | None = None


Item = Call | Result | Removal | Text


@dataclass(frozen=True, slots=True)
class Request:
    """What one request shows to the model. `declared` holds later showings inside the history as well."""

    wire: str
    declared: tuple[Declared, ...]
    items: tuple[Item, ...]
    hidden: bool = False
    """Part of the request is kept where we can't see it; a schema that is not declared here is then unknown."""

    def calls(self) -> tuple[Call, ...]:
        return tuple(item for item in self.items if isinstance(item, Call))
