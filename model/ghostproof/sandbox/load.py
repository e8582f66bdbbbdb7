"""Finds the object that `path.py:NAME` or `package.module:NAME` names. Runs in the sandbox's child."""

from __future__ import annotations

import difflib
import importlib
import os
import sys
from types import ModuleType
from typing import Any

from ghostproof.turn.errors import PrunerError

EXTRAS = {"langchain": "langchain", "langchain_core": "langchain", "langgraph": "langchain"}
"""The extra of ghostproof that brings a package."""


def load(target: str) -> Any:
    """The named object. Raises PrunerError if the target, the file, the module or the name is not there.

    What the file itself raises while it is executed passes through.
    """
    place, colon, name = target.rpartition(":")
    if not colon or not place or not name:
        raise PrunerError(
            place or target or "the target",
            "names nothing in it",
            "write path.py:NAME or package.module:NAME",
        )
    try:
        module = _file(place) if place.endswith(".py") else _module(place)
    except ModuleNotFoundError as missing:
        raise _missing(place, missing) from missing
    found: Any = module
    for part in name.split("."):
        if not hasattr(found, part):
            near = difflib.get_close_matches(part, [known for known in dir(found) if not known.startswith("_")], 3)
            instead = f"did you mean {' or '.join(near)}?" if near else "name something defined there"
            raise PrunerError(place, f"has no {part}", instead)
        found = getattr(found, part)
    return found


def _module(name: str) -> ModuleType:
    if "" in name.split("."):  # a path such as `./mine`, which the import system takes for a relative name
        raise ModuleNotFoundError(name=name)
    return importlib.import_module(name)


def _file(path: str) -> ModuleType:
    if not os.path.isfile(path):
        found = "is no regular file" if os.path.exists(path) else "there is no such file"
        raise PrunerError(path, found, "give the path of a Python file")
    full = os.path.abspath(path)
    try:
        with open(full, "rb") as file:
            source = file.read()
    except OSError as failed:
        raise PrunerError(path, f"cannot be read: {failed.strerror}", "make it readable") from failed
    # Its own neighbours must be importable, as when it is run. Compiled here, so that nothing is written beside it.
    sys.path.insert(0, os.path.dirname(full))
    name = f"checked_{os.path.basename(full).removesuffix('.py')}"
    module = ModuleType(name)
    module.__file__ = full
    sys.modules[name] = module
    try:
        code = compile(source, full, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as failed:
        if isinstance(failed, SyntaxError) and failed.filename:
            raise  # it says itself where
        raise PrunerError(path, f"is not Python: {failed}", "give the path of a Python file") from failed
    exec(code, module.__dict__)
    return module


def _missing(place: str, missing: ModuleNotFoundError) -> PrunerError:
    name = missing.name or ""
    extra = EXTRAS.get(name.partition(".")[0])
    if extra is not None:
        return PrunerError(place, f"needs {name}, which is not installed", f"install ghostproof[{extra}]")
    if os.path.exists(place) and not place.endswith(".py"):
        found = "is a folder" if os.path.isdir(place) else "is no .py file"
        return PrunerError(place, found, "give the path of a Python file, path.py:NAME")
    if place == name or place.startswith(f"{name}."):
        return PrunerError(place, "there is no such module", "give a module that can be imported, or a path.py")
    return PrunerError(place, f"needs {name}, which is not installed", "install it beside ghostproof")
