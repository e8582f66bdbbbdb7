"""Watches a system for a kind of step: safe exactly if no session takes such a step before a request.

With the one-tool system this proves that something never happens, for any number of tools; with an exact system, for
its number of tools.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from ghostproof.lift.system import Command, System
from ghostproof.lift.term import FALSE, Term, conjunction, disjunction, negate, variable

SEEN = "the step was taken"


@dataclass(frozen=True, slots=True)
class Taken:
    """What one command makes of one tool. `stage` is "pass", "prompt", or who acts; fields as terms over the system."""

    stage: str
    name: str
    before: Mapping[str, Term]
    after: Mapping[str, Term]


def observed(system: System, shows: Callable[[Taken], Term]) -> System:
    """`system` that is violated where a step which `shows` accepts comes before the judged location."""
    seen = variable(SEEN, "Bool")
    commands = tuple(_watched(system, command, shows) for command in system.commands)
    return replace(
        system,
        name=f"{system.name}, observed",
        variables={**system.variables, SEEN: "Bool"},
        initial=conjunction(system.initial, negate(seen)),
        commands=commands,
        bad=seen,
    )


def _watched(system: System, command: Command, shows: Callable[[Taken], Term]) -> Command:
    shown = disjunction(*(shows(taken) for taken in _takings(system, command)))
    if shown is FALSE:
        return command
    return replace(command, updates={**command.updates, SEEN: disjunction(variable(SEEN, "Bool"), shown)})


def _takings(system: System, command: Command) -> Iterator[Taken]:
    # "pass 1 trim, slot 2", "environment of tool 2": the first word says whose turn it is.
    stage = command.source.split()[0]
    several = [name.split()[1] for name in system.variables if name.endswith(" schema_shown")]
    state = system.state()
    for prefix in [f"tool {number} " for number in several] or [""]:
        own = {name[len(prefix) :]: term for name, term in state.items() if name.startswith(prefix)}
        # The system's own bookkeeping has spaces in its names, a field has none.
        before = {name: term for name, term in own.items() if " " not in name}
        after = {name: command.updates.get(prefix + name, term) for name, term in before.items()}
        yield Taken(stage, command.name, before, after)
