"""What a turn of the reference implementation costs: along a long session, and beside LangChain's own middleware.

    make benchmark-reference ARGS="[--turns 2000] [--tools 200] [--runs 5]"

One session: every turn is a user's message, a call with its result, and an answer; one tool in ten is called often, and
one turn in ten the model requests a withheld schema. First the arbiter alone, given what was appended: the last hundred
turns against the first hundred, each turn at its best of several runs, since a machine is rarely quiet. Then whole chat
payloads, read, arbitrated and written, beside `ContextEditingMiddleware` and `LLMToolSelectorMiddleware` on the same
requests, with a scripted selector that answers at once; nothing is sent. Those rows are medians of several runs. Ends
with 3 where LangChain is not installed, since a row is then not measured.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

from ghostproof_reference.arbiter import Arbiter
from ghostproof_reference.budget import SeparateBudgets
from ghostproof_reference.request import Item, Request, Tool
from ghostproof_reference.wire.openai_chat import OPENAI_CHAT

HUNDRED = 100
BUDGET = SeparateBudgets(arguments=4_000, schemas=8_000)


def declared(count: int) -> list[dict[str, Any]]:
    """The tools, each of about a hundred tokens."""
    schema = {
        "type": "object",
        "properties": {f"field_{n}": {"type": "string", "description": "what it is for"} for n in range(5)},
        "required": ["field_0", "field_1"],
    }
    return [
        {"type": "function", "function": {"name": f"tool_{n}", "description": "does a thing", "parameters": schema}}
        for n in range(count)
    ]


def messages_of(turn: int, tools: int) -> list[dict[str, Any]]:
    """What a turn appends to the history."""
    tool = turn * 7 % (tools // 10) if turn % 10 else turn * 7 % tools
    arguments = json.dumps({f"field_{n}": f"value {turn} {n}" * 3 for n in range(4)})
    call = {"id": f"c{turn}", "type": "function", "function": {"name": f"tool_{tool}", "arguments": arguments}}
    return [
        {"role": "user", "content": f"please do thing {turn}"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": f"c{turn}", "content": f"result {turn} " * 20},
        {"role": "assistant", "content": f"done {turn}"},
    ]


def request_now_and_then(arbiter: Arbiter, turn: int) -> None:
    """One turn in ten the model asks for something that is withheld."""
    if turn % 10 == 5 and (withheld := arbiter.withheld()):
        arbiter.request_schema(withheld[turn % len(withheld)])


def session_ms(turns: int, tools: int) -> list[float]:
    """Milliseconds of each turn of one session, given what was appended."""
    declarations: tuple[Tool, ...] = OPENAI_CHAT.read({"tools": declared(tools)}).tools
    appended: list[Sequence[Item]] = [
        OPENAI_CHAT.read({"messages": messages_of(turn, tools)}).history for turn in range(turns)
    ]
    arbiter = Arbiter()
    arbiter.arbitrate(Request(declarations), BUDGET)
    spent = []
    for turn, items in enumerate(appended):
        request_now_and_then(arbiter, turn)
        started = time.perf_counter()
        arbiter.advance(items, BUDGET)
        spent.append((time.perf_counter() - started) * 1000)
    return spent


def payload_of(turn: int, tools: list[dict[str, Any]]) -> dict[str, Any]:
    """The whole chat request of a turn."""
    history = [message for before in range(turn + 1) for message in messages_of(before, len(tools))]
    return {"model": "m", "tools": tools, "messages": history}


def ours_ms(turn: int, tools: list[dict[str, Any]]) -> float:
    """One turn on a whole payload, by an arbiter that has seen the turns before."""
    arbiter = Arbiter()
    arbiter.arbitrate(OPENAI_CHAT.read(payload_of(turn - 1, tools)), BUDGET)
    payload = payload_of(turn, tools)
    started = time.perf_counter()
    outcome = arbiter.arbitrate(OPENAI_CHAT.read(payload), BUDGET)
    OPENAI_CHAT.write(payload, outcome.request)
    return (time.perf_counter() - started) * 1000


def langchain_turn(tools: list[dict[str, Any]]) -> Callable[[int], float]:
    """The same turn by LangChain's editing and selection, at their own defaults but for the trigger and the count."""
    from langchain.agents.middleware import (
        ClearToolUsesEdit,
        ContextEditingMiddleware,
        LLMToolSelectorMiddleware,
        ModelRequest,
    )
    from langchain_core.messages.utils import convert_to_messages
    from langchain_core.tools import StructuredTool

    from ghostproof.drive.langchain_agent import StructuredModel

    kept = [tool["function"]["name"] for tool in tools[:80]]
    edit = ClearToolUsesEdit(trigger=BUDGET.arguments, keep=25, clear_tool_inputs=True)
    editing = ContextEditingMiddleware(edits=[edit])
    model = StructuredModel(answer=lambda schema, messages: {"tools": kept})
    selection = LLMToolSelectorMiddleware(model=model)
    built = [
        StructuredTool.from_function(
            func=lambda **_: "",
            name=tool["function"]["name"],
            description=tool["function"]["description"],
            args_schema=tool["function"]["parameters"],
        )
        for tool in tools
    ]

    def turn_ms(turn: int) -> float:
        messages = convert_to_messages(payload_of(turn, tools)["messages"][:-1])
        given: dict[str, Any] = {"state": {"messages": messages}, "runtime": None}
        request = ModelRequest(model=model, messages=messages, tools=built, **given)
        started = time.perf_counter()
        editing.wrap_model_call(request, lambda edited: selection.wrap_model_call(edited, lambda last: last))
        return (time.perf_counter() - started) * 1000

    return turn_ms


def main() -> int:
    """Print one line a row; 3 when some row could not be measured."""
    parser = argparse.ArgumentParser(description="What a turn of the reference implementation costs.")
    parser.add_argument("--turns", type=int, default=2000)
    parser.add_argument("--tools", type=int, default=200)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    sessions = [session_ms(options.turns, options.tools) for _ in range(options.runs)]
    spent = [min(same_turn) for same_turn in zip(*sessions, strict=True)]
    first, last = statistics.mean(spent[:HUNDRED]), statistics.mean(spent[-HUNDRED:])
    ratio = last / first
    reached = "reached" if ratio <= 1.2 else "not reached"
    print(
        f"{options.turns} turns, {options.tools} tools, last hundred against first hundred: "
        f"ratio {ratio:.2f} (aim 1.2: {reached}); {last:.3f} ms and {first:.3f} ms a turn"
    )
    tools = declared(options.tools)
    try:
        theirs = langchain_turn(tools)
    except ImportError as error:
        print(f"a turn against LangChain's editing and selection: NOT MEASURED, {error}; install ghostproof[langchain]")
        return 3
    for turn in (20, options.turns // 10, options.turns - 1):
        ours = statistics.median(ours_ms(turn, tools) for _ in range(options.runs))
        other = statistics.median(theirs(turn) for _ in range(options.runs))
        reached = "reached" if ours <= other else "not reached"
        print(
            f"turn {turn} as a whole payload against LangChain's editing and selection: "
            f"ratio {ours / other:.2f} (aim 1: {reached}); {ours:.1f} ms and {other:.1f} ms"
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
