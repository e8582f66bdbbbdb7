"""`ghostproof check --callable`: drives a pruner through every small session and answers with a verdict."""

from __future__ import annotations

from collections.abc import Callable

from ghostproof.drive.catalogue import FILLER, TOOLS, Size
from ghostproof.drive.client import Client
from ghostproof.drive.crew import Crew
from ghostproof.drive.environment import PARALLEL
from ghostproof.drive.explore import Exploration, Session, Tally
from ghostproof.drive.replay import record, rerun
from ghostproof.report.printable import printable
from ghostproof.report.words import count
from ghostproof.turn.errors import InternalError
from ghostproof.turn.property import PROPERTIES
from ghostproof.turn.verdict import Checked, HoldsTo, Refuted, Undetermined, Vacuous, Verdict

ENGINE = "session driver"

SIZES = (
    "sessions start empty, the model calls only what it is shown, up to"
    f" {PARALLEL} tools at once; values all short, or one of each call and each result {len(FILLER)} characters longer"
)
"""What a HoldsTo says about token sizes and about the environment."""


def check_callable(
    target: str,
    *,
    property_name: str = "no_ghost",
    turns: int,
    tools: int,
    seconds: float,
    megabytes: int,
    progress: Callable[[int], None] | None = None,
) -> Verdict:
    """Refuted with a minimal session, HoldsTo the bound, Vacuous if nothing was ever pruned, or Undetermined.

    `target` is `path.py:NAME` or `package.module:NAME`. `turns` bounds the requests of a session, `tools` the tools
    declared in it. `seconds` is the deadline of one call of the pruner, `megabytes` its memory. `progress` is called
    with the number of requests judged so far. KeyboardInterrupt ends the exploration with an Undetermined. Raises
    PrunerError if the pruner cannot be checked, ValueError if an argument is out of range.
    """
    if property_name not in PROPERTIES:
        raise ValueError(f"unknown property {property_name!r}: {' or '.join(PROPERTIES)}")
    if turns < 1 or not 1 <= tools <= len(TOOLS):
        raise ValueError(f"turns must be at least 1 and tools from 1 to {len(TOOLS)}")
    with (
        Crew(target, seconds=seconds, megabytes=megabytes) as crew,
        # Started now, so that importing the target goes on beside the exploration; asked only when that is over.
        Client(target, seconds=seconds, megabytes=megabytes) as fresh,
    ):
        exploration = Exploration(crew, property_name=property_name, turns=turns, tools=tools, progress=progress)
        try:
            session = exploration.run()
            if session is not None:
                return _refuted(exploration, session, fresh, crew, property_name)
            again = rerun(fresh, exploration.sample.kept)
        except KeyboardInterrupt:
            return _interrupted(exploration, tools, crew)
        if missing := _missing_witnesses(exploration.tally, turns):
            return Vacuous(missing, ENGINE, f"{count(turns, 'turn')} with {count(tools, 'tool')}")
        checked = Checked("a fresh process", "requests pruned a second time, with equal results", again)
        return _holds(exploration, turns, tools, crew, (checked,))


def _refuted(exploration: Exploration, session: Session, fresh: Client, crew: Crew, property_name: str) -> Refuted:
    recording = record(fresh, session, property_name)
    if not recording.exchanges[-1].ghosts:
        raise InternalError("the ghost of an explored session is not in its replay, though equal requests were sent")
    turns, tally = len(session.steps), exploration.tally
    ghost = "ghost" if property_name == "no_ghost" else "ghost of a mutation"
    minimality = []
    if turns > 1:
        minimality.append(f"no {ghost} in all {tally.of_fewer_turns(turns)} sessions with fewer than {turns} requests")
    if session.tools > 1:
        fewer = tally.of_fewer_tools(turns, session.tools)
        minimality.append(
            f"no {ghost} in all {fewer} sessions of {turns} requests with fewer than {session.tools} tools"
        )
    if session.values is not Size.SHORT:
        minimality.append(f"no {ghost} in the sessions of that size whose values are short")
    if exploration.rivals > 1:
        minimality.append(f"fewest bytes sent among {exploration.rivals} sessions of that size with a {ghost}")
    replayed = Checked("a fresh process", "requests of the session sent again, with equal results", turns)
    return Refuted(ENGINE, recording, tuple(minimality), (replayed, *_evidence(tally), *_prints(crew)))


def _interrupted(exploration: Exploration, tools: int, crew: Crew) -> Undetermined:
    complete = exploration.complete
    evidence = _holds(exploration, complete, tools, crew) if complete else None
    return Undetermined(f"interrupted when all sessions of {complete} requests were played", ENGINE, evidence)


def _holds(exploration: Exploration, turns: int, tools: int, crew: Crew, checked: tuple[Checked, ...] = ()) -> HoldsTo:
    return HoldsTo(
        engine=ENGINE,
        turns=turns,
        tools=tools,
        sizes=SIZES,
        explored=exploration.tally.of_turns(turns),
        checked=(*_evidence(exploration.tally), *checked, *_prints(crew)),
    )


def _missing_witnesses(tally: Tally, turns: int) -> tuple[str, ...]:
    """What must happen somewhere for the answer to mean anything, and did not."""
    sessions = tally.of_turns(turns)
    missing = []
    if not (tally.withheld or tally.evicted):
        unpruned = f"a request is pruned (in all {sessions} sessions every schema and every argument was sent"
        missing.append(f"{unpruned}: lower the pruner's budgets to what small sessions reach)")
    if not tally.called and turns > 1:
        missing.append(f"a tool is called (in all {sessions} sessions the model was never shown a schema)")
    return tuple(missing)


def _evidence(tally: Tally) -> tuple[Checked, ...]:
    return (
        Checked(ENGINE, "distinct requests pruned and judged", tally.requests),
        Checked(ENGINE, "of them with a schema withheld", tally.withheld),
        Checked(ENGINE, "of them with the schema of a called tool withheld", tally.at_stake),
        Checked(ENGINE, "of them with arguments evicted", tally.evicted),
        Checked(ENGINE, "of them with a tombstone", tally.tombstoned),
    )


def _prints(crew: Crew) -> tuple[Checked, ...]:
    number, first = crew.printed
    if not number:
        return ()
    said = printable(first, 80)
    return (Checked("sandbox", f"characters printed by the pruner and kept apart, first: {said}", number),)
