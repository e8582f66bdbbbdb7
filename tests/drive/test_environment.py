"""What sessions are made of."""

import json

import pytest

from ghostproof.drive.catalogue import FILLER, TOOLS, Size, Tool
from ghostproof.drive.environment import Turn, calls_before, marks, offered, openings, responses
from ghostproof.wire.openai_chat import read
from ghostproof.wire.request import ArgumentState
from ghostproof.wire.residency import residencies

PAST = (Turn(0, (0, 1)), Turn(None, ()), Turn(1, (1,)))


def test_mutations_and_readings_alternate() -> None:
    assert [tool.mutation for tool in TOOLS] == [True, False] * 3


@pytest.mark.parametrize("size", list(Size))
@pytest.mark.parametrize("found", TOOLS, ids=lambda tool: tool.name)
def test_arguments_fit_their_schema_and_carry_the_number_of_their_call(found: Tool, size: Size) -> None:
    arguments = found.arguments(7, size)
    assert set(found.required) <= set(arguments) <= set(found.fields)
    for name, value in arguments.items():
        assert value in found.fields[name].get("enum", [value])
    assert found.marks(7) - found.marks(8)
    assert all(mark in json.dumps(arguments) for mark in found.marks(7))
    assert (FILLER in json.dumps(arguments)) is (size is Size.LONG)
    assert not any(mark in found.result(size) or mark in found.wish for mark in found.marks(7))


def test_the_user_asks_for_each_tool_and_calls_may_go_on_without_asking() -> None:
    assert list(openings((), 2)) == [0, 1]
    assert list(openings((Turn(0, (0,)),), 2)) == [None, 0, 1]
    assert list(openings((Turn(0, ()),), 2)) == [0, 1]


def test_the_model_calls_up_to_two_of_the_tools_it_sees() -> None:
    assert list(responses(())) == [()]
    assert list(responses((0, 2))) == [(), (0,), (2,), (0, 2)]
    assert len(list(responses((0, 1, 2)))) == 1 + 3 + 3


def test_the_whole_history_is_offered_with_calls_numbered_through() -> None:
    request = offered(PAST, 0, 3, Size.SHORT)
    assert [message["role"] for message in request["messages"]] == [
        *("user", "assistant", "tool", "tool"),
        "assistant",
        *("user", "assistant", "tool"),
        "user",
    ]
    view = read(request, {tool.name: tool.schema() for tool in TOOLS})
    assert [(call.tool, call.id) for call in view.calls()] == [
        ("send_email", "call_0"),
        ("search_orders", "call_1"),
        ("search_orders", "call_2"),
    ]
    assert all(call.arguments is ArgumentState.FULL for call in view.calls())
    assert calls_before(PAST) == 3
    assert not any(found.ghost for found in residencies(view, marks(PAST)).values())


def test_marks_are_found_in_the_history_they_belong_to() -> None:
    text = json.dumps(offered(PAST, 0, 2, Size.SHORT))
    assert set(marks(PAST)) == {"send_email", "search_orders"}
    assert all(mark in text for known in marks(PAST).values() for mark in known)
