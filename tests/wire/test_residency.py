"""Residency and ghosts, one request at a time."""

import pytest

from ghostproof.turn.recording import Sighting
from ghostproof.wire.openai_chat import read
from ghostproof.wire.request import BEFORE, Removal, Request, SchemaState, Text
from ghostproof.wire.residency import ghosts, remarks, residencies
from wire.payloads import SCHEMA, call, request, result, said, tool

ASKED = said("user", "send it again")
CALLED = call("send", {"to": "ana"})
TOMBSTONE = said("system", "[send] schema withheld; request the schema before calling.")


def kinds(payload: dict[str, object], **known: object) -> dict[str, str]:
    found = residencies(read(payload, {"send": SCHEMA}))
    return {sighting.tool: sighting.kind for sighting in ghosts(found, **known)}  # type: ignore[arg-type]


def test_arguments_without_schema_and_tombstone_are_a_ghost() -> None:
    assert kinds(request(CALLED, result("sent"), ASKED, tools=[tool("read")])) == {"send": "withheld"}
    assert kinds(request(CALLED, result("sent"), ASKED)) == {"send": "withheld"}


def test_the_three_ways_to_be_no_ghost() -> None:
    assert kinds(request(CALLED, ASKED, tools=[tool("send")])) == {}
    assert kinds(request(ASKED, tools=[tool("read")])) == {}
    assert kinds(request(CALLED, ASKED, TOMBSTONE)) == {}


def test_a_tombstone_may_stand_before_the_call_when_nothing_shows_the_tool_later() -> None:
    assert kinds(request(TOMBSTONE, CALLED, ASKED)) == {}


def test_a_tombstone_does_not_outlive_a_later_showing() -> None:
    shown = said("system", '{"name": "send", "parameters": {"type": "object", "properties": {"to": {}}}}')
    assert kinds(request(CALLED, TOMBSTONE, shown)) == {"send": "hollow"}
    assert kinds(request(CALLED, shown, TOMBSTONE)) == {}


def test_an_emptied_call_is_a_remark_and_no_ghost() -> None:
    found = residencies(read(request(call("send", {}), ASKED)))
    assert not ghosts(found)
    assert [(remark.tool, remark.kind, remark.evidence) for remark in remarks(found)] == [
        ("send", "emptied", "messages[0].tool_calls[0]")
    ]


def test_a_truncated_call_still_shows_arguments() -> None:
    assert kinds(request(call("send", '{"to": "an'), ASKED)) == {"send": "withheld"}


def test_a_poor_tombstone_is_a_remark_and_no_ghost() -> None:
    found = residencies(read(request(CALLED, said("system", "send is no longer available."))))
    assert not ghosts(found)
    assert [remark.kind for remark in remarks(found)] == ["poor tombstone"]


def test_the_kinds_of_a_ghost() -> None:
    assert kinds(request(CALLED, tools=[tool("send", defer_loading=True)])) == {"send": "deferred"}
    assert kinds(request(CALLED, tools=[tool("send", {"type": "object"})])) == {"send": "hollow"}
    assert kinds(request(CALLED), tombstoned_before={"send"}) == {"send": "tombstone lost"}


def test_arguments_told_as_prose_count_where_the_values_are_known() -> None:
    payload = request(said("system", "Summary: used send with to=ana"), ASKED)
    found = residencies(read(payload), {"send": {"ana"}, "read": {"inbox"}})
    assert [(sighting.tool, sighting.kind) for sighting in ghosts(found)] == [("send", "prose")]
    assert not ghosts(residencies(read(payload), {"send": {"bob"}}))


def test_a_placeholder_entry_that_says_unavailable_is_a_tombstone_in_the_tools_field() -> None:
    entry = tool("send", {"type": "object", "properties": {}})
    assert kinds(request(CALLED, tools=[entry])) == {"send": "hollow"}
    entry["function"]["description"] = "This tool is currently unavailable."
    assert kinds(request(CALLED, tools=[entry])) == {}


def test_a_catalogue_in_another_tools_description_counts_if_it_says_withheld() -> None:
    search = tool("tool_search")
    search["function"]["description"] = "Loads schemas. Names: send, read."
    assert kinds(request(CALLED, tools=[search])) == {"send": "withheld"}
    search["function"]["description"] = "Withheld tools: send, read. Call tool_search to load one."
    assert kinds(request(CALLED, tools=[search])) == {}


def test_a_refusal_and_a_cleared_result_are_no_tombstones() -> None:
    assert kinds(request(CALLED, result("tool send is not available"))) == {"send": "withheld"}
    assert kinds(request(CALLED, result("[cleared]"))) == {"send": "withheld"}


def test_a_removal_block_is_a_tombstone_and_withholds_what_stays_declared() -> None:
    view = read(request(CALLED, tools=[tool("send")]))
    removed = Request(view.wire, view.declared, (*view.items, Removal(1, "messages[1]", "send")))
    found = residencies(removed)["send"]
    assert found.schema is SchemaState.WITHHELD
    assert found.tombstone is not None
    assert not found.ghost


def test_a_schema_that_cannot_be_seen_is_unknown_and_never_a_ghost() -> None:
    view = read(request(CALLED))
    assert not ghosts(residencies(Request(view.wire, (), view.items, hidden=True)))
    assert kinds(request(call("web_search", {"q": "x"}), tools=[{"type": "web_search"}])) == {}


def test_a_sighting_says_what_makes_the_ghost() -> None:
    found = residencies(read(request(ASKED, CALLED)))
    assert ghosts(found, mutation=lambda tool: tool == "read") == (
        Sighting(
            "send",
            "withheld",
            False,
            'messages[1].tool_calls[0] shows arguments {"to": "ana"}; no schema is declared; no tombstone',
        ),
    )


@pytest.mark.parametrize("position", [BEFORE, 0, 1])
def test_an_ordinary_text_about_another_tool_changes_nothing(position: int) -> None:
    view = read(request(CALLED, ASKED))
    other = Text(position, "somewhere", "system", "read is gone")
    assert residencies(Request(view.wire, (), (*view.items, other)))["send"].ghost
