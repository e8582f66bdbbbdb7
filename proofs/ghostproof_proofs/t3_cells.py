"""The cells of T3: one pruner for each order, gate, place, scope and reach of trimming, made of the same passes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from ghostproof.turn.budget import Turn, prompt_fits
from ghostproof.turn.pruner import Pass, Pruner, Visit, least_recently_called
from ghostproof.turn.tool import Value
from ghostproof.variants.arbitration import expand, gate, prune_schema, trim_history
from ghostproof.variants.gates import evict_gate
from ghostproof.variants.trims import trim_calls
from ghostproof_proofs.broken.gates import (
    PLAN,
    PRUNED,
    VIEW,
    forget_notes,
    gate_on_last_turn,
    planning_gate,
    prune_and_note,
    remember_view,
    trim_as_planned,
)

Order = Literal["argument-first", "schema-first"]
Gate = Literal["none", "tombstone", "evict now", "evict planned", "stale view"]
Place = Literal["first", "between", "last"]
Scope = Literal["every tool", "pruned this turn"]
Takes = Literal["takes tombstones", "leaves tombstones", "no tombstones"]

VISITS: dict[Gate, Visit] = {
    "tombstone": gate,
    "evict now": evict_gate,
    "evict planned": planning_gate,
    "stale view": gate_on_last_turn,
}
# Only these gates write tombstones; under the others there is none that trimming could take.
WRITES_TOMBSTONES: tuple[Gate, ...] = ("tombstone", "stale view")


@dataclass(frozen=True, slots=True)
class Cell:
    """One combination. `place` is before, between or after trimming and pruning."""

    order: Order
    gate: Gate
    place: Place
    scope: Scope
    takes: Takes

    @property
    def label(self) -> str:
        """The combination in words."""
        if self.gate == "none":
            return f"{self.order}, no gate"
        trimming = f", trimming {self.takes}" if self.gate in WRITES_TOMBSTONES else ""
        return f"{self.order}, {self.gate}, {self.place}, {self.scope}{trimming}"


def cells() -> Iterator[Cell]:
    """Every cell, each combination once that makes a pruner of its own."""
    orders: tuple[Order, ...] = ("argument-first", "schema-first")
    places: tuple[Place, ...] = ("first", "between", "last")
    scopes: tuple[Scope, ...] = ("every tool", "pruned this turn")
    for order in orders:
        yield Cell(order, "none", "last", "every tool", "no tombstones")
        for chosen in VISITS:
            reach: tuple[Takes, ...] = ("no tombstones",)
            if chosen in WRITES_TOMBSTONES:
                reach = ("takes tombstones", "leaves tombstones")
            for place in places:
                for scope in scopes:
                    for takes in reach:
                        yield Cell(order, chosen, place, scope, takes)


def for_pruned(visit: Visit) -> Visit:
    """`visit`, for tools that this turn's pruning touched."""

    def scoped(tool: Any, turn: Turn) -> None:
        if tool.pruned_this_turn:
            visit(tool, turn)

    return scoped


def pruner_of(cell: Cell) -> Pruner:
    """The pruner of `cell`, on a joint budget. What the gate must remember is kept by passes of its own."""
    memory: dict[str, Value] = {}
    opening, closing, gates = [], [], []
    trim, prune = trim_history if cell.takes == "takes tombstones" else trim_calls, prune_schema
    if cell.gate != "none":
        visit = VISITS[cell.gate]
        if cell.scope == "pruned this turn":
            memory.update(PRUNED)
            opening.append(Pass(forget_notes))
            visit, prune = for_pruned(visit), prune_and_note
        if cell.gate == "evict planned":
            memory.update(PLAN)
            trim = trim_as_planned
        if cell.gate == "stale view":
            memory.update(VIEW)
            closing.append(Pass(remember_view))
        gates.append(Pass(visit, name="gate"))
    trimming = Pass(trim, least_recently_called, prompt_fits, "trim")
    pruning = Pass(prune, least_recently_called, prompt_fits, "prune")
    passes = [trimming, pruning] if cell.order == "argument-first" else [pruning, trimming]
    at = {"first": 0, "between": 1, "last": 2}[cell.place]
    return Pruner(*opening, Pass(expand), *passes[:at], *gates, *passes[at:], *closing, memory=memory, name=cell.label)


def position_of_gate(pruner: Pruner) -> int | None:
    """Where the gate stands among the passes, if there is one."""
    return next((index for index, item in enumerate(pruner.passes) if item.name == "gate"), None)
