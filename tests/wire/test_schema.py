"""What a schema may lose without losing structure."""

from typing import Any

import pytest

from ghostproof.wire.schema import loses, lossy

WHOLE: dict[str, Any] = {
    "type": "object",
    "description": "Update an incident.",
    "properties": {
        "severity": {"type": "string", "enum": ["SEV-1", "SEV-2"], "description": "how bad"},
        "assignee": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]},
        "tags": {"type": "array", "items": {"type": "string"}},
        "due": {"anyOf": [{"type": "string"}, {"type": "null"}]},
    },
    "required": ["severity", "assignee"],
}


def changed(path: str, value: Any = None) -> dict[str, Any]:
    """A copy of WHOLE in which the entry at `path` is `value`, or is gone."""

    def walk(part: Any, steps: list[str]) -> Any:
        if not isinstance(part, dict) or not steps:
            return part
        copy = {key: walk(held, steps[1:]) if key == steps[0] else held for key, held in part.items()}
        if len(steps) == 1:
            copy.pop(steps[0], None)
            if value is not None:
                copy[steps[0]] = value
        return copy

    result = walk(WHOLE, path.split("/"))
    assert isinstance(result, dict)
    return result


@pytest.mark.parametrize(
    "shown",
    [
        WHOLE,
        changed("description"),
        changed("properties/severity/description"),
        changed("properties/severity/enum", ["SEV-2"]),
        changed("properties/extra", {"type": "string"}),
        changed("required", ["severity", "assignee", "tags"]),
        changed("properties/tags/title", "Tags"),
    ],
)
def test_keeping_or_tightening_loses_nothing(shown: dict[str, Any]) -> None:
    assert not loses(shown, WHOLE)


@pytest.mark.parametrize(
    "shown",
    [
        None,
        {},
        {"type": "object", "properties": {}},
        changed("type"),
        changed("required"),
        changed("required", ["severity"]),
        changed("properties/tags"),
        changed("properties/severity/enum"),
        changed("properties/severity/enum", ["SEV-1", "SEV-2", "SEV-3"]),
        changed("properties/severity/type"),
        changed("properties/assignee/type", "string"),
        changed("properties/assignee/required"),
        changed("properties/tags/items"),
        changed("properties/due/anyOf", [{"type": "string"}]),
    ],
)
def test_a_lost_field_type_or_enum_is_seen(shown: dict[str, Any] | None) -> None:
    assert loses(shown, WHOLE)


def test_references_are_followed_on_both_sides() -> None:
    inline = {"properties": {"a": {"type": "string", "enum": ["x"]}}}
    referring = {"properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": {"type": "string", "enum": ["x"]}}}
    assert not loses(referring, inline)
    assert not loses(inline, referring)
    assert loses({"properties": {"a": {"$ref": "#/$defs/B"}}}, inline)


def test_a_schema_that_refers_to_itself_is_compared_and_ends() -> None:
    tree = {"type": "object", "properties": {"next": {"$ref": "#"}}, "required": ["next"]}
    assert not loses(tree, tree)


def test_const_and_one_type_in_a_list_are_read_as_what_they_mean() -> None:
    assert not loses({"const": "x", "type": ["string"]}, {"enum": ["x", "y"], "type": "string"})


def test_without_the_whole_schema_only_a_placeholder_next_to_arguments_is_lossy() -> None:
    used = frozenset({"to"})
    assert lossy({"type": "object", "properties": {}}, None, used)
    assert lossy(None, None, used)
    assert not lossy(None, None, frozenset())
    assert not lossy({"type": "object"}, None, used)
    assert not lossy({"properties": {}, "additionalProperties": True}, None, used)
