"""Plays sessions again in a fresh process: a counterexample is shown only if it happens twice."""

from __future__ import annotations

from collections.abc import Sequence

from ghostproof.drive.catalogue import TOOLS
from ghostproof.drive.client import Client, Sent, nondeterministic
from ghostproof.drive.environment import calls_before, response
from ghostproof.drive.explore import Session, judged, requests
from ghostproof.drive.judge import WIRE
from ghostproof.turn.recording import Exchange, Recording


def record(client: Client, session: Session, property_name: str) -> Recording:
    """The session on the wire, turn by turn, from a client that has not seen it before.

    Raises PrunerError if anything that is sent differs from what was sent when the session was explored, or if the
    model calls a tool in it whose schema it was not shown.
    """
    exchanges: list[Exchange] = []
    tombstoned: set[str] = set()
    asked = requests(session)
    for turn, (one, step) in enumerate(zip(asked, session.steps, strict=True)):
        sent = client.prune(one.request, one.decisions, asked[:turn])
        _compare(client, sent, step.digest, turn + 1)
        past = session.past[:turn]
        judgement = judged(sent, past, session.tools, client.target)
        over = turn < len(session.past)
        called = session.past[turn].called if over else ()
        if not set(called) <= set(judgement.resident):
            raise nondeterministic(client.target, f"request {turn + 1} showed other schemas when played again")
        exchanges.append(
            Exchange(
                turn=turn + 1,
                offered=one.request,
                sent=sent.payload,
                choices=_choices(sent, step.opening),
                response=response(called, calls_before(past), session.values) if over else None,
                ghosts=judgement.ghosts(property_name, tombstoned),
            )
        )
        tombstoned |= {name for name, residency in judgement.found.items() if residency.tombstone is not None}
    return Recording(WIRE, tuple(exchanges))


def rerun(client: Client, sessions: Sequence[Session]) -> int:
    """Send the last request of each session again, in the opposite order, and count them.

    Raises PrunerError if any of it differs.
    """
    for session in reversed(sessions):
        asked = requests(session)
        sent = client.prune(asked[-1].request, asked[-1].decisions, asked[:-1])
        _compare(client, sent, session.steps[-1].digest, len(asked))
    return len(sessions)


def _compare(client: Client, sent: Sent, digest: bytes, turn: int) -> None:
    if sent.digest != digest:
        raise nondeterministic(
            client.target, f"request {turn} of one session was pruned in two ways, the second time in a fresh process"
        )


def _choices(sent: Sent, opening: int | None) -> tuple[str, ...]:
    asks = "the loop goes on with the results" if opening is None else f"the user asks: {TOOLS[opening].wish}"
    return (asks, *(f"{choice.question}: {choice.answer}" for choice in sent.choices))
