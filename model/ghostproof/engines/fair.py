"""Endless sessions: a cycle that can be taken for ever, found in the graph of a small grid, and played.

Definition. A lasso is a session that comes to a state and returns to it; counters that nothing reads apart, such as
idle turns where no order looks at them. What is found is real, since it is played; what is not found is bounded by the
grid.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import networkx

from ghostproof.host.host import LocalHost
from ghostproof.lift.dependence import fields_that_matter
from ghostproof.turn.errors import InternalError
from ghostproof.turn.explore import START, Explorer, Grid, Key, Move
from ghostproof.turn.property import Property
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.scenario import Scenario
from ghostproof.turn.session import play
from ghostproof.turn.tool import INITIAL, Tool
from ghostproof.turn.trace import Trace
from ghostproof.turn.verdict import Checked, HoldsTo, Refuted, Undetermined, Verdict

NAME = "fair cycles"
COUNTERS = ("idle_turns", "calls")
STATES_MAX = 50_000


@dataclass(frozen=True, slots=True)
class Endless:
    """Which cycles are looked for, told of the first tool: all tools are alike, and any of them may be the first.

    On each cycle `again` holds of some request, `never` of none, and no response to the first tool is in `without`.
    """

    again: Callable[[Tool], bool]
    never: Callable[[Tool], bool]
    without: frozenset[str]


class Sessions:
    """The states that are sent, up to counters that nothing reads, and the moves between them."""

    def __init__(self, pruner: Pruner, scenario: Scenario, judged: Property, grid: Grid) -> None:
        self.pruner, self.grid = pruner, grid
        lifted = LocalHost(pruner).lifted
        self.explorer = Explorer(pruner, scenario, judged, grid, lifted.budget_names, lifted.tested_budgets)
        self.judged = judged
        names = ("mutation", "pinned", "schema_tokens", "argument_tokens", "tombstone_tokens", *INITIAL)
        self.names = (*names, *pruner.memory)
        self._unread = [name for name in COUNTERS if name not in fields_that_matter(lifted, scenario, judged)]
        self.graph: networkx.DiGraph[Key] = networkx.DiGraph()
        self.starts = list(self.explorer.starts())
        self.depth = 0
        self.complete = self._grow()

    def _grow(self) -> bool:
        level = self.starts
        self.graph.add_nodes_from(level)
        while level:
            self.depth += 1
            following: dict[Key, None] = {}
            for state in level:
                for move, reached, _ in self.explorer.moves(state):
                    key = self._without_counters(reached)
                    if key not in self.graph:
                        following[key] = None
                    if not self.graph.has_edge(state, key):
                        self.graph.add_edge(state, key, moves=[])
                    self.graph.edges[state, key]["moves"].append(move)
            level = list(following)
            if self.graph.number_of_nodes() > STATES_MAX:
                return False
        return True

    def _without_counters(self, key: Key) -> Key:
        kind, values, budgets = key
        places = [self.names.index(name) for name in self._unread]
        return (kind, tuple(tuple(0 if i in places else v for i, v in enumerate(tool)) for tool in values), budgets)

    def first(self, key: Key) -> Tool:
        """The first tool as it is sent."""
        return Tool(dict(zip(self.names, key[1][0], strict=True)))

    def lasso(self, sought: Endless) -> tuple[list[Key], list[Key]] | None:
        """The states from the start to a cycle that is sought, and those on it from there and back; the shortest."""
        allowed: networkx.DiGraph[Key] = networkx.DiGraph()
        for left, right in self.graph.edges:
            if START in (left[0], right[0]) or any(sought.never(self.first(key)) for key in (left, right)):
                continue
            if self.moves(left, right, sought.without):
                allowed.add_edge(left, right)
        found: list[tuple[list[Key], list[Key]]] = []
        reached = networkx.multi_source_dijkstra_path(self.graph, set(self.starts))
        for component in networkx.strongly_connected_components(allowed):
            part = allowed.subgraph(component)
            for state in component:
                if sought.again(self.first(state)) and part.number_of_edges():
                    back = min(
                        (networkx.shortest_path(part, following, state) for following in part.successors(state)),
                        key=len,
                    )
                    found.append((reached[state], [state, *back]))
        return min(found, key=lambda one: (len(one[0]) + len(one[1]), len(one[0][0][1]), repr(one)), default=None)

    def moves(self, left: Key, right: Key, without: frozenset[str]) -> list[Move]:
        """The moves from `left` to `right` in which the first tool does not answer so."""
        moves: list[Move] = self.graph.edges[left, right]["moves"]
        return [move for move in moves if not move.response or move.response[0] not in without]

    def played(self, stem: list[Key], cycle: list[Key], sought: Endless) -> Trace:
        """The lasso, its cycle taken twice. InternalError when the second time does not end where the first did."""
        moves = [self.moves(*ends, frozenset())[0] for ends in pairwise(stem)]
        round_trip = [self.moves(*ends, sought.without)[0] for ends in pairwise(cycle)]
        script = self.explorer.script(stem[0], [*moves, *round_trip, *round_trip])
        trace = play(self.pruner, script, self.judged, budgets=self.explorer.budget_names)
        sent = [
            [{n: v for n, v in tool.items() if n not in self._unread} for tool in one.tools] for one in trace.requests
        ]
        at, period = len(moves) - 1, len(round_trip)
        again = [sought.again(Tool(one.tools[0])) for one in trace.requests[at:]]
        if not (sent[at] == sent[at + period] == sent[at + 2 * period] and any(again)):
            raise InternalError("a lasso does not replay by the plain functions")
        return trace


def endless(pruner: Pruner, scenario: Scenario, judged: Property, grid: Grid, sought: Endless) -> Verdict:
    """Refuted with a lasso that was played, or HoldsTo the grid: then every session in it, however long, is covered."""
    sessions = Sessions(pruner, scenario, judged, grid)
    states, steps = sessions.graph.number_of_nodes(), sessions.graph.number_of_edges()
    if not sessions.complete:
        return Undetermined(f"more than {STATES_MAX} states of {grid}", NAME)
    counted = (Checked(NAME, f"states with {steps} transitions", states),)
    found = sessions.lasso(sought)
    if found is None:
        reached = f"{grid}; every state is reached by then, so sessions of any length are covered"
        return HoldsTo(NAME, sessions.depth, grid.tools, reached, states, "states", counted)
    stem, cycle = found
    trace = sessions.played(stem, cycle, sought)
    first, period = len(stem) - 1, len(cycle) - 1
    said = f"after request {first} the session repeats {period} requests for ever: the trace shows them twice"
    return Refuted(NAME, trace, (said, f"no shorter lasso among sessions of {grid}"), counted)
