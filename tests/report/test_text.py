"""Tables and paragraphs that stay the same when they are piped."""

from ghostproof.report.text import labelled, paragraph, table
from ghostproof.report.words import count, duration, listed


def test_a_table_is_aligned_and_cuts_nothing() -> None:
    assert table(("a", "long heading"), [("x" * 5, "y"), ("z", "")]) == ["a      long heading", "xxxxx  y", "z"]
    assert table(("a", "b"), []) == ["a  b"]


def test_paragraphs_are_wrapped_below_their_label() -> None:
    assert paragraph("one two", "  ", 7) == ["  one", "  two"]
    assert labelled("why:", "one two", "  ", 12) == ["  why: one", "       two"]


def test_words() -> None:
    assert [count(1, "tool"), count(1204, "tool"), count(2, "query", "queries")] == [
        "1 tool",
        "1,204 tools",
        "2 queries",
    ]
    assert [listed([]), listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"], "or")] == [
        "",
        "a",
        "a and b",
        "a, b or c",
    ]
    assert [duration(0.123), duration(12.34), duration(123.4)] == ["0.12 s", "12.3 s", "123 s"]
