"""How much a solver may spend on one question. Apart from the solver, so that naming a limit does not load it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """`rlimit` in resource steps of z3, which come first, and a wall-clock guard in milliseconds, all that cvc5 has.

    The same `seed` gives the same search, in either solver. An `order` other than 0 puts declarations and assertions of
    whatever a solver is given at once into another order, a different one for each number.
    """

    rlimit: int = 200_000_000
    timeout_ms: int = 120_000
    seed: int = 0
    order: int = 0
