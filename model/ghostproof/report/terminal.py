"""The same answers on a terminal: a table with colour by verdict, and a line that shows what is going on."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

STYLES = {
    "proved": "green",
    "refuted": "yellow",
    "holds to": "cyan",
    "undetermined": "magenta",
    "vacuous": "magenta",
    "as declared": "green",
}


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], verdict_column: int) -> RenderableType:
    """A table that folds long cells. Cells are plain text: nothing in them is taken for markup."""
    shown = Table(box=SIMPLE_HEAD, pad_edge=False)
    for heading in headings:
        shown.add_column(heading, overflow="fold")
    for row in rows:
        cells = [Text(cell) for cell in row]
        cells[verdict_column].stylize(style(row[verdict_column]))
        shown.add_row(*cells)
    return shown


def counts(headings: Sequence[str], rows: Sequence[Sequence[str]], bad_column: int) -> RenderableType:
    """A table of numbers in which any but 0 stands out in one column."""
    shown = Table(box=SIMPLE_HEAD, pad_edge=False)
    for number, heading in enumerate(headings):
        shown.add_column(heading, justify="right" if number else "left")
    for row in rows:
        cells = [Text(cell) for cell in row]
        if row[bad_column] != "0":
            cells[bad_column].stylize("bold red")
        shown.add_row(*cells)
    return shown


def style(verdict: str) -> str:
    """The colour of a verdict: red for whatever is not as expected or not known here."""
    return "bold red" if "NOT AS EXPECTED" in verdict else STYLES.get(verdict, "bold red")


def marked(lines: Sequence[str]) -> Text:
    """A story with what is wrong in it marked."""
    text = Text()
    for line in lines:
        text.append(f"{line}\n", "bold red" if line.lstrip().startswith(("GHOST", "VIOLATION")) else "")
    return text


def console(stream: str) -> Console:
    """The console of standard output or of standard error; without emoji, markup or guessed colours."""
    return Console(stderr=stream == "stderr", highlight=False, markup=False, emoji=False)
