"""A refuting session as a test that fails until the pruner is mended, and keeps it so from then on.

The file holds what the session needs and the call that plays it; it reads no other file than the pruner's.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from ghostproof.report import document
from ghostproof.report.check_text import Checked
from ghostproof.report.printable import printable
from ghostproof.turn.recording import Recording
from ghostproof.turn.trace import Trace
from ghostproof.turn.verdict import Refuted

BEGINNING = '"""A session in which a pruner left a ghost. The test fails until the pruner is mended."""'
"""The first line of every such file: what begins otherwise is somebody's own."""

WIDTH = 90
"""Columns of a literal that stands on one line."""

MODEL = """\
{beginning}

from ghostproof.replay import ghosts

{story}
PRUNER = {pruner}
JUDGED = {judged}
SESSION = {session}


def test_{name}_leaves_no_ghost() -> None:
    assert ghosts(PRUNER, SESSION, JUDGED, beside=__file__) == []
"""

CALLABLE = """\
{beginning}

from ghostproof.replay import callable_ghosts

{story}
PRUNER = {pruner}
JUDGED = {judged}
REQUESTS = {session}


def test_{name}_leaves_no_ghost() -> None:
    assert callable_ghosts(PRUNER, REQUESTS, JUDGED, beside=__file__) == []
"""


def path_beside(path: str) -> str:
    """Where the test of an answer saved as `path` goes: `mine.json` has `test_mine_ghost.py` in the same folder."""
    return os.path.join(os.path.dirname(path), f"test_{_name(path)}_ghost.py")


def test_text(checked: Checked, path: str, story: Sequence[str]) -> str | None:
    """The test beside the answer that is saved as `path`; None where the answer has no session to play."""
    verdict = checked.verdict
    if not isinstance(verdict, Refuted):
        return None
    match verdict.trace:
        case Trace(script=script):
            template, session = MODEL, document.plain(script)
        case Recording(exchanges=exchanges):
            template, session = CALLABLE, document.plain([exchange.offered for exchange in exchanges])
        case _:
            return None
    return template.format(
        beginning=BEGINNING,
        story="\n".join(f"# {printable(line, 200)}".rstrip() for line in story),
        pruner=literal(_seen_from(path, checked.target)),
        judged=literal(checked.judged.name),
        # Foreign text stands in string literals only, and in those as ASCII.
        session=literal(session),
        name=_name(path),
    )


def literal(value: object, indent: str = "") -> str:
    """`value` as a Python literal in ASCII, over several lines where it is long."""
    short = _short(value)
    if len(indent) + len(short) <= WIDTH or not isinstance(value, dict | list):
        return short
    deeper = indent + "    "
    if isinstance(value, dict):
        items = [f"{_short(key)}: {literal(held, deeper)}" for key, held in value.items()]
    else:
        items = [literal(held, deeper) for held in value]
    inner = "".join(f"{deeper}{item},\n" for item in items)
    return f"{{\n{inner}{indent}}}" if isinstance(value, dict) else f"[\n{inner}{indent}]"


def _short(value: object) -> str:
    match value:
        case dict():
            return "{" + ", ".join(f"{_short(key)}: {_short(held)}" for key, held in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(_short, value)) + "]"
        case str():
            quoted = ascii(value)
            return quoted if '"' in quoted or "\\" in quoted else f'"{quoted[1:-1]}"'
        case _:
            return ascii(value)


def _name(path: str) -> str:
    stem = os.path.basename(path).removesuffix(".json")
    return re.sub(r"[^A-Za-z0-9]+", "_", stem).strip("_").lower() or "saved"


def _seen_from(path: str, target: str) -> str:
    """The target with its path as seen from the folder of `path`, so that the two can move together."""
    place, colon, name = target.rpartition(":")
    if not place.endswith(".py"):
        return target
    return os.path.relpath(place, os.path.dirname(os.path.abspath(path))).replace(os.sep, "/") + colon + name
