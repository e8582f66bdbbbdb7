"""An inductive invariant in words: what is known of one tool at each place of the turn.

The prover gives it as text over the fields of a tool. Fields with a plain meaning are put in words; whatever is not
recognised stays as it was written, so that nothing is lost.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ghostproof.report.clauses import clauses
from ghostproof.report.printable import printable

# Longer patterns first: a negated field must be found before the field itself.
WORDS = (
    (r"not schema_shown\b", "its schema is not shown"),
    (r"schema_shown\b", "its schema is shown"),
    (r"not schema_lossy\b", "its schema is whole"),
    (r"schema_lossy\b", "its schema is lossy"),
    (r"not tombstone_resident\b", "no tombstone stands"),
    (r"tombstone_resident\b", "a tombstone stands"),
    (r"calls_resident (?:<= 0|= 0|== 0|< 1)(?!\d)", "no call is resident"),
    (r"calls_resident (?:>= 1|> 0)(?!\d)", "a call is resident"),
    (r"not evidence_resident\b", "no item of the history shows its schema"),
    (r"evidence_resident\b", "an item of the history shows its schema"),
    (r"not emptied\b", "no emptied call stands"),
    (r"emptied\b", "an emptied call stands"),
    (r"not truncated\b", "its arguments are not cut"),
    (r"truncated\b", "its arguments are cut"),
    (r"not registered\b", "it is gone"),
    (r"registered\b", "it is registered"),
    (r"not pinned\b", "it is not pinned"),
    (r"pinned\b", "it is pinned"),
    (r"not mutation\b", "it only reads"),
    (r"mutation\b", "it changes state"),
    (r"not requested\b", "nobody asked for it"),
    (r"requested\b", "the model asked for it"),
)
PATTERN = re.compile("|".join(f"(?P<w{index}>(?<![\\w.]){pattern})" for index, (pattern, _) in enumerate(WORDS)))


def in_words(text: str) -> str:
    """`text` with the fields it names in words."""
    return PATTERN.sub(lambda found: WORDS[int((found.lastgroup or "w0")[1:])][1], text)


def invariant_lines(invariant: Mapping[str, str]) -> list[str]:
    """The invariant as lines; places of which nothing needs to be known are summed up."""
    telling = {place: text for place, text in invariant.items() if text != "true"}
    if not invariant:
        return []
    lines = ["invariant, of every tool:"]
    lines += (f"  at {printable(place)}: {said}" for place, text in telling.items() for said in _said(text))
    if len(telling) < len(invariant):
        lines.append(f"  at {'all other places' if telling else 'all places'}: nothing has to be known")
    return lines


def _said(text: str) -> list[str]:
    """One line for each clause, all of which hold; the text as a whole where clauses would not help."""
    found = clauses(text)
    if not found:
        return [printable(in_words(text), 1000)]
    return [printable(", or ".join(map(in_words, clause)) or "nothing", 1000) for clause in found]
