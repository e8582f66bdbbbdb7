"""Where answers go: standard output, files, and a line on the terminal that says what is going on."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from ghostproof.report.printable import printable
from ghostproof.report.text import WIDTH
from ghostproof.turn.recording import Recording
from ghostproof.turn.trace import Walk
from ghostproof.turn.verdict import Refuted

NOT_WRITTEN = "standard output cannot be written"


class ReaderGoneError(Exception):
    """Whoever read our standard output closed it."""


class WrongUsageError(Exception):
    """The command line asks for something that cannot be had; one line that says what."""


def write(lines: Iterable[str]) -> None:
    """Print lines. Raises ReaderGoneError when nobody reads them any more, WrongUsageError when there is no room."""
    try:
        sys.stdout.writelines(f"{line}\n" for line in lines)
        sys.stdout.flush()
    except BrokenPipeError:
        abandon()
        raise ReaderGoneError from None
    except OSError as failed:
        abandon()
        raise WrongUsageError(f"{NOT_WRITTEN}: {failed.strerror}; make room, or write elsewhere") from failed


def finish() -> None:
    """Hand over what others than `write` have printed. Raises as it does."""
    write(())


def abandon() -> None:
    """Write nothing more to standard output."""
    # The interpreter flushes once more when it ends; that must not fail again.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def width() -> int:
    """How wide a page to read may be, in columns: what the terminal has, or as for a file, whichever is less."""
    return min(WIDTH, shutil.get_terminal_size().columns) if sys.stdout.isatty() else WIDTH


def complain(lines: Iterable[str]) -> None:
    """Print lines on standard error, each made safe to show."""
    sys.stderr.writelines(f"{printable(line, 1000)}\n" for line in lines)


def save(text: str, path: str) -> None:
    """Write a file. Raises WrongUsageError."""
    try:
        with open(path, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
    except OSError as failed:
        raise WrongUsageError(f"{path} cannot be written: {failed.strerror}") from failed


def may_replace(path: str, beginning: str) -> bool:
    """Whether writing `path` destroys nothing: there is no such file, or its first line is `beginning`."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.readline().rstrip() == beginning
    except FileNotFoundError:
        return True
    except OSError:
        return False


def story(verdict: Refuted) -> list[str]:
    """The refuting session as lines, whichever kind of session it is."""
    if isinstance(verdict.trace, Recording):
        from ghostproof.drive.story import tell as tell_recording

        return tell_recording(verdict.trace)
    from ghostproof.report.story import tell, tell_walk

    return tell_walk(verdict.trace) if isinstance(verdict.trace, Walk) else tell(verdict.trace)


@contextmanager
def progress() -> Iterator[Callable[[str], None]]:
    """A function that shows what is going on, on a terminal; elsewhere it shows nothing."""
    if not sys.stderr.isatty():
        yield lambda text: None
        return
    from rich.markup import escape

    from ghostproof.report.terminal import console

    with console("stderr").status("") as status:
        yield lambda text: status.update(escape(printable(text, 120)))
