"""Where a pruner is written: file and line of each pass, and of the name that a target gives."""

from __future__ import annotations

import os
import re
from functools import partial
from types import CodeType

from ghostproof.turn.place import shown_path
from ghostproof.turn.pruner import Pruner

Place = tuple[str, int]
"""A path as a user would type it, and a line in it from 1."""


def pass_places(pruner: Pruner) -> dict[str, Place]:
    """The first line of each pass by its name; a pass without code of its own is left out."""
    found = {item.name: function_place(item.visit) for item in pruner.passes}
    return {name: place for name, place in found.items() if place is not None}


def function_place(function: object) -> Place | None:
    """The first line of a function, a method, or an object that is called like one."""
    code = _code(function)
    return (shown_path(code.co_filename), code.co_firstlineno) if code is not None else None


def target_place(target: str) -> Place | None:
    """Where `path.py:NAME` is defined, read off the text without running it; None for modules and missing files.

    A name that no line of the file begins with (a name it imports) is looked for in vain: then it is the first line.
    """
    path, _, name = target.rpartition(":")
    if not path.endswith(".py") or not os.path.isfile(path):
        return None
    word = re.escape(name.partition(".")[0])
    begins = re.compile(rf"(?:(?:async +)?def +|class +)?{word}\s*[=:(]")
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            line = next((number for number, text in enumerate(file, start=1) if begins.match(text)), 1)
    except OSError:
        return None
    return shown_path(os.path.abspath(path)), line


def _code(visit: object) -> CodeType | None:
    while isinstance(visit, partial):
        visit = visit.func
    # A method's function, or the function itself, or that of an object that is called like one.
    for function in (getattr(visit, "__func__", visit), vars(type(visit)).get("__call__")):
        code = getattr(function, "__code__", None)
        if isinstance(code, CodeType):
            return code
    return None
