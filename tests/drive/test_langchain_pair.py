"""The real LangChain middlewares: one session in which the order decides, and every session up to a bound."""

import importlib.util
from typing import Any

import pytest

from drive.targets import PAIR, check
from drive.test_check import counts, refuting
from ghostproof.drive.catalogue import TOOLS, Size
from ghostproof.drive.environment import response
from ghostproof.drive.oracle import Oracle
from ghostproof.turn.verdict import HoldsTo
from ghostproof.wire.openai_chat import read
from ghostproof.wire.residency import residencies

pytest.importorskip("langchain")


@pytest.fixture(scope="module")
def pair() -> Any:
    spec = importlib.util.spec_from_file_location("langchain_pair", PAIR)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def session(pair: Any) -> dict[str, Any]:
    """One send_email call, three tools, and a history that counts 159 tokens."""
    from langchain_core.messages.utils import convert_to_messages

    request: dict[str, Any] = {
        "messages": [
            {"role": "user", "content": ""},
            response((0,), 0, Size.SHORT),
            {"role": "tool", "tool_call_id": "call_0", "content": "sent"},
            {"role": "user", "content": "Do it again."},
        ],
        "tools": [tool.declaration() for tool in TOOLS[:3]],
    }
    counter = pair.CountingModel()
    short = counter.get_num_tokens_from_messages(convert_to_messages(request["messages"]))
    request["messages"][0]["content"] = "x" * 4 * (159 - short)
    assert counter.get_num_tokens_from_messages(convert_to_messages(request["messages"])) == 159
    return request


def ghosts(prune: Any, request: dict[str, Any], picked: str) -> list[str]:
    """The ghosts when the selector picks exactly `picked`."""
    for option in range(8):
        oracle = Oracle((option,))
        sent = prune(request, oracle)
        if oracle.choices[0].answer == picked:
            return [tool for tool, found in residencies(read(sent)).items() if found.ghost]
    raise AssertionError(f"the selector never picks {picked}")


@pytest.mark.parametrize("picked", ["none", "search_orders"])
def test_in_this_session_the_order_decides(pair: Any, picked: str) -> None:
    request = session(pair)
    assert ghosts(pair.selector_then_editing, request, picked) == ["send_email"]
    assert ghosts(pair.editing_then_selector, request, picked) == []
    assert ghosts(pair.gated, request, picked) == []


def test_with_a_trigger_of_nothing_both_orders_are_clean(pair: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pair, "TRIGGER", 0)
    assert ghosts(pair.selector_then_editing, session(pair), "none") == []
    assert ghosts(pair.editing_then_selector, session(pair), "none") == []


def test_the_middleware_really_ran(pair: Any) -> None:
    sent = pair.editing_then_selector(session(pair), Oracle((0,)))
    call = sent["messages"][1]["tool_calls"][0]
    assert call["function"] == {"name": "send_email", "arguments": "{}"}
    assert sent["messages"][2]["content"] == "[cleared]"
    assert sent["tools"] == []


def test_schemas_come_through_the_framework_without_loss(pair: Any) -> None:
    request = session(pair)
    sent = pair.gated(request, Oracle((7,)))
    view = read(sent, {tool.name: tool.schema() for tool in TOOLS})
    assert [(entry.tool, entry.lossy) for entry in view.declared] == [(tool.name, False) for tool in TOOLS[:3]]


@pytest.mark.parametrize("order", ["selector_then_editing", "editing_then_selector"])
def test_without_a_gate_both_orders_are_refuted(order: str) -> None:
    recording = refuting(check(f"{PAIR}:{order}", turns=2))
    assert [ghost.tool for ghost in recording.exchanges[-1].ghosts] == ["send_email"]
    assert recording.exchanges[-1].choices == ("the loop goes on with the results", "the selector picks: none")


def test_with_a_gate_behind_them_every_session_is_clean() -> None:
    verdict = check(f"{PAIR}:gated", turns=2)
    assert isinstance(verdict, HoldsTo)
    found = counts(verdict)
    # The selector's four answers for two tools branch as those of the gated pruner in test_check do.
    assert verdict.explored == 384
    assert found["of them with the schema of a called tool withheld"] > found["of them with a tombstone"] > 0
    assert found["of them with arguments evicted"] > 0
