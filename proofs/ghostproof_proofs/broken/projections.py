"""One-tool systems that lack something a turn of several tools does, and a pruner on which it shows."""

from __future__ import annotations

from dataclasses import replace

from ghostproof.lift.system import Command, System
from ghostproof.lift.term import disjunction, variable
from ghostproof.turn.budget import Turn, prompt_fits
from ghostproof.turn.pruner import Pass, Pruner, least_recently_called
from ghostproof.turn.tool import Tool
from ghostproof.variants.arbitration import prune_schema


def without(ending: str, system: System) -> System:
    """The system without the commands whose names end so."""
    return replace(system, commands=tuple(c for c in system.commands if not c.name.endswith(ending)))


def _is_visit(command: Command) -> bool:
    return command.name.endswith((" visits", " visits another tool"))


def never_freed(system: System) -> System:
    """Conditions keep their truth through every visit, as if no visit changed a sum."""
    return replace(
        system,
        commands=tuple(
            replace(c, updates={n: v for n, v in c.updates.items() if not n.endswith(" holds")}) if _is_visit(c) else c
            for c in system.commands
        ),
    )


def never_raised(system: System) -> System:
    """What fits goes on to fit through every visit, as if a visit could only take tokens away."""

    def eased(command: Command) -> Command:
        kept = {
            name: disjunction(variable(name, "Bool"), value) if name.endswith(" holds") else value
            for name, value in command.updates.items()
        }
        return replace(command, updates=kept) if _is_visit(command) else command

    return replace(system, commands=tuple(eased(command) for command in system.commands))


def evict_all(tool: Tool, turn: Turn) -> None:
    """Take a tool's arguments."""
    tool.evict_all_calls()


def swap_for_schema(tool: Tool, turn: Turn) -> None:
    """Take a tool's arguments and show its schema, which may cost more than it frees."""
    tool.evict_all_calls()
    tool.show_schema()


def schemas_fill(turn: Turn) -> bool:
    """Enough is shown: the schemas use up their budget."""
    return turn.schema_tokens >= turn.schema_budget


# The middle pass ends by a condition that no other tests, and moves the one that the passes around it share. A visit
# to one tool may thus undo, for all the others, what the first pass has left.
between = Pruner(
    Pass(evict_all, least_recently_called, prompt_fits),
    Pass(swap_for_schema, least_recently_called, schemas_fill),
    Pass(prune_schema, until=prompt_fits),
    name="a pass with a condition of its own between two that share one",
)
