"""Does a schema still say everything structural that another one says?

Structural are required fields, the fields there are, types and enums. Descriptions, titles, examples, defaults and
numeric or textual bounds are not: losing them can make a call worse, not impossible to form.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ghostproof.wire.request import Schema

DEPTH = 32
"""Nesting that is followed; a schema that refers to itself is compared down to here and taken as equal below."""


def loses(shown: Schema | None, whole: Schema | None) -> bool:
    """Whether `shown` has lost a required field, a field, a type or an enum that `whole` has.

    None stands for a declaration without parameters, which providers read as "takes none".
    """
    mine, theirs = shown or {}, whole or {}
    return mine != theirs and _loses(mine, theirs, mine, theirs, DEPTH)


def _loses(shown: Any, whole: Any, mine: Schema, theirs: Schema, depth: int) -> bool:
    shown, whole = _resolved(shown, mine), _resolved(whole, theirs)
    if depth == 0 or not isinstance(whole, Mapping):
        return False
    if not isinstance(shown, Mapping):
        return bool(whole)
    if not _listed(whole, "required") <= _listed(shown, "required"):
        return True
    if "type" in whole and not ("type" in shown and _types(shown) <= _types(whole)):
        return True
    if (allowed := _allowed(whole)) is not None:
        still = _allowed(shown)
        if still is None or not still <= allowed:
            return True
    for name, part in _parts(whole).items():
        if name not in (kept := _parts(shown)) or _loses(kept[name], part, mine, theirs, depth - 1):
            return True
    return False


def _resolved(schema: Any, root: Schema) -> Any:
    """Follow a local reference; one that leads nowhere leaves an empty schema, which says nothing."""
    for _ in range(DEPTH):
        if not isinstance(schema, Mapping) or not isinstance(reference := schema.get("$ref"), str):
            return schema
        schema = root
        for step in reference.removeprefix("#").split("/")[1:]:
            schema = schema.get(step.replace("~1", "/").replace("~0", "~"), {}) if isinstance(schema, Mapping) else {}
    return {}


def _parts(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The subschemas that carry structure, each under a name that says where it stands."""
    parts: dict[str, Any] = {}
    properties = schema.get("properties")
    if isinstance(properties, Mapping):
        parts |= {f"field {name}": part for name, part in properties.items()}
    if isinstance(schema.get("items"), Mapping):
        parts["items"] = schema["items"]
    for keyword in ("anyOf", "oneOf", "allOf"):
        if isinstance(schema.get(keyword), list):
            parts |= {f"{keyword} {index}": part for index, part in enumerate(schema[keyword])}
    return parts


def _listed(schema: Mapping[str, Any], keyword: str) -> frozenset[str]:
    value = schema.get(keyword)
    return frozenset(map(str, value)) if isinstance(value, list) else frozenset()


def _types(schema: Mapping[str, Any]) -> frozenset[str]:
    return _listed(schema, "type") or frozenset({str(schema["type"])})


def _allowed(schema: Mapping[str, Any]) -> frozenset[str] | None:
    """The values an enum or const admits, as text, or None if there is neither."""
    if isinstance(schema.get("enum"), list):
        return frozenset(map(repr, schema["enum"]))
    return frozenset({repr(schema["const"])}) if "const" in schema else None


def lossy(shown: Schema | None, whole: Schema | None, used: frozenset[str]) -> bool:
    """Whether a declared schema hides structure: compared with `whole` if it is known, else with the names in `used`.

    Without `whole` only the placeholder can be told: a declaration that takes nothing, next to calls with arguments.
    """
    if whole is not None:
        return loses(shown, whole)
    takes_nothing = not shown or (shown.get("properties") == {} and not shown.get("additionalProperties"))
    return takes_nothing and bool(used)
