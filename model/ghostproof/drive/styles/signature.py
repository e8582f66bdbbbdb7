"""How many parameters a target takes from us, read off its signature."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from ghostproof.drive.oracle import Oracle
from ghostproof.drive.styles.style import Call
from ghostproof.turn.errors import PrunerError

EXPECTED = "write it as prune(request) or prune(request, oracle)"


def where(target: Any) -> str:
    """`file:line` of a definition, or its name where there is no source."""
    code = getattr(inspect.unwrap(target), "__code__", None) if callable(target) else None
    if code is not None:
        return f"{code.co_filename}:{code.co_firstlineno}"
    return getattr(target, "__qualname__", None) or type(target).__qualname__


def required(target: Callable[..., Any]) -> tuple[int, int]:
    """The least and the greatest number of positional arguments. Raises PrunerError if a keyword must be given."""
    try:
        signature = inspect.signature(target)
    except (TypeError, ValueError):
        return 1, 1  # written in C; calling it will tell
    least = most = 0
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.VAR_POSITIONAL:
            most += 2
        elif parameter.kind is parameter.KEYWORD_ONLY and parameter.default is parameter.empty:
            raise PrunerError(where(target), f"needs the keyword argument {parameter.name}", EXPECTED)
        elif parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            most += 1
            least += parameter.default is parameter.empty
    return least, most


def prune_call(target: Callable[..., Any]) -> Call:
    """`target` as a call of request and oracle; a second parameter gets the oracle if it is required or named so.

    Raises PrunerError if it takes neither one nor two arguments.
    """
    least, most = required(target)
    if most == 0 or least > 2:
        count = f"{least} arguments" if least != 1 else "1 argument"
        raise PrunerError(where(target), f"takes {count if most else 'no argument'}", EXPECTED)
    if least == 2 or _second_is_oracle(target):
        return lambda request, oracle: target(request, oracle)

    def call(request: dict[str, Any], oracle: Oracle) -> Any:
        return target(request)

    return call


def _second_is_oracle(target: Callable[..., Any]) -> bool:
    try:
        names = list(inspect.signature(target).parameters)
    except (TypeError, ValueError):
        return False
    return names[1:2] == ["oracle"]
