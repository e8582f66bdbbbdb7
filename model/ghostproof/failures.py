"""What goes wrong on the command line, sorted by who must act. Imports nothing of ours until it does."""

from __future__ import annotations

import errno
import traceback

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Errors of a place to write to, not of who writes."""

USAGE, INTERNAL, INTERRUPTED, READER_GONE = 2, 70, 130, 141


def failed_with(failed: Exception, debug: bool) -> int:
    """Say in one line what failed and what to do, and return the exit code."""
    from ghostproof import output
    from ghostproof.claims import ClaimsError
    from ghostproof.turn.errors import PrunerError

    if isinstance(failed, output.ReaderGoneError):
        return READER_GONE
    if isinstance(failed, ClaimsError | PrunerError | output.WrongUsageError):
        return complain(str(failed), USAGE)
    if isinstance(failed, OSError) and failed.errno in FULL:
        output.abandon()
        return complain(f"what it writes cannot be written: {failed.strerror}; make room, or write elsewhere", USAGE)
    if debug:
        output.complain("".join(traceback.format_exception(failed)).splitlines())
    # A stack that came along from a child process is for --debug; its last line says what went wrong.
    first, *rest = [line for line in str(failed).splitlines() if line.strip()] or ["without a word"]
    said = f"internal error: {type(failed).__name__}: {' '.join([first, *rest[-1:]])}"
    return complain(f"{said}; please report it, with what the same command prints with --debug", INTERNAL)


def complain(text: str, code: int) -> int:
    """Say what is wrong in one line on standard error. Returns `code`."""
    from ghostproof import output

    output.complain([f"ghostproof: {text}"])
    return code
