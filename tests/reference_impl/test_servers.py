"""Tools that the provider runs, above all those of an MCP server: never withheld, no false ghosts, no orphans.

The shapes are those of OpenAI's and Anthropic's public API references and client libraries.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from ghostproof_reference.arbiter import Arbiter
from ghostproof_reference.budget import JointBudget, SeparateBudgets
from ghostproof_reference.errors import MalformedRequestError
from ghostproof_reference.outcome import Outcome
from ghostproof_reference.request import CallGroup, Tombstone
from ghostproof_reference.settings import Settings
from ghostproof_reference.wire.anthropic_messages import ANTHROPIC
from ghostproof_reference.wire.openai_responses import OPENAI_RESPONSES

LARGE = JointBudget(9999)
ARGUMENTS = json.dumps({"repoName": "a/b", "question": "what is it?"})


def responses() -> dict[str, Any]:
    listing = [{"name": "ask_question", "input_schema": {"type": "object"}, "annotations": None}]
    return {
        "tools": [
            {"type": "mcp", "server_label": "deepwiki", "server_url": "https://mcp.an.example/mcp"},
            {"type": "function", "name": "upd", "parameters": {}},
        ],
        "input": [
            {"role": "user", "content": "ask"},
            {"type": "mcp_list_tools", "id": "mcpl_1", "server_label": "deepwiki", "tools": listing},
            {"type": "reasoning", "id": "rs_1", "summary": []},
            {
                "type": "mcp_approval_request",
                "id": "mcpr_1",
                "server_label": "deepwiki",
                "name": "ask_question",
                "arguments": ARGUMENTS,
            },
            {"type": "mcp_approval_response", "approval_request_id": "mcpr_1", "approve": True},
            {
                "type": "mcp_call",
                "id": "mcp_1",
                "approval_request_id": "mcpr_1",
                "server_label": "deepwiki",
                "name": "ask_question",
                "arguments": ARGUMENTS,
                "output": "a library",
                "error": None,
            },
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "a library"}]},
        ],
    }


def anthropic() -> dict[str, Any]:
    text = [{"type": "text", "text": "found"}]
    return {
        "mcp_servers": [{"type": "url", "url": "https://mcp.an.example/sse", "name": "wiki"}],
        "tools": [
            {"type": "mcp_toolset", "mcp_server_name": "wiki", "default_config": {"enabled": True}},
            {"type": "code_execution_20250825", "name": "code_execution"},
            {"name": "upd", "input_schema": {}},
        ],
        "messages": [
            {"role": "user", "content": "ask"},
            {
                "role": "assistant",
                "content": [
                    {
                        "type": "mcp_tool_use",
                        "id": "mcptoolu_1",
                        "name": "ask",
                        "server_name": "wiki",
                        "input": {"q": 1},
                    },
                    {"type": "mcp_tool_result", "tool_use_id": "mcptoolu_1", "is_error": False, "content": text},
                    {
                        "type": "server_tool_use",
                        "id": "srvtoolu_1",
                        "name": "bash_code_execution",
                        "input": {"command": "ls"},
                    },
                    {
                        "type": "bash_code_execution_tool_result",
                        "tool_use_id": "srvtoolu_1",
                        "content": {"type": "bash_code_execution_result", "stdout": "x", "return_code": 0},
                    },
                    {"type": "text", "text": "found"},
                ],
            },
            {"role": "user", "content": "thanks"},
        ],
    }


EACH = pytest.mark.parametrize(
    ("shape", "payload", "server"),
    [(OPENAI_RESPONSES, responses, "deepwiki"), (ANTHROPIC, anthropic, "wiki")],
    ids=["responses", "anthropic"],
)


def tombstones(outcome: Outcome) -> list[str]:
    return [item.tool for item in outcome.request.history if isinstance(item, Tombstone)]


@EACH
def test_it_comes_back_as_it_was_and_nothing_is_a_ghost(shape: Any, payload: Any, server: str) -> None:
    given = payload()
    arbiter = Arbiter(Settings(request_tool=None))
    outcome = arbiter.arbitrate(shape.read(given), LARGE)
    assert shape.write(given, outcome.request) == payload()
    assert outcome.decisions == ()
    state = arbiter.states()[server]
    assert (state.schema_resident, state.argument_resident, state.tombstoned) == (True, True, False)


@EACH
def test_a_server_is_never_withheld(shape: Any, payload: Any, server: str) -> None:
    given = payload()
    size = Arbiter(Settings(request_tool=None)).arbitrate(shape.read(given), LARGE).after.schemas
    outcome = Arbiter(Settings(request_tool=None)).arbitrate(shape.read(given), SeparateBudgets(9999, size - 1))
    written = shape.write(given, outcome.request)
    assert written["tools"] == given["tools"][:-1]


@EACH
def test_its_calls_go_whole(shape: Any, payload: Any, server: str) -> None:
    given = payload()
    [group] = [item for item in shape.read(given).history if isinstance(item, CallGroup)]
    arbiter = Arbiter(Settings(request_tool=None))
    before = arbiter.arbitrate(shape.read(given), LARGE)
    outcome = arbiter.arbitrate(shape.read(given), JointBudget(before.after.total - 1))
    assert group not in outcome.request.history
    left = json.dumps(shape.write(given, outcome.request))
    for gone in ("mcp_call", "approval", "mcp_tool_use", "mcp_tool_result", "srvtoolu_1", "rs_1", "a/b"):
        assert gone not in left
    assert server in left


@EACH
def test_calls_of_a_server_that_is_gone_are_ghosts_and_get_a_tombstone(shape: Any, payload: Any, server: str) -> None:
    given = payload()
    given["tools"], given["mcp_servers"] = [], []
    if "input" in given:
        del given["input"][1]
    assert server in tombstones(Arbiter().arbitrate(shape.read(given), LARGE))


def test_a_listing_in_the_history_shows_the_schemas_and_stays() -> None:
    given = responses()
    given["tools"] = []
    outcome = Arbiter(Settings(request_tool=None)).arbitrate(OPENAI_RESPONSES.read(given), SeparateBudgets(90, 0))
    left: Any = OPENAI_RESPONSES.write(given, outcome.request)
    assert tombstones(outcome) == []
    assert [item.get("type") for item in left["input"]] == [None, "mcp_list_tools", "message"]


def test_an_approval_that_is_given_brings_its_request_back() -> None:
    given = responses()
    whole = given["input"]
    arbiter = Arbiter(Settings(request_tool=None))
    given["input"] = whole[:4]
    arbiter.arbitrate(OPENAI_RESPONSES.read(given), SeparateBudgets(70, 99))
    for length in (5, 6):
        given["input"] = whole[:length]
        outcome = arbiter.arbitrate(OPENAI_RESPONSES.read(given), LARGE)
        written: Any = OPENAI_RESPONSES.write(given, outcome.request)
        assert written["input"] == whole[:length]


def test_an_approval_may_answer_a_request_that_the_provider_keeps() -> None:
    given = {"previous_response_id": "r", "input": [responses()["input"][n] for n in (4, 5)]}
    assert OPENAI_RESPONSES.write(given, OPENAI_RESPONSES.read(given)) == given
    with pytest.raises(MalformedRequestError, match=r"input\[0\]: result of 'mcpr_1'"):
        OPENAI_RESPONSES.read({"input": given["input"]})


def test_a_server_without_a_toolset_brings_its_tools_itself_and_is_no_tool_on_the_wire() -> None:
    given = anthropic()
    del given["tools"][0]
    arbiter = Arbiter(Settings(request_tool=None))
    outcome = arbiter.arbitrate(ANTHROPIC.read(given), LARGE)
    assert ANTHROPIC.write(given, outcome.request) == given
    assert arbiter.states()["wiki"].schema_resident


@EACH
def test_a_server_and_a_function_of_one_name_are_refused(shape: Any, payload: Any, server: str) -> None:
    """A tombstone or a request of that name could mean either, and the server would hide that the function is gone."""
    given = payload()
    given["tools"][-1]["name"] = server
    for declared in (given["tools"], given["tools"][1:] if "mcp_servers" in given else given["tools"]):
        with pytest.raises(MalformedRequestError, match=f"a second tool named '{server}'"):
            Arbiter().arbitrate(shape.read({**given, "tools": declared}), LARGE)


@pytest.mark.parametrize(
    ("shape", "payload", "message"),
    [
        (ANTHROPIC, {"tools": [{"type": "mcp_toolset"}]}, r"tools\[0\]: 'mcp_server_name'"),
        (ANTHROPIC, {"mcp_servers": [{"type": "url"}]}, r"mcp_servers\[0\]: 'name'"),
        (OPENAI_RESPONSES, {"input": [{"type": "mcp_call", "id": "1"}]}, r"input\[0\]: 'server_label'"),
        (OPENAI_RESPONSES, {"input": [{"type": "mcp_call", "server_label": "s"}]}, r"input\[0\]: 'id'"),
    ],
)
def test_a_malformed_one_is_rejected_by_its_place(shape: Any, payload: Any, message: str) -> None:
    with pytest.raises(MalformedRequestError, match=message):
        shape.read(payload)
