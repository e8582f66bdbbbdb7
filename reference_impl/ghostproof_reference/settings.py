"""What a runtime decides once: how the gate repairs, in which order schemas go, how tokens are counted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from ghostproof_reference.errors import SettingsError
from ghostproof_reference.expansion import REQUEST_TOOL, ReexpansionRequested
from ghostproof_reference.gate import GateMode
from ghostproof_reference.order import Order, least_recently_called
from ghostproof_reference.request import Tool
from ghostproof_reference.tokens import Counter, estimate


class Lossy(Enum):
    """What to do with a lossy schema while arguments of its tool are resident."""

    REFUSE = "refuse"
    """Show the full schema instead; where there is none, as TOMBSTONE."""
    TOMBSTONE = "tombstone"
    """Show it as it is, and treat the tool as one whose schema is withheld."""


class Migration(Enum):
    """What to do when a shown tool's schema changes while arguments made by the old one are resident."""

    REFRESH = "refresh"
    """Show the new schema, and a notice that earlier arguments are stale."""
    TOMBSTONE = "tombstone"
    """Withhold the schema until the model requests it; a pinned one is refreshed."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How an arbiter works. `reading_tools`: in TOMBSTONE mode, write tombstones for tools that only read as well.

    `request_tool` is added to the declared tools, so that the model can act on a tombstone. None leaves it out, and the
    tombstone then says to ask. `on_request` is called with each re-expansion request, for logging.
    """

    gate: GateMode = GateMode.TOMBSTONE
    reading_tools: bool = True
    order: Order = least_recently_called
    lossy: Lossy = Lossy.REFUSE
    migration: Migration = Migration.REFRESH
    count: Counter = estimate
    request_tool: Tool | None = REQUEST_TOOL
    on_request: Callable[[ReexpansionRequested], None] | None = None

    def __post_init__(self) -> None:
        for name, kind in (("gate", GateMode), ("lossy", Lossy), ("migration", Migration)):
            if not isinstance(getattr(self, name), kind):
                raise SettingsError(f"{name} is one of {', '.join(map(str, kind))}, not {getattr(self, name)!r:.80}")
        for name in ("order", "count"):
            if not callable(getattr(self, name)):
                raise SettingsError(f"{name} is a function, not {getattr(self, name)!r:.80}")
