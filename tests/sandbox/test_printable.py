"""Untrusted text on a terminal. Stands here because the sandbox is what lets such text in."""

from hypothesis import given
from hypothesis import strategies as st

from ghostproof.report.printable import printable


def test_what_a_terminal_would_obey_becomes_visible() -> None:
    assert printable("a\x1b[31mb\r\n\u202ec\ud800") == r"a\x1b[31mb\r\n\u202ec\ud800"


def test_plain_text_in_any_script_is_kept() -> None:
    assert printable("schema von „überweisung“ fehlt · 工具") == "schema von „überweisung“ fehlt · 工具"


def test_a_cut_says_how_long_the_text_was() -> None:
    assert printable("x" * 1000, 30) == "x" * 11 + "… (1000 characters)"


@given(st.text(), st.integers(40, 120))
def test_the_result_is_printable_and_bounded(text: str, limit: int) -> None:
    shown = printable(text, limit)
    assert shown.isprintable()
    assert len(shown) <= limit
