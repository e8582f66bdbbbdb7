"""Requests share their histories: what was given out stays as it was, and a turn makes anew only what changed."""

from __future__ import annotations

import copy
import pickle
import random
import statistics
import tracemalloc

from ghostproof_reference.budget import SeparateBudgets
from ghostproof_reference.request import Item, Request, Text
from ghostproof_reference.sent import SentHistory
from reference_impl.building import bare, call, group, tool


def text(ordinal: int) -> Item:
    return Text(str(ordinal), 1)


def long(length: int) -> SentHistory:
    history = SentHistory()
    for ordinal in range(length):
        history = history.followed({ordinal: text(ordinal)}, ())
    return history


def test_every_history_stays_what_it_was_whatever_follows_it() -> None:
    chance = random.Random(7)
    history, expected, ordinal = SentHistory(), dict[int, Item](), 0
    made: list[tuple[SentHistory, tuple[Item, ...]]] = []
    for _ in range(400):
        joined = {ordinal + n: text(ordinal + n) for n in range(chance.randrange(4))}
        ordinal += len(joined)
        expected |= joined
        gone = chance.sample(sorted(expected), min(len(expected), chance.choice((0, 0, 1, 3))))
        for one in gone:
            del expected[one]
        history = history.followed(joined, gone)
        if chance.random() < 0.5:
            assert len(history) == len(expected)
        made.append((history, tuple(expected.values())))
    for history, items in made:
        assert history == items == tuple(history)
        assert (hash(history), repr(history)) == (hash(items), repr(items))
    assert any(items for _, items in made)


def test_it_reads_like_a_tuple_and_equals_nothing_else() -> None:
    history, items = long(5), tuple(text(ordinal) for ordinal in range(5))
    assert (history[-1], history[1:3], list(reversed(history))) == (items[-1], items[1:3], list(reversed(items)))
    assert items[2] in history
    assert history == long(5) != long(4)
    assert history != list(items)


def test_what_stands_before_the_first_that_leaves_is_shared() -> None:
    before = long(1_000)
    after = before.followed({1_000: text(1_000)}, [990])
    assert after._last is not None
    assert before._last is not None
    assert len(after._last.items) == 10
    shared = before._last
    for _ in range(10):
        assert shared.before is not None
        shared = shared.before
    assert after._last.before is shared


def test_a_very_long_one_can_be_copied_written_and_dropped() -> None:
    history = long(20_000)
    assert pickle.loads(pickle.dumps(history)) == copy.deepcopy(history) == history
    del history


def test_a_turn_late_in_a_session_takes_as_much_memory_as_an_early_one() -> None:
    """A copy of anything that grows with the session would show: calls are evicted, and what is said stays."""
    arbiter, budget, turns = bare(), SeparateBudgets(50, 100), 1_200
    arbiter.arbitrate(Request(tuple(tool(f"t{n}") for n in range(10))), budget)
    spent = []
    tracemalloc.start()
    try:
        for turn in range(turns):
            items = (Text("question", 1), group(call(f"t{turn % 7}", str(turn))), Text("answer", 1))
            before, _ = tracemalloc.get_traced_memory()
            tracemalloc.reset_peak()
            arbiter.advance(items, budget)
            spent.append(tracemalloc.get_traced_memory()[1] - before)
    finally:
        tracemalloc.stop()
    assert statistics.median(spent[-100:]) <= 1.2 * statistics.median(spent[100:200])
