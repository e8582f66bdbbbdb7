"""How a place in a file is named, the same everywhere: by the path that a user would type."""

from __future__ import annotations

import os


def shown_path(path: str) -> str:
    """`path`, or a place that begins with one, relative to the working directory when it is below it."""
    try:
        below = os.getcwd() + os.sep
    except OSError:
        return path
    return path[len(below) :] if path.startswith(below) else path
