"""Plain text that stays the same when it is piped: aligned columns, no colour, no box; and wrapped paragraphs."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

WIDTH = 100


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Columns two spaces apart, as wide as their widest cell, and nothing cut off; spaces only between columns."""
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in (headings, *rows)
    ]


def paragraph(text: str, indent: str = "", width: int = WIDTH) -> list[str]:
    """`text` wrapped, each line behind `indent`; words are never broken."""
    return textwrap.wrap(
        text,
        width,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def labelled(label: str, text: str, indent: str = "", width: int = WIDTH) -> list[str]:
    """A paragraph that begins with `label` and whose later lines stand below its first word."""
    return textwrap.wrap(
        text,
        width,
        initial_indent=f"{indent}{label} ",
        subsequent_indent=indent + " " * (len(label) + 1),
        break_long_words=False,
        break_on_hyphens=False,
    )
