"""What a property can depend on: through each way there is, and through nothing else."""

from __future__ import annotations

import pytest

from ghostproof.lift.dependence import fields_that_matter
from ghostproof.lift.plain import lift_pruner
from ghostproof.turn.budget import Turn, schemas_fit
from ghostproof.turn.property import NO_GHOST, NO_MUTATION_GHOST, Property
from ghostproof.turn.pruner import Pass, Pruner, least_frequently_called
from ghostproof.turn.scenario import Scenario
from ghostproof.turn.tool import Tool
from ghostproof.variants.arbitration import prune_schema

QUIET = Scenario("quiet", environment=("idle",), responses=("silent",))
RECOVERS = Scenario("recovers", environment=("idle",), responses=("silent", "recover by sibling"))


def hide(tool: Tool, turn: Turn) -> None:
    tool.hide_schema()


def hide_idle(tool: Tool, turn: Turn) -> None:
    if tool.idle_turns > 2:
        tool.hide_schema()


def count(tool: Tool, turn: Turn) -> None:
    tool.seen = not tool.seen  # type: ignore[attr-defined]


HIDES = Pruner(Pass(hide))


@pytest.mark.parametrize(
    ("field", "without", "through"),
    [
        pytest.param("calls", HIDES, Pruner(Pass(hide, order=least_frequently_called)), id="an order"),
        pytest.param("schema_tokens", HIDES, Pruner(Pass(prune_schema, until=schemas_fit)), id="a budget condition"),
        pytest.param("idle_turns", HIDES, Pruner(Pass(hide_idle)), id="a test on the way to a write"),
        pytest.param(
            "seen",
            Pruner(Pass(count), memory={"seen": False}),
            Pruner(Pass(count, until=schemas_fit), memory={"seen": False}),
            id="whether a round changed something",
        ),
    ],
)
def test_a_field_matters_through(field: str, without: Pruner, through: Pruner) -> None:
    assert field not in fields_that_matter(lift_pruner(without), QUIET, NO_GHOST)
    assert field in fields_that_matter(lift_pruner(through), QUIET, NO_GHOST)


@pytest.mark.parametrize(("judged", "matters"), [(NO_GHOST, False), (NO_MUTATION_GHOST, True)])
def test_a_field_matters_through_the_property(judged: Property, matters: bool) -> None:
    assert ("mutation" in fields_that_matter(lift_pruner(HIDES), QUIET, judged)) is matters


def test_a_field_matters_through_what_an_action_knows_of_other_tools() -> None:
    assert "rejected" not in fields_that_matter(lift_pruner(HIDES), QUIET, NO_GHOST)
    assert "rejected" in fields_that_matter(lift_pruner(HIDES), RECOVERS, NO_GHOST)
