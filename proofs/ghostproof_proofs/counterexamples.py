"""The refuting sessions of the claims as cases of the conformance suite: `python -m ghostproof_proofs.counterexamples`.

A case begins where the passes of the violating turn began. A session whose state the protocol cannot express is left
out: a shown tool that still has a tombstone, or a pruner that reads no budget.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypedDict

import ghostproof.conformance
from ghostproof.engines.problem import Bounds
from ghostproof.settle import settle
from ghostproof.turn.claim import Claim
from ghostproof.turn.tool import Value
from ghostproof.turn.trace import Step, Trace
from ghostproof.turn.verdict import Refuted
from ghostproof_proofs.catalogue import CLAIMS

Case = dict[str, object]


class Found(TypedDict):
    """A case, and the refutation that it comes from."""

    origin: str
    case: Case


FILE = Path(ghostproof.conformance.__file__).parent / "vectors" / "counterexamples.json"
ACTORS = ("environment", "response", "execution")


def refutations(claims: Iterable[Claim]) -> Iterator[tuple[str, Trace]]:
    """Every session that refutes a part of a claim as it is expected to."""
    for claim in claims:
        broken = tuple(part for part in claim.questions if part.expected.verdict is Refuted)
        for answer in settle(replace(claim, questions=broken), Bounds()).answers:
            if isinstance(answer.verdict, Refuted) and isinstance(answer.verdict.trace, Trace):
                yield f"counterexample of {claim.name} {answer.question.label}", answer.verdict.trace


def cases(trace: Trace) -> Iterator[Case]:
    """The violating turn, if it can be expressed."""
    last = trace.requests[-1]
    states = [dict(tool) for tool in last.tools]
    for step in reversed(last.steps):
        if isinstance(step, Step) and step.actor not in ACTORS:
            states[step.tool].update(step.before)
    budgets = {name: last.numbers[name] for name in trace.budgets}
    if "total_budget" in budgets:
        given: Case = {"kind": "joint", "total": budgets["total_budget"]}
    elif budgets.keys() >= {"argument_budget", "schema_budget"}:
        given = {"kind": "separate", "arguments": budgets["argument_budget"], "schemas": budgets["schema_budget"]}
    else:
        return
    if all(_expressible(state) for state in states):
        names = [f"tool_{number}" for number in range(1, len(states) + 1)]
        yield {
            "tools": [_tool(name, state) for name, state in zip(names, states, strict=True)],
            "history": _history(names, states),
            "rest_tokens": last.numbers["rest_tokens"],
            "budgets": given,
            "order": "least-recently-called",
            "gate": "tombstone",
        }


def _resident(state: Mapping[str, Value]) -> bool:
    return bool(state["schema_shown"] and not state["schema_lossy"])


def _expressible(state: Mapping[str, Value]) -> bool:
    odd = state["schema_shown"] and not state["registered"]
    return not odd and not (_resident(state) and (state["tombstone_resident"] or state["requested"]))


def _tool(name: str, state: Mapping[str, Value]) -> Case:
    return {
        "name": name,
        "effect": "mutation" if state["mutation"] else "reading",
        "schema": "shown" if _resident(state) else "lossy" if state["schema_shown"] else "withheld",
        "registered": state["registered"],
        "requested": state["requested"],
        "pinned": state["pinned"],
        "schema_tokens": state["schema_tokens"],
        "tombstone_tokens": state["tombstone_tokens"],
        "idle_turns": state["idle_turns"],
        "calls": state["calls"],
    }


def _history(names: Sequence[str], states: Sequence[Mapping[str, Value]]) -> list[Case]:
    """One call of each tool in turn, as the rounds of a pass would take them; tombstones at their places."""
    history: list[Case] = []
    for place in range(1 + max(int(state["calls_resident"]) for state in states)):
        for name, state in zip(names, states, strict=True):
            if state["tombstone_resident"] and state["calls_before_tombstone"] == place:
                history.append({"kind": "tombstone", "tool": name})
            if place < state["calls_resident"]:
                calls = [{"tool": name, "tokens": state["argument_tokens"]}]
                history.append({"kind": "calls", "id": f"g{len(history) + 1}", "calls": calls})
    return history


def collected(claims: Iterable[Claim]) -> list[Found]:
    """Each case once, with where it comes from."""
    found: dict[str, Found] = {}
    for origin, trace in refutations(claims):
        for case in cases(trace):
            found.setdefault(json.dumps(case, sort_keys=True), {"origin": origin, "case": case})
    return [found[text] for text in sorted(found)]


def main() -> None:
    """Write the file that the suite takes them from."""
    lines = [json.dumps(one, sort_keys=True) for one in collected(CLAIMS)]
    FILE.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
