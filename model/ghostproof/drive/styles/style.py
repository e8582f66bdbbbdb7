"""What every calling style provides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from ghostproof.drive.oracle import Oracle

Call = Callable[[dict[str, Any], Oracle], Any]
"""One call of a pruner: the request it is offered, the oracle, and whatever it returns."""


class Style(Protocol):
    """A target that was recognised. `remembers`: what it sends may depend on the session's earlier requests."""

    remembers: bool

    def begin(self) -> Call:
        """The call that serves one new session."""
        ...
