"""Migrations make resident arguments stale; lossy schemas are shown and yet not resident."""

from __future__ import annotations

from ghostproof_reference.arbiter import Arbiter
from ghostproof_reference.budget import SeparateBudgets
from ghostproof_reference.gate import NOTICE_MARK, marked_tool
from ghostproof_reference.outcome import Action, Outcome
from ghostproof_reference.request import Call, CallGroup, Notice, Request, Text, Tool
from ghostproof_reference.settings import Lossy, Migration
from reference_impl.building import bare, call, done, group, shown, tombstones, tool

ROOM = SeparateBudgets(1000, 1000)
OLD = tool("a", schema={"properties": {"assignee_id": {"type": "string"}}, "description": "old words"})
WORDS = tool("a", schema={"properties": {"assignee_id": {"type": "string"}}, "description": "new words"})
NEW = tool("a", schema={"properties": {"assignee_id": {"type": "object"}}})
HISTORY = (group(call("a", "1")),)


def notices(outcome: Outcome) -> list[str]:
    return [item.tool for item in outcome.request.history if isinstance(item, Notice)]


def migrated(tools: tuple[Tool, ...] = (NEW,), **settings: object) -> tuple[Arbiter, Outcome]:
    arbiter = bare(**settings)
    arbiter.arbitrate(Request((OLD,), HISTORY), ROOM)
    return arbiter, arbiter.arbitrate(Request(tools, HISTORY), ROOM)


def test_new_words_are_no_migration() -> None:
    _, outcome = migrated((WORDS,))
    assert outcome.decisions == ()
    assert outcome.request.tools == (WORDS,)


def test_a_property_named_description_is_structure() -> None:
    one = tool("a", schema={"properties": {"description": {"type": "string"}}})
    other = tool("a", schema={"properties": {"description": {"type": "object"}}})
    arbiter = bare()
    arbiter.arbitrate(Request((one,), HISTORY), ROOM)
    assert notices(arbiter.arbitrate(Request((other,), HISTORY), ROOM)) == ["a"]


def test_refresh_shows_the_new_schema_with_one_notice_that_goes_with_the_stale_arguments() -> None:
    arbiter, outcome = migrated()
    assert (shown(outcome), notices(outcome)) == (["a"], ["a"])
    [line] = [item.line for item in outcome.request.history if isinstance(item, Notice)]
    assert marked_tool(line, NOTICE_MARK) == "a"
    outcome = arbiter.advance([group(call("a", "2"))], ROOM)
    assert notices(outcome) == ["a"]
    fresh_only = arbiter.arbitrate(Request((NEW,), (group(call("a", "2")),)), ROOM)
    assert notices(fresh_only) == []


def test_the_notice_is_reserved_and_counted() -> None:
    arbiter, outcome = migrated()
    [notice] = [item for item in outcome.request.history if isinstance(item, Notice)]
    assert outcome.after.markers == notice.tokens
    assert notice.tokens is not None
    tight = arbiter.advance([], SeparateBudgets(5 + notice.tokens - 1, 1000))
    assert done(tight, Action.EVICTED) == [("evicted", "calls 1")]
    assert notices(tight) == []


def test_tombstone_withholds_until_requested_and_the_showing_is_then_the_notice() -> None:
    arbiter, outcome = migrated(migration=Migration.TOMBSTONE)
    assert (shown(outcome), tombstones(outcome)) == ([], ["a"])
    arbiter.request_schema("a")
    outcome = arbiter.advance([], ROOM)
    assert (shown(outcome), tombstones(outcome), notices(outcome)) == (["a"], [], [])


def test_a_pinned_schema_is_refreshed_whatever_the_setting() -> None:
    pinned = tool("a", schema=dict(NEW.schema), pinned=True)
    _, outcome = migrated((pinned,), migration=Migration.TOMBSTONE)
    assert (shown(outcome), notices(outcome)) == (["a"], ["a"])


def test_a_call_made_before_the_migration_and_seen_after_it_is_stale() -> None:
    arbiter = bare()
    arbiter.arbitrate(Request((OLD,)), ROOM)
    assert notices(arbiter.arbitrate(Request((NEW,), HISTORY), ROOM)) == ["a"]


def test_a_call_may_say_by_which_version_it_was_made() -> None:
    declared = tool("a", version="2")
    for version, expected in (("1", ["a"]), ("2", []), (None, [])):
        history = (CallGroup((Call("a", "1", '{"x": 1}', version=version),), tokens=5),)
        assert notices(bare().arbitrate(Request((declared,), history), ROOM)) == expected


def test_arguments_are_never_written_into() -> None:
    _, outcome = migrated()
    assert [item for item in outcome.request.history if isinstance(item, CallGroup)] == list(HISTORY)


SHORT: dict[str, object] = {"properties": {}}
FULL = {"properties": {"x": {"type": "integer"}}, "required": ["x"]}
LOSSY = tool("a", tokens=3, schema=SHORT, lossy=True, full=FULL, full_tokens=9)


