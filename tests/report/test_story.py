"""A refuting session as people read it."""

from ghostproof.report.changes import described
from ghostproof.report.story import tell, tell_walk
from ghostproof.turn.property import NO_GHOST, Property
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.session import play
from ghostproof.turn.trace import Script, ScriptTurn, Walk
from report import sessions
from report.samples import HOSTILE, session, withhold


def test_a_session_is_told_turn_by_turn() -> None:
    assert tell(session()) == [
        "pruner schemas first, tools as the session starts:",
        "  send: changes state; tokens: schema 2, a call's arguments 1, tombstone 1",
        "turn 1",
        "  arguments of send enter the history from elsewhere (handoff, resume, rewind, memory, an inner call)",
        "  pass withhold: prompt 3 -> 1 tokens, until its budget condition holds",
        "    hides the schema of send because prompt 3 of 2 tokens",
        "  pass gate (every tool once): prompt 1 -> 2 tokens",
        "    writes a tombstone of send",
        "  pass trim: nothing to do, its budget condition holds",
        "  request 1 is sent: prompt 2 of 2 tokens",
        "    send: schema not shown, 1 call with arguments, which no longer match its live schema, a tombstone",
        "  the model ignores the tombstone and rebuilds a call of send",
        "  the executor rejects the call of send: validation error",
        "turn 2",
        "  the call of send joins the history",
        "  arguments of send enter the history from elsewhere (handoff, resume, rewind, memory, an inner call)",
        "  pass withhold: finds nothing to change, though its budget condition fails",
        "  pass gate (every tool once): changes nothing",
        "  pass trim: prompt 4 -> 1 tokens, until its budget condition holds",
        "    evicts 1 call of send (2 left) because prompt 4 of 2 tokens",
        "    removes the tombstone of send because prompt 3 of 2 tokens",
        "    evicts 1 call of send (1 left) because prompt 2 of 2 tokens, 1 token owed for tombstones",
        "  request 2 is sent: prompt 1 of 2 tokens, 1 token owed for tombstones",
        "    send: schema not shown, 1 call with arguments, which no longer match its live schema, no tombstone",
        "    GHOST: send: the model sees arguments, no schema and no tombstone",
    ]


def test_a_pruner_that_reads_a_pair_of_budgets_is_told_by_both() -> None:
    tool = {"mutation": False, "pinned": True, "schema_tokens": 2, "argument_tokens": 1, "tombstone_tokens": 1}
    pair = ("schema_budget", "argument_budget")
    turn = ScriptTurn({"schema_budget": 1, "argument_budget": 5}, ("idle",), ("silent",), ("no execution",))
    pruner = Pruner(Pass(withhold, until=lambda turn: turn.schema_tokens <= turn.schema_budget))
    told = tell(play(pruner, Script((tool,), 3, (turn,)), NO_GHOST, budgets=pair))
    assert told[1:3] == [
        "  tool_1: only reads, pinned; tokens: schema 2, a call's arguments 1, tombstone 1",
        "  the rest of each prompt costs 3 tokens",
    ]
    assert "    hides the schema of tool_1 because schemas 2 of 1 tokens, history 0 of 5 tokens" in told
    assert "  request 1 is sent: schemas 0 of 1 tokens, history 0 of 5 tokens" in told
    assert told[-1] == "    tool_1: schema not shown, no calls, no tombstone"


def test_every_changed_field_is_told() -> None:
    assert described(
        {"schema_shown": False, "schema_lossy": False}, {"schema_shown": True, "schema_lossy": True}, "t"
    ) == ["shows the schema of t without its constraints"]
    assert described({"schema_lossy": False}, {"schema_lossy": True}, "t") == [
        "strips the schema of t of its constraints"
    ]
    assert described({"schema_lossy": True}, {"schema_lossy": False}, "t") == ["shows the whole schema of t"]
    assert described(
        {"calls_resident": 3, "calls_before_tombstone": 1}, {"calls_resident": 0, "calls_before_tombstone": 0}, "t"
    ) == ["evicts 3 calls of t (none left)"]
    assert described({"schema_current": False}, {"schema_current": True}, "t") == [
        "sets schema_current of t from False to True"
    ]
    assert described({"seen": 1}, {"seen": 2}, "t") == ["sets seen of t from 1 to 2"]


def test_a_walk_is_told_command_by_command() -> None:
    walk = Walk(({"x": 0, "done": False}, {"x": 1, "done": True}), ("add",))
    assert tell_walk(walk) == ["state 0: x 0, done False", "command add", "state 1: x 1, done True"]


def test_hostile_names_are_shown_as_text() -> None:
    told = tell(session(HOSTILE, HOSTILE))
    assert all(line.isprintable() and len(line) < 400 for line in told)
    assert any("\\x1b]0;owned" in line for line in told)


def test_every_ghost_is_told() -> None:
    told = [line.strip() for line in tell(sessions.two_ghosts())]
    assert [line.split(":")[1].strip() for line in told if line.startswith("GHOST")] == ["send", "search"]


def test_a_violation_that_is_no_ghost_is_not_called_one() -> None:
    tool = {"mutation": True, "pinned": False, "schema_tokens": 1, "argument_tokens": 1, "tombstone_tokens": 1}
    always = Property("no\x1b_tool", "there is no tool", lambda tool: True, lambda tool: True)
    told = tell(play(Pruner(Pass(withhold)), Script((tool,), 0, (ScriptTurn({}, ("idle",), (), ()),)), always))
    assert told[-1] == "    VIOLATION: tool_1: no\\x1b_tool fails"
    assert not any("GHOST" in line for line in told)


def test_without_a_budget_the_size_of_the_prompt_stands_before_what_is_owed() -> None:
    tool = {"mutation": False, "pinned": False, "schema_tokens": 2, "argument_tokens": 4, "tombstone_tokens": 1}
    turn = ScriptTurn({}, ("arguments appear",), ("silent",), ("no execution",))
    told = tell(play(Pruner(Pass(withhold)), Script((tool,), 0, (turn,)), NO_GHOST, budgets=()))
    assert told[0] == "pruner without a name, tools as the session starts:"
    assert "  request 1 is sent: prompt 4 tokens, 1 token owed for tombstones" in told
