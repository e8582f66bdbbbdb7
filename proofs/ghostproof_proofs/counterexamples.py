"""The refuting sessions of the claims as cases of the conformance suite: `python -m ghostproof_proofs.counterexamples`.

A case begins where the passes of the violating turn began. Of each refuted part of each claim the file says which case
it gave, or why the protocol cannot express it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NotRequired, TypedDict

import ghostproof.conformance
from ghostproof.engines.problem import Bounds, Counterexample
from ghostproof.settle import settle
from ghostproof.turn.claim import Claim
from ghostproof.turn.tool import Value
from ghostproof.turn.trace import Step, Trace
from ghostproof.turn.verdict import Refuted
from ghostproof_proofs.catalogue import CLAIMS

Case = dict[str, object]


class Found(TypedDict):
    """What became of a refutation: a case, with the refutations `also` that gave the same one, or why there is none."""

    origin: str
    case: NotRequired[Case]
    also: NotRequired[list[str]]
    reason: NotRequired[str]


class InexpressibleError(Exception):
    """The protocol has no words for a session; says why."""


FILE = Path(ghostproof.conformance.__file__).parent / "vectors" / "counterexamples.json"
ACTORS = ("environment", "response", "execution")


def origin_of(claim: Claim, label: str) -> str:
    """How the file names a refuted part of a claim."""
    return f"counterexample of {claim.name} {label}"


def refutations(claims: Iterable[Claim]) -> Iterator[tuple[str, Counterexample]]:
    """Every counterexample that refutes a part of a claim as it is expected to."""
    for claim in claims:
        broken = tuple(part for part in claim.questions if part.expected.verdict is Refuted)
        for answer in settle(replace(claim, questions=broken), Bounds()).answers:
            if isinstance(answer.verdict, Refuted):
                yield origin_of(claim, answer.question.label), answer.verdict.trace


def case_of(trace: Counterexample) -> Case:
    """The violating turn. Raises InexpressibleError."""
    if not isinstance(trace, Trace):
        raise InexpressibleError("it is refuted by a run of another system, and by no session of tools")
    last = trace.requests[-1]
    states = [dict(tool) for tool in last.tools]
    for step in reversed(last.steps):
        if isinstance(step, Step) and step.actor not in ACTORS:
            states[step.tool].update(step.before)
    for state in states:
        _demand_expressible(state)
    names = [f"tool_{number}" for number in range(1, len(states) + 1)]
    return {
        "tools": [_tool(name, state) for name, state in zip(names, states, strict=True)],
        "history": _history(names, states),
        "rest_tokens": last.numbers["rest_tokens"],
        "budgets": _budgets({name: last.numbers[name] for name in trace.budgets}, states),
        "order": "least-recently-called",
        "gate": "tombstone",
    }


def _budgets(given: Mapping[str, int], states: Sequence[Mapping[str, Value]]) -> Case:
    if "total_budget" in given:
        return {"kind": "joint", "total": given["total_budget"]}
    if "schema_budget" not in given:
        raise InexpressibleError("its pruner reads no budget of schemas, and each case of the protocol has one")
    # A pruner that reads no budget of arguments has as many tokens for them as they could take.
    ample = sum(state["calls_resident"] * state["argument_tokens"] + state["tombstone_tokens"] for state in states)
    return {"kind": "separate", "arguments": given.get("argument_budget", ample), "schemas": given["schema_budget"]}


def _resident(state: Mapping[str, Value]) -> bool:
    return bool(state["schema_shown"] and not state["schema_lossy"])


def _demand_expressible(state: Mapping[str, Value]) -> None:
    unknown = {
        "a schema is shown of a tool that the executor does not have": state["schema_shown"]
        and not state["registered"],
        "a tool is shown and still has a tombstone": _resident(state) and state["tombstone_resident"],
        "a tool is shown and still requested": _resident(state) and state["requested"],
        "a schema is shown by an item of the history": state["evidence_resident"],
        "a call stands in the history without its values": state["emptied"],
    }
    for reason, holds in unknown.items():
        if holds:
            raise InexpressibleError(f"where its passes begin, {reason}, which the protocol cannot say")


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


def collected(refuted: Iterable[tuple[str, Counterexample]], known: Iterable[Found] = ()) -> list[Found]:
    """What became of each refutation. Cases that are `known` stay, with what gave them; each case is there once."""
    cases: dict[str, Found] = {}
    reasons: dict[str, Found] = {}
    for one in known:
        if "case" in one:
            cases[json.dumps(one["case"], sort_keys=True)] = one
    named = {name for one in cases.values() for name in (one["origin"], *one.get("also", []))}
    for origin, trace in refuted:
        # The solver may choose another session of the same size: one of each part is enough.
        if origin in named:
            continue
        try:
            case = case_of(trace)
        except InexpressibleError as reason:
            reasons[origin] = {"origin": origin, "reason": str(reason)}
            continue
        found = cases.setdefault(json.dumps(case, sort_keys=True), {"origin": origin, "case": case})
        if found["origin"] != origin:
            found["also"] = [*found.get("also", []), origin]
    return [cases[text] for text in sorted(cases)] + [reasons[origin] for origin in sorted(reasons)]


def main() -> None:
    """Bring the file up to date that the suite takes them from."""
    known: list[Found] = json.loads(FILE.read_text(encoding="utf-8"))
    lines = [json.dumps(one, sort_keys=True) for one in collected(refutations(CLAIMS), known)]
    FILE.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
