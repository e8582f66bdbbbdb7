"""What is asked of every request that is sent. A ghost is judged at the prompt and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ghostproof.turn.tool import Tool, Value


@dataclass(frozen=True, slots=True)
class Property:
    """A safety property of one tool in one sent request; `violated` says that this tool breaks it.

    `antecedent` says which tools of a request it is about: no other violates it, and where there are none it says
    nothing. `premise` tells that to people, as what has to happen in some session. `memory` has the fields of a
    pruner's memory that the property reads, as the pruner declares them.
    """

    name: str
    sentence: str
    violated: Callable[[Tool], bool]
    antecedent: Callable[[Tool], bool]
    memory: Mapping[str, Value] = field(default_factory=dict, hash=False)
    premise: str = "a request has a tool that the property is about"


def _ghost(tool: Tool) -> bool:
    return tool.ghost


def _mutation_ghost(tool: Tool) -> bool:
    return tool.mutation and tool.ghost


def _has_arguments(tool: Tool) -> bool:
    return tool.arguments_resident


def _mutation_has_arguments(tool: Tool) -> bool:
    return tool.mutation and tool.arguments_resident


NO_GHOST = Property(
    "no_ghost",
    "no tool has arguments in a sent request without its schema or a tombstone",
    _ghost,
    _has_arguments,
    premise="a request carries arguments",
)
NO_MUTATION_GHOST = Property(
    "no_mutation_ghost",
    "no tool that changes state has arguments in a sent request without its schema or a tombstone",
    _mutation_ghost,
    _mutation_has_arguments,
    premise="a request carries arguments of a tool that changes state",
)

PROPERTIES = {item.name: item for item in (NO_GHOST, NO_MUTATION_GHOST)}
