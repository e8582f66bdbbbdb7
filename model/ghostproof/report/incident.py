"""Two sessions told side by side, turn by turn: once where they are the same, in two columns where they part."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from typing import NamedTuple

from ghostproof.report.printable import printable
from ghostproof.report.words import listed

INDENT = " " * 8
COLUMN = 44
"""Characters of a column of plain text."""


class Moment(NamedTuple):
    """Something that happened in a session. `turn` counts what the user said; `subject` is the tool, mostly."""

    turn: int
    kind: str
    subject: str
    text: str


@dataclass(frozen=True, slots=True)
class Row:
    """A turn: what both sessions have in common, then what each of them goes on with."""

    turn: int
    common: tuple[str, ...]
    left: tuple[str, ...]
    right: tuple[str, ...]


MEASURES: tuple[tuple[str, Callable[[Sequence[Moment]], int]], ...] = (
    ("requests sent", lambda run: _count(run, "request")),
    ("tools that were ghosts", lambda run: len({one.subject for one in run if one.kind == "ghost"})),
    ("tools under a tombstone", lambda run: len({one.subject for one in run if one.kind == "tombstone"})),
    ("schemas requested, and logged", lambda run: _count(run, "signal")),
    ("calls rejected", lambda run: _count(run, "rejected")),
    ("incidents opened twice", lambda run: _count(run, "duplicate")),
)
"""What is counted in a session."""


def _count(run: Sequence[Moment], kind: str) -> int:
    return sum(one.kind == kind for one in run)


def rows(left: Sequence[Moment], right: Sequence[Moment]) -> list[Row]:
    """The turns of two sessions."""
    told = [{turn: tuple(_lines(list(found))) for turn, found in groupby(run, _turn)} for run in (left, right)]
    return [_row(turn, *(run.get(turn, ()) for run in told)) for turn in sorted({*told[0], *told[1]})]


def _turn(moment: Moment) -> int:
    return moment.turn


def _row(turn: int, left: tuple[str, ...], right: tuple[str, ...]) -> Row:
    same = 0
    while same < min(len(left), len(right)) and left[same] == right[same]:
        same += 1
    return Row(turn, left[:same], left[same:], right[same:])


def _lines(moments: Sequence[Moment]) -> Iterator[str]:
    """What is told of a turn, with whatever came from tools, users and models made printable."""
    for kind, group in groupby(moments, lambda one: one.kind):
        found = list(group)
        subjects = listed([printable(one.subject, 60) for one in found], "and")
        match kind:
            case "pruned":
                yield f"withholds the schema of {subjects}"
            case "expanded":
                yield f"shows the schema of {subjects} again"
            case "tombstone":
                yield f"TOMBSTONE for {subjects}"
            case "ghost":
                yield f"GHOST: {subjects}"
            case _:
                yield from (line for one in found if (line := _line(one)))


def _line(moment: Moment) -> str:
    subject, text = printable(moment.subject, 60), printable(moment.text)
    told = {
        "said": f'user: "{printable(moment.text, 120)}"',
        "migrated": f"the schema of {subject} changes: {text}",
        "call": f"calls {subject} {text}",
        "accepted": f"  accepted: {text}",
        "rejected": f"  REJECTED: {text}",
        "duplicate": f"  DUPLICATE: {subject} is {text} once more",
        "signal": f"logged: {text} {subject}",
    }
    return told.get(moment.kind, "")


# ---- plain text -----------------------------------------------------------------------------------------------------


def plain(headings: Sequence[str], told: Sequence[Row]) -> list[str]:
    """The turns as plain text, 100 columns wide."""
    lines: list[str] = []
    for row in told:
        whole = [part for line in row.common for part in _wrapped(line, COLUMN * 2 + 2)]
        lines += [
            f"turn {row.turn}".ljust(len(INDENT)) + line if n == 0 else INDENT + line for n, line in enumerate(whole)
        ]
        if row.left or row.right:
            columns = [
                [heading.upper(), *_folded(side)] for heading, side in zip(headings, (row.left, row.right), strict=True)
            ]
            for one, other in zip_longest(*columns, fillvalue=""):
                lines.append(f"{INDENT}{one.ljust(COLUMN)}  {other}".rstrip())
    return [*lines, ""]


def _folded(lines: Sequence[str]) -> list[str]:
    return [part for line in lines for part in _wrapped(line, COLUMN)]


def _wrapped(line: str, width: int) -> list[str]:
    indent = " " * (len(line) - len(line.lstrip()))
    return textwrap.wrap(line, width, subsequent_indent=f"{indent}  ") or [""]


# ---- a terminal -----------------------------------------------------------------------------------------------------

STYLES = {"GHOST": "bold red", "REJECTED": "red", "DUPLICATE": "bold red", "TOMBSTONE": "green", "logged": "green"}


def show(
    headings: Sequence[str], told: Sequence[Row], measured: Sequence[Sequence[str]], closing: Sequence[str]
) -> None:
    """The same on a terminal, in its width and with colour."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    from ghostproof.report.terminal import console, counts

    terminal = console("stdout")
    for row in told:
        turn = Table.grid(padding=(0, 1))
        turn.add_column(width=len(INDENT) - 1)
        turn.add_column()
        turn.add_row(Text(f"turn {row.turn}", "bold"), Text("\n".join(row.common)))
        if row.left or row.right:
            sides = Table(*headings, box=SIMPLE_HEAD, pad_edge=False, expand=True)
            sides.add_row(
                *(Text("\n").join(Text(line, _style(line)) for line in side) for side in (row.left, row.right))
            )
            turn.add_row(Text(), sides)
        terminal.print(turn)
    terminal.print(counts(("", *headings), measured, bad_column=1))
    for line in closing:
        terminal.print(Text(line, "bold red" if line.startswith("NOT AS TOLD") else "green"))


def _style(line: str) -> str:
    return STYLES.get(line.lstrip().partition(":")[0].partition(" ")[0], "")
