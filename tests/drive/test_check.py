"""Verdicts on pruners whose answer is known by hand, in every calling style."""

import re
from typing import Any

import pytest

from drive.targets import broken, check, small
from ghostproof.drive import check as checking
from ghostproof.drive.crew import Crew
from ghostproof.turn.recording import Recording
from ghostproof.turn.verdict import HoldsTo, Refuted, Undetermined, Vacuous, Verdict
from ghostproof.wire.openai_chat import read
from ghostproof.wire.residency import residencies


def refuting(verdict: Verdict) -> Recording:
    assert isinstance(verdict, Refuted), verdict
    assert isinstance(verdict.trace, Recording)
    return verdict.trace


def counts(verdict: Any) -> dict[str, int]:
    return {checked.what: checked.count for checked in verdict.checked}


@pytest.mark.parametrize(
    "name", ["hide_some", "hide_after_the_first", "hide_after_the_first_async", "summarise", "hollow"]
)
def test_a_pruner_without_a_gate_is_refuted_by_two_requests_and_one_tool(name: str) -> None:
    recording = refuting(check(small(name)))
    first, last = recording.exchanges
    assert (recording.wire, first.turn, last.turn) == ("openai-chat", 1, 2)
    assert not first.ghosts
    assert first.response is not None
    assert last.response is None
    assert [ghost.tool for ghost in last.ghosts] == ["send_email"]
    assert [tool["function"]["name"] for tool in last.offered["tools"]] == ["send_email"]  # type: ignore[attr-defined]


def test_the_recorded_session_is_a_real_payload_with_the_ghost_in_it() -> None:
    last = refuting(check(small("hide_after_the_first"))).exchanges[-1]
    assert not residencies(read(last.offered))["send_email"].ghost
    assert residencies(read(last.sent))["send_email"].ghost
    assert last.ghosts[0].kind == "withheld"
    assert last.ghosts[0].mutation
    assert last.ghosts[0].evidence.startswith("messages[1].tool_calls[0] shows arguments")


@pytest.mark.parametrize(
    ("name", "kind"), [("summarise", "prose"), ("hollow", "hollow"), ("hide_after_the_first", "withheld")]
)
def test_the_kind_of_the_ghost_is_told(name: str, kind: str) -> None:
    assert refuting(check(small(name))).exchanges[-1].ghosts[0].kind == kind


def test_a_tombstone_that_was_there_before_is_told_as_lost() -> None:
    recording = refuting(check(small("tombstone_once"), turns=3))
    assert len(recording.exchanges) == 3
    assert recording.exchanges[-1].ghosts[0].kind == "tombstone lost"


def test_what_is_smaller_than_a_refutation_is_excluded_with_counts() -> None:
    verdict = check(small("hide_after_the_first"))
    assert isinstance(verdict, Refuted)
    # One request: one opening for one tool, two for two, each with short and with long values.
    assert verdict.minimality[0] == "no ghost in all 6 sessions with fewer than 2 requests"
    assert counts(verdict)["requests of the session sent again, with equal results"] == 2


def test_fewer_tools_are_excluded_when_one_is_not_enough() -> None:
    verdict = check(small("hide_reading"))
    assert isinstance(verdict, Refuted)
    last = refuting(verdict).exchanges[-1]
    assert [ghost.tool for ghost in last.ghosts] == ["search_orders"]
    # With one tool: after text 1 opening, after a call 2; short and long.
    assert "no ghost in all 6 sessions of 2 requests with fewer than 2 tools" in verdict.minimality


def test_among_sessions_of_one_size_the_one_with_the_fewest_bytes_is_shown() -> None:
    verdict = check(small("pad_or_not"))
    assert [exchange.choices[1] for exchange in refuting(verdict).exchanges] == ["pad: False", "pad: False"]
    assert isinstance(verdict, Refuted)
    # Two openings of the second request, each padded or not; histories that are equal count once.
    assert "fewest bytes sent among 4 sessions of that size with a ghost" in verdict.minimality


def test_a_ghost_of_a_reading_tool_does_not_break_the_mutation_property() -> None:
    verdict = check(small("hide_reading"), property_name="no_mutation_ghost")
    assert isinstance(verdict, HoldsTo)


