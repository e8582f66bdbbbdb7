"""Counting tokens. The provider's own counter is the caller's to pass; the default is an estimate."""

from __future__ import annotations

from collections.abc import Callable

from ghostproof_reference.errors import TokenCountError

Counter = Callable[[str], int]
"""Tokens of a text that is sent. Called once for each item, so it may be slow; it must not change its mind."""

BYTES_A_TOKEN = 4


def estimate(text: str) -> int:
    """One token for each four bytes of UTF-8, rounded up. An estimate, not a bound: pass the provider's counter."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // BYTES_A_TOKEN)


def tokens(item: str, text: str, count: Counter, given: int | None = None) -> int:
    """The tokens of `text`: `given` if it is, else counted. Raises TokenCountError, which names `item`."""
    number = count(text) if given is None else given
    if type(number) is not int or number < (1 if text else 0):
        raise TokenCountError(item, number)
    return number
