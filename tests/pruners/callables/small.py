"""Pruners small enough to know the answer by hand, one for each calling style."""

from typing import Any

from ghostproof.drive.oracle import Oracle

Request = dict[str, Any]


def names(request: Request) -> set[str]:
    return {tool["function"]["name"] for tool in request["tools"]}


def called(request: Request) -> list[str]:
    calls = [call for message in request["messages"] for call in message.get("tool_calls", [])]
    return list(dict.fromkeys(call["function"]["name"] for call in calls))


def tombstone(name: str) -> dict[str, str]:
    return {"role": "system", "content": f"[{name}] schema withheld; request the schema before calling."}


def keep_all(request: Request) -> Request:
    return request


def hide_all(request: Request) -> Request:
    return {**request, "tools": []}


def hide_some(request: Request, oracle: Oracle) -> Request:
    """No gate: any of the tools may be hidden."""
    shown = [tool for tool in request["tools"] if oracle.choose(f"hide {tool['function']['name']}", [False, True])]
    return {**request, "tools": shown}


def hide_some_gated(request: Request, oracle: Oracle) -> Request:
    sent = hide_some(request, oracle)
    sent["messages"] = [
        *request["messages"],
        *(tombstone(name) for name in called(request) if name not in names(sent)),
    ]
    return sent


def hide_after_the_first(request: Request) -> None:
    """No gate, in place: the first request shows everything, later ones nothing."""
    if called(request):
        request["tools"].clear()


async def hide_after_the_first_async(request: Request) -> Request:
    hide_after_the_first(request)
    return request


def hide_reading(request: Request) -> Request:
    """No gate, but only a tool that reads ever loses its schema."""
    if "search_orders" in called(request):
        return {**request, "tools": [tool for tool in request["tools"] if tool["function"]["name"] != "search_orders"]}
    return request


def empty_and_hide(request: Request) -> Request:
    """Clears arguments before it hides, so that nothing is left to ghost."""
    for message in request["messages"]:
        for call in message.get("tool_calls", []):
            call["function"]["arguments"] = "{}"
    hide_after_the_first(request)
    return request


def summarise(request: Request) -> Request:
    """Hides what was called and tells its calls as prose."""
    told = [
        f"used {call['function']['name']} with {call['function']['arguments']}"
        for message in request["messages"]
        for call in message.get("tool_calls", [])
    ]
    if not told:
        return request
    return {**request, "tools": [], "messages": [{"role": "system", "content": "; ".join(told)}]}


def hollow(request: Request) -> Request:
    """Keeps every name and drops what the schemas require, once something was called."""
    if called(request):
        for tool in request["tools"]:
            tool["function"]["parameters"] = {"type": "object", "properties": {}}
    return request


def tombstone_once(request: Request) -> Request:
    """Leaves a tombstone after the first response only; it is gone from the next request on."""
    count = len([message for message in request["messages"] if message["role"] == "assistant"])
    if count == 0:
        return request
    notes = [tombstone(name) for name in called(request)] if count == 1 else []
    shown = [tool for tool in request["tools"] if tool["function"]["name"] not in called(request)]
    return {**request, "tools": shown, "messages": [*request["messages"], *notes]}


def pad_or_not(request: Request, oracle: Oracle) -> Request:
    """No gate; whether a long note is added is asked first, so that the longer session is found first."""
    notes = [{"role": "system", "content": "x" * 500}] if oracle.choose("pad", [True, False]) else []
    hide_after_the_first(request)
    return {**request, "messages": [*request["messages"], *notes]}


class HideFromThirdOn:
    """Remembers how many requests the session has had."""

    def __init__(self) -> None:
        self.count = 0

    def prune(self, request: Request) -> Request:
        self.count += 1
        return request if self.count < 3 else hide_all(request)


class StickySelection:
    """Remembers what the oracle once hid; callable, with an oracle, and gated."""

    def __init__(self) -> None:
        self.hidden: set[str] = set()

    def __call__(self, request: Request, oracle: Oracle) -> Request:
        self.hidden.add(oracle.choose("hide", ["nothing", *sorted(names(request))]))
        shown = [tool for tool in request["tools"] if tool["function"]["name"] not in self.hidden]
        notes = [tombstone(name) for name in called(request) if name in self.hidden]
        return {**request, "tools": shown, "messages": [*request["messages"], *notes]}


def make_pruner() -> HideFromThirdOn:
    return HideFromThirdOn()