def test_a_gate_holds_with_exactly_so_many_sessions() -> None:
    verdict = check(small("hide_some_gated"))
    assert isinstance(verdict, HoldsTo)
    assert (verdict.engine, verdict.turns, verdict.tools, verdict.unit) == ("session driver", 2, 2, "sessions")
    # One tool: 1 opening; hidden (text: 1 opening) or shown (text: 1, call: 2); each again with 2 answers: 4 * 2.
    # Two tools: 2 openings times answers; none shown: 2; one shown, twice: 2 + 3; both: 2 + 3 * 3; times 4 answers.
    one = (1 + (1 + 2)) * 2
    two = 2 * (2 + 2 * (2 + 3) + (2 + 3 * 3)) * 4
    assert verdict.explored == 2 * (one + two)
    found = counts(verdict)
    assert found["of them with the schema of a called tool withheld"] == found["of them with a tombstone"] > 0
    assert found["of them with arguments evicted"] == 0
    assert found["requests pruned a second time, with equal results"] > 20


def test_equal_histories_are_pruned_once() -> None:
    found = counts(check(small("hide_some_gated")))
    # One request: 1 * 2 + 2 * 4 answers. Two requests, by history: one tool: text 1, call 2, times 2 answers; two
    # tools: 2 first openings, text 2, three sets of calls 3 each, times 4 answers. Each short and long.
    assert found["distinct requests pruned and judged"] == 2 * (2 + 8 + 3 * 2 + 2 * (2 + 9) * 4)


def test_clearing_arguments_first_holds() -> None:
    verdict = check(small("empty_and_hide"))
    assert isinstance(verdict, HoldsTo)
    assert counts(verdict)["of them with arguments evicted"] > 0
    assert counts(verdict)["of them with a tombstone"] == 0


def test_a_pruner_that_never_prunes_is_vacuous() -> None:
    verdict = check(small("keep_all"))
    assert isinstance(verdict, Vacuous)
    assert verdict.which[0].startswith("a request is pruned (in all ")


def test_a_pruner_that_never_lets_the_model_call_is_vacuous() -> None:
    verdict = check(small("hide_all"))
    assert isinstance(verdict, Vacuous)
    assert verdict.which == ("a tool is called (in all 10 sessions the model was never shown a schema)",)


@pytest.mark.parametrize("name", ["HideFromThirdOn", "make_pruner"])
def test_memory_of_a_session_starts_fresh_in_each(name: str) -> None:
    assert isinstance(check(small(name), turns=2), Vacuous)
    recording = refuting(check(small(name), turns=3))
    assert len(recording.exchanges) == 3
    assert recording.exchanges[-1].sent["tools"] == []


def test_sessions_of_a_pruner_that_remembers_are_not_merged() -> None:
    verdict = check(small("StickySelection"))
    assert isinstance(verdict, HoldsTo)
    assert verdict.explored < counts(verdict)["distinct requests pruned and judged"]


def test_prints_are_reported_and_change_nothing() -> None:
    verdict = check(broken("prints"))
    assert len(refuting(verdict).exchanges) == 2
    [what] = [what for what in counts(verdict) if what.startswith("characters printed by the pruner")]
    assert counts(verdict)[what] > 100
    assert "first:" in what


def test_progress_counts_requests() -> None:
    seen: list[int] = []
    verdict = check(small("hide_some_gated"), progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == counts(verdict)["distinct requests pruned and judged"]


def test_an_interrupt_keeps_what_was_established() -> None:
    def stop(judged: int) -> None:
        if judged > 40:
            raise KeyboardInterrupt

    verdict = check(small("hide_some_gated"), turns=3, progress=stop)
    assert isinstance(verdict, Undetermined)
    assert verdict.evidence is not None
    assert (verdict.evidence.turns, verdict.evidence.tools) == (1, 2)
    assert re.search(r"interrupted", verdict.reason)


def test_an_interrupt_at_once_claims_nothing() -> None:
    def stop(judged: int) -> None:
        raise KeyboardInterrupt

    verdict = check(small("hide_some_gated"), progress=stop)
    assert isinstance(verdict, Undetermined)
    assert verdict.evidence is None


def test_one_child_or_several_find_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ghostproof.drive.crew.WORTH_IT", 2)
    verdicts = []
    for most in (1, 3):
        monkeypatch.setattr(checking, "Crew", lambda target, most=most, **limits: Crew(target, most=most, **limits))
        verdicts.append([check(small("hide_some_gated")), check(small("hide_some"))])
    assert verdicts[0] == verdicts[1]


@pytest.mark.parametrize("bad", [{"turns": 0}, {"tools": 0}, {"tools": 7}, {"property_name": "safe"}])
def test_arguments_out_of_range(bad: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"turns must be|unknown property"):
        check(small("keep_all"), **bad)


def test_minimality_speaks_of_the_property_that_was_checked() -> None:
    verdict = check(small("hide_after_the_first"), property_name="no_mutation_ghost")
    assert isinstance(verdict, Refuted)
    assert verdict.minimality[0].startswith("no ghost of a mutation in all 6 sessions")
