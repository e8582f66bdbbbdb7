"""The seed's pruner: the schema of the tool that was called least often goes first, and no argument ever goes.

Seed: "a frequency-based pruner demoted update_incident ... because it had not been called since turn 2".
"""

from __future__ import annotations

from ghostproof.turn.budget import prompt_fits, prompt_fits_as_it_stands
from ghostproof.turn.pruner import Key, Pass, Pruner, least_frequently_called
from ghostproof.variants.arbitration import expand, gate, prune_schema


def demoting(order: Key, name: str) -> Pruner:
    """Schemas go in this order until the prompt fits; there is no gate."""
    return Pruner(Pass(expand), Pass(prune_schema, order, prompt_fits_as_it_stands), name=name)


ungated = demoting(least_frequently_called, "least frequently called first, no gate")
gated = Pruner(
    Pass(expand),
    Pass(prune_schema, least_frequently_called, prompt_fits),
    Pass(gate),
    name="least frequently called first, with the gate",
)
