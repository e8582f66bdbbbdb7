"""A plain function of the request: it returns the request to send, or changes its own copy in place and returns None.

Taken as depending on nothing but the request and the oracle. The driver offers equal requests only once because of it,
and re-runs a sample in a fresh process to notice when it is not so.
"""

from __future__ import annotations

from typing import Any

from ghostproof.drive.styles.signature import prune_call
from ghostproof.drive.styles.style import Call, Style


class FunctionStyle:
    """One call serves every session."""

    remembers = False

    def __init__(self, target: Any) -> None:
        self._call = prune_call(target)

    def begin(self) -> Call:
        return self._call


def recognise(target: Any) -> Style | None:
    """Any callable that is not a class; async ones too, since what they return is awaited."""
    return FunctionStyle(target) if callable(target) else None
