"""Runs a lifted pruner by evaluating its terms: for pruners that exist as terms only, such as a changed foreign one.

No foreign code runs here. What such a pruner does is what its relation says, which was compared with the plain
functions of the pruner it comes from; of a changed pruner there are no other functions.
"""

from __future__ import annotations

from ghostproof.host.host import LocalHost
from ghostproof.lift.plain import TURN, LiftedPass, LiftedPruner
from ghostproof.lift.term import Term, evaluate
from ghostproof.turn.budget import Turn
from ghostproof.turn.pruner import Condition, Key, Pass, Pruner, Visit
from ghostproof.turn.tool import Tool, Value


class TermHost(LocalHost):
    """Runs `lifted` in this process, without the functions it was lifted from."""

    def __init__(self, lifted: LiftedPruner) -> None:
        self._pruner = Pruner(*(_pass(item) for item in lifted.passes), memory=lifted.memory, name=lifted.name)
        self._lifted = lifted


def _pass(item: LiftedPass) -> Pass:
    until = None if item.condition is None else _until(item.condition)
    return Pass(_visit(item), _order(item.order), until, item.name)


def _visit(item: LiftedPass) -> Visit:
    def visit(tool: Tool, turn: Turn) -> None:
        values: dict[str, Value] = {**tool.__dict__, **_numbers(turn)}
        known: dict[Term, Value] = {}
        after = {name: evaluate(value, values, known) for name, value in item.visit.updates.items()}
        tool.__dict__.update(after)

    return visit


def _order(key: Term) -> Key:
    return lambda tool: int(evaluate(key, tool.__dict__))


def _until(condition: Term) -> Condition:
    return lambda turn: bool(evaluate(condition, _numbers(turn)))


def _numbers(turn: Turn) -> dict[str, Value]:
    return {TURN + name: getattr(turn, name) for name in Turn.__slots__}
