"""Is a value plain JSON, exactly as it stands? Says where it is not, in words its author knows."""

from __future__ import annotations

import math

from ghostproof.turn.errors import a_kind

DEPTH = 64
"""Nesting that a request may have; more is a structure that contains itself."""


DIGITS_MAX = 4000
"""Digits of an integer; a few more, and Python neither writes nor reads it as text."""


def complaint(value: object, place: str = "request", depth: int = DEPTH) -> str | None:
    """What keeps `value` from being JSON, as one phrase with its place, or None."""
    if value is None or isinstance(value, str):
        return None
    if isinstance(value, int):
        return f"{place} is an integer of more than {DIGITS_MAX} digits" if abs(value) >= 10**DIGITS_MAX else None
    if isinstance(value, float):
        return None if math.isfinite(value) else f"{place} is {value}, which JSON does not have"
    if depth == 0:
        return f"{place[:60]}… is nested more than {DEPTH} deep, or contains itself"
    if isinstance(value, dict):
        for key, held in value.items():
            if not isinstance(key, str):
                return f"{place} has a key of type {type(key).__name__}"
            if found := complaint(held, f"{place}[{key!r}]", depth - 1):
                return found
        return None
    if isinstance(value, list | tuple):
        for index, held in enumerate(value):
            if found := complaint(held, f"{place}[{index}]", depth - 1):
                return found
        return None
    return f"{place} is {a_kind(value)}, which is not JSON"
