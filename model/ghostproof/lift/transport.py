"""Lifted pruners as JSON, to cross from the process that runs foreign code to the one that asks the solver."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ghostproof.lift.plain import LiftedPass, LiftedPruner
from ghostproof.lift.relation import Path, Relation
from ghostproof.lift.term import FALSE, TRUE, Term, rebuild, variable


class Packer:
    """Terms as a table of nodes, children before parents."""

    def __init__(self) -> None:
        self.nodes: list[list[Any]] = []
        self._place: dict[Term, int] = {}

    def add(self, term: Term) -> int:
        """The place of `term` in the table."""
        if term in self._place:
            return self._place[term]
        children = [self.add(child) for child in term.children]
        node: list[Any] = [term.op, *children]
        if term.op == "var":
            node = ["var", term.arguments[0], term.sort]
        elif term.op == "linear":
            node = ["linear", term.arguments[0], children, [factor for _, factor in term.arguments[1:]]]
        self.nodes.append(node)
        self._place[term] = len(self.nodes) - 1
        return self._place[term]


def unpack(nodes: Sequence[Sequence[Any]]) -> list[Term]:
    """The terms of a table, in its order."""
    terms: list[Term] = []
    for node in nodes:
        match node[0]:
            case "true" | "false":
                terms.append(TRUE if node[0] == "true" else FALSE)
            case "var":
                terms.append(variable(node[1], node[2]))
            case "linear":
                pairs = tuple(zip((terms[place] for place in node[2]), node[3], strict=True))
                terms.append(_again(Term("linear", (node[1], *pairs), "Int")))
            case "ite":
                children = [terms[place] for place in node[1:]]
                terms.append(_again(Term("ite", tuple(children), children[1].sort)))
            case op:
                terms.append(_again(Term(op, tuple(terms[place] for place in node[1:]), "Bool")))
    return terms


def _again(term: Term) -> Term:
    # Terms order their parts by creation, which differs between processes; rebuilding restores this one's normal form.
    return rebuild(term, {child: child for child in term.children})


def pack_pruner(pruner: LiftedPruner) -> dict[str, Any]:
    """`pruner` as JSON-able data."""
    packer = Packer()

    def optional(term: Term | None) -> int | None:
        return None if term is None else packer.add(term)

    passes = []
    for item in pruner.passes:
        paths = [
            {
                "tests": [[packer.add(test), outcome] for test, outcome in path.tests],
                "assigned": {name: packer.add(value) for name, value in path.assigned.items()},
            }
            for path in item.visit.paths
        ]
        passes.append(
            {
                "name": item.name,
                "paths": paths,
                "updates": {name: packer.add(value) for name, value in item.visit.updates.items()},
                "order": packer.add(item.order),
                "order_name": item.order_name,
                "condition": optional(item.condition),
                "condition_name": item.condition_name,
                "at_render": item.at_render,
            }
        )
    return {"name": pruner.name, "memory": dict(pruner.memory), "passes": passes, "nodes": packer.nodes}


def unpack_pruner(data: Mapping[str, Any]) -> LiftedPruner:
    """The pruner that `pack_pruner` made `data` of."""
    terms = unpack(data["nodes"])
    passes = []
    for item in data["passes"]:
        paths = tuple(
            Path(
                tuple((terms[place], outcome) for place, outcome in path["tests"]),
                {name: terms[place] for name, place in path["assigned"].items()},
                None,
            )
            for path in item["paths"]
        )
        updates = {name: terms[place] for name, place in item["updates"].items()}
        passes.append(
            LiftedPass(
                item["name"],
                Relation(paths, updates, None),
                terms[item["order"]],
                item["order_name"],
                None if item["condition"] is None else terms[item["condition"]],
                item["condition_name"],
                item["at_render"],
            )
        )
    return LiftedPruner(data["name"], data["memory"], tuple(passes))
