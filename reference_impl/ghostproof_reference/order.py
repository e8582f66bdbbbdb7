"""In which order schemas are offered for pruning. The gate makes every order safe; the order decides what it costs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, Self


class Comparable(Protocol):
    """Whatever can be sorted."""

    def __lt__(self, other: Self, /) -> bool: ...


@dataclass(frozen=True, slots=True)
class Candidate:
    """What an order may know of a shown tool.

    `last_called` is the place in the session of its last call, -1 if it has none; `index` is its declared place.
    """

    name: str
    index: int
    calls: int
    last_called: int
    schema_tokens: int
    argument_resident: bool
    changes_state: bool


Order = Callable[[Candidate], Comparable]
"""The key by which candidates are sorted; the smallest is visited first, ties in declared order."""


def least_recently_called(candidate: Candidate) -> int:
    """Those that were never called, then the longest idle."""
    return candidate.last_called


def least_frequently_called(candidate: Candidate) -> int:
    """Those with the fewest calls in the session."""
    return candidate.calls


def largest_first(candidate: Candidate) -> int:
    """Those with the largest schema."""
    return -candidate.schema_tokens


def declared(candidate: Candidate) -> int:
    """As the tools are declared."""
    return candidate.index


ORDERS: dict[str, Order] = {
    "least-recently-called": least_recently_called,
    "least-frequently-called": least_frequently_called,
    "largest-first": largest_first,
    "declared": declared,
}
"""The orders by name. Any other key function will do as well."""
