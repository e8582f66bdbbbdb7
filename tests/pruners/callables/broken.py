"""Callables that cannot be checked, each for one reason."""

import os
import random
import sys
import time
from typing import Any

from ghostproof.drive.oracle import Oracle

Request = dict[str, Any]

number = 7
calls = 0


def raises(request: Request) -> Request:
    raise KeyError("budget")


def hangs(request: Request) -> Request:
    while True:
        time.sleep(0.01)


def exits(request: Request) -> Request:
    sys.exit("done")


def dies(request: Request) -> Request:
    os._exit(3)


def prints(request: Request) -> Request:
    print('{"reply": {"sent": {}}}')
    os.write(1, b"raw\n")
    return {**request, "tools": request["tools"] if len(request["messages"]) == 1 else []}


def returns_a_list(request: Request) -> Any:
    return request["messages"]


def returns_a_number(request: Request) -> Any:
    return 3


def returns_a_set_inside(request: Request) -> Any:
    return {**request, "tools": [{"type": "function", "function": {"name": "x", "parameters": {"required": {"a"}}}}]}


def returns_a_huge_number(request: Request) -> Any:
    return {**request, "seed": 10**4300}


def returns_nan(request: Request) -> Any:
    return {**request, "temperature": float("nan")}


def returns_a_number_key(request: Request) -> Any:
    return {**request, 3: "x"}


def returns_itself_inside(request: Request) -> Any:
    request["self"] = request
    return request


def returns_no_messages(request: Request) -> Any:
    return {"tools": request["tools"]}


def returns_a_nameless_tool(request: Request) -> Any:
    return {**request, "tools": [{"type": "function", "function": {}}]}


def takes_three(request: Request, oracle: Oracle, more: int) -> Request:
    return request


def needs_a_keyword(request: Request, *, budget: int) -> Request:
    return request


class NeedsArguments:
    def __init__(self, budget: int) -> None:
        self.budget = budget


class CannotPrune:
    pass


def rolls_dice(request: Request) -> Request:
    return {**request, "temperature": random.random()}


def counts_calls(request: Request) -> Request:
    """Keeps memory outside any session."""
    global calls
    calls += 1
    return {**request, "tools": request["tools"] if calls % 7 else []}


def asks_at_random(request: Request, oracle: Oracle) -> Request:
    oracle.choose("how many", range(random.randint(2, 60)))
    return request


def asks_nothing(request: Request, oracle: Oracle) -> Request:
    oracle.choose("which", [])
    return request


def asks_for_ever(request: Request, oracle: Oracle) -> Request:
    while True:
        oracle.choose("again", [True])
