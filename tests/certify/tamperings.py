"""Tamperings by an attacker who recomputes whatever can be recomputed, each with the reason why it must be rejected."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from certify.bundles import Attacker
from ghostproof.verifier import verify

Tampering = Callable[[Attacker], None]


def drop_command(attacker: Attacker) -> None:
    attacker.system["commands"].remove(attacker.command("tool vanishes"))


def add_command(attacker: Attacker) -> None:
    attacker.system["commands"].append({**attacker.command("idle"), "name": "idle again"})


def flip_guard(attacker: Attacker) -> None:
    command = attacker.command("tool returns")
    command["guard"] = f"(not {command['guard']})"


def never_enabled(attacker: Attacker) -> None:
    attacker.command("gate visits")["guard"] = "false"


def redirect(attacker: Attacker) -> None:
    attacker.command("tool vanishes")["target"] = "prompt"


def drop_update(attacker: Attacker) -> None:
    del attacker.command("tool vanishes")["updates"]["schema_shown"]


def change_update(attacker: Attacker) -> None:
    attacker.command("arguments appear")["updates"]["calls_resident"] = "0"


def weaken_property(attacker: Attacker) -> None:
    attacker.system["bad"] = f"(and |mutation| {attacker.system['bad']})"


def no_property(attacker: Attacker) -> None:
    attacker.system["bad"] = "false"


def narrow_start(attacker: Attacker) -> None:
    attacker.system["initial"] = f"(and {attacker.system['initial']} |pinned|)"


def impossible_start(attacker: Attacker) -> None:
    attacker.system["initial"] = "false"


def judge_elsewhere(attacker: Attacker) -> None:
    attacker.system["judged"] = "settle"


def one_variable_more(attacker: Attacker) -> None:
    attacker.system["variables"]["safe"] = "Bool"


def inject_an_assertion(attacker: Attacker) -> None:
    attacker.command("idle")["guard"] = "true) (assert false"


def speak_of_an_input(attacker: Attacker) -> None:
    attacker.invariant["prompt"] = f"(and |others.rejected| {attacker.invariant['prompt']})"


def write_it_otherwise(attacker: Attacker) -> None:
    attacker.system["bad"] = attacker.system["bad"].replace("(and ", "(and  ")


def weaken_invariant(attacker: Attacker) -> None:
    attacker.invariant["prompt"] = "true"


def strengthen_invariant(attacker: Attacker) -> None:
    attacker.invariant["prompt"] = "false"


def assume_at_the_start(attacker: Attacker) -> None:
    attacker.invariant["environment"] = "|pinned|"


def invariant_of_nowhere(attacker: Attacker) -> None:
    attacker.invariant["nowhere"] = "false"


def drop_path(attacker: Attacker) -> None:
    attacker.item("gate")["paths"].pop()


def drop_idle_path(attacker: Attacker) -> None:
    """The path of pinned tools: it assigns nothing, so the system stays as it is, and its boundaries go untested."""
    paths = attacker.item("trim_history")["paths"]
    paths.remove(next(path for path in paths if not path["assigned"]))


def repeat_path(attacker: Attacker) -> None:
    paths = attacker.item("trim_history")["paths"]
    paths.append(paths[0])


def flip_outcome(attacker: Attacker) -> None:
    test = attacker.item("gate")["paths"][0]["tests"][0]
    test[1] = not test[1]


def drop_pass(attacker: Attacker) -> None:
    attacker.files["passes.json"]["passes"].pop(0)


def unconditional(attacker: Attacker) -> None:
    attacker.item("trim_history")["conditional"] = False


def remember_more(attacker: Attacker) -> None:
    attacker.files["passes.json"]["memory"]["patience"] = 3


def remember_a_field(attacker: Attacker) -> None:
    attacker.files["passes.json"]["memory"]["schema_shown"] = False


def drop_a_witness(attacker: Attacker) -> None:
    attacker.files["witnesses.json"] = []


def impossible_witness(attacker: Attacker) -> None:
    steps = attacker.files["witnesses.json"][0]["requests"][0]["steps"]
    steps[0] = ["tool returns", 0]


def embellished_witness(attacker: Attacker) -> None:
    attacker.files["witnesses.json"][0]["requests"][0]["tools"][0]["calls"] = 99


def retold(attacker: Attacker, steps: list[list[Any]], turn: dict[str, int], tool: dict[str, Any]) -> None:
    """One witness with one request: these steps of one tool, and what they lead to."""
    state = {**tool, **verify.START}
    for name, _ in steps:
        updates = {field: verify.parse(text) for field, text in attacker.command(name)["updates"].items()}
        state |= {field: verify.evaluate(value, {**state, **turn}) for field, value in updates.items()}
    request = {"turn": turn, "steps": steps, "tools": [state]}
    attacker.files["witnesses.json"] = [{"tools": [tool], "requests": [request]}]


def first(attacker: Attacker) -> tuple[list[str], dict[str, int], dict[str, Any]]:
    """The names of the steps of one tool that lead to a first request, the turn's numbers, and the tool."""
    witness = attacker.files["witnesses.json"][0]
    request = witness["requests"][0]
    return [name for name, index in request["steps"] if index == 0], request["turn"], witness["tools"][0]


