"""What one sent request shows, read with the code that audits use, and what pruning it took."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from ghostproof.drive.catalogue import TOOLS
from ghostproof.turn.errors import PrunerError
from ghostproof.turn.recording import Sighting
from ghostproof.wire.openai_chat import NAME, read
from ghostproof.wire.request import MalformedRequestError
from ghostproof.wire.residency import Residency, ghosts, residencies

WIRE = NAME
SCHEMAS = {tool.name: tool.schema() for tool in TOOLS}
MUTATIONS = {tool.name: tool.mutation for tool in TOOLS}


@dataclass(frozen=True, slots=True)
class Judgement:
    """One sent request: `resident` are the places in the catalogue of tools whose schema the model sees.

    `called` counts the tools with calls in the history that was offered; `withheld`, `at_stake` and `tombstoned` the
    tools that lost their schema, those among them that were called, and those that got a tombstone; `evicted` the
    calls that lost their arguments.
    """

    found: Mapping[str, Residency]
    resident: tuple[int, ...]
    called: int
    withheld: int
    at_stake: int
    evicted: int
    tombstoned: int

    def ghosts(self, property_name: str, tombstoned_before: Collection[str] = ()) -> tuple[Sighting, ...]:
        """The ghosts that break the property; a tool we did not declare counts as a mutation."""
        found = ghosts(self.found, mutation=lambda tool: MUTATIONS.get(tool, True), tombstoned_before=tombstoned_before)
        return tuple(ghost for ghost in found if ghost.mutation or property_name == "no_ghost")


def judge(
    sent: Mapping[str, Any], tools: int, called: Mapping[str, int], marks: Mapping[str, Collection[str]], target: str
) -> Judgement:
    """Read `sent`. `called` counts the calls in the history by tool, `marks` are their argument values.

    Raises PrunerError if it is no OpenAI chat request.
    """
    try:
        found = residencies(read(sent, SCHEMAS), marks)
    except MalformedRequestError as malformed:
        raise PrunerError(
            target,
            f"returned a request that is not OpenAI chat: {malformed}",
            "return an object with `messages` and `tools`, each item as it was offered or left out",
        ) from malformed
    names = [tool.name for tool in TOOLS[:tools]]
    resident = tuple(place for place, name in enumerate(names) if name in found and found[name].schema_resident)
    kept = {name: len(residency.calls) for name, residency in found.items()}
    return Judgement(
        found=found,
        resident=resident,
        called=len(called),
        withheld=tools - len(resident),
        at_stake=sum(name not in {names[place] for place in resident} for name in called),
        evicted=sum(max(0, count - kept.get(name, 0)) for name, count in called.items()),
        tombstoned=sum(residency.tombstone is not None for residency in found.values()),
    )
