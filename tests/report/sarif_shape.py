"""What a SARIF 2.1.0 log may hold, as far as ghostproof uses it.

Stricter than the standard's own schema: a property that is not listed is refused here even where the standard knows it,
so whatever conforms to this conforms to that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit


@dataclass(frozen=True)
class Object:
    """`needed` and `may` are property names with what stands there; `any_of` are names of which one must be there."""

    needed: Mapping[str, object]
    may: Mapping[str, object]
    any_of: tuple[str, ...] = ()


@dataclass(frozen=True)
class Values:
    """An object with any names, each with a value of this kind."""

    kind: object


@dataclass(frozen=True)
class Number:
    """An integer of at least this."""

    least: int


# A list of one kind stands for an array of it, a set for an enumeration, a text for an object of `OBJECTS`.
OBJECTS: Mapping[str, Object] = {
    "log": Object({"version": {"2.1.0"}, "runs": ["run"]}, {"$schema": str}),
    "run": Object(
        {"tool": "tool"},
        {
            "invocations": ["invocation"],
            "results": ["result"],
            "columnKind": {"utf16CodeUnits", "unicodeCodePoints"},
        },
    ),
    "tool": Object({"driver": "driver"}, {}),
    "driver": Object({"name": str}, {"version": str, "rules": ["rule"]}),
    "rule": Object({"id": str}, {"shortDescription": "text"}),
    "invocation": Object(
        {"executionSuccessful": bool}, {"exitCode": int, "toolExecutionNotifications": ["notification"]}
    ),
    "notification": Object({"message": "text"}, {"level": {"none", "note", "warning", "error"}}),
    "result": Object(
        {"message": "text"},
        {
            "ruleId": str,
            "ruleIndex": Number(-1),
            "kind": {"notApplicable", "pass", "fail", "review", "open", "informational"},
            "level": {"none", "note", "warning", "error"},
            "locations": ["location"],
            "codeFlows": ["code flow"],
            "partialFingerprints": Values(str),
            "properties": Values(str),
        },
    ),
    "location": Object({}, {"physicalLocation": "physical", "logicalLocations": ["logical"], "message": "text"}),
    "physical": Object({"artifactLocation": "artifact"}, {"region": "region"}),
    "artifact": Object({"uri": "uri"}, {"uriBaseId": str}),
    "region": Object({"startLine": Number(1)}, {}),
    "logical": Object({"fullyQualifiedName": str}, {"kind": str}),
    "code flow": Object({"threadFlows": ["thread flow"]}, {}),
    "thread flow": Object({"locations": ["step"]}, {}),
    "step": Object(
        {},
        {
            "location": "location",
            "nestingLevel": Number(0),
            "executionOrder": Number(-1),
            "importance": {"important", "essential", "unimportant"},
            "state": Values("text"),
        },
    ),
    "text": Object({"text": str}, {}),
}
# Arrays that may not be empty where they stand at all.
NOT_EMPTY = ("threadFlows", "locations")


def faults(value: object, kind: object = "log", place: str = "log") -> Iterator[str]:
    """Where and how `value` is not of this kind."""
    match kind:
        case "uri":
            if not isinstance(value, str) or not value.isascii() or " " in value or "\\" in value:
                yield f"{place} is no URI reference: {value!r}"
            elif urlsplit(value).scheme not in ("", "file"):
                yield f"{place} has a scheme of its own: {value!r}"
        case str():
            yield from _object(value, OBJECTS[kind], place)
        case Values(kind=held):
            if not isinstance(value, dict):
                yield f"{place} is no object"
            else:
                for name, item in value.items():
                    yield from faults(item, held, f"{place}.{name}")
        case [item_kind]:
            if not isinstance(value, list):
                yield f"{place} is no array"
            elif not value and place.rpartition(".")[2] in NOT_EMPTY:
                yield f"{place} is empty"
            else:
                for index, item in enumerate(value):
                    yield from faults(item, item_kind, f"{place}[{index}]")
        case set():
            if value not in kind:
                yield f"{place} is {value!r}, none of {sorted(kind)}"
        case Number(least=least):
            if type(value) is not int or value < least:
                yield f"{place} is {value!r}, no integer of at least {least}"
        case type():
            if type(value) is not kind:
                yield f"{place} is {value!r}, no {kind.__name__}"


def _object(value: object, kind: Object, place: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{place} is no object"
        return
    known = {**kind.needed, **kind.may}
    yield from (f"{place} lacks {name}" for name in kind.needed if name not in value)
    for name, item in value.items():
        if name not in known:
            yield f"{place} may not have {name}"
        else:
            yield from faults(item, known[name], f"{place}.{name}")
