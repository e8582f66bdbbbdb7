"""The table of a run, and what it complains about."""

from __future__ import annotations

from ghostproof.report.prove_text import HEADINGS, ROWS_MAX, closing, evidence, rows, stories
from ghostproof.report.story import tell
from ghostproof.report.text import table
from ghostproof.turn.trace import Trace
from ghostproof.turn.verdict import Checked, Proved, Refuted
from report.samples import HOSTILE, HOSTILE_VERDICTS, VERDICTS, outcome, part


def told(verdict: Refuted) -> list[str]:
    return tell(verdict.trace) if isinstance(verdict.trace, Trace) else []


def test_the_table() -> None:
    good = outcome(part(VERDICTS["proved"]), part(VERDICTS["refuted"], expected="Refuted", label="b"))
    bad = outcome(part(VERDICTS["vacuous"], as_expected=False, label="T2"), name="T2")
    assert table(HEADINGS, rows([good, bad])) == [
        "claim  verdict                    scope                             engine     checked by  time",
        "T1 a   proved                     any tools, turns, budgets, sizes  induction  z3          0.50 s",
        "T1 b   refuted                    2 requests, 1 tool                bmc        replay      0.50 s",
        "T2     vacuous (NOT AS EXPECTED)  -                                 induction  -           0.50 s",
    ]


def test_many_questions_are_summed_up_and_a_wrong_one_is_not_hidden() -> None:
    parts = [part(VERDICTS["proved"], label=str(number)) for number in range(ROWS_MAX)]
    refuted = [part(VERDICTS["refuted"], label=f"r{number}") for number in range(3)]
    wrong = part(VERDICTS["refuted"], as_expected=False, label="wrong")
    shown = rows([outcome(*parts, *refuted, wrong, name="T3")])
    assert [row[:3] for row in shown] == [
        (f"T3 ({ROWS_MAX} questions)", "proved", "any tools, turns, budgets, sizes"),
        ("T3 (3 questions)", "refuted", "2 requests, 1 tool"),
        ("T3 wrong", "refuted (NOT AS EXPECTED)", "2 requests, 1 tool"),
    ]
    assert len(rows([outcome(*parts, *refuted)], every_part=True)) == ROWS_MAX + 3


def test_who_confirmed_only_some_answers_of_a_row_is_counted() -> None:
    by_both = Proved("induction", {}, (Checked("z3", "queries", 3), Checked("enumeration", "points", 8)))
    parts = [part(VERDICTS["proved"], label=str(number)) for number in range(ROWS_MAX)]
    (shown,) = rows([outcome(*parts, part(by_both))])
    assert shown[HEADINGS.index("checked by")] == f"z3, enumeration (1 of {ROWS_MAX + 1})"


def test_the_closing_lines() -> None:
    good = outcome(part(VERDICTS["proved"]))
    assert closing([good]) == ["1 claim, 1 question settled: all as expected."]
    bad = outcome(part(VERDICTS["proved"], as_expected=False, expected="Refuted"), name="T2")
    assert closing([good, bad]) == [
        "T2 a: expected Refuted; got: Proved: for every number of tools, turns, budgets and sizes, it is so.",
        "2 claims, 2 questions settled: 1 as expected, 1 not.",
    ]
    broken = outcome(name="T3", errors=("x: it broke",))
    assert closing([good, broken, outcome(name="T4")]) == [
        "T3: not settled: x: it broke",
        "T4: not settled: nothing was asked about this claim",
        "3 claims, 1 question settled: all as expected; not settled: T3 and T4.",
    ]
    assert closing([broken])[-1] == "1 claim, 0 questions settled; not settled: T3."
    assert [row[1] for row in rows([broken])] == ["not settled"]


def test_stories_and_evidence() -> None:
    run = [outcome(part(VERDICTS["proved"]), part(VERDICTS["refuted"], label="b"))]
    shown = stories(run, told)
    assert shown[:3] == ["", "T1 b: is it so", "admitted: everything"]
    assert "    GHOST: send: the model sees arguments, no schema and no tombstone" in shown
    assert shown[-1] == "minimal: fewer requests: excluded"
    assert "  invariant, of every tool:" in evidence(run)


def test_hostile_text_is_shown_as_text() -> None:
    parts = [part(verdict, as_expected=False, label=HOSTILE, expected=HOSTILE) for verdict in HOSTILE_VERDICTS]
    run = [outcome(*parts, name=HOSTILE, errors=(HOSTILE,))]
    lines = [
        *table(HEADINGS, rows(run)),
        *closing(run),
        *stories(run, told),
        *evidence(run),
    ]
    assert all(line.isprintable() for line in lines)
