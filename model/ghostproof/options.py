"""What the options of the command line have in common: the checks of their values."""

from __future__ import annotations

import os

import click


def writable(context: click.Context, parameter: click.Parameter, path: str | None) -> str | None:
    """Refuse a file that cannot be written before anything is computed."""
    if path is not None:
        place = path if os.path.exists(path) else os.path.dirname(path) or "."
        if not path or os.path.isdir(path) or not os.access(place, os.W_OK):
            raise click.BadParameter(f"{path!r} cannot be written", context, parameter)
    return path


def finite(context: click.Context, parameter: click.Parameter, seconds: float) -> float:
    """Refuse what is no number of seconds."""
    # Neither a range nor float() refuses what is no number.
    if not 0 < seconds < float("inf"):
        raise click.BadParameter(f"{seconds} is no number of seconds", context, parameter)
    return seconds
