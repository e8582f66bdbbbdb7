"""Model and reference in step through long sessions of 14 to 16 tools, with everything that happens to a runtime.

A census counts in how many sessions each thing happened; too few fail, so that no check passes for want of cases.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import ClassVar

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from differential.session import Runtime, Session, Sizes
from differential.turns import demand, send
from ghostproof_reference.budget import JointBudget, SeparateBudgets
from ghostproof_reference.gate import GateMode
from ghostproof_reference.settings import Lossy, Migration

small = st.integers(1, 4)
sizes = st.builds(Sizes, st.integers(1, 9), small, small, small, st.sampled_from([False] * 9 + [True]), st.booleans())
joint = st.sampled_from([0, -1, 1, -2, -4, -9, -20, 12])
tight = st.sampled_from([0, -1, 1, -4, -9, -20])
roomy = st.sampled_from([99, 0, -1, 1, -4, 99])
"""How far a budget is from the demand, in tokens."""
which = st.integers(0, 15)
some = st.lists(which, min_size=1, max_size=3)
answer = st.lists(which, max_size=3)
tombstones = st.builds(
    Runtime,
    keeps=st.sampled_from(["all", "sent", "grown"]),
    lossy=st.sampled_from(Lossy),
    migration=st.sampled_from(Migration),
    order=st.sampled_from(["declared", "least-recently-called", "least-frequently-called", "largest-schema-first"]),
)
others = st.builds(
    Runtime, keeps=st.sampled_from(["all", "sent"]), gate=st.sampled_from([GateMode.EVICT, GateMode.STRICT])
)


class Sessions(RuleBasedStateMachine):
    """A session; what happens to a tool happens once a turn."""

    census: ClassVar[Counter[str]] = Counter()

    @initialize(given=st.lists(sizes, min_size=14, max_size=16), runtime=st.one_of(tombstones, tombstones, others))
    def begin(self, given: list[Sizes], runtime: Runtime) -> None:
        """Two of the tools are another agent's."""
        named = {f"t{place}": size for place, size in enumerate(given)}
        for name in list(named)[-2:]:
            named[name] = replace(named[name], stranger=True, reading=False, pinned=False)
        self.session = Session(named, runtime)

    def names(self, places: list[int]) -> list[str]:
        """Tools to which nothing happened in this turn yet; one, where the gate knows no parallel calls."""
        listed = list(self.session.sizes)
        found = dict.fromkeys(listed[place % len(listed)] for place in places)
        free = [name for name in found if name not in self.session.touched]
        return free if self.session.runtime.gate is GateMode.TOMBSTONE else free[:1]

    @property
    def answering(self) -> bool:
        """Whether the model may still answer."""
        return not self.session.settled

    def call(self, places: list[int]) -> None:
        """Parallel calls of what may be called, if the model may still answer."""
        session = self.session
        if session.settled:
            return
        names = [
            name for name in self.names(places)
            if name in session.declared and not session.tools[name].requested and not session.tools[name].called
        ]  # fmt: skip
        if names:
            session.call(names)

    @precondition(lambda self: self.answering)
    @rule(place=which)
    def request(self, place: int) -> None:
        for name in self.names([place]):
            if not self.session.tools[name].called and not self.session.tools[name].requested:
                self.session.request(name)

    @rule()
    def say(self) -> None:
        self.session.say()

    @rule(place=which, what=st.sampled_from(["migrate", "vanish", "compress"]))
    def befall(self, place: int, what: str) -> None:
        session = self.session
        session.end_response()
        for name in self.names([place]):
            tool = session.tools[name]
            if not tool.registered:
                session.come_back(name)
            elif what != "compress":
                getattr(session, what)(name)
            elif tool.schema_shown and name not in session.lossy and session.runtime.gate is GateMode.TOMBSTONE:
                session.compress(name)

    @rule(places=some)
    def hand_over(self, places: list[int]) -> None:
        self.session.end_response()
        if names := self.names(places):
            self.session.hand_over(names)

    @precondition(lambda self: self.session.removed and not self.session.rewritten)
    @rule()
    def restore(self) -> None:
        names = {call.tool for call in self.session.removed[-1].calls}
        if not names & self.session.touched:
            self.session.restore()

    @precondition(lambda self: self.session.given and not self.session.rewritten)
    @rule(length=st.integers(0, 60), forget=st.booleans())
    def rewrite(self, length: int, forget: bool) -> None:
        session = self.session
        length %= len(session.given)
        (session.compact if forget else session.rewind)(length)

    @precondition(lambda self: self.session.runtime.keeps == "sent" and not self.session.rewritten)
    @rule(place=which)
    def lose(self, place: int) -> None:
        self.session.end_response()
        for name in self.names([place]):
            if self.session.tools[name].tombstoned:
                self.session.lose_tombstone(name)

    # Hypothesis leaves out rules at random, and a session that sends nothing shows nothing: three rules send.
    @rule(places=answer, beside=joint)
    def send_joint(self, places: list[int], beside: int) -> None:
        self.call(places)
        send(self.session, JointBudget(max(0, demand(self.session)[0] + beside)))

    @rule(places=answer, arguments=roomy, schemas=tight)
    def send_pair(self, places: list[int], arguments: int, schemas: int) -> None:
        self.call(places)
        _, now, shown = demand(self.session)
        send(self.session, SeparateBudgets(max(0, now + arguments), max(0, shown + schemas)))

    @rule(places=answer, others=answer, beside=joint)
    def send_twice(self, places: list[int], others: list[int], beside: int) -> None:
        self.send_pair(places, 99, beside)
        self.send_joint(others, beside)

    def teardown(self) -> None:
        if hasattr(self, "session"):
            type(self).census["sessions"] += 1
            type(self).census.update({word for word, times in self.session.met.items() if times})


def run(examples: int, steps: int, *phases: Phase) -> Counter[str]:
    """The census of so many sessions, the same on every run."""

    class Counted(Sessions):
        census: ClassVar[Counter[str]] = Counter()

    run_state_machine_as_test(
        Counted,
        settings=settings(
            max_examples=examples, stateful_step_count=steps, derandomize=True, database=None, deadline=None,
            suppress_health_check=list(HealthCheck), phases=phases,
        ),
    )  # fmt: skip
    return Counted.census


FLOORS = {
    "compared": 20, "exact": 20, "exceeded": 12, "evicted": 20, "pruned": 20, "cleared": 12, "tombstoned": 12,
    "expanded": 8, "notified": 12, "tombstone lost": 4,
}  # fmt: skip
"""In how many of 100 sessions, at the least, each thing must happen; `compared`: the whole answer with the model's."""


def too_few(census: Counter[str]) -> dict[str, int]:
    return {word: census[word] for word, floor in FLOORS.items() if census[word] * 100 < floor * census["sessions"]}


def test_model_and_reference_agree_in_long_sessions() -> None:
    census = run(80, 50, Phase.generate, Phase.shrink)
    assert census["sessions"] >= 80
    assert too_few(census) == {}


@pytest.mark.slow
def test_model_and_reference_agree_in_many_longer_sessions() -> None:
    # Shrinking a session of this length takes more minutes than all of them: one that fails is told as it was found.
    census = run(1000, 100, Phase.generate)
    assert census["sessions"] >= 1000
    assert too_few(census) == {}
    assert min(census["raised"], census["refused"]) >= 10
