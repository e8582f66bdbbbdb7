"""What the tests read in a Markdown document: fenced blocks, links, headings, and paths in inline code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

FENCE = re.compile(r"^(?P<indent> *)(?P<ticks>`{3,}|~{3,})(?P<info>[^`]*)$")
LINK = re.compile(r"\[[^\]]*\]\(\s*<?([^)\s>]+)>?[^)]*\)|^\[[^\]]+\]:\s*<?(\S+?)>?\s*$", re.MULTILINE)
INLINE_CODE = re.compile(r"(`+)(.+?)\1", re.DOTALL)
HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*$", re.MULTILINE)
PATH = re.compile(r"^[\w.-]+(?:/[\w.*-]+)+/?$|^[\w-]+/$")


@dataclass(frozen=True, slots=True)
class Fence:
    """One fenced block: its language, the rest of its info string, the line of its first content line, its lines."""

    language: str
    title: str
    line: int
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)


def fences(text: str) -> Iterator[Fence]:
    """The fenced blocks in order. A fence that is never closed is an error: it would swallow the rest unseen."""
    opened: re.Match[str] | None = None
    opened_at = 0
    lines: list[str] = []
    for number, line in enumerate(text.splitlines(), start=1):
        found = FENCE.match(line)
        if opened is None:
            if found:
                opened, opened_at, lines = found, number, []
        elif found and found["ticks"].startswith(opened["ticks"]) and not found["info"].strip():
            language, _, title = opened["info"].strip().partition(" ")
            yield Fence(language, title.strip(), opened_at + 1, tuple(lines))
            opened = None
        else:
            lines.append(line.removeprefix(opened["indent"]))
    if opened is not None:
        raise ValueError(f"the block opened in line {opened_at} is never closed")


def prose(text: str) -> str:
    """The text without its fenced blocks."""
    inside = ""
    kept = []
    for line in text.splitlines():
        found = FENCE.match(line)
        if inside:
            if found and found["ticks"].startswith(inside) and not found["info"].strip():
                inside = ""
        elif found:
            inside = found["ticks"]
        else:
            kept.append(line)
    return "\n".join(kept)


def links(text: str) -> Iterator[str]:
    """Targets of links and images, reference definitions included."""
    for first, second in LINK.findall(INLINE_CODE.sub("", prose(text))):
        yield first or second


def anchors(text: str) -> set[str]:
    """The fragments that links may name, as the usual renderers derive them from headings."""
    found: set[str] = set()
    for heading in HEADING.findall(prose(text)):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
        slug = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        repeated = slug
        count = 0
        while repeated in found:
            count += 1
            repeated = f"{slug}-{count}"
        found.add(repeated)
    return found


def paths(text: str) -> Iterator[str]:
    """What looks like a path in inline code; `path.py:NAME` counts as `path.py`."""
    for _, code in INLINE_CODE.findall(prose(text)):
        for word in code.split():
            path = word.partition(":")[0]
            if PATH.match(path):
                yield path
