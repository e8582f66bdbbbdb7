"""What the corpus found the checker to lack: what is mended stays tested, what is not is expected to fail."""

from __future__ import annotations

from corpus.parts import eviction, gating, hide_idle
from corpus.sessions import Allowance
from corpus.unsound_order import oldest_first
from ghostproof.engines.problem import Bounds
from ghostproof.examine import examine
from ghostproof.host.host import LocalHost
from ghostproof.turn.budget import Turn, prompt_fits
from ghostproof.turn.property import NO_GHOST
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.scenario import ANYTHING, ORDINARY_SESSION, Scenario
from ghostproof.turn.tool import Tool
from ghostproof.turn.trace import Trace
from ghostproof.turn.verdict import Proved, Refuted, Vacuous, Verdict
from lift.sessions import cost_of


def hide_what_is_enough(tool: Tool, turn: Turn) -> None:
    """Hides a schema that is no larger than what is too much: a visit that looks at the numbers itself."""
    if tool.schema_shown and tool.schema_tokens <= turn.demand_tokens - turn.total_budget:
        tool.hide_schema()


def compress(tool: Tool, turn: Turn) -> None:
    """Makes a schema lossy, and hides none."""
    if tool.schema_shown and tool.idle_turns >= 1:
        tool.show_schema_lossily()


def hide_after_nine_visits(tool: Tool, turn: Turn) -> None:
    """More rounds than are searched for a bound of them."""
    if tool.visits < 9:  # type: ignore[attr-defined]
        tool.visits = tool.visits + 1  # type: ignore[attr-defined]
    else:
        tool.hide_schema()


counting = Pruner(Pass(hide_after_nine_visits, until=prompt_fits), memory={"visits": 0}, name="hides after nine visits")
looking = Pruner(Pass(hide_what_is_enough, until=prompt_fits), name="a visit that looks at the numbers")
looking_and_gated = Pruner(*looking.passes, gating, name="a visit that looks at the numbers, gated")
compressing = Pruner(eviction, Pass(compress), gating, name="compresses and hides nothing")


def verdict_on(pruner: Pruner, scenario: Scenario) -> Verdict:
    """What check says."""
    return examine(LocalHost(pruner), scenario, NO_GHOST, Bounds())


def test_the_tokens_of_a_trace_are_those_that_were_minimised() -> None:
    """Budgets free each turn: each turn's counts, also where it is the same."""
    verdict = verdict_on(oldest_first, ANYTHING)
    assert isinstance(verdict, Refuted)
    assert isinstance(verdict.trace, Trace)
    assert f"fewer than {cost_of(verdict.trace, ANYTHING)[2]} tokens" in verdict.minimality[2]


def test_the_visit_that_looks_at_the_numbers_makes_a_ghost() -> None:
    total = ("total_budget",)
    assert Allowance(looking, ORDINARY_SESSION, NO_GHOST, total, total).first(2, 1, 6) == (2, 1, 4)


def test_that_ghost_is_found() -> None:
    verdict = verdict_on(looking, ORDINARY_SESSION)
    assert isinstance(verdict, Refuted), verdict


def test_the_gate_behind_that_visit_is_proved() -> None:
    """The shield holds for any pruner whatever; only the witnesses against a vacuous proof are missing."""
    verdict = verdict_on(looking_and_gated, ANYTHING)
    assert isinstance(verdict, Proved), verdict


def test_compression_alone_is_not_vacuous() -> None:
    """Without the gate it makes hollow ghosts, so a proof with the gate says something."""
    assert isinstance(verdict_on(Pruner(Pass(compress), name="no gate"), ORDINARY_SESSION), Refuted)
    verdict = verdict_on(compressing, ORDINARY_SESSION)
    assert isinstance(verdict, Proved), verdict


def test_hiding_in_place_of_compression_is_proved() -> None:
    """The same pruner, but hiding: what the test above differs in is the witness alone."""
    assert isinstance(verdict_on(Pruner(eviction, Pass(hide_idle), gating, name="hides"), ORDINARY_SESSION), Proved)


def impossible(turn: Turn) -> bool:
    """Never holds: there is always a schema or nothing at all."""
    return turn.total_budget < 0


def evict_and_hide(tool: Tool, turn: Turn) -> None:
    """Evicts, then hides, until nothing is left."""
    if tool.calls_resident > 0:
        tool.evict_call()
    elif tool.schema_shown:
        tool.hide_schema()


def hide_first(tool: Tool, turn: Turn) -> None:
    """Hides what has arguments."""
    if tool.arguments_resident:
        tool.hide_schema()


def test_a_session_starts_within_its_budgets_and_not_within_the_pruners_conditions() -> None:
    """Also where a pruner's condition never holds there are ordinary sessions to look at."""
    proved = verdict_on(Pruner(Pass(evict_and_hide, until=impossible), name="takes all"), ORDINARY_SESSION)
    assert isinstance(proved, Vacuous), proved  # nothing is left that could be called
    refuted = verdict_on(Pruner(Pass(hide_first, until=impossible), name="hides what is used"), ORDINARY_SESSION)
    assert isinstance(refuted, Refuted), refuted


def test_where_no_rounds_are_known_to_suffice_a_ghost_is_played() -> None:
    verdict = verdict_on(counting, ORDINARY_SESSION)
    assert isinstance(verdict, Refuted), verdict
    assert verdict.engine == "explicit"
    assert isinstance(verdict.trace, Trace)
    assert verdict.trace.size == (2, 1)
    assert verdict.trace.requests[-1].violations
    # With two tools one state may have a hundred thousand successors.
    assert "up to N = 1 tools" in verdict.minimality[0]
