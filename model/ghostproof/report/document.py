"""Verdicts, traces and recordings as JSON: everything they hold, under the names the code uses."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass

from ghostproof.report import verdict_words
from ghostproof.report.outcome import Outcome, Part
from ghostproof.turn.explanation import Explanation, WhySafe
from ghostproof.turn.recording import Recording
from ghostproof.turn.trace import PassEnd, Step, Trace, Walk
from ghostproof.turn.verdict import Verdict

# Raised whenever a field changes its meaning or goes away; new fields may come without notice.
FORMAT = 1

# The classes that stand in one place with others, and so have to say which they are.
TAGS: Mapping[type, str] = {Step: "change", PassEnd: "pass end", Trace: "trace", Recording: "recording", Walk: "walk"}


def plain(value: object) -> object:
    """`value` as what JSON can carry: dataclasses and mappings as objects, tuples and lists as lists."""
    if is_dataclass(value) and not isinstance(value, type):
        tag = {"is": TAGS[type(value)]} if type(value) in TAGS else {}
        return tag | {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return str(value)


def of_verdict(verdict: Verdict) -> dict[str, object]:
    """The verdict under its kind, with its scope in words and every field of its own."""
    held = plain(verdict)
    assert isinstance(held, dict)
    return {"verdict": verdict_words.kind(verdict), "scope": verdict_words.scope(verdict), **held}


def of_explanation(explained: Explanation) -> dict[str, object]:
    """What a proof used, or what would mend a pruner; verdicts in it under their kind, like all others."""
    held = plain(explained)
    assert isinstance(held, dict)
    if isinstance(explained, WhySafe):
        without = [{"name": item.name, **of_verdict(item.verdict)} for item in explained.without]
        return {"is": "why safe", **held, "without": without}
    suggestions = [{"changes": list(item.changes), **of_verdict(item.verdict)} for item in explained.mended.suggestions]
    return {"is": "why unsafe", **held, "mended": {**held["mended"], "suggestions": suggestions}}


def of_part(part: Part) -> dict[str, object]:
    """One question of a claim: what was expected, whether it came out so, and the verdict."""
    return {
        "label": part.label,
        "sentence": part.sentence,
        "scenario": part.scenario,
        "broken": part.broken,
        "expected": part.expected,
        "passed": part.passed,
        "seconds": round(part.seconds, 3),
        **of_verdict(part.verdict),
    }


def of_outcome(outcome: Outcome) -> dict[str, object]:
    """One claim with its parts."""
    return {
        "claim": outcome.name,
        "title": outcome.title,
        "passed": outcome.passed,
        "seconds": round(outcome.seconds, 3),
        "errors": list(outcome.errors),
        "parts": [of_part(part) for part in outcome.parts],
    }


def text(document: Mapping[str, object]) -> str:
    """The document as ASCII: nothing in it that a terminal would obey, whatever the strings hold."""
    written = json.dumps({"format": FORMAT, **document}, indent=2, ensure_ascii=True)
    # Of what a terminal obeys JSON lets this one through; it can only stand inside a string.
    return written.replace("\x7f", "\\u007f")
