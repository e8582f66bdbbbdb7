"""OpenAI chat payloads read into the view, and what is said about those that are none."""

from typing import Any

import pytest

from ghostproof.wire.openai_chat import read
from ghostproof.wire.request import BEFORE, ArgumentState, Call, MalformedRequestError, Result, SchemaState, Text
from wire.payloads import SCHEMA, call, request, result, said, tool


def test_a_request_is_read_item_by_item() -> None:
    view = read(
        request(
            said("system", "be brief"),
            said("user", [{"type": "text", "text": "send it"}, {"type": "image_url", "image_url": {"url": "x"}}]),
            call("send", {"to": "ana"}),
            result("sent"),
            tools=[tool("send"), tool("read", defer_loading=True)],
        )
    )
    assert [(entry.tool, entry.state, entry.position) for entry in view.declared] == [
        ("send", SchemaState.RESIDENT, BEFORE),
        ("read", SchemaState.WITHHELD, BEFORE),
    ]
    assert view.items == (
        Text(0, "messages[0]", "system", "be brief"),
        Text(1, "messages[1]", "user", "send it"),
        Call(
            2,
            "messages[2].tool_calls[0]",
            "send",
            "c1",
            ArgumentState.FULL,
            '{"to": "ana"}',
            frozenset({"to"}),
        ),
        Result(3, "messages[3]", "c1", None, "sent"),
    )


def test_parallel_calls_of_one_message_share_its_position() -> None:
    message = call("send", {"to": "a"})
    message["tool_calls"] += call("read", {}, "c2")["tool_calls"]
    assert [(item.tool, item.position, item.where) for item in read(request(message)).calls()] == [
        ("send", 0, "messages[0].tool_calls[0]"),
        ("read", 0, "messages[0].tool_calls[1]"),
    ]


@pytest.mark.parametrize(
    ("arguments", "state"),
    [
        ('{"to": "ana"}', ArgumentState.FULL),
        ('{"to": null}', ArgumentState.FULL),
        ("{}", ArgumentState.EMPTIED),
        (" ", ArgumentState.EMPTIED),
        ("null", ArgumentState.EMPTIED),
        ('{"to": "an', ArgumentState.TRUNCATED),
        ("[" * 100_000, ArgumentState.TRUNCATED),
    ],
)
def test_arguments_are_full_truncated_or_emptied(arguments: str, state: ArgumentState) -> None:
    assert read(request(call("send", arguments))).calls()[0].arguments is state


def test_arguments_given_as_an_object_or_not_at_all() -> None:
    message = call("send", "")
    message["tool_calls"][0]["function"]["arguments"] = {"to": "ana"}
    assert read(request(message)).calls()[0].arguments is ArgumentState.FULL
    del message["tool_calls"][0]["function"]["arguments"]
    assert read(request(message)).calls()[0].arguments is ArgumentState.EMPTIED


def test_the_legacy_function_fields() -> None:
    view = read(
        {
            "messages": [
                {"role": "assistant", "content": None, "function_call": {"name": "send", "arguments": '{"to": "a"}'}},
                {"role": "function", "name": "send", "content": "sent"},
            ],
            "functions": [{"name": "send", "parameters": SCHEMA}],
        }
    )
    assert view.declared[0].state is SchemaState.RESIDENT
    assert view.calls()[0].where == "messages[0].function_call"
    assert view.items[1] == Result(1, "messages[1]", None, "send", "sent")


def test_custom_tools_take_free_text() -> None:
    message = {
        "role": "assistant",
        "content": "",
        "tool_calls": [{"id": "c", "type": "custom", "custom": {"name": "sql", "input": "select 1"}}],
    }
    view = read(request(message, tools=[{"type": "custom", "custom": {"name": "sql"}}]))
    assert view.declared[0].state is SchemaState.RESIDENT
    assert view.calls()[0].arguments is ArgumentState.FULL


def test_a_tool_that_the_provider_runs_has_an_unknown_schema() -> None:
    view = read(request(tools=[{"type": "web_search"}]))
    assert [(entry.tool, entry.state) for entry in view.declared] == [("web_search", SchemaState.UNKNOWN)]


def test_a_schema_written_into_the_history_is_a_showing_at_its_place() -> None:
    text = 'Tools: {"name": "send", "parameters": {"type": "object", "properties": {"to": {"type": "string"}}}} {'
    view = read(request(said("user", "hi"), said("system", text)))
    assert [(entry.tool, entry.position) for entry in view.declared] == [("send", 1)]
    assert read(request(said("user", "hi"), said("system", text)), {"send": SCHEMA}).declared[0].lossy


def test_a_lossy_declaration_is_told_by_the_whole_schema_or_by_the_arguments_it_denies() -> None:
    hollow = tool("send", {"type": "object", "properties": {}})
    assert read(request(tools=[hollow]), {"send": SCHEMA}).declared[0].lossy
    assert read(request(call("send", {"to": "a"}), tools=[hollow])).declared[0].lossy
    assert not read(request(call("send", {}), tools=[hollow])).declared[0].lossy


BROKEN: list[tuple[Any, str]] = [
    ([], "request: a list where an object was expected"),
    ({}, "messages: missing"),
    ({"messages": {}}, "messages: a object where a list was expected"),
    (request(said("user", "hi"), "hello"), "messages[1]: a text where a message was expected"),  # type: ignore[arg-type]
    (request({"content": "hi"}), "messages[0].role: missing"),
    (request(said("user", 7)), "messages[0].content: a number where text or a list of parts was expected"),
    (request(said("user", [7])), "messages[0].content[0]: a number where a part was expected"),
    (request({"role": "assistant", "tool_calls": 3}), "messages[0].tool_calls: a number where a list was expected"),
    (
        request({"role": "assistant", "tool_calls": [None]}),
        "messages[0].tool_calls[0]: a null where a call was expected",
    ),
    (
        request({"role": "assistant", "tool_calls": [{"id": "c"}]}),
        "messages[0].tool_calls[0]: neither a `function` nor a `custom` object in it",
    ),
    (
        request({"role": "assistant", "tool_calls": [{"function": {"arguments": "{}"}}]}),
        "messages[0].tool_calls[0].name: missing",
    ),
    (request(tools=["send"]), "tools[0]: a text where a tool was expected"),  # type: ignore[list-item]
    (request(tools=[{"type": "function", "name": "send"}]), "tools[0]: no `function` object in it"),
    (request(tools=[{"type": "function", "function": {"name": 3}}]), "tools[0].name: 3 where text was expected"),
    (
        request(tools=[{"type": "function", "function": {"name": "send", "parameters": "x"}}]),
        "tools[0].parameters: a text where a JSON schema was expected",
    ),
    ({"messages": [], "functions": [{}]}, "functions[0].name: missing"),
]


@pytest.mark.parametrize(("payload", "line"), BROKEN, ids=[line for _, line in BROKEN])
def test_a_malformed_payload_is_one_line_that_names_the_item(payload: Any, line: str) -> None:
    with pytest.raises(MalformedRequestError) as caught:
        read(payload)
    assert str(caught.value) == line
