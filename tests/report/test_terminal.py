"""On a terminal: colour by verdict, and foreign text never taken for markup."""

from __future__ import annotations

import io

from rich.console import Console

from ghostproof.report.prove_text import HEADINGS
from ghostproof.report.terminal import marked, style, table


def shown(what: object, color: bool) -> str:
    stream = io.StringIO()
    Console(
        file=stream, force_terminal=color, no_color=not color, width=120, color_system="standard" if color else None
    ).print(what)
    return stream.getvalue()


def test_markup_in_a_cell_is_text() -> None:
    row = ("[bold]T1[/bold]", "proved", "[link=x]y[/link]", ":skull:", "-", "1 s")
    text = shown(table(HEADINGS, [row], 1), color=False)
    assert "[bold]T1[/bold]" in text
    assert "[link=x]y[/link]" in text
    assert ":skull:" in text


def test_what_is_not_as_expected_is_red() -> None:
    assert style("proved") == "green"
    assert style("proved (NOT AS EXPECTED)") == style("not settled") == style("disagreement") == "bold red"


def test_a_ghost_is_marked() -> None:
    text = shown(marked(["  nothing", "  GHOST: send"]), color=True)
    assert "\x1b[1;31m  GHOST: send" in text
    assert "\x1b[1;31m  nothing" not in text
