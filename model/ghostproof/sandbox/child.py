"""The child's side: imports one entry function and answers each request line with one reply line.

Run by path with `python -S child.py MODULE:FUNCTION`, so that neither `site` nor `runpy` costs start-up time; the
parent sends its own `sys.path` in the first line. Foreign code runs only inside the entry, and only after descriptors
0, 1 and 2 have been taken away from it. This keeps accidents apart (prints, hangs, crashes, leaks); it is no security
boundary.
"""

from __future__ import annotations

import builtins
import faulthandler
import json
import os
import resource
import sys
from collections.abc import Callable
from types import TracebackType
from typing import Any, BinaryIO

OWN = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
STANDARD = os.path.dirname(os.__file__)

Reply = dict[str, object]
Entry = Callable[[dict[str, object]], Reply]


def main() -> None:
    """Answer requests until the parent closes its end; never returns."""
    requests, replies = _take_descriptors()
    faulthandler.enable(replies, all_threads=False)
    hello = json.loads(requests.readline())
    sys.path[:] = hello["path"]
    sys.prefix, sys.exec_prefix = hello["prefix"], hello["exec_prefix"]
    if hello["site"]:
        import site

        site.main()
    # What `site` would have defined; people write `exit()` and mean SystemExit.
    for name in ("exit", "quit"):
        if not hasattr(builtins, name):
            setattr(builtins, name, sys.exit)
    _limit(resource.RLIMIT_AS, hello["bytes"])
    _limit(resource.RLIMIT_CORE, 0)
    answer = _import_entry(sys.argv[1])
    process = os.getpid()
    while line := requests.readline():
        envelope = json.loads(line)
        faulthandler.dump_traceback_later(envelope["seconds"], exit=True, file=replies)
        reply = answer(envelope["message"])
        if os.getpid() != process:
            os._exit(0)  # a copy that the entry forked off must not answer a second time
        faulthandler.cancel_dump_traceback_later()
        _flush()
        _write(replies, reply + b"\n")
    os._exit(0)  # threads that the entry left behind must not keep the process alive


def _take_descriptors() -> tuple[BinaryIO, int]:
    """Keep private copies of the protocol's pipes and point 0 at nothing, 1 at the capture that 2 already is."""
    requests, replies = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return os.fdopen(requests, "rb"), replies


def _limit(which: int, most: int) -> None:
    hard = resource.getrlimit(which)[1]
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    try:
        resource.setrlimit(which, (most, most))
    except (OSError, ValueError):  # some systems know the name of a limit and refuse to set it
        return


def _import_entry(entry: str) -> Callable[[dict[str, object]], bytes]:
    """A function that never raises: a failure becomes an error reply, an unimportable entry fails every request."""
    module, _, function = entry.partition(":")
    try:
        handle: Entry = getattr(__import__(module, fromlist=[function]), function)
    except BaseException as raised:
        refusal = _refusal(raised)
        return lambda message: refusal

    def answer(message: dict[str, object]) -> bytes:
        try:
            return json.dumps({"reply": handle(message)}).encode()
        except BaseException as raised:
            return _refusal(raised)

    return answer


def _refusal(raised: BaseException) -> bytes:
    try:
        return json.dumps(_error(raised)).encode()
    except MemoryError:
        return b'{"error": {"kinds": ["MemoryError"], "text": "", "where": null}}'


def _write(descriptor: int, line: bytes) -> None:
    while line:
        line = line[os.write(descriptor, line) :]


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:  # the entry may have closed or replaced them; that concerns nobody but the entry
            continue


def _error(raised: BaseException) -> Reply:
    """What the parent needs to name the fault: the kind, the text, and the place in foreign code if there is one."""
    verdict: Any = getattr(raised, "verdict", None)
    if type(raised).__name__ == "PrunerError" and verdict is not None:
        return {"refused": [str(verdict.where), str(verdict.found), str(verdict.instead)]}
    try:
        text = str(raised)
    except BaseException:
        text = "(its text cannot be shown)"
    kinds = [kind.__name__ for kind in type(raised).__mro__]
    where = foreign_place(raised.__traceback__)
    error: Reply = {"kinds": kinds, "text": text[:2000], "where": where, "loading": _loading(raised.__traceback__)}
    if isinstance(raised, SyntaxError) and raised.filename:
        error["where"] = f"{raised.filename}:{raised.lineno or 0}"
        error["text"] = raised.msg
    if error["where"] is None:
        import traceback

        error["trace"] = "".join(traceback.format_exception(raised, limit=-20))[-4000:]
    return {"error": error}


def _loading(trace: TracebackType | None) -> bool:
    """Whether foreign code was being executed as a module, and not called."""
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_name == "<module>" and foreignness(code.co_filename):
            return True
        trace = trace.tb_next
    return False


def foreign_place(trace: TracebackType | None) -> str | None:
    """`file:line` of the innermost frame in foreign code, preferring code outside installed packages."""
    script = package = None
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        rank = foreignness(file)
        if rank == 2:
            script = f"{file}:{trace.tb_lineno}"
        elif rank == 1:
            package = f"{file}:{trace.tb_lineno}"
        trace = trace.tb_next
    return script or package


def foreignness(file: str) -> int:
    """0 for our own code and the standard library, 1 for installed packages, 2 for everything else."""
    if file.startswith(("<", OWN + os.sep)):
        return 0
    if f"{os.sep}site-packages{os.sep}" in file or f"{os.sep}dist-packages{os.sep}" in file:
        return 1
    return 0 if file.startswith(STANDARD + os.sep) else 2


if __name__ == "__main__":
    main()
