"""Where the pruners of these tests are, and a check with limits that suit them."""

from pathlib import Path
from typing import Any

from ghostproof.drive.check import check_callable
from ghostproof.turn.verdict import Verdict

ROOT = Path(__file__).parents[2]
CALLABLES = ROOT / "tests" / "pruners" / "callables"
PAIR = ROOT / "docs" / "examples" / "langchain_pair.py"


def small(name: str) -> str:
    return f"{CALLABLES / 'small.py'}:{name}"


def broken(name: str) -> str:
    return f"{CALLABLES / 'broken.py'}:{name}"


def check(target: str, turns: int = 2, tools: int = 2, **more: Any) -> Verdict:
    limits: dict[str, Any] = {"seconds": 5.0, "megabytes": 2000} | more
    return check_callable(target, turns=turns, tools=tools, **limits)
