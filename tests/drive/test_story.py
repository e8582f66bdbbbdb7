"""The story of a refutation, line by line."""

from drive.targets import check, small
from drive.test_check import refuting
from ghostproof.drive.story import tell
from ghostproof.turn.recording import Exchange, Recording

ARGUMENTS = '{"to": "ana000@example.org", "subject": "Order A000", "body": "It ships on day D000.", "priority": "high"}'

EVIDENCE = f"messages[1].tool_calls[0] shows arguments {ARGUMENTS}; no schema is declared; no tombstone"


def test_a_refuting_session_is_told_turn_by_turn() -> None:
    assert tell(refuting(check(small("hide_some")))) == [
        "request 1: the user asks: Please email the customer about it.",
        "  hide send_email: True",
        "  schemas offered: send_email; sent: send_email",
        f"  the model calls send_email {ARGUMENTS}",
        "request 2: the loop goes on with the results",
        "  hide send_email: False",
        "  schemas offered: send_email; sent: none; dropped: send_email",
        f"  history: send_email {ARGUMENTS}: in full",
        f"  GHOST: send_email (withheld; changes state): {EVIDENCE}",
        f"  the model sees send_email {ARGUMENTS} and nothing that says what the tool takes now",
    ]


def test_lost_structure_and_prose_are_told() -> None:
    assert "  schemas that lost required fields, types or enums: send_email" in tell(refuting(check(small("hollow"))))
    told = tell(refuting(check(small("summarise"))))
    assert f"  history: send_email {ARGUMENTS}: removed" in told
    assert any(line.startswith("  GHOST: send_email (prose;") for line in told)


def test_tombstones_emptied_calls_and_cleared_results_are_told() -> None:
    call = {"id": "c", "type": "function", "function": {"name": "send", "arguments": '{"to": "a"}'}}
    messages = [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": "sent"},
    ]
    emptied = {**call, "function": {"name": "send", "arguments": "{}"}}
    sent = [
        {"role": "assistant", "content": None, "tool_calls": [emptied]},
        {"role": "tool", "tool_call_id": "c", "content": "[cleared]\x1b[31m"},
        {"role": "system", "content": "send is withheld; request its schema first"},
    ]
    tools = [{"type": "function", "function": {"name": "send"}}]
    exchange = Exchange(1, {"messages": messages, "tools": tools}, {"messages": sent}, ("the user asks",), None, ())
    assert tell(Recording("openai-chat", (exchange,))) == [
        "request 1: the user asks",
        "  schemas offered: send; sent: none; dropped: send",
        '  history: send {"to": "a"}: emptied',
        r"  history: result of c: replaced by [cleared]\x1b[31m",
        "  tombstone for send at messages[2]: send is withheld",
    ]
