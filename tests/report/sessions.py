"""Played sessions with ghosts of several kinds, and answers about them."""

from __future__ import annotations

from collections.abc import Sequence

from ghostproof.report.check_text import Checked
from ghostproof.turn.budget import Turn
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.session import play
from ghostproof.turn.tool import Tool
from ghostproof.turn.trace import Script, ScriptTurn, Trace
from ghostproof.turn.verdict import Refuted, Verdict
from report.samples import VERDICTS, gate, withhold

TOOL = {"mutation": True, "pinned": False, "schema_tokens": 2, "argument_tokens": 1, "tombstone_tokens": 1}


def strip(tool: Tool, turn: Turn) -> None:
    if tool.arguments_resident:
        tool.show_schema_lossily()


def played(pruner: Pruner, *turns: ScriptTurn, names: Sequence[str] = ("send", "search")) -> Trace:
    script = Script(tuple(TOOL for _ in names), 0, turns)
    return play(pruner, script, NO_GHOST, names=names, budgets=())


def turn(environment: Sequence[str], response: Sequence[str] = (), execution: Sequence[str] = ()) -> ScriptTurn:
    count = len(environment)
    return ScriptTurn({}, tuple(environment), tuple(response) or ("",) * count, tuple(execution) or ("",) * count)


def two_ghosts() -> Trace:
    """One request in which both tools are ghosts: their schemas are withheld, and there is no gate."""
    return played(Pruner(Pass(withhold), name="no gate"), turn(["arguments appear", "arguments appear"]))


def hollow() -> Trace:
    """One ghost: the schema is shown without its constraints."""
    return played(Pruner(Pass(strip), Pass(withhold_idle)), turn(["arguments appear", "idle"]))


def withhold_idle(tool: Tool, turn: Turn) -> None:
    if not tool.arguments_resident:
        tool.hide_schema()


def lost_tombstone() -> Trace:
    """A ghost that no pass left: the gate wrote a tombstone once, compaction drops it, and nothing writes another."""

    def gate_once(tool: Tool, turn: Turn) -> None:
        if tool.schema_shown and tool.arguments_resident:
            tool.hide_schema()
            tool.tombstoned = True

    return played(
        Pruner(Pass(gate_once), name="gate of this turn"),
        turn(["arguments appear"]),
        turn(["tombstone is lost"]),
        names=("send",),
    )


def joined() -> Trace:
    """A ghost that begins with the turn: a call of the last response joins the history of a tool without schema."""

    def forget(tool: Tool, turn: Turn) -> None:
        tool.hide_schema()

    pruner = Pruner(Pass(forget), name="shows nothing")
    return played(pruner, turn(["idle"], ["call blind"], ["execute unvalidated"]), turn(["idle"]), names=("send",))


def like_actors() -> Trace:
    """Passes that bear the names of the other actors of a trace."""
    passes = (Pass(withhold, name="environment"), Pass(gate, name="response"), Pass(strip, name="execution"))
    return played(Pruner(*passes), turn(["arguments appear", "idle"]))


def answer(trace: Trace, target: str = "mine.py:PRUNER") -> Checked:
    return about(Refuted("bmc", trace), 1, target)


def about(verdict: Verdict, code: int, target: str = "mine.py:PRUNER") -> Checked:
    return Checked(target, NO_GHOST, "every action, budgets free each turn", verdict, code, 0.5)


def refuted() -> Refuted:
    verdict = VERDICTS["refuted"]
    assert isinstance(verdict, Refuted)
    return verdict