def test_lossy_compression_without_arguments_is_free() -> None:
    outcome = bare().arbitrate(Request((LOSSY,)), ROOM)
    assert (outcome.request.tools, outcome.after.schemas) == ((LOSSY,), 3)


def test_lossy_compression_with_arguments_is_refused() -> None:
    outcome = bare().arbitrate(Request((LOSSY,), HISTORY), ROOM)
    [sent] = outcome.request.tools
    assert (sent.schema, sent.lossy, outcome.after.schemas, tombstones(outcome)) == (FULL, False, 9, [])
    assert done(outcome, Action.REFUSED) == [("refused", "a")]
    [refused] = outcome.decisions
    assert (refused.reason, refused.tokens_before, refused.tokens_after) == (
        *("its arguments are resident: the full schema is shown", 14, 14),
    )


def test_a_compression_is_refused_in_no_other_case() -> None:
    for arbiter, history in ((bare(), ()), (bare(lossy=Lossy.TOMBSTONE), HISTORY)):
        assert done(arbiter.arbitrate(Request((LOSSY,), history), ROOM), Action.REFUSED) == []
    arbiter = bare()
    assert arbiter.arbitrate(Request((tool("a", lossy=True),), HISTORY), ROOM).request.tools[0].lossy
    withheld = bare().arbitrate(Request((LOSSY,), HISTORY), SeparateBudgets(1000, 0))
    assert (shown(withheld), done(withheld, Action.REFUSED)) == ([], [])
    arbiter = bare(lossy=Lossy.TOMBSTONE)
    arbiter.arbitrate(Request((LOSSY,), HISTORY), ROOM)
    arbiter.request_schema("a")
    assert done(arbiter.advance([], ROOM), Action.REFUSED) == [], "shown in full because the model asked"


def test_a_request_for_what_has_vanished_is_refused_in_each_turn_until_it_is_back() -> None:
    arbiter = bare()
    arbiter.arbitrate(Request((OLD,), HISTORY), ROOM)
    arbiter.arbitrate(Request((), HISTORY), ROOM)
    arbiter.request_schema("a")
    for _ in range(2):
        [refused] = arbiter.arbitrate(Request((), HISTORY), ROOM).decisions
        assert (refused.action, refused.reason) == (Action.REFUSED, "requested, and not declared in this request")
    back = arbiter.arbitrate(Request((OLD,), HISTORY), ROOM)
    assert (done(back, Action.REFUSED), done(back, Action.EXPANDED)) == ([], [("expanded", "a")])


def test_or_it_is_tombstoned_until_requested() -> None:
    arbiter = bare(lossy=Lossy.TOMBSTONE)
    outcome = arbiter.arbitrate(Request((LOSSY,), HISTORY), ROOM)
    assert (outcome.request.tools, tombstones(outcome)) == ((LOSSY,), ["a"])
    arbiter.request_schema("a")
    for _ in range(2):
        outcome = arbiter.advance([], ROOM)
        assert (outcome.request.tools[0].schema, tombstones(outcome)) == (FULL, [])


def test_where_only_the_lossy_schema_is_known_it_is_tombstoned_and_a_request_is_refused() -> None:
    arbiter = bare()
    only = tool("a", lossy=True)
    assert tombstones(arbiter.arbitrate(Request((only,), HISTORY), ROOM)) == ["a"]
    arbiter.request_schema("a")
    outcome = arbiter.advance([], ROOM)
    assert done(outcome, Action.REFUSED) == [("refused", "a")]
    assert tombstones(outcome) == ["a"]


def test_a_call_emptied_of_values_leaves_nothing_behind() -> None:
    for arguments in ("{}", "", "{ }", "null"):
        history = (group(call("a", "1", arguments)),)
        assert tombstones(bare().arbitrate(Request((), history), ROOM)) == []


def test_stale_calls_stay_stale_when_the_history_is_rewritten() -> None:
    arbiter, _ = migrated()
    compacted = arbiter.arbitrate(Request((NEW,), (Text("summary", 1), *HISTORY)), ROOM)
    assert notices(compacted) == ["a"]


def test_a_showing_on_request_says_nothing_of_stale_calls_that_come_after_it() -> None:
    arbiter, _ = migrated(migration=Migration.TOMBSTONE)
    arbiter.request_schema("a")
    assert notices(arbiter.advance([], ROOM)) == []
    foreign = CallGroup((Call("a", "2", '{"x": 1}', version="elsewhere"),), tokens=5)
    assert notices(arbiter.advance([foreign], ROOM)) == ["a"]


def test_a_compression_that_comes_back_with_the_last_eviction_is_not_called_pruning() -> None:
    arbiter = bare()
    arbiter.arbitrate(Request((LOSSY,), HISTORY), ROOM)
    outcome = arbiter.advance([], SeparateBudgets(0, 1000))
    assert outcome.request.tools == (LOSSY,)
    assert done(outcome, Action.EVICTED, Action.PRUNED) == [("evicted", "calls 1")]
