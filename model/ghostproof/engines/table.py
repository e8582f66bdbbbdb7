"""The engines by name. A new one is a file beside this and a line here; the battery of tests runs every one of them."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from ghostproof.engines.problem import Bounds, Finding, Problem

# Named, not imported: explicit needs networkx, and whoever does not ask for it should not pay for it.
ENGINES = {
    "induction": "ghostproof.engines.induction:induction",
    "k-induction": "ghostproof.engines.k_induction:k_induction",
    "bmc": "ghostproof.engines.bmc:bmc",
    "explicit": "ghostproof.engines.explicit:explicit",
}


def engine(name: str) -> Callable[[Problem, Bounds], Finding]:
    """The engine called `name`. Raises KeyError for an unknown one."""
    module, function = ENGINES[name].split(":")
    found: Callable[[Problem, Bounds], Finding] = getattr(import_module(module), function)
    return found
