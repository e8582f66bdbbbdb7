"""A session as a provider would see it: the requests that were offered, what the pruner sent, what was answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sighting:
    """One ghost in one sent request: the tool, and the items that make it one, in words."""

    tool: str
    kind: str
    mutation: bool
    evidence: str


@dataclass(frozen=True, slots=True)
class Exchange:
    """One turn on the wire. `offered` is the request before pruning, `sent` what the pruner made of it.

    `choices` are the answers that were branched over (selectors, the model, the user), in words.
    """

    turn: int
    offered: Mapping[str, object]
    sent: Mapping[str, object]
    choices: tuple[str, ...]
    response: Mapping[str, object] | None
    ghosts: tuple[Sighting, ...]


@dataclass(frozen=True, slots=True)
class Recording:
    """A refuting or recorded session in the payload format `wire` (for example `openai-chat`)."""

    wire: str
    exchanges: tuple[Exchange, ...]

    @property
    def size(self) -> tuple[int, int]:
        """Requests sent, and tools declared in the first of them."""
        tools = self.exchanges[0].offered.get("tools") if self.exchanges else None
        return (len(self.exchanges), len(tools) if isinstance(tools, list) else 0)
