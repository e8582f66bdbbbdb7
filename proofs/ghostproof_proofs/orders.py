"""Both arbitration orders made of the same passes: the one difference is where trimming stands.

Seed: "Argument-level context budgeting must be applied before schema pruning, not after."
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.tool import Value
from ghostproof.variants.arbitration import expand


@dataclass(frozen=True, slots=True)
class Orders:
    """The two pruners."""

    argument_first: Pruner
    schema_first: Pruner


def both_orders(
    trim: tuple[Pass, ...], prune: tuple[Pass, ...], what: str, memory: Mapping[str, Value] | None = None
) -> Orders:
    """`trim` before and after `prune`; `what` says in the pruners' names what is special about the passes."""
    return Orders(
        Pruner(Pass(expand), *trim, *prune, memory=memory, name=f"argument-first, {what}"),
        Pruner(Pass(expand), *prune, *trim, memory=memory, name=f"schema-first, {what}"),
    )