def forged_witness(attacker: Attacker) -> None:
    """The environment hides the schema, and a number of the turn pretends that it was still shown."""
    names, turn, tool = first(attacker)
    steps = [["tool vanishes", 0], *([name, 0] for name in names[1:])]
    retold(attacker, steps, {**turn, "schema_shown": True}, tool)


def invented_totals(attacker: Attacker) -> None:
    """No schema of an earlier request was shown, says a number that follows from the tools."""
    names, turn, tool = first(attacker)
    retold(attacker, [[name, 0] for name in names], {**turn, "turn.schema_tokens": 0}, tool)
    attacker.files["witnesses.json"][0]["requests"][0]["tools"][0]["schema_shown"] = True


def skipped_visit(attacker: Attacker) -> None:
    """The gate comes last and changes nothing there, but it has to visit."""
    names, turn, tool = first(attacker)
    assert names[-1] == "gate visits"
    retold(attacker, [[name, 0] for name in names[:-1]], turn, tool)


def skipped_end(attacker: Attacker) -> None:
    """A pass with a budget condition ends, and nothing else leaves it."""
    names, turn, tool = first(attacker)
    retold(attacker, [[name, 0] for name in names if not name.startswith("prune_schema ends")], turn, tool)


def repeated_visit(attacker: Attacker) -> None:
    names, turn, tool = first(attacker)
    retold(attacker, [*([name, 0] for name in names), ["gate visits", 0]], turn, tool)


def two_actions(attacker: Attacker) -> None:
    """The environment takes one action a tool a turn."""
    names, turn, tool = first(attacker)
    retold(attacker, [["idle", 0], *([name, 0] for name in names)], turn, tool)


def ahead_of_the_others(attacker: Attacker) -> None:
    """Two tools, each in the turn's order, one after the other."""
    witness = attacker.files["witnesses.json"][0]
    request, (tool,) = witness["requests"][0], witness["tools"]
    steps = [[name, index] for index in (0, 1) for name, _ in request["steps"]]
    requests = [{**request, "steps": steps, "tools": 2 * request["tools"]}]
    attacker.files["witnesses.json"] = [{"tools": [tool, tool], "requests": requests}]


def free_schema(attacker: Attacker) -> None:
    attacker.files["witnesses.json"][0]["tools"][0]["schema_tokens"] = 0


def shown_again(attacker: Attacker) -> None:
    """Of all witnesses only those stay in which every request shows what a pass hides."""

    def shown(witness: dict[str, Any]) -> bool:
        return all(tool["schema_shown"] for request in witness["requests"] for tool in request["tools"])

    attacker.files["witnesses.json"] = [one for one in attacker.files["witnesses.json"] if shown(one)]


def nothing_that_matters(attacker: Attacker) -> None:
    """Of all witnesses only those stay in which no request has arguments."""

    def silent(witness: dict[str, Any]) -> bool:
        return not any(tool["calls_resident"] for request in witness["requests"] for tool in request["tools"])

    attacker.files["witnesses.json"] = [one for one in attacker.files["witnesses.json"] if silent(one)]


