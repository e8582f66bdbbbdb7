"""Changes that can be taken back: what makes a turn happen as a whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from functools import partial
from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class Journal:
    """Every change of the arbiter's state goes through here, and is undone newest first.

    A mapping whose order matters must only be added to during a turn; what leaves it leaves when the turn is sent.
    """

    def __init__(self) -> None:
        self._undo: list[Callable[[], object]] = []

    def mark(self) -> int:
        """A point to roll back to."""
        return len(self._undo)

    def roll_back(self, mark: int) -> None:
        """Undo everything since `mark`."""
        while len(self._undo) > mark:
            self._undo.pop()()

    def forget(self) -> None:
        """What was done stays."""
        self._undo.clear()

    def set(self, target: object, name: str, value: object) -> None:
        """Set an attribute."""
        self._undo.append(partial(setattr, target, name, getattr(target, name)))
        setattr(target, name, value)

    def put(self, mapping: MutableMapping[Key, Value], key: Key, value: Value) -> None:
        """Add a key to a mapping, or change its value."""
        if key in mapping:
            self._undo.append(partial(mapping.__setitem__, key, mapping[key]))
        else:
            self._undo.append(partial(mapping.pop, key))
        mapping[key] = value

    def pop(self, mapping: MutableMapping[Key, Value], key: Key) -> Value:
        """Take a key out of a mapping."""
        value = mapping.pop(key)
        self._undo.append(partial(mapping.__setitem__, key, value))
        return value

    def push(self, stack: list[Value], value: Value) -> None:
        """Append to a list."""
        self._undo.append(stack.pop)
        stack.append(value)

    def drop(self, stack: list[Value]) -> Value:
        """Take the last off a list."""
        value = stack.pop()
        self._undo.append(partial(stack.append, value))
        return value
