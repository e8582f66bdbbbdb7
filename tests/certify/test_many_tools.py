"""The system of all tools at once: its relations are those of the plain functions, and what is open is named."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import partial

import pytest

from ghostproof.certify.many_tools import VISITED, Relations, abstracted, last_pass, visited_is_safe, whole_turn
from ghostproof.lift.plain import TURN, judgement, lift_action, lift_pass, lift_pruner, lift_settle, tool_sorts
from ghostproof.lift.quantified import HERE
from ghostproof.lift.system import System
from ghostproof.lift.term import TRUE, Term, evaluate, negate, variable
from ghostproof.turn.action import Action, Others
from ghostproof.turn.budget import Turn
from ghostproof.turn.environment import ENVIRONMENT, settle
from ghostproof.turn.property import NO_GHOST, NO_MUTATION_GHOST
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.response import EXECUTION, RESPONSE
from ghostproof.turn.scenario import ANYTHING, ORDINARY_SESSION
from ghostproof.turn.session import new_tool
from ghostproof.turn.tool import FIXED, INITIAL, Tool
from ghostproof.variants.arbitration import argument_first, gate, schema_first
from ghostproof.variants.gates import evict_gate, evict_or_tombstone_gate
from ghostproof.variants.trims import trim_arguments_first, trim_oldest_item
from ghostproof_proofs.broken.hostile import hostile

SORTS = tool_sorts({})
KNOWN = Relations(SORTS, judgement(NO_GHOST))
VISITS = [
    *(item.visit for item in (*argument_first.passes, *hostile)),
    *(evict_gate, evict_or_tombstone_gate, trim_oldest_item, trim_arguments_first),
]


def any_tool(pick: random.Random) -> Tool:
    values = {n: pick.random() < 0.5 if kind is bool else pick.randint(1, 2) for n, kind in FIXED.items()}
    tool = new_tool(values, {})
    for name, value in INITIAL.items():
        setattr(tool, name, pick.random() < 0.5) if isinstance(value, bool) else None
    calls = pick.randint(0, 3)
    tool.__dict__.update(calls_resident=calls, calls_before_tombstone=pick.randint(0, calls))
    return tool


def relations_of(tool: Tool) -> dict[str, bool | int]:
    """How the tool stands, as relations, comparisons that are not kept included."""
    flags: dict[str, bool | int] = {n: v for n, v in tool.__dict__.items() if SORTS[n] == "Bool"}
    return {**flags, **{name: evaluate(atom, tool.__dict__) for name, atom in KNOWN.tracked.items()}}


class Telling(dict[str, bool | int]):
    """Values of relations, where an open comparison has the truth that it has of the tool and the numbers."""

    def __init__(self, tool: Tool, numbers: Mapping[str, int], others: Others) -> None:
        self._fields = {**tool.__dict__, **{TURN + name: value for name, value in numbers.items()}}
        super().__init__(relations_of(tool))
        self.update({"others.rejected": others.rejected, "others.rebuilt": others.rebuilt})

    def __missing__(self, name: str) -> bool:
        left, comparison, right = name.replace(" <= ", "|<=|").replace(" > ", "|>|").replace(" = ", "|==|").split("|")
        value: bool = eval(f"({left}) {comparison} ({right})", {}, _Dotted(self._fields))
        return value


class _Dotted(dict[str, object]):
    """Resolves `turn.x` as well as plain fields."""

    def __init__(self, fields: Mapping[str, bool | int]) -> None:
        numbers = {name[len(TURN) :]: value for name, value in fields.items() if name.startswith(TURN)}
        super().__init__(fields)
        self["turn"] = type("Numbers", (), numbers)


def agree(
    updates: Mapping[str, Term],
    effect: Callable[[Tool], object],
    tool: Tool,
    numbers: Mapping[str, int],
    others: Others,
) -> None:
    told = Telling(tool, numbers, others)
    expected = {name: evaluate(value, told) for name, value in KNOWN.updates(updates).items()}
    before = relations_of(tool)
    effect(tool)
    assert {**before, **expected} == relations_of(tool)


def acting(action: Action, others: Others) -> Callable[[Tool], None]:
    return lambda tool: action.effect(tool, others)


@pytest.mark.parametrize("visit", VISITS, ids=lambda visit: visit.__name__)
def test_visits_say_of_relations_what_they_do_to_tools(visit: Callable[..., None]) -> None:
    pick = random.Random(7)
    relation = lift_pass(Pass(visit), SORTS).visit
    for _ in range(150):
        numbers = {name: pick.randint(0, 9) for name in Turn.__slots__}
        agree(relation.updates, partial(visit, turn=Turn(**numbers)), any_tool(pick), numbers, Others(False, False))


def test_actions_say_of_relations_what_they_do_to_tools() -> None:
    pick = random.Random(8)
    taken = 0
    for _ in range(60):
        agree(lift_settle(), settle, any_tool(pick), {}, Others(False, False))
        for action in (*ENVIRONMENT, *RESPONSE, *EXECUTION):
            tool, others = any_tool(pick), Others(pick.random() < 0.5, pick.random() < 0.5)
            allowed = evaluate(KNOWN.of(lift_action(action).guard), Telling(tool, {}, others))
            assert allowed == action.guard(tool, others)
            if allowed:
                taken += 1
                agree(lift_action(action).updates, acting(action, others), tool, {}, others)
    assert taken > 300


def test_the_property_makes_one_comparison() -> None:
    assert list(KNOWN.tracked) == ["calls_resident <= 0"]
    assert set(KNOWN.variables) >= {"schema_shown", "tombstone_resident", "pinned", "called", "calls_resident <= 0"}


def test_what_is_open_is_comparisons_others_and_choices() -> None:
    found = abstracted(whole_turn(lift_pruner(argument_first), ANYTHING, NO_GHOST))
    open_ones = {name for name in found if not name.startswith("takes: ")}
    assert open_ones == {"calls_resident + 1 <= 0", "calls_resident <= 1", "others.rejected", "others.rebuilt"}
    assert abstracted(last_pass(lift_pass(Pass(gate), SORTS), SORTS, NO_GHOST)) == ()
    assert "turn.schema_budget = 1" in abstracted(last_pass(lift_pass(hostile[0], SORTS), SORTS, NO_GHOST))


def test_all_tools_start_as_a_session_starts() -> None:
    initial = KNOWN.initial(ORDINARY_SESSION, {})
    tool = new_tool({"mutation": True, "pinned": True, **dict.fromkeys(list(FIXED)[2:], 1)}, {})
    begins = {**relations_of(tool), str(VISITED.arguments[0]): False}
    assert evaluate(initial, begins)
    for name in ("schema_shown", "calls_resident <= 0", "registered", "requested"):
        assert not evaluate(initial, {**begins, name: not begins[name]}), name
    assert evaluate(initial, {**begins, "mutation": False, "pinned": False})


@pytest.mark.parametrize("pruner", [argument_first, schema_first], ids=lambda pruner: pruner.name)
def test_every_stage_of_a_turn_is_there(pruner: Pruner) -> None:
    system = whole_turn(lift_pruner(pruner), ANYTHING, NO_GHOST)
    passes = [name for item in pruner.passes for name in (f"{item.name} visits a tool", f"{item.name} ends")]
    assert [command.name for command in system.commands] == [
        "last response settles",
        "the environment acts",
        *passes,
        "request is sent",
        "the model answers",
        "the executor acts",
    ]
    assert all(term.sort == "Bool" for c in system.commands for term in system.inputs(c).values())
    assert set(system.variables.values()) == {"Bool"}


def test_a_pass_without_a_condition_ends_when_all_are_visited_and_no_sooner() -> None:
    def ends(system: System) -> dict[str, Term]:
        return {c.name: c.guard for c in system.commands if c.name.endswith(" ends")}

    found = ends(whole_turn(lift_pruner(argument_first), ANYTHING, NO_GHOST))
    assert found == {"expand ends": VISITED, "trim_history ends": TRUE, "prune_schema ends": TRUE, "gate ends": VISITED}


def test_a_visit_is_to_one_tool() -> None:
    system = last_pass(lift_pass(Pass(gate), SORTS), SORTS, NO_GHOST)
    visit = next(c for c in system.commands if c.name == "gate visits a tool")
    inputs = {**dict.fromkeys(system.variables, False), "schema_shown": False}
    elsewhere = {n: evaluate(v, {**inputs, str(HERE.arguments[0]): False}) for n, v in visit.updates.items()}
    assert elsewhere == dict.fromkeys(visit.updates, False)
    here = {n: evaluate(v, {**inputs, str(HERE.arguments[0]): True}) for n, v in visit.updates.items()}
    assert here["tombstone_resident"]


def test_the_invariant_speaks_of_the_last_pass_and_the_request() -> None:
    system = last_pass(lift_pass(Pass(gate), SORTS), SORTS, NO_MUTATION_GHOST)
    assert set(visited_is_safe(system)) == {"pass 1 gate", "prompt"}
    everywhere = visited_is_safe(system, negate(variable("schema_lossy", "Bool")))
    assert set(everywhere) == set(system.locations)
