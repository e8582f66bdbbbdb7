"""Breadth-first search over concrete states: no solver, exact counts, the graph kept.

Transitions come from running the plain functions. Depth counts requests, so the first violation is in fewest requests.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

import networkx

from ghostproof.engines.problem import Bounds, Edge, Finding, Problem
from ghostproof.turn.verdict import Checked, HoldsTo, Refuted, Undetermined

NAME = "explicit"
# The search goes by requests: among the sessions of that length it takes the first, not the smallest.
NOT_ASKED = "fewer tools, fewer tokens: not excluded, this engine looks for fewest requests only"
AT_ONCE = 64


def explicit(problem: Problem, bounds: Bounds) -> Finding:
    """Refuted with a trace in fewest requests, HoldsTo the bounds, or Undetermined when there are too many states."""
    graph: networkx.DiGraph[Hashable] = networkx.DiGraph()
    level = list(dict.fromkeys(problem.states()))
    graph.add_nodes_from(level)
    depth = 0
    while level and depth < bounds.turns:
        depth += 1
        following: dict[Hashable, None] = {}
        for state, edges in _rows(problem, level):
            for edge in edges:
                if edge.state not in graph:
                    following[edge.state] = None
                    graph.add_node(edge.state, parent=state, label=edge.label)
                graph.add_edge(state, edge.state)
                if edge.violates:
                    trace = problem.retrace(*_path(graph, state, edge))
                    return Finding(Refuted(NAME, trace, (_said(problem, depth), NOT_ASKED), (_counted(graph),)))
            if graph.number_of_nodes() > bounds.states:
                reason = f"more than {bounds.states} states within {depth} requests of {problem.scope()}"
                return Finding(Undetermined(reason, NAME))
        level = list(following)
    turns = depth if level else bounds.turns
    return Finding(HoldsTo(NAME, turns, problem.tools_max, problem.scope(), len(graph), "states", (_counted(graph),)))


def _rows(problem: Problem, level: Sequence[Hashable]) -> Iterator[tuple[Hashable, Sequence[Edge]]]:
    """Each state with its edges, a few states at a time: a level can be larger than the limit of states."""
    for first in range(0, len(level), AT_ONCE):
        states = level[first : first + AT_ONCE]
        yield from zip(states, problem.edges(states), strict=True)


def _counted(graph: networkx.DiGraph[Hashable]) -> Checked:
    return Checked(NAME, f"states with {graph.number_of_edges()} transitions", graph.number_of_nodes())


def _said(problem: Problem, depth: int) -> str:
    return f"fewer than {depth} requests: excluded up to N = {problem.tools_max} tools of {problem.scope()}"


def _path(graph: networkx.DiGraph[Hashable], state: Hashable, last: Edge) -> tuple[Hashable, list[Hashable]]:
    """The initial state and the labels from it to the end of `last`, which leaves `state`."""
    labels = [last.label]
    while "parent" in graph.nodes[state]:
        labels.append(graph.nodes[state]["label"])
        state = graph.nodes[state]["parent"]
    return state, labels[::-1]
