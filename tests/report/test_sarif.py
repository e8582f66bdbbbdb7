"""SARIF: valid, at the line that left the ghost, every finding shown, and nothing called a pass that is none."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from ghostproof.report import explanation, sarif
from ghostproof.report.check_text import Checked
from ghostproof.report.code_flow import Written
from ghostproof.turn.explanation import Explanation
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.recording import Recording, Sighting
from ghostproof.turn.verdict import InvalidPruner, Refuted, Vacuous
from report import sessions
from report.samples import HOLDS, HOSTILE, HOSTILE_VERDICTS, RECORDING, VERDICTS, outcome, part, session, withhold
from report.sarif_shape import faults
from report.sessions import about, answer
from report.test_explanation import SAFE, UNSAFE

WRITTEN = Written(("mine.py", 30), {"withhold": ("mine.py", 3), "gate": ("mine.py", 9), "trim": ("mine.py", 15)})
CODES = {
    "proved": 0,
    "proved up to": 3,
    "holds to": 3,
    "refuted": 1,
    "undetermined": 3,
    "vacuous": 4,
    "invalid pruner": 2,
    "disagreement": 5,
}


def run_of(text: str) -> dict[str, Any]:
    """The one run of a log that must be valid, and whose results say nothing contradictory."""
    log = json.loads(text)
    assert list(faults(log)) == []
    (run,) = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(rules) == len(set(rules))
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        assert (result["kind"] == "fail") == (result["level"] != "none")
        assert result["locations"]
    found: dict[str, Any] = run
    return found


def results(checked: Checked, written: Written = WRITTEN) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = run_of(sarif.of_check(checked, written))["results"]
    return found


@pytest.mark.parametrize(("name", "explained"), [("proved", SAFE), ("refuted", UNSAFE)])
def test_an_explanation_stands_with_each_result_and_changes_no_finding(name: str, explained: Explanation) -> None:
    bare = about(VERDICTS[name], CODES[name])
    places = {"gate": ("mine.py", 9)}
    found = results(replace(bare, explanation=explained, places=places))
    assert found
    for plain, result in zip(results(bare), found, strict=True):
        told = result["message"]["text"].replace("{{", "{").replace("}}", "}")
        assert told.splitlines()[2:] == explanation.lines(explained, places)
        assert told.splitlines()[0] == plain["message"]["text"]
        assert result["partialFingerprints"] == plain["partialFingerprints"]


@pytest.mark.parametrize("name", VERDICTS)
def test_each_verdict_is_valid_and_only_a_proof_passes(name: str) -> None:
    found = results(about(VERDICTS[name], CODES[name]))
    expected = {"proved": "pass", "proved up to": "open", "holds to": "open", "undetermined": "open"}
    assert [result["kind"] for result in found] == [expected.get(name, "fail")]


def test_a_bound_that_was_accepted_passes() -> None:
    assert [result["kind"] for result in results(about(HOLDS, 0))] == ["pass"]


@pytest.mark.parametrize("name", ["vacuous", "invalid pruner", "disagreement"])
def test_what_is_wrong_besides_the_property_is_a_rule_of_its_own(name: str) -> None:
    (found,) = results(about(VERDICTS[name], CODES[name]))
    assert found["ruleId"] == name.replace(" ", "_")


def test_a_disagreement_is_no_successful_run() -> None:
    run = run_of(sarif.of_check(about(VERDICTS["disagreement"], 5), WRITTEN))
    assert run["invocations"] == [{"executionSuccessful": False, "exitCode": 5}]


def test_an_invalid_pruner_is_shown_where_it_is_invalid() -> None:
    verdict = InvalidPruner("a folder/p.py:24 (in withhold)", "reads the clock", "use idle_turns")
    (found,) = results(about(verdict, 2))
    place = found["locations"][0]["physicalLocation"]
    assert place == {
        "artifactLocation": {"uri": "a%20folder/p.py", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 24},
    }


def line(result: dict[str, Any]) -> int:
    found: int = result["locations"][0]["physicalLocation"]["region"]["startLine"]
    return found


def test_the_pass_that_left_the_ghost_is_pointed_at() -> None:
    (found,) = results(about(VERDICTS["refuted"], 1))
    assert line(found) == 15
    assert "Pass trim left it: it removes the tombstone of send" in found["message"]["text"]


def test_both_of_two_ghosts_are_results() -> None:
    found = results(answer(sessions.two_ghosts()))
    assert [line(result) for result in found] == [3, 3]
    assert "Ghost of send " in found[0]["message"]["text"]
    assert "Ghost of search " in found[1]["message"]["text"]
    assert found[0]["partialFingerprints"] != found[1]["partialFingerprints"]


def test_both_of_two_ghosts_on_the_wire_are_results() -> None:
    ghosts = tuple(Sighting(name, "withheld", True, f"messages[1] calls {name}") for name in ("send", "search"))
    exchanges = (*RECORDING.exchanges, replace(RECORDING.exchanges[0], turn=2, ghosts=ghosts))
    found = results(about(Refuted("driver", Recording("openai-chat", exchanges)), 1), Written(("mine.py", 7)))
    assert ["Ghost of send " in result["message"]["text"] for result in found] == [True, False]
    assert "Ghost of search " in found[1]["message"]["text"]
    assert len(found[0]["codeFlows"][0]["threadFlows"][0]["locations"]) == 2


def test_a_ghost_that_no_pass_left_says_so_and_points_at_the_last_pass_of_its_tool() -> None:
    (found,) = results(answer(sessions.lost_tombstone()), Written(("mine.py", 30), {"gate_once": ("mine.py", 5)}))
    assert "It arose before the passes ran (compaction drops the tombstone of send)" in found["message"]["text"]
    assert "The last to change send was gate_once." in found["message"]["text"]
    assert line(found) == 5


def test_a_ghost_that_begins_with_the_turn() -> None:
    (found,) = results(answer(sessions.joined()))
    assert "(its last call joined the history)" in found["message"]["text"]


def test_a_hollow_ghost_is_not_said_to_lack_its_schema() -> None:
    (found,) = results(answer(sessions.hollow()))
    assert "and a schema without its constraints, but no tombstone" in found["message"]["text"]


def test_the_code_flow_has_a_step_for_each_step_and_request() -> None:
    trace = session()
    (found,) = results(about(VERDICTS["refuted"], 1))
    ((flow,),) = ([thread["locations"] for thread in each["threadFlows"]] for each in found["codeFlows"])
    assert len(flow) == sum(len(request.steps) + 1 for request in trace.requests)
    assert [step["executionOrder"] for step in flow] == list(range(len(flow)))
    said = [step["location"]["message"]["text"] for step in flow]
    assert "pass withhold hides the schema of send" in said
    assert "the executor rejects the call of send: validation error" in said
    assert said[-1].startswith("request 2 is sent with a GHOST of send")
    assert [step["importance"] for step in flow].count("essential") == 1
    lines: dict[str, set[int]] = {}
    for step in flow:
        name = step["location"]["logicalLocations"][0]["fullyQualifiedName"]
        lines.setdefault(name, set()).add(step["location"]["physicalLocation"]["region"]["startLine"])
    assert (lines["withhold"], lines["gate"], lines["trim"], lines["prompt"]) == ({3}, {9}, {15}, {30})


def test_a_pass_may_bear_the_name_of_another_actor() -> None:
    trace = sessions.like_actors()
    found = results(answer(trace))
    assert len(found) == len(trace.requests[-1].violations)
    assert "Pass execution left it" in found[0]["message"]["text"]


@pytest.mark.parametrize("verdict", HOSTILE_VERDICTS, ids=lambda verdict: type(verdict).__name__)
def test_hostile_text(verdict: Any) -> None:
    text = sarif.of_check(
        about(verdict, 5, f"{HOSTILE}.py:X"), Written((f"{HOSTILE}\x1b.py", -3), {HOSTILE: ("a b", 2)})
    )
    assert text.isascii()
    assert text.replace("\n", "").isprintable()
    assert run_of(text)["results"]


def texts(value: Any) -> Iterator[str]:
    """Every text that a viewer shows."""
    if isinstance(value, dict):
        yield from [value["text"]] if isinstance(value.get("text"), str) else []
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
        yield from texts(item)


def test_a_name_is_no_placeholder_and_no_link() -> None:
    trace = sessions.played(
        Pruner(Pass(withhold)),
        sessions.turn(["arguments appear"]),
        names=("{0} [click](javascript:x)",),
    )
    (found,) = results(answer(trace))
    assert "{{0}}" in found["message"]["text"]
    assert not [text for text in texts(found) if "](" in text or "{0}" in text.replace("{{0}}", "")]


def test_absolute_paths_are_file_uris() -> None:
    (found,) = results(about(Vacuous(("a pruned schema",), "bmc"), 4), Written(("/a:b/p.py", 1)))
    assert found["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": "file:///a%3Ab/p.py"}


def test_a_run_of_claims() -> None:
    unanswered = [part(VERDICTS[name], label=name) for name in ("undetermined", "disagreement", "invalid pruner")]
    first = outcome(part(VERDICTS["proved"]), part(VERDICTS["refuted"], label="b"), name="T1")
    wrong = (part(VERDICTS["proved"], False, "c", "Refuted"), part(VERDICTS["refuted"], False, "d"))
    second = outcome(*wrong, *unanswered, name="T2")
    third = outcome(name="T3", errors=("it broke",))
    written = {("T2", "d"): WRITTEN, ("T3", "x"): Written(("t3.py", 4))}
    run = run_of(sarif.of_claims([first, second, third], 70, False, written))
    kinds = [(result["ruleId"], result["kind"]) for result in run["results"]]
    failed = [("T2", "fail"), ("T2", "fail"), ("T2", "open"), ("T2", "fail"), ("T2", "fail")]
    assert kinds == [("T1", "pass"), ("T1", "pass"), *failed, ("T3", "open")]
    flows = ["codeFlows" in result for result in run["results"]]
    assert flows == [False, False, False, True, False, False, False, False]
    assert line(run["results"][3]) == 15
    assert line(run["results"][-1]) == 4
    assert "T2 c: is it so: expected Refuted, got: Proved" in run["results"][2]["message"]["text"]
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    assert "it broke" in invocation["toolExecutionNotifications"][0]["message"]["text"]


def test_an_interrupted_run_is_no_successful_one() -> None:
    run = run_of(sarif.of_claims([outcome(part(VERDICTS["proved"]))], 130, True, {}))
    assert run["invocations"][0]["executionSuccessful"] is False


def test_a_claim_about_which_nothing_was_asked_does_not_pass() -> None:
    run = run_of(sarif.of_claims([outcome()], 4, False, {}))
    assert [result["kind"] for result in run["results"]] == ["open"]


def test_the_shape_refuses_what_is_wrong() -> None:
    good = sarif.of_check(about(VERDICTS["refuted"], 1), WRITTEN)
    spoilers: list[Callable[[Any], object]] = [
        lambda log: log.update(version="2.0.0"),
        lambda log: log["runs"][0].pop("tool"),
        lambda log: log["runs"][0]["results"][0].update(kind="passed"),
        lambda log: log["runs"][0]["results"][0].update(more=1),
        lambda log: log["runs"][0]["results"][0]["codeFlows"][0].update(threadFlows=[]),
    ]
    for spoil in spoilers:
        bad = json.loads(good)
        spoil(bad)
        assert len(list(faults(bad))) == 1
