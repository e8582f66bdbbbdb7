"""What commands have in common: options that several of them take, and the checks of values."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

import click

from ghostproof.turn.property import PROPERTIES
from ghostproof.turn.scenario import SCENARIOS

Command = TypeVar("Command", bound=Callable[..., Any])

SECONDS_MAX = 86_400.0
"""A day: more is no deadline, and far more than the clocks of a system can count."""

MEGABYTES_MAX = 1 << 20
"""A terabyte: far more is no number that a system takes for a limit."""

property_option = click.option(
    "--property",
    "property_name",
    type=click.Choice(list(PROPERTIES)),
    default="no_ghost",
    show_default=True,
    help="Every tool, or only those that change state.",
)
scenario_option = click.option(
    "--scenario",
    type=click.Choice(list(SCENARIOS)),
    default="everything",
    show_default=True,
    help="Admit every action and budgets that change each turn; or only what a well-behaved runtime must expect; or"
    " everything, and what happens inside the history: schemas revealed there and lost with it, calls emptied or cut.",
)


def writable(context: click.Context, parameter: click.Parameter, path: str | None) -> str | None:
    """Refuse a file that cannot be written before anything is computed."""
    if path is not None:
        place = path if os.path.exists(path) else os.path.dirname(path) or "."
        reason = None
        if not path or os.path.isdir(path):
            reason = "name a file, not a folder"
        elif not os.path.isdir(os.path.dirname(path) or "."):
            reason = f"there is no folder {os.path.dirname(path)!r}"
        elif not os.access(place, os.W_OK):
            reason = f"{place!r} may not be written"
        if reason:
            raise click.BadParameter(f"{path!r} cannot be written: {reason}", context, parameter)
    return path


def finite(context: click.Context, parameter: click.Parameter, seconds: float) -> float:
    """Refuse what is no number of seconds, or more than a day."""
    # Neither a range nor float() refuses what is no number.
    if not 0 < seconds < float("inf"):
        raise click.BadParameter(f"{seconds:g} is not a number of seconds above 0", context, parameter)
    if seconds > SECONDS_MAX:
        raise click.BadParameter(f"{seconds:g} is more than {SECONDS_MAX:g} seconds, a day", context, parameter)
    return seconds


def memory_option(text: str) -> Callable[[Command], Command]:
    """How many megabytes somebody else's code may take; `text` says what is limited."""
    return click.option(
        "--memory",
        metavar="MEGABYTES",
        type=click.IntRange(min=64, max=MEGABYTES_MAX),
        default=2048,
        show_default=True,
        help=text,
    )


def deadline_option(default: float, text: str) -> Callable[[Command], Command]:
    """How many seconds somebody else's code may take; `text` says for what."""
    return click.option(
        "--deadline", metavar="SECONDS", type=float, callback=finite, default=default, show_default=True, help=text
    )
