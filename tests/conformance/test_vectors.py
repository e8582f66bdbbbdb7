"""The vectors come from the model, the same bytes every time, and their ids mean one thing for ever."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from conformance.programs.trial import BY_ID, VECTORS
from ghostproof.conformance.expect import expected
from ghostproof.conformance.generate import drawn, everything, from_counterexamples, from_paths, issued, judged
from ghostproof.conformance.refine import called, groups_of, honoured, tools_of
from ghostproof.conformance.report import RULES
from ghostproof.conformance.suite import (
    COUNTEREXAMPLES,
    FILE,
    ISSUED,
    VERSION,
    Vector,
    identify,
    needs,
    parse,
    read,
    render,
)
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.session import Arbitration, play
from ghostproof.turn.trace import Script, ScriptTurn
from ghostproof.turn.verdict import Refuted
from ghostproof.variants.arbitration import argument_first
from ghostproof_proofs.catalogue import CLAIMS
from ghostproof_proofs.counterexamples import (
    Found,
    InexpressibleError,
    case_of,
    collected,
    origin_of,
    refutations,
)
from ghostproof_proofs.t5_gate_parts import T5
from ghostproof_proofs.t8_conditions import T8
from repository.tree import ROOT


def test_an_id_is_a_digest_of_what_is_asked() -> None:
    for vector in VECTORS:
        assert vector.id == identify(vector.kind, vector.case)
        assert vector.needs == needs(vector.case)
    assert len(BY_ID) == len(VECTORS)


def test_the_file_is_as_it_would_be_written() -> None:
    assert render(VECTORS) == read(FILE)


def test_a_file_of_another_schema_is_refused() -> None:
    with pytest.raises(ValueError, match="schema 2, and this ghostproof knows 1"):
        parse('{"schema": 2, "vectors": []}')


def test_a_slice_of_the_suite_is_made_again() -> None:
    again = [*judged(), *drawn("strict", False, 30)]
    assert len(again) > 60
    assert [one for one in again if BY_ID.get(one.id) != one and one.origin == BY_ID[one.id].origin] == []


def test_the_counterexamples_on_file_are_asked() -> None:
    asked = list(from_counterexamples())
    assert len(asked) > 30
    assert [one for one in asked if BY_ID[one.id] != one] == []


ON_FILE: list[Found] = json.loads(read(COUNTEREXAMPLES))


def test_of_every_refuted_part_there_is_a_case_or_a_reason() -> None:
    told = [name for one in ON_FILE for name in (one["origin"], *one.get("also", []))]
    parts = [(claim, part) for claim in CLAIMS for part in claim.questions if part.expected.verdict is Refuted]
    assert sorted(told) == sorted(origin_of(claim, part.label) for claim, part in parts)
    assert all(("case" in one) != (len(one.get("reason", "")) > 30) for one in ON_FILE)
    given = {origin.split()[2] for one in ON_FILE if "case" in one for origin in (one["origin"], *one.get("also", []))}
    assert given == {claim.name for claim, _ in parts}


def test_counterexamples_are_found_again() -> None:
    """Those of a few parts: the whole takes a minute or two, `python -m ghostproof_proofs.counterexamples`."""
    broken = tuple(part for part in T5.questions if part.label in ("no action", "mutations only"))
    reading = tuple(part for part in T8.questions if part.label in ("retained", "unmasked"))
    found = list(refutations([replace(T5, questions=broken), replace(T8, questions=reading)]))
    again = collected(found)
    # The solver may choose another session of the same size; what is asked must be a case that the model answers.
    assert [one["origin"] for one in again if "case" not in one] == ["counterexample of T8 unmasked"]
    assert all(expected("arbitrate", one["case"]) for one in again if "case" in one)
    # Without a budget of arguments there are as many tokens as they could take.
    assert again[0]["case"]["budgets"] == {"arguments": 2, "kind": "separate", "schemas": 0}
    assert collected(found, ON_FILE) == [one for one in ON_FILE if "case" in one] + [again[-1]]


def test_cases_on_file_stay() -> None:
    """Whatever the solver finds later: an id is never taken back for want of the same session."""
    other: Found = {"origin": "counterexample of T5 no action", "case": {"tools": []}}
    broken = tuple(part for part in T5.questions if part.label == "no action")
    assert collected(refutations([replace(T5, questions=broken)]), [other]) == [other]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"registered": False}, "a schema is shown of a tool that the executor does not have"),
        ({"tombstone_resident": True}, "a tool is shown and still has a tombstone"),
        ({"requested": True}, "a tool is shown and still requested"),
        ({"evidence_resident": True}, "a schema is shown by an item of the history"),
        ({"emptied": True}, "a call stands in the history without its values"),
    ],
)
def test_what_the_protocol_cannot_say_is_given_with_a_reason(changes: dict[str, bool], reason: str) -> None:
    fixed = {"mutation": True, "pinned": False, "schema_tokens": 1, "argument_tokens": 1, "tombstone_tokens": 1}
    quiet = Script((fixed,), 0, (ScriptTurn({"total_budget": 9}, ("idle",), (), ()),))
    trace = play(argument_first, quiet, NO_GHOST)
    (request,) = trace.requests
    assert case_of(trace)["budgets"] == {"kind": "joint", "total": 9}
    odd = replace(trace, requests=(replace(request, tools=({**request.tools[0], **changes},)),))
    with pytest.raises(InexpressibleError, match=reason):
        case_of(odd)


def test_a_case_of_a_path_is_made_again() -> None:
    cases = from_paths()
    for _ in range(4):
        one = next(cases)
        assert BY_ID[one.id] == one


@pytest.mark.slow
def test_the_whole_suite_is_made_again() -> None:
    assert render(everything()) == read(FILE)


def test_every_answer_is_the_models() -> None:
    for vector in VECTORS[::3]:
        assert expected(vector.kind, vector.case) == vector.expected


def test_every_rule_is_exercised() -> None:
    assert {rule for vector in VECTORS for rule in vector.rules} == set(RULES)
    protocol = (ROOT / "docs/conformance-protocol.md").read_text()
    assert all(f"**{rule}" in protocol for rule in RULES)


def test_no_answer_leaves_a_ghost() -> None:
    sent = [vector for vector in VECTORS if vector.expected.get("outcome") == "send"]
    assert len(sent) > 400
    for vector in sent:
        for tool in vector.expected["tools"]:
            assert tool["schema"] == "shown" or not tool["arguments"] or tool["tombstone"]


def test_no_answer_exceeds_its_budget() -> None:
    for vector in VECTORS:
        if vector.expected.get("outcome") == "send" and vector.case["budgets"]["kind"] == "joint":
            assert vector.expected["tokens"]["after"] <= vector.case["budgets"]["total"]


def test_the_register_knows_every_id() -> None:
    register = {line.split()[0]: line.split()[1:] for line in read(ISSUED).splitlines()}
    current = {name for name, versions in register.items() if len(versions) == 1}
    assert current == BY_ID.keys()
    assert f"## {VERSION}\n" in (ROOT / "docs/conformance-changelog.md").read_text()


def test_a_retired_id_is_never_used_again() -> None:
    one, other = VECTORS[:2]
    first = issued("", [one, other])
    second = issued(first, [one])
    assert f"{other.id} {VERSION} {VERSION}\n" in second
    assert f"{one.id} {VERSION}\n" in second
    with pytest.raises(ValueError, match=f"{other.id} was retired"):
        issued(second, [one, other])


def laid_out_in_rounds(vector: Vector) -> bool:
    """Where the variant and the suite mean the same: see docs/decisions/what-the-suite-expects.md."""
    case = vector.case
    if vector.kind == "judge" or vector.needs or case["order"] != "least-recently-called":
        return False
    tools = {tool["name"]: tool for tool in case["tools"]}
    if any(item["kind"] == "tombstone" for item in case["history"]) or any(map(honoured, tools.values())):
        return False
    visits = sorted(tools, key=lambda name: -tools[name]["idle_turns"])
    left = [called(group) for group in groups_of(case)]
    if any(len(group) > 1 for group in left):
        return False
    rounds = []
    names = [group[0] for group in left if not tools[group[0]]["pinned"]]
    counts = {name: names.count(name) for name in visits}
    while any(counts.values()):
        for name in visits:
            if counts[name]:
                counts[name] -= 1
                rounds.append(name)
    return rounds == names


def test_the_variant_ends_in_the_same_state_where_both_mean_the_same() -> None:
    compared = 0
    for vector in filter(laid_out_in_rounds, VECTORS):
        tools = tools_of(vector.case)
        budgets = {"total_budget": vector.case["budgets"]["total"]}
        plain = Pruner(*argument_first.passes, memory=dict.fromkeys(tools[0].__dict__, False))
        arbitration = Arbitration(plain, tools, budgets, vector.case["rest_tokens"])
        arbitration.run()
        if vector.expected["outcome"] == "send":
            compared += 1
            assert arbitration.turn().prompt_tokens == vector.expected["tokens"]["after"]
            for tool, wanted in zip(tools, vector.expected["tools"], strict=True):
                found = (tool.schema_resident, tool.arguments_resident, tool.tombstoned)
                assert found == (wanted["schema"] == "shown", wanted["arguments"], wanted["tombstone"]), vector.id
        else:
            assert arbitration.turn().demand_tokens > vector.case["budgets"]["total"]
    assert compared > 30
