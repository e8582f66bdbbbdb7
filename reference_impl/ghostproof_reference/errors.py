"""What can be wrong, sorted by who must act. Whatever is raised, the arbiter is left as it was before the call."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


class MalformedRequestError(ValueError):
    """A request that cannot be arbitrated. `item` names the part of it, `found` says what is wrong with that part."""

    def __init__(self, item: str, found: str) -> None:
        self.item = item
        self.found = found
        super().__init__(f"{item}: {found}")


class TokenCountError(ValueError):
    """A number of tokens that makes no sense: from the counter, or given with an item. `item` names what it counts."""

    def __init__(self, item: str, found: object) -> None:
        self.item = item
        self.found = found
        super().__init__(
            f"{item}: a number of tokens is a non-negative integer, at least 1 where there is text, not {found!r:.80}"
        )


class SettingsError(ValueError):
    """A budget, an order or a setting that makes no sense."""


class GhostToolInvariantError(RuntimeError):
    """Arguments are resident, the schema is not, and nothing may be done about it. `tools` names every such tool.

    The seed's name. Raised where no tombstone is accepted and the arguments may not be evicted.
    """

    def __init__(self, tools: Iterable[str], why: str) -> None:
        self.tools = tuple(tools)
        named = ", ".join(repr(tool) for tool in self.tools)
        super().__init__(
            f"ghost tool {named}: arguments without a schema, and {why}; evict the arguments or accept a tombstone"
        )


@dataclass(frozen=True, slots=True)
class Irreducible:
    """Something that no pass may take out of the prompt, and its tokens."""

    what: str
    tokens: int


class BudgetExceeded(RuntimeError):
    """What must stay does not fit: nothing may be sent. `irreducible` names all that is left, largest first."""

    def __init__(self, budget: str, limit: int, needed: int, irreducible: Iterable[Irreducible]) -> None:
        self.budget = budget
        self.limit = limit
        self.needed = needed
        self.irreducible = tuple(sorted(irreducible, key=lambda part: -part.tokens))
        named = ", ".join(f"{part.what} ({part.tokens})" for part in self.irreducible[:5])
        more = f" and {len(self.irreducible) - 5} more" if len(self.irreducible) > 5 else ""
        super().__init__(f"{needed} tokens must stay and the {budget} budget is {limit}: {named}{more}")
