"""What a pass may read of a tool and of a turn, and the refusal of whatever else it reads."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from ghostproof.sandbox.child import foreign_place
from ghostproof.turn.budget import Turn
from ghostproof.turn.errors import PrunerError
from ghostproof.turn.tool import FIXED, INITIAL, Tool


def _properties(kind: type) -> tuple[str, ...]:
    return tuple(name for name, member in vars(kind).items() if isinstance(member, property))


OF_A_TOOL = (*FIXED, *INITIAL, *_properties(Tool))
OF_A_TURN = (*Turn.__slots__, *_properties(Turn))


def unreadable(where: str, error: AttributeError, memory: Iterable[str]) -> PrunerError:
    """The refusal of a read that failed: its line, what it may have meant, and all that there is to read.

    `where` names the pass; `memory` are the fields that its pruner declares.
    """
    place = foreign_place(error.__traceback__)
    here = f"{place} (in {where})" if place is not None else where
    if isinstance(error.obj, Tool):
        noun, known = "tool", (*OF_A_TOOL, *memory)
    elif isinstance(error.obj, Turn):
        noun, known = "turn", OF_A_TURN
    else:
        instead = "read the tool's own fields, its memory and the turn's numbers; other tools cannot be read"
        return PrunerError(here, f"reads what is not there: {error}", instead)
    near = difflib.get_close_matches(error.name or "", known, 2)
    meant = f"did you mean {' or '.join(near)}? " if near else ""
    others = "; other tools cannot be read" if noun == "tool" else ""
    instead = f"{meant}a {noun} has {', '.join(known)}{others}"
    return PrunerError(here, f"reads {noun}.{error.name}, which a pass does not have", instead)
