"""Is a piece of text a tombstone for a tool?

It is one if a clause names the tool, as a whole word, and says of it that it is withheld, renamed, unavailable or
gone. A list of names says nothing; a placeholder speaks of a result, not of a tool; a question or a condition asserts
nothing. Inside a tool's result the mild words of an ordinary refusal ("not available") count only with a way to get
the schema.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

FIRM = (
    r"withheld|withdrawn|hidden|unloaded|pruned|retired|removed|dropped|gone|discontinued|deregistered|tombstoned?"
    r"|renamed|replaced by|superseded by"
    r"|no longer (?:\w+ )?(?:available|declared|exists?|offered|listed|callable|loaded|shown|registered|supported"
    r"|accessible|provided|resident|included|part|there|here|in)\b"
    r"|not (?:\w+ )?(?:shown|loaded|included|declared|listed|resident|in (?:this|the) (?:request|context|prompt))\b"
)
"""Words that say a schema or tool was taken away."""

MILD = r"unavailable|(?:not|\w+n't) (?:\w+ )?available|disabled|deferred|inactive|disconnected|offline"
"""Words an executor also uses when it merely refuses a call."""

TAKEN = re.compile(rf"\b(?:(?P<firm>{FIRM})|(?P<mild>{MILD}))", re.IGNORECASE)

MOVED = r"\W{0,3} (?:is|are|was|were) now (?:called |named |known as )?[\"'`]?\w+_\w+"
"""A renaming without the word: the new name is an identifier."""

DENIED = re.compile(
    rf"(?:no longer|not|never|isn't|aren't|wasn't) (?:\w+ )?(?:{FIRM.partition('|no longer')[0]}|unavailable|disabled)"
    r"|\bavailable again\b|\brestored\b|\bback again\b",
    re.IGNORECASE,
)
"""The opposite of a tombstone, in words that contain one."""

ELSEWHERE = re.compile(r"\b(?:results?|outputs?|responses?|contents?|arguments?|inputs?|messages?)\b", re.IGNORECASE)
OF_A_TOOL = re.compile(r"\b(?:schema|definition|declaration|tool|function|unavailable|renamed)s?\b", re.IGNORECASE)

SUPPOSED = re.compile(r"\b(?:if|when|whenever|unless|in case|should|once|until)\b", re.IGNORECASE)

TURNS = re.compile(
    r"\b(?:because|since|but|while|whereas|although|so|instead|after|before|when|if|by|use|try|call|using|with)\b",
    re.IGNORECASE,
)
"""Between a name and the words about it, these start speaking of something else."""

HEADING = re.compile(r"\b(?:following|these|below|tools|functions|schemas)\b", re.IGNORECASE)

GET = (
    r"(?:request|re-?expand|expand|reload|load|fetch|retrieve|look up|search(?: for)?|ask for|reveal|enable|activate"
    r"|restore|select)"
)
HOW = re.compile(
    r"(?P<no>(?:\bnot|n't|\bnever|\bcannot)\s+(?:\w+\s+)?)?"
    r"\b(?:"
    rf"(?:{GET}(?:ing)?|be {GET}e?d)\b[^.;!?\n]{{0,80}}?"
    r"\b(?:schema|definition|re-?expansion|expansion|it|tool|first|before)\b"
    r"|(?:call|use|invoke|run|through|via|with)\s+[\"'`]?\w*(?:load|search|expand|request|fetch|enable|reveal|schema)\w*"
    r")",
    re.IGNORECASE,
)
"""A way to get the schema back."""

CLAUSE = re.compile(r"(?<=[.;!?])\s+|;\s*|\n")


@dataclass(frozen=True, slots=True)
class Notice:
    """What was found: the words, and whether they fail to say how to request the schema."""

    quote: str
    poor: bool


def notice(text: str, tool: str, *, named: bool = False, result: bool = False) -> Notice | None:
    """The tombstone for `tool` in `text`, or None.

    `named`: the place of the text names the tool already, so the text need not. `result`: the text is a tool's result.
    """
    name = _name(tool)
    if not named and not name.search(text):
        return None
    poor = not _says_how(text)
    for clause in _clauses(text):
        if (word := _taken(clause, tool, name, named)) is None:
            continue
        if result and poor and word == "mild":
            continue
        return Notice(clause.strip(), poor)
    return None


@lru_cache(maxsize=1024)
def _name(tool: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.-]){re.escape(tool)}(?![\w-]|\.\w)")


def _says_how(text: str) -> bool:
    return any(not found["no"] for found in HOW.finditer(text))


def _clauses(text: str) -> list[str]:
    """The clauses of a text; lines below a heading that speaks of tools carry that heading with them."""
    clauses: list[str] = []
    heading = ""
    for line in text.split("\n"):
        if not line.strip():
            heading = ""
            continue
        clauses += [f"{heading} {clause}" if heading else clause for clause in CLAUSE.split(line)]
        if TAKEN.search(line) and HEADING.search(line) and (line.rstrip().endswith(":") or "following" in line):
            heading = line.rstrip(" .:") + ":"
    return clauses


def _taken(clause: str, tool: str, name: re.Pattern[str], named: bool) -> str | None:
    """How `clause` says that the tool is not there: "firm", "mild", or None if it does not."""
    if clause.rstrip().endswith("?") or DENIED.search(clause):
        return None
    if ELSEWHERE.search(clause) and not OF_A_TOOL.search(clause.replace(tool, "")):
        return None
    names = list(name.finditer(clause))
    if any(re.match(MOVED, clause[found.end() :]) for found in names):
        return "firm"
    for word in TAKEN.finditer(clause):
        if SUPPOSED.search(clause[: word.start()]):
            continue
        said = "firm" if word["firm"] else "mild"
        if named and not names:
            return said
        for found in names:
            first, second = sorted([found.span(), word.span()])
            if not TURNS.search(clause[first[1] : second[0]]):
                return said
    return None
