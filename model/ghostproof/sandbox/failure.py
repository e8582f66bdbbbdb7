"""How a child failed, as the one line its author needs: where, what was found, what to do instead."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Mapping
from typing import Any

from ghostproof.report.printable import printable
from ghostproof.sandbox.child import foreignness
from ghostproof.turn.errors import InternalError, PrunerError

FRAME = re.compile(r'^  File "(.*)", line (\d+) in ', re.MULTILINE)
"""A frame as the interpreter's fault handler writes it, innermost first."""


def failed(name: str, envelope: Mapping[str, Any], megabytes: int) -> Exception:
    """The entry raised and the child said so: a PrunerError, or an InternalError if only our own code was involved."""
    if "refused" in envelope:
        where, found, instead = map(str, envelope["refused"])
        return PrunerError(printable(where), printable(found), printable(instead, 1000))
    error = envelope["error"]
    kinds, text = error["kinds"], printable(str(error["text"]))
    where = printable(error["where"] or name)
    if "MemoryError" in kinds:
        instead = "make it smaller, or allow more with --memory"
        return PrunerError(where, f"needed more than {megabytes} MB of memory", instead)
    if "RecursionError" in kinds:
        return PrunerError(where, "recursed too deeply", "give the recursion an end")
    loading = "correct the module: it has to load before anything in it can be asked" if error.get("loading") else ""
    if "SystemExit" in kinds:
        said = f" ({text})" if text else ""
        return PrunerError(where, f"asked the interpreter to exit{said}", loading or "return instead")
    if "SyntaxError" in kinds:
        return PrunerError(where, f"is not Python: {text}", "correct the syntax")
    if error["where"] is None:
        return InternalError(f"{name} failed in our own code:\n{error.get('trace', text)}")
    said = f": {text}" if text else ""
    if "ImportError" in kinds:
        return PrunerError(where, f"raised {kinds[0]}{said}", "correct the import")
    instead = loading or "make it return normally for every input it can be given"
    return PrunerError(where, f"raised {kinds[0]}{said}", instead)


def late(name: str, seconds: float, report: str) -> PrunerError:
    """The deadline passed. `report` is the fault handler's list of frames, empty if the parent had to kill."""
    instead = "make it end, or allow more with --deadline"
    return PrunerError(_place(report) or name, f"did not return within {seconds:g} s", instead)


def ended(name: str, status: int | None, report: str, printed: str) -> PrunerError:
    """The child closed its end without a reply; `status` as from waitpid, None if it had to be killed."""
    where = _place(report) or name
    instead = "return instead of ending or closing what the process runs on"
    if status is None:
        return PrunerError(where, "closed descriptors that it does not own", instead)
    if os.WIFEXITED(status):
        said = f", having printed {printable(printed, 120)}" if printed else ""
        return PrunerError(where, f"ended the interpreter with exit status {os.WEXITSTATUS(status)}{said}", instead)
    name = signal.Signals(os.WTERMSIG(status)).name
    if name == "SIGKILL":
        return PrunerError(where, "was killed (SIGKILL), as a system does when memory runs out", "use less memory")
    return PrunerError(where, f"crashed the interpreter ({name})", "find the native call on that line and avoid it")


def _place(report: str) -> str | None:
    """`file:line` of the innermost foreign frame in a fault report."""
    frames = [(foreignness(file), f"{file}:{line}") for file, line in FRAME.findall(report)]
    for rank in (2, 1):
        for found, place in frames:
            if found == rank:
                return printable(place)
    return None
