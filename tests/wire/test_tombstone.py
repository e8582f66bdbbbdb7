"""Which texts are tombstones. Each wording is of a kind that gates, hosts or executors write."""

import pytest

from ghostproof.wire.tombstone import notice

TOLD = [
    "[TOOL TOMBSTONE] 'send' schema withheld; request re-expansion before calling.",
    "The tool send exists, its schema is withheld and must be requested before calling.",
    "The schema of send has been removed from this request; ask for it before calling.",
    "The tool 'send' is not loaded. Use tool_search to load it.",
    "Withheld: read, move and send. Call load_tools to get a schema.",
    "send: arguments cleared, schema withheld; request the schema first",
]

TOLD_POORLY = [
    "send is no longer available.",
    "send is no longer available; do not call it.",
    "Tools changed: run is now shell_run; read takes path instead of file; send is gone.",
    "These tools are gone (their server disconnected):\nmove\nsend\nread",
    "send was renamed to post.",
    "send is now send_v2",
    "Note: tools move, send are unavailable",
    "`send` isn't available right now",
]

NOT_TOLD = [
    "Tools: send, read",
    "You can use send and read.",
    "[result of send cleared]",
    "[send result removed]",
    "send output was dropped to save space",
    "Is send unavailable?",
    "If send is unavailable, use read.",
    "send is available again",
    "send is no longer withheld",
    "Unknown tool: send",
    "Error: send is not a valid tool, try one of [read, move].",
    "Use send because read is gone",
    "read is gone, use send",
    "read takes path instead of file; send takes body",
    "send_all is gone",
    "resend is gone",
    "mail.send is gone",
    "[cleared]",
    "send(to='ana')",
    "The following tools are gone:\nread\n\nsend works",
]


@pytest.mark.parametrize("text", TOLD)
def test_a_tombstone_that_says_how_to_request(text: str) -> None:
    said = notice(text, "send")
    assert said is not None
    assert not said.poor


@pytest.mark.parametrize("text", TOLD_POORLY)
def test_a_poor_tombstone(text: str) -> None:
    said = notice(text, "send")
    assert said is not None
    assert said.poor


@pytest.mark.parametrize("text", NOT_TOLD)
def test_no_tombstone(text: str) -> None:
    assert notice(text, "send") is None


def test_a_refusal_in_a_result_is_none_unless_it_says_how_to_request() -> None:
    assert notice("send is not available", "send", result=True) is None
    assert notice("send is not available; call load_tool first", "send", result=True) is not None
    assert notice("the schema of send was withheld", "send", result=True) is not None


def test_a_place_that_names_the_tool_need_not_be_repeated() -> None:
    assert notice("This tool is unavailable.", "send", named=True) is not None
    assert notice("This tool is unavailable.", "send") is None
    assert notice("Sends an email.", "send", named=True) is None


def test_a_negated_way_to_request_is_no_way() -> None:
    said = notice("send is gone; do not request it", "send")
    assert said is not None
    assert said.poor


def test_a_name_with_signs_of_its_own_is_taken_literally() -> None:
    assert notice("mail.send(v1) is gone", "mail.send(v1)") is not None
    assert notice("mailxsend(v1) is gone", "mail.send(v1)") is None
