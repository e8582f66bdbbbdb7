"""The child's side: loads a foreign pruner, admits it, and runs its plain functions when asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from time import monotonic
from typing import Any

from ghostproof.host.admit import admit, as_pruner, check_meaning
from ghostproof.host.data import grid_of, key_of, move_data, move_of, scenario_of, script_of
from ghostproof.host.places import pass_places
from ghostproof.lift.plain import LiftedPruner
from ghostproof.lift.transport import pack_pruner
from ghostproof.sandbox.load import load
from ghostproof.turn.explore import Explorer, Explorers, Key, Move
from ghostproof.turn.property import PROPERTIES
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.session import play
from ghostproof.turn.wander import wander


class _Admitted:
    """The one pruner of this child."""

    pruner: Pruner
    lifted: LiftedPruner
    explorers: Explorers
    search: Iterator[tuple[int, Move, Key, bool]]


def handle(message: Mapping[str, Any]) -> dict[str, Any]:
    """Answer one message of the parent. PrunerError passes through to the sandbox, which reports it."""
    match message["do"]:
        case "lift":
            _Admitted.pruner = as_pruner(load(message["target"]), message["target"])
            check_meaning(message["target"])
            _Admitted.lifted, compared = admit(_Admitted.pruner)
            check_meaning(message["target"])
            _Admitted.explorers = Explorers(
                _Admitted.pruner, _Admitted.lifted.budget_names, _Admitted.lifted.tested_budgets
            )
            places = pass_places(_Admitted.pruner)
            return {"pruner": pack_pruner(_Admitted.lifted), "compared": compared, "places": places}
        case "play":
            budgets = _Admitted.lifted.budget_names
            judged = PROPERTIES[message["judged"]]
            return {"trace": asdict(play(_Admitted.pruner, script_of(message["script"]), judged, budgets=budgets))}
        case "wander":
            asked = scenario_of(message["scenario"]), PROPERTIES[message["judged"]]
            lifted = _Admitted.lifted
            numbers = lifted.budget_names, lifted.tested_budgets
            traces = wander(_Admitted.pruner, *asked, *numbers, patience=lifted.patience)
            return {"traces": [asdict(trace) for trace in traces]}
        case "starts":
            return {"states": list(_explorer(message).starts())}
        case "moves":
            explorer, states = _explorer(message), [key_of(state) for state in message["states"]]
            _Admitted.search = (
                (place, *reached) for place, state in enumerate(states) for reached in explorer.moves(state)
            )
            return _reached(message["soon"])
        case "more":
            return _reached(message["soon"])
        case "script":
            moves = [move_of(item) for item in message["moves"]]
            return {"script": asdict(_explorer(message).script(key_of(message["start"]), moves))}
        case other:
            raise AssertionError(other)


def _reached(soon: float) -> dict[str, Any]:
    """What the search reaches in about `soon` seconds, each with the place of the state that it came from."""
    until, found = monotonic() + soon, []
    for place, move, key, bad in _Admitted.search:
        found.append([place, move_data(move), key, bad])
        if monotonic() >= until:
            return {"moves": found, "more": True}
    return {"moves": found, "more": False}


def _explorer(message: Mapping[str, Any]) -> Explorer:
    question = scenario_of(message["scenario"]), PROPERTIES[message["judged"]], grid_of(message["grid"])
    return _Admitted.explorers.of(*question)
