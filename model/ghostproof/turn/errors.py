"""Errors sorted by who must act: the author of a pruner, or us."""

from __future__ import annotations

from ghostproof.turn.place import shown_path
from ghostproof.turn.verdict import InvalidPruner


class PrunerError(Exception):
    """The pruner cannot be checked as it is given. Carries the verdict that says where, what and what instead.

    A `where` that begins with a path is told as `shown_path` tells it.
    """

    def __init__(self, where: str, found: str, instead: str) -> None:
        self.verdict = InvalidPruner(shown_path(where), found, instead)
        super().__init__(str(self.verdict))


class InternalError(Exception):
    """Our fault: a counterexample that does not replay, a broken invariant of ours.

    Exit code 70, never shown as a verdict.
    """


def a_kind(thing: object) -> str:
    """The type of `thing` with its article, as in "an int"."""
    name = type(thing).__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"