def claim_more(attacker: Attacker) -> None:
    attacker.manifest["verdict"] = "Proved twice"


def claim_beside(attacker: Attacker) -> None:
    attacker.manifest["statement"] = "no pruner has a ghost"


def other_line(attacker: Attacker) -> None:
    attacker.manifest["reproduce"] += " && echo verified"


def other_property(attacker: Attacker) -> None:
    attacker.manifest["property"] = "no_mutation_ghost"
    attacker.manifest["reproduce"] = attacker.manifest["reproduce"].replace("no_ghost", "no_mutation_ghost")


def narrow_scenario(attacker: Attacker) -> None:
    attacker.manifest["scenario"] = "ordinary"
    attacker.manifest["reproduce"] = attacker.manifest["reproduce"].replace("everything", "ordinary")


TAMPERINGS = [
    (drop_command, "system: there must be 'tool vanishes' where there is 'tool returns'"),
    (add_command, "system: there must be 'nothing' where there is 'idle again'"),
    (flip_guard, "system: 'tool returns' is not what the model and the paths say"),
    (never_enabled, "system: 'gate visits' is not what the model and the paths say"),
    (redirect, "system: there must be 'tool vanishes'"),
    (drop_update, "system: 'tool vanishes' is not what the model and the paths say"),
    (change_update, "system: 'arguments appear' is not what the model and the paths say"),
    (weaken_property, "system: 'bad' is not what the model says"),
    (no_property, "system: 'bad' is not what the model says"),
    (narrow_start, "system: 'initial' is not what the model says"),
    (impossible_start, "system: 'initial' is not what the model says"),
    (judge_elsewhere, "system: judged elsewhere"),
    (one_variable_more, "system: its variables are not a tool's under this pruner"),
    (inject_an_assertion, "not in the one form of terms used here"),
    (speak_of_an_input, "may not speak of others.rejected"),
    (write_it_otherwise, "not in the one form of terms used here"),
    (weaken_invariant, "obligations/safety.smt2: the invariant does not hold up"),
    (strengthen_invariant, "obligations/consecution-"),
    (assume_at_the_start, "obligations/initiation.smt2: the invariant does not hold up"),
    (invariant_of_nowhere, "the invariant speaks of a place that is not there"),
    (drop_path, "pass gate: "),
    (drop_idle_path, "pass trim_history: not one path for each visit"),
    (repeat_path, "pass trim_history: not one path for each visit"),
    (flip_outcome, "pass gate: "),
    (drop_pass, "the pruner has another name, memory or passes than the bundle"),
    (unconditional, "the pruner has another name, memory or passes than the bundle"),
    (remember_more, "system: its variables are not a tool's under this pruner"),
    (remember_a_field, "names that could be taken for something else: ['schema_shown']"),
    (drop_a_witness, "witnesses.json: no session in which a pass hides a schema"),
    (impossible_witness, "witnesses.json: 'tool returns' cannot happen where it does"),
    (embellished_witness, "witnesses.json: its steps lead elsewhere"),
    (forged_witness, "witnesses.json: no session in which a pass hides a schema"),
    pytest.param(invented_totals, "witnesses.json: its steps lead elsewhere", marks=pytest.mark.slow),
    (skipped_visit, "witnesses.json: its steps lead elsewhere"),
    pytest.param(skipped_end, "witnesses.json: gate visits out of turn", marks=pytest.mark.slow),
    (repeated_visit, "witnesses.json: gate visits out of turn"),
    pytest.param(two_actions, " out of turn", marks=pytest.mark.slow),
    (ahead_of_the_others, " out of turn"),
    pytest.param(free_schema, "witnesses.json: no session starts like this", marks=pytest.mark.slow),
    pytest.param(shown_again, "witnesses.json: no session in which a pass hides a schema", marks=pytest.mark.slow),
    (nothing_that_matters, "witnesses.json: no session in which a request has a tool that the property is about"),
    (claim_more, "the manifest claims otherwise"),
    (claim_beside, "the manifest claims otherwise"),
    (other_line, "the manifest claims otherwise"),
    (other_property, "system: 'bad' is not what the model says"),
    (narrow_scenario, "system: there must be"),
]
