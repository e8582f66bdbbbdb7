"""Small turns of phrase that every report uses: counts, plurals, lists, durations."""

from __future__ import annotations

from collections.abc import Sequence


def count(number: int, noun: str, plural: str = "") -> str:
    """`1 tool`, `2 tools`, `1,204 sessions`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def listed(names: Sequence[str], last: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {last} {names[-1]}"


def duration(seconds: float) -> str:
    """Seconds with as many digits as a reader can use."""
    return f"{seconds:.0f} s" if seconds >= 100 else f"{seconds:.1f} s" if seconds >= 10 else f"{seconds:.2f} s"
