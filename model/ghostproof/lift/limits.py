"""How much a solver may spend on one question. Apart from the solver, so that naming a limit does not load it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """z3 resource steps first, and a wall-clock guard in milliseconds; the seed is fixed.

    An `order` other than 0 puts declarations and assertions into another order, a different one for each number.
    """

    rlimit: int = 200_000_000
    timeout_ms: int = 120_000
    seed: int = 0
    order: int = 0
