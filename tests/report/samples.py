"""One verdict of each kind, one played session, and text that a terminal must never get."""

from __future__ import annotations

from ghostproof.report.outcome import Outcome, Part
from ghostproof.turn.budget import Turn, prompt_fits
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.recording import Exchange, Recording
from ghostproof.turn.session import play
from ghostproof.turn.tool import Tool
from ghostproof.turn.trace import Script, ScriptTurn, Trace, Walk
from ghostproof.turn.verdict import (
    Checked,
    Disagreement,
    HoldsTo,
    InvalidPruner,
    Proved,
    ProvedUpTo,
    Refuted,
    Undetermined,
    Vacuous,
    Verdict,
)

HOSTILE = "\x1b]0;owned\x07\x1b[2J\u202e\r\n\ud800" + "x" * 5000


def withhold(tool: Tool, turn: Turn) -> None:
    if tool.schema_shown:
        tool.hide_schema()


def gate(tool: Tool, turn: Turn) -> None:
    if tool.arguments_resident and not tool.schema_resident:
        tool.tombstoned = True


def trim(tool: Tool, turn: Turn) -> None:
    if tool.tombstone_is_oldest:
        tool.tombstoned = False
    else:
        tool.evict_call()


SCHEMAS_FIRST = Pruner(
    Pass(withhold, until=prompt_fits), Pass(gate), Pass(trim, until=prompt_fits), name="schemas first"
)


def session(name: str = "send", pruner: str = "schemas first") -> Trace:
    """Two requests, one tool, a ghost in the second: trimming takes the tombstone that the gate wrote."""
    tool = {"mutation": True, "pinned": False, "schema_tokens": 2, "argument_tokens": 1, "tombstone_tokens": 1}
    budgets = {"total_budget": 2}
    first = ScriptTurn(budgets, ("arguments appear",), ("call despite the tombstone",), ("reject",))
    second = ScriptTurn(budgets, ("arguments appear",), ("silent",), ("no execution",))
    script = Script((tool,), 0, (first, second))
    played = play(SCHEMAS_FIRST, script, NO_GHOST, names=(name,), budgets=("total_budget",))
    return Trace(pruner, played.judged, played.names, played.script, played.requests, played.budgets)


REPLAYED = Checked("replay", "requests played by the plain functions", 2)
HOLDS = HoldsTo("explicit", 3, 2, "sizes 1 to 2", 1204)
OFFERED = {"messages": [{"role": "user", "content": "go"}], "tools": []}
RECORDING = Recording("openai-chat", (Exchange(1, OFFERED, OFFERED, ("the user asks",), None, ()),))

VERDICTS: dict[str, Verdict] = {
    "proved": Proved(
        "induction",
        {"prompt": "schema_shown or tombstone_resident", "response": "true"},
        (Checked("z3", "queries", 3), Checked("enumeration", "not enumerable", 0)),
    ),
    "proved up to": ProvedUpTo("k-induction", 2),
    "holds to": HOLDS,
    "refuted": Refuted("bmc", session(), ("fewer requests: excluded",), (REPLAYED,)),
    "undetermined": Undetermined("the limit ran out", "induction, bmc", HOLDS, ("a step",)),
    "vacuous": Vacuous(("a pruned schema", "a resident call"), "induction"),
    "invalid pruner": InvalidPruner("p.py:3", "a clock", "use idle_turns"),
    "disagreement": Disagreement(("induction", "bmc"), ("kept.smt2",)),
}

HOSTILE_VERDICTS: tuple[Verdict, ...] = (
    Proved(HOSTILE, {HOSTILE: HOSTILE}, (Checked(HOSTILE, HOSTILE, 1),)),
    HoldsTo(HOSTILE, 1, 1, HOSTILE, 1, HOSTILE),
    Refuted(HOSTILE, session(HOSTILE, HOSTILE), (HOSTILE,), (Checked(HOSTILE, HOSTILE, 1),)),
    Refuted(HOSTILE, Walk(({HOSTILE: HOSTILE}, {HOSTILE: HOSTILE}), (HOSTILE,))),
    Undetermined(HOSTILE, HOSTILE, None, (HOSTILE,)),
    Vacuous((HOSTILE,), HOSTILE),
    InvalidPruner(HOSTILE, HOSTILE, HOSTILE),
    Disagreement((HOSTILE, HOSTILE), (HOSTILE,)),
)


def part(verdict: Verdict, as_expected: bool = True, label: str = "a", expected: str = "Proved") -> Part:
    return Part(label, "is it so", "it is so", expected, verdict, as_expected, 0.5, "everything")


def outcome(*parts: Part, name: str = "T1", errors: tuple[str, ...] = ()) -> Outcome:
    return Outcome(name, "a title", parts, sum(item.seconds for item in parts), errors)
