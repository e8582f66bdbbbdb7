"""The vectors come from the model, the same bytes every time, and their ids mean one thing for ever."""

from __future__ import annotations

from dataclasses import replace

import pytest

from conformance.programs.trial import BY_ID, VECTORS
from ghostproof.conformance.expect import expected
from ghostproof.conformance.generate import drawn, everything, from_counterexamples, from_paths, issued, judged
from ghostproof.conformance.refine import called, groups_of, honoured, tools_of
from ghostproof.conformance.report import RULES
from ghostproof.conformance.suite import FILE, ISSUED, VERSION, Vector, identify, needs, parse, read, render
from ghostproof.turn.pruner import Pruner
from ghostproof.turn.session import Arbitration
from ghostproof.variants.arbitration import argument_first
from ghostproof_proofs.counterexamples import collected
from ghostproof_proofs.t5_gate_parts import T5
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


def test_counterexamples_are_found_again() -> None:
    """Those of one claim: the whole takes minutes, `python -m ghostproof_proofs.counterexamples`."""
    broken = tuple(part for part in T5.questions if part.label in ("no action", "mutations only"))
    again = collected([replace(T5, questions=broken)])
    assert len(again) == len(broken)
    # The solver may choose another session of the same size; what is asked must be a case that the model answers.
    assert all(expected("arbitrate", one["case"]) for one in again)


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
