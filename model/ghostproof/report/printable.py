"""Untrusted text made safe to show on a terminal, in one bounded line."""

from __future__ import annotations

LIMIT = 300
"""Characters kept by default; long enough for a sentence, short enough for a line of a report."""


def printable(text: str, limit: int = LIMIT) -> str:
    """`text` on one line of at most `limit` characters, with nothing in it that a terminal would obey.

    Control characters, line breaks, bidirectional and other invisible format characters, and lone surrogates become
    visible escapes. What is cut off is counted, so that a reader never takes a shortened text for a whole one.
    Markup of a rendering library is not touched: escape that where the library is called.
    """
    kept = text[:limit]
    safe = kept if kept.isprintable() else "".join(map(_visible, kept))
    if len(safe) > limit or len(text) > limit:
        note = f"… ({len(text)} characters)"
        return safe[: max(0, limit - len(note))] + note
    return safe


def _visible(character: str) -> str:
    if character.isprintable():
        return character
    # The same escapes Python writes in a string literal: \n, \x1b, \u202e, \ud800.
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")
