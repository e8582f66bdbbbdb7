"""What T9 asks of calls, and in which sessions. A rebuilt call's descendants are marked by the model as it is.

A call *descends from a ghost* if it was rebuilt from one, or works around the rejection of a call that does.
"""

from __future__ import annotations

from dataclasses import replace

from ghostproof.turn.environment import ORDINARY
from ghostproof.turn.property import Property
from ghostproof.turn.scenario import ANYTHING, OBEDIENT, ORDINARY_SESSION, UNCONSTRAINED, Scenario
from ghostproof.turn.tool import Tool


def _called(tool: Tool) -> bool:
    return tool.calls > 0


def _descends(tool: Tool) -> bool:
    return tool.rebuilt


def _rejected(tool: Tool) -> bool:
    return tool.rejected


def _rejected_descendant(tool: Tool) -> bool:
    return tool.rejected and tool.rebuilt


def _duplicated(tool: Tool) -> bool:
    return tool.duplicated


def _duplicated_by_descendant(tool: Tool) -> bool:
    # `duplicated` stays until the next accepted call; only with the others it speaks of the last one.
    return tool.recovering and not tool.rejected and tool.duplicated and tool.rebuilt


def _harmed(tool: Tool) -> bool:
    return tool.rejected or tool.duplicated


NO_DESCENDANT = Property("no_descendant", "no tool's last call descends from a ghost", _descends, _called)
NO_REJECTION = Property("no_rejection", "no tool's last call was rejected", _rejected, _called)
NO_REJECTED_DESCENDANT = Property(
    "no_rejected_descendant", "no rejected call descends from a ghost", _rejected_descendant, _called
)
NO_DUPLICATE = Property("no_duplicate", "no tool has duplicated an effect", _duplicated, _called)
NO_DUPLICATING_DESCENDANT = Property(
    "no_duplicating_descendant",
    "no call that descends from a ghost duplicates an effect",
    _duplicated_by_descendant,
    _called,
)
NO_HARM = Property("no_harm", "no tool's last call was rejected, and none has duplicated an effect", _harmed, _called)

_R2 = tuple(name for name in UNCONSTRAINED if name != "call despite the tombstone")
_NOT_BLIND = tuple(name for name in _R2 if name != "call blind")

ANYTHING_R2 = replace(ANYTHING, name=f"{ANYTHING.name}, R2: tombstones are obeyed", responses=_R2)
ORDINARY_R2 = replace(ORDINARY_SESSION, name=f"{ORDINARY_SESSION.name}, R2", responses=_NOT_BLIND)
BLIND_R2 = replace(ORDINARY_R2, name=f"{ORDINARY_R2.name}, blind calls", responses=_R2)
STALE_R2 = replace(
    ORDINARY_R2,
    name=f"{ORDINARY_R2.name}, schemas that migrate behind a cache",
    environment=(*ORDINARY, "schema migrates behind a cache"),
)
# The most that can be assumed of a model: R1 and R2, and no blind calls.
MEEK: Scenario = replace(
    ORDINARY_SESSION,
    name=f"{ORDINARY_SESSION.name}, R1 and R2",
    responses=tuple(name for name in OBEDIENT if name != "call blind"),
)
