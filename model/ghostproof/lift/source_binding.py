"""Gives arguments to parameters by Python's rules."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from ghostproof.lift.source_values import Items, Keywords, Values, only


class MismatchError(Exception):
    """The arguments do not fit the parameters (a TypeError when it runs)."""


def bind(
    parameters: ast.arguments, defaults: Mapping[str, Values], given: Sequence[Values], named: Mapping[str, Values]
) -> dict[str, Values]:
    """What each parameter stands for."""
    positional = [parameter.arg for parameter in (*parameters.posonlyargs, *parameters.args)]
    by_position_only = {parameter.arg for parameter in parameters.posonlyargs}
    bound = dict(zip(positional, given, strict=False))
    rest = tuple(given[len(positional) :])
    if parameters.vararg is not None:
        bound[parameters.vararg.arg] = only(Items(rest))
    elif rest:
        raise MismatchError(f"{len(given)} positional arguments for {len(positional)}")
    accepted = {*positional, *(parameter.arg for parameter in parameters.kwonlyargs)} - by_position_only
    extra: dict[str, Values] = {}
    for name, values in named.items():
        if name in accepted and name in bound:
            raise MismatchError(f"`{name}` given twice")
        if name in accepted:
            bound[name] = values
        elif parameters.kwarg is not None:
            extra[name] = values
        else:
            raise MismatchError(f"no parameter `{name}`")
    for name in (*positional, *(parameter.arg for parameter in parameters.kwonlyargs)):
        if name not in bound:
            if name not in defaults:
                raise MismatchError(f"`{name}` is missing")
            bound[name] = defaults[name]
    if parameters.kwarg is not None:
        bound[parameters.kwarg.arg] = only(Keywords(extra))
    return bound
