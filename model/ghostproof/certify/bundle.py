"""A proof as a directory that a stand-alone program can check: the system, the invariant, scripts, paths, witnesses.

The verifier (`ghostproof.verifier`) shares no code with this module; `docs/certificates.md` says what they agree on.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ghostproof.certify.bundle_text import NotBundledError, written
from ghostproof.certify.bundle_witness import session
from ghostproof.lift.plain import LiftedPruner
from ghostproof.lift.system import Command, System
from ghostproof.lift.term import FALSE, TRUE, Term, disjunction, substitute, variable
from ghostproof.turn.property import Property
from ghostproof.turn.trace import Trace

SCHEMA_VERSION = 3
LOGIC = "QF_LIA"
MANIFEST, SEAL = "manifest.json", "manifest.sha256"


@dataclass(frozen=True, slots=True)
class Certified:
    """What a bundle is about. `sources` has the digest of each module of the pruner, `versions` those of the programs.

    `scenario` is the word that the command line has for it. `system` is made by `with_open_conditions`.
    """

    target: str
    pruner: LiftedPruner
    judged: Property
    scenario: str
    system: System
    invariant: Mapping[str, Term]
    witnesses: Sequence[Trace]
    sources: Mapping[str, str]
    versions: Mapping[str, str] = field(default_factory=dict)


def with_open_conditions(system: System, fields: Mapping[str, object]) -> System:
    """`system` over `fields` alone: what it remembers of budget conditions is forgotten, so it can do more.

    A certificate rests on nothing that budget conditions tell each other, and its verifier need not know of that.
    """
    forgotten = {name: sort for name, sort in system.variables.items() if name not in fields}
    kept = {name: sort for name, sort in system.variables.items() if name in fields}
    commands = []
    for command in system.commands:
        guard = _for_some(command.guard, forgotten)
        updates = {name: value for name, value in command.updates.items() if name in kept}
        values = {name: _for_some_value(value, forgotten) for name, value in updates.items()}
        if command.updates and not updates and command.source == command.target:
            continue  # it did nothing but change what is forgotten
        commands.append(Command(command.name, command.source, command.target, guard, values))
    initial = _for_some(system.initial, forgotten)
    return System(system.name, kept, system.start, initial, tuple(commands), system.judged, system.bad)


def _for_some(term: Term, names: Mapping[str, object]) -> Term:
    for name in names:
        forgotten = variable(name, "Bool")
        term = disjunction(substitute(term, {forgotten: TRUE}), substitute(term, {forgotten: FALSE}))
    return term


def _for_some_value(value: Term, names: Mapping[str, object]) -> Term:
    for name in names:
        if substitute(value, {variable(name, "Bool"): TRUE}) is not value:
            raise NotBundledError(f"what happens to a tool depends on {name}")
    return value


def files(certified: Certified) -> dict[str, str]:
    """The text of every file of the bundle. Raises NotBundledError. A command gives the same bytes each time."""
    _check_names(certified)
    system, memo = certified.system, dict[Term, str]()
    commands = [_command(command, memo) for command in system.commands]
    claimed = {place: term for place, term in certified.invariant.items() if term is not TRUE}
    invariant = {place: written(term, memo) for place, term in sorted(claimed.items())}
    described = {
        "variables": dict(system.variables),
        "start": system.start,
        "judged": system.judged,
        "initial": written(system.initial, memo),
        "bad": written(system.bad, memo),
        "commands": commands,
    }
    made = {
        "system.json": as_json(described),
        "passes.json": as_json({"memory": dict(certified.pruner.memory), "passes": _passes(certified.pruner, memo)}),
        "invariant.json": as_json(invariant),
        "invariant.txt": spelled(invariant),
        "witnesses.json": as_json([session(trace, certified.pruner) for trace in certified.witnesses]),
        **{f"obligations/{name}.smt2": text for name, text in scripts(described, invariant)},
    }
    made[MANIFEST] = as_json(_manifest(certified, made))
    made[SEAL] = f"{digest(made[MANIFEST])}  {MANIFEST}\n"
    return made


def digest(text: str) -> str:
    """The SHA-256 of a text as it is written to a file."""
    return hashlib.sha256(text.encode()).hexdigest()


def reproduce(target: str, judged: str, scenario: str) -> str:
    """The command that makes this bundle again."""
    return f"ghostproof certify {target} -o DIR --property {judged} --scenario {scenario}"


def spelled(invariant: Mapping[str, str]) -> str:
    """The invariant as people read it."""
    return "".join(f"at {place}: {text.replace('|', '')}\n" for place, text in invariant.items())


def _check_names(certified: Certified) -> None:
    names = [*certified.pruner.memory, *(item.name for item in certified.pruner.passes)]
    for name in names:
        if not name.isascii() or not name.isprintable() or "|" in name or "\\" in name:
            raise NotBundledError(f"{name!r} cannot be written in a script; use plain letters, digits and spaces")


def _manifest(certified: Certified, made: Mapping[str, str]) -> dict[str, Any]:
    return {
        "schema_version": SCHEMA_VERSION,
        "verdict": "Proved",
        "property": certified.judged.name,
        "scenario": certified.scenario,
        "pruner": {
            "target": certified.target,
            "name": certified.pruner.name,
            "sources": dict(sorted(certified.sources.items())),
        },
        "versions": dict(certified.versions),
        "reproduce": reproduce(certified.target, certified.judged.name, certified.scenario),
        "files": {name: digest(text) for name, text in sorted(made.items())},
    }


def as_json(data: object) -> str:
    """The one form of JSON that a bundle may hold."""
    return json.dumps(data, indent=1) + "\n"


def _command(command: Command, memo: dict[Term, str]) -> dict[str, Any]:
    return {
        "name": command.name,
        "source": command.source,
        "target": command.target,
        "guard": written(command.guard, memo),
        "updates": {name: written(value, memo) for name, value in command.updates.items()},
    }


def _passes(pruner: LiftedPruner, memo: dict[Term, str]) -> list[dict[str, Any]]:
    return [
        {
            "name": item.name,
            "conditional": item.condition is not None,
            "paths": [
                {
                    "tests": [[written(test, memo), outcome] for test, outcome in path.tests],
                    "assigned": {name: written(value, memo) for name, value in path.assigned.items()},
                }
                for path in item.visit.paths
            ],
        }
        for item in pruner.passes
    ]


# What a command may read beside the tool: the turn's numbers, and what is known of the other tools.
INPUTS = {
    **dict.fromkeys(
        (
            "turn.schema_tokens",
            "turn.argument_tokens",
            "turn.tombstone_tokens",
            "turn.tombstone_demand_tokens",
            "turn.rest_tokens",
            "turn.schema_budget",
            "turn.argument_budget",
            "turn.total_budget",
        ),
        "Int",
    ),
    "others.rejected": "Bool",
    "others.rebuilt": "Bool",
}


def _script(title: str, sorts: Mapping[str, str], assertions: Sequence[str]) -> str:
    declarations = "".join(f"(declare-const |{name}| {sort})\n" for name, sort in sorts.items())
    asserted = "".join(f"(assert {text})\n" for text in assertions)
    return f"; {title}\n(set-logic {LOGIC})\n{declarations}{asserted}(check-sat)\n"


def scripts(system: Mapping[str, Any], invariant: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Each script with its name; every one of them is unsatisfiable."""
    variables = system["variables"]
    sorts = {**variables, **INPUTS}
    begins = invariant.get(system["start"], "true")
    yield "initiation", _script("initiation", sorts, [system["initial"], f"(not {begins})"])
    for number, command in enumerate(system["commands"], start=1):
        source, target, updates = command["source"], command["target"], command["updates"]
        kept = invariant.get(target, "true")
        for name in updates:
            kept = kept.replace(f"|{name}|", f"|{name} after|")
        asserted = [invariant.get(source, "true"), command["guard"]]
        asserted += [f"(= |{name} after| {value})" for name, value in updates.items()]
        yield (
            f"consecution-{number:02}",
            _script(
                f"consecution: {command['name']}, from {source} to {target}",
                {**sorts, **{f"{name} after": variables[name] for name in updates}},
                [*asserted, f"(not {kept})"],
            ),
        )
    held = invariant.get(system["judged"], "true")
    yield "safety", _script("safety", sorts, [held, system["bad"]])
