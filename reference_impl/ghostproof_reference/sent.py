"""The history of a request as it is sent: each shares with the one before whatever stands at the front of both."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import overload

from ghostproof_reference.request import Item


@dataclass(frozen=True, slots=True, eq=False)
class Stretch:
    """Items by ordinal, at least one, and the stretch before them. Never changed, so that requests may share it."""

    before: Stretch | None
    items: dict[int, Item]


class SentHistory(Sequence[Item]):
    """Items in order, equal to a tuple of them, and as unchangeable.

    Making the next one costs the items that join it and those behind the first that leaves, however many stand before:
    what a provider's prompt cache has to read anew. Reading one costs its length, once.
    """

    def __init__(self, last: Stretch | None = None) -> None:
        self._last = last

    def followed(self, joined: dict[int, Item], gone: Collection[int]) -> SentHistory:
        """This history without what is `gone`, and then what of `joined` is not. `joined` is not to change any more."""
        last = self._last
        if not gone:
            return SentHistory(_behind(last, joined)) if joined else self
        oldest = min(gone)
        touched = [joined]
        while last is not None and next(reversed(last.items)) >= oldest:
            touched.append(last.items)
            last = last.before
        items = [(ordinal, item) for stretch in reversed(touched) for ordinal, item in stretch.items()]
        # What stands before the first that leaves is a stretch of its own, to be shared from now on.
        last = _behind(last, {ordinal: item for ordinal, item in items if ordinal < oldest})
        return SentHistory(
            _behind(last, {ordinal: item for ordinal, item in items if ordinal > oldest and ordinal not in gone})
        )

    @cached_property
    def _whole(self) -> tuple[Item, ...]:
        stretches: list[dict[int, Item]] = []
        last = self._last
        while last is not None:
            stretches.append(last.items)
            last = last.before
        return tuple(chain.from_iterable(stretch.values() for stretch in reversed(stretches)))

    def __len__(self) -> int:
        return len(self._whole)

    @overload
    def __getitem__(self, place: int) -> Item: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Item, ...]: ...
    def __getitem__(self, place: int | slice) -> Item | tuple[Item, ...]:
        return self._whole[place]

    def __add__(self, other: object) -> tuple[Item, ...]:
        return self._whole + tuple(other) if isinstance(other, tuple | SentHistory) else NotImplemented

    def __radd__(self, other: object) -> tuple[Item, ...]:
        return other + self._whole if isinstance(other, tuple) else NotImplemented

    def __eq__(self, other: object) -> bool:
        if isinstance(other, SentHistory):
            return self._last is other._last or self._whole == other._whole
        return self._whole == other if isinstance(other, tuple) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._whole)

    def __repr__(self) -> str:
        return repr(self._whole)

    def __reduce__(self) -> tuple[object, ...]:
        return _of, (self._whole,)


def _of(items: tuple[Item, ...]) -> SentHistory:
    return SentHistory().followed(dict(enumerate(items)), ())


def _behind(last: Stretch | None, items: dict[int, Item]) -> Stretch | None:
    return Stretch(last, items) if items else last
