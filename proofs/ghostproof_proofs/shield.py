"""The one-visit system of T4: any state whatever, then the gate, then the request."""

from __future__ import annotations

from collections.abc import Mapping

from ghostproof.lift.plain import judgement, lift_pass, tool_sorts
from ghostproof.lift.single import PROMPT
from ghostproof.lift.system import Command, System
from ghostproof.lift.term import TRUE, Term, at_most, conjunction, integer, variable
from ghostproof.turn.property import NO_GHOST, Property
from ghostproof.turn.pruner import Pass
from ghostproof.turn.tool import AT_LEAST
from ghostproof.turn.verdict import Undetermined, Verdict
from ghostproof_proofs.discharge import settle_system

BEFORE = "before the gate"


def raw_domain() -> Term:
    """Every value a tool's fields can have at all, reachable or not."""
    return conjunction(
        *(at_most(integer(least), variable(name, "Int")) for name, least in AT_LEAST.items()),
        at_most(variable("calls_before_tombstone", "Int"), variable("calls_resident", "Int")),
    )


def shield_system(last: Pass, judged: Property = NO_GHOST) -> System:
    """`last` visits one tool that stands in any state, and the request is sent."""
    sorts = tool_sorts({})
    visit = lift_pass(last, sorts).visit
    command = Command(f"{last.name} visits", BEFORE, PROMPT, TRUE, visit.updates)
    return System(f"any pruner, then {last.name}", sorts, BEFORE, raw_domain(), (command,), PROMPT, judgement(judged))


def shield_witnesses(last: Pass, judged: Property = NO_GHOST) -> Mapping[str, Term]:
    """What must be possible: the property fails in raw states, hollow ghosts among them, and the gate acts on one.

    The property is thus not trivial over raw states. Over the states after a visit it is: that is the proof.
    """
    visit = lift_pass(last, tool_sorts({})).visit
    bad, domain = judgement(judged), raw_domain()
    return {
        "a raw state violates the property": conjunction(domain, bad),
        "a raw state with a lossy schema violates it": conjunction(domain, bad, variable("schema_shown", "Bool")),
        "the gate changes a state that violates it": conjunction(domain, bad, visit.changed),
    }


def shielded(last: Pass, judged: Property = NO_GHOST) -> Verdict:
    """Whether any pruner followed by `last` is safe. A pass with a condition may skip tools, so it is no shield."""
    if last.until is not None:
        return Undetermined(f"pass {last.name} ends when its condition holds, so it may skip tools", "structure")
    return settle_system(shield_system(last, judged), shield_witnesses(last, judged))
