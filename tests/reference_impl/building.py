"""Short ways to write requests with known tokens, and an independent look at what is sent."""

from __future__ import annotations

from ghostproof_reference.arbiter import Arbiter
from ghostproof_reference.outcome import Action, Outcome
from ghostproof_reference.request import Call, CallGroup, Effect, Result, Showing, Tombstone, Tool
from ghostproof_reference.settings import Settings


def tool(name: str, tokens: int = 10, tombstone: int = 2, effect: Effect = Effect.UNKNOWN, **more: object) -> Tool:
    return Tool(name, tokens=tokens, tombstone_tokens=tombstone, effect=effect, **more)  # type: ignore[arg-type]


def call(name: str, call_id: str, arguments: str = '{"id": 7}') -> Call:
    return Call(name, call_id, arguments)


def group(*calls: Call, tokens: int = 5, pinned: bool = False, shows: tuple[str, ...] = ()) -> CallGroup:
    return CallGroup(calls, tuple(Result(one.id, "done") for one in calls), pinned, shows, tokens)


def bare(**settings: object) -> Arbiter:
    """An arbiter that adds no tool of its own."""
    return Arbiter(Settings(request_tool=None, **settings))  # type: ignore[arg-type]


def shown(outcome: Outcome) -> list[str]:
    return [one.name for one in outcome.request.tools]


def tombstones(outcome: Outcome) -> list[str]:
    return [item.tool for item in outcome.request.history if isinstance(item, Tombstone)]


def done(outcome: Outcome, *actions: Action) -> list[tuple[str, str | None]]:
    """The decisions of these kinds, each with its tool or item."""
    return [(one.action.value, one.tool or one.item) for one in outcome.decisions if one.action in actions]


def ghosts(outcome: Outcome) -> set[str]:
    """Read off the request that is sent, by nothing but its items."""
    visible = {one.name for one in outcome.request.tools if not one.lossy}
    called: set[str] = set()
    tombstoned: set[str] = set()
    for item in outcome.request.history:
        if isinstance(item, CallGroup):
            called |= {one.tool for one in item.calls if one.arguments != "{}"}
        if isinstance(item, CallGroup | Showing):
            visible |= set(item.shows)
            tombstoned -= set(item.shows)
        if isinstance(item, Tombstone):
            tombstoned.add(item.tool)
    return called - visible - tombstoned


def tokens(outcome: Outcome) -> int:
    """Tokens of what is sent, added up from what each part was given."""
    parts = [one.tokens for one in outcome.request.tools] + [item.tokens for item in outcome.request.history]
    assert all(part is not None for part in parts)
    return sum(part or 0 for part in parts) + outcome.request.rest_tokens
