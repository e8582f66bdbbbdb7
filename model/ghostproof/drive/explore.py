"""Every session inside a bound: breadth first in turns, then by fewer tools, then by shorter values.

A pruner that depends on the request alone is asked once for each distinct history; how many sessions lead to that
history is counted. A pruner that remembers is asked along every session, since nothing may be merged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ghostproof.drive.catalogue import TOOLS, Size
from ghostproof.drive.client import Asked, Client, Decisions, Sent
from ghostproof.drive.crew import Crew
from ghostproof.drive.environment import Past, Turn, marks, offered, openings, responses
from ghostproof.drive.judge import Judgement, judge


@dataclass(frozen=True, slots=True)
class Step:
    """One request of one session: how its turn opened, what the oracle answered, and what was sent."""

    opening: int | None
    decisions: Decisions
    digest: bytes


@dataclass(frozen=True, slots=True)
class Session:
    """A session up to and including its last request. `size` sums the bytes of everything it sent."""

    tools: int
    values: Size
    past: Past
    steps: tuple[Step, ...]
    size: int


@dataclass(slots=True)
class Node:
    """A history and how it came about: the session that sent the fewest bytes, and how many sessions lead here."""

    past: Past
    steps: tuple[Step, ...] = ()
    size: int = 0
    sessions: int = 1


Level = dict[object, Node]


@dataclass(slots=True)
class Tally:
    """What was covered. `sessions[turns][tools]` counts the sessions of exactly so many requests and tools.

    The others count distinct requests: all, those with a call in the history that was offered, and those in which the
    pruner withheld a schema, withheld the schema of a called tool, evicted arguments, or left a tombstone.
    """

    sessions: dict[int, dict[int, int]] = field(default_factory=dict)
    requests: int = 0
    called: int = 0
    withheld: int = 0
    at_stake: int = 0
    evicted: int = 0
    tombstoned: int = 0

    def count(self, turns: int, tools: int, sessions: int, judgement: Judgement) -> None:
        by_tools = self.sessions.setdefault(turns, {})
        by_tools[tools] = by_tools.get(tools, 0) + sessions
        self.requests += 1
        self.called += judgement.called > 0
        self.withheld += judgement.withheld > 0
        self.at_stake += judgement.at_stake > 0
        self.evicted += judgement.evicted > 0
        self.tombstoned += judgement.tombstoned > 0

    def of_turns(self, turns: int) -> int:
        return sum(self.sessions.get(turns, {}).values())

    def of_fewer_turns(self, turns: int) -> int:
        return sum(self.of_turns(fewer) for fewer in range(1, turns))

    def of_fewer_tools(self, turns: int, tools: int) -> int:
        return sum(count for used, count in self.sessions.get(turns, {}).items() if used < tools)


class Exploration:
    """Searches one pruner. `complete` is the number of turns up to which every session was played without a ghost."""

    def __init__(
        self,
        crew: Crew,
        *,
        property_name: str,
        turns: int,
        tools: int,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        self.tally = Tally()
        self.complete = 0
        self.sample = Sample()
        self.rivals = 0
        self._remembers = False
        self._crew = crew
        self._property = property_name
        self._turns = turns
        self._tools = tools
        self._progress = progress

    def run(self) -> Session | None:
        """The smallest session with a ghost in its last request, or None if there is none inside the bound."""
        self._remembers = self._crew.remembers
        current: dict[tuple[int, Size], Level] = {
            (tools, values): {(): Node(())} for tools in range(1, self._tools + 1) for values in Size
        }
        for turns in range(1, self._turns + 1):
            following: dict[tuple[int, Size], Level] = {}
            for (tools, values), level in current.items():
                following[tools, values] = {}
                found = list(self._expand(level, turns, tools, values, following[tools, values]))
                if found:
                    self.rivals = len(found)
                    return min(found, key=lambda session: (session.size, str(session.steps)))
            self.complete = turns
            current = following
        return None

    def _expand(self, level: Level, turns: int, tools: int, values: Size, following: Level) -> Iterator[Session]:
        """Play the last request of every session in `level`: yield those with a ghost, lead the rest to `following`."""
        jobs = [(node, opening) for node in level.values() for opening in openings(node.past, tools)]

        def play(client: Client, job: tuple[Node, int | None]) -> list[tuple[Step, int, Judgement]]:
            node, opening = job
            request = offered(node.past, opening, tools, values)
            earlier = requests(Session(tools, values, node.past, node.steps, 0)) if self._remembers else []
            return [
                (Step(opening, sent.decisions, sent.digest), sent.size, judged(sent, node.past, tools, client.target))
                for sent in client.branches(request, earlier)
            ]

        for (node, _), outcomes in zip(jobs, self._crew.each(play, jobs), strict=True):
            for step, size, judgement in outcomes:
                self.tally.count(turns, tools, node.sessions, judgement)
                session = Session(tools, values, node.past, (*node.steps, step), node.size + size)
                if judgement.ghosts(self._property):
                    yield session
                    continue
                self.sample.offer(session)
                if turns < self._turns:
                    self._follow(following, session, node.sessions, judgement)
            if self._progress is not None:
                self._progress(self.tally.requests)

    def _follow(self, following: Level, session: Session, sessions: int, judgement: Judgement) -> None:
        for called in responses(judgement.resident):
            past = (*session.past, Turn(session.steps[-1].opening, called))
            key = (past, session.steps) if self._remembers else past
            node = following.get(key)
            if node is None:
                following[key] = Node(past, session.steps, session.size, sessions)
                continue
            node.sessions += sessions
            if session.size < node.size:
                node.steps, node.size = session.steps, session.size


class Sample:
    """At most `most` sessions, evenly spread over all that were offered, the same ones in every run."""

    def __init__(self, most: int = 40) -> None:
        self._most = most
        self._seen = 0
        self._stride = 1
        self.kept: list[Session] = []

    def offer(self, session: Session) -> None:
        if self._seen % self._stride == 0:
            self.kept.append(session)
            if len(self.kept) > self._most:
                self.kept = self.kept[::2]
                self._stride *= 2
        self._seen += 1


def requests(session: Session) -> list[Asked]:
    """The requests a session offers to the pruner, turn by turn, with the oracle's answers."""
    return [
        Asked(offered(session.past[:turn], step.opening, session.tools, session.values), step.decisions)
        for turn, step in enumerate(session.steps)
    ]


def judged(sent: Sent, past: Past, tools: int, target: str) -> Judgement:
    """What one sent request shows, given the history that was offered."""
    called: dict[str, int] = {}
    for turn in past:
        for tool in turn.called:
            called[TOOLS[tool].name] = called.get(TOOLS[tool].name, 0) + 1
    return judge(sent.payload, tools, called, marks(past), target)
