"""Answers as SARIF 2.1.0: what is refuted is a failure at the line that left the ghost, with the session as code flow.

A result is a `pass` only where the answer is the one that was asked for. A missing or merely bounded answer is `open`,
and nothing that a rule could not establish is left out.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib import metadata
from typing import Any

from ghostproof.report import explanation, verdict_words
from ghostproof.report.changes import described
from ghostproof.report.check_text import Checked
from ghostproof.report.code_flow import Place, Written, code_flow, location, message
from ghostproof.report.moments import last_visit, left_by
from ghostproof.report.outcome import Outcome, Part
from ghostproof.report.printable import printable
from ghostproof.report.story import ACTIONS
from ghostproof.report.words import listed
from ghostproof.turn.explanation import Explanation
from ghostproof.turn.property import PROPERTIES
from ghostproof.turn.recording import Recording, Sighting
from ghostproof.turn.trace import Trace
from ghostproof.turn.verdict import (
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

Json = dict[str, Any]

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

# What can be wrong besides the property itself, so that nobody reads one for the other.
OTHER_RULES = {
    "vacuous": "a pruner must prune, or its safety says nothing",
    "invalid_pruner": "a pruner must be such that it can be checked",
    "disagreement": "independent engines must give the same answer",
}

_AT_LINE = re.compile(r"(.+):(\d+) \(in ")


def of_check(checked: Checked, written: Written) -> str:
    """One checked pruner. Each ghost of the refuting request is a result of its own."""
    rules = {name: rule.sentence for name, rule in PROPERTIES.items()} | OTHER_RULES
    found = [
        {**result, "properties": {"target": printable(checked.target), "admitted": printable(checked.admitted)}}
        for result in _results(checked.verdict, checked.judged.name, checked.judged.sentence, checked.code, written)
    ]
    for result in found:
        result["partialFingerprints"] = _fingerprint(checked.target, result)
        if checked.explanation is not None:
            _explain(result, checked.explanation, checked.places)
    sound = not isinstance(checked.verdict, Disagreement)
    return _document("ghostproof check", rules, found, checked.code, [], sound)


def _explain(result: Json, explained: Explanation, places: Mapping[str, Place]) -> None:
    """The explanation below what the result says; the finding is the same with it and without."""
    said = (message(line, 2000)["text"] for line in explanation.lines(explained, places))
    result["message"] = {"text": "\n".join([result["message"]["text"], "", *said])}


def of_claims(
    outcomes: Sequence[Outcome], code: int, interrupted: bool, written: Mapping[tuple[str, str], Written]
) -> str:
    """A run of claims. Each question is a result of the rule that is its claim; `written` is by claim and label."""
    rules = {outcome.name: outcome.title for outcome in outcomes}
    found: list[Json] = []
    notices: list[str] = ["the run was interrupted"] if interrupted else []
    for outcome in outcomes:
        for part in outcome.parts:
            place = written.get((outcome.name, part.label), Written())
            found += _part(outcome.name, part, place)
        reasons = outcome.errors or (() if outcome.parts else ("nothing was asked about this claim",))
        anywhere = next((place for (name, _), place in written.items() if name == outcome.name), Written())
        for reason in reasons:
            notices.append(f"{outcome.name}: not settled: {reason}")
            where = [location(anywhere.pruner, outcome.name, "")]
            found.append(_result(outcome.name, "open", "none", f"{outcome.name}: not settled: {reason}", where))
    for result in found:
        result["partialFingerprints"] = _fingerprint("claims", result)
    return _document("ghostproof prove", rules, found, code, notices, not notices)


def _part(claim: str, part: Part, written: Written) -> Iterator[Json]:
    about = f"{claim} {part.label}: {part.sentence}"
    properties = {"expected": printable(part.expected), "verdict": verdict_words.kind(part.verdict)}
    if part.passed:
        said = f"{about}: as expected. {verdict_words.sentence(part.verdict, part.statement)}"
        where = [location(written.pruner, f"{claim} {part.label}", "")]
        yield {**_result(claim, "pass", "none", said, where), "properties": properties}
        return
    for result in _results(part.verdict, claim, part.statement, part.code, written):
        # A wrong answer is a failure of the claim even where it is a proof.
        if result["kind"] == "pass" or isinstance(part.verdict, Proved | ProvedUpTo | HoldsTo):
            result |= {"kind": "fail", "level": "error"}
        text = f"{about}: expected {part.expected}, got: "
        whole = {"text": message(text)["text"] + result["message"]["text"]}
        yield {**result, "ruleId": printable(claim, 100), "message": whole, "properties": properties}


def _results(verdict: Verdict, rule: str, statement: str, code: int, written: Written) -> Iterator[Json]:
    """What the verdict says about `rule`: at least one result, and `pass` only with exit code 0."""
    said = verdict_words.sentence(verdict, statement)
    where = [location(written.pruner, "pruner", "")]
    match verdict:
        case Proved() | ProvedUpTo() | HoldsTo():
            yield _result(rule, "pass" if code == 0 else "open", "none", said, where)
        case Undetermined():
            yield _result(rule, "open", "none", said, where)
        case Vacuous():
            yield _result("vacuous", "fail", "warning", said, where)
        case InvalidPruner():
            here = location(_place(verdict.where) or written.pruner, verdict.where, "")
            yield _result("invalid_pruner", "fail", "error", said, [here])
        case Disagreement():
            yield _result("disagreement", "fail", "error", said, where)
        case Refuted(trace=trace):
            flow = code_flow(trace, written)
            for text, place in _ghosts(verdict, written) or [(said, where[0])]:
                result = _result(rule, "fail", "error", text, [place])
                yield result | ({"codeFlows": [flow]} if flow else {})


def _place(where: str) -> Place | None:
    found = _AT_LINE.match(where)
    return (found[1], int(found[2])) if found else None


def _ghosts(verdict: Refuted, written: Written) -> list[tuple[str, Json]]:
    """Each ghost of the last request: what is wrong, and where it was left."""
    trace = verdict.trace
    size = verdict_words.size(verdict, " with ")
    if isinstance(trace, Trace):
        return [_ghost(trace, index, size, written) for index in trace.requests[-1].violations]
    if isinstance(trace, Recording) and trace.exchanges:
        last = trace.exchanges[-1]
        where = location(written.pruner, "pruner", "function")
        return [(_sighted(ghost, last.turn, size), where) for ghost in last.ghosts]
    return []


def _sighted(ghost: Sighting, turn: int, size: str) -> str:
    name = printable(ghost.tool, 80)
    return f"Ghost of {name} ({ghost.kind}) in request {turn} of a session of {size}: {printable(ghost.evidence)}"


def _ghost(trace: Trace, index: int, size: str, written: Written) -> tuple[str, Json]:
    name = printable(trace.names[index], 60)
    step, last = left_by(trace, index), last_visit(trace, index)
    if step is not None and step.by_pass:
        how = f"Pass {printable(step.actor, 60)} left it: it {listed(described(step.before, step.after, name))}."
        last = step
    else:
        event = (
            ACTIONS[step.actor][step.action].sentence.replace("{tool}", name)
            if step
            else "its last call joined the history"
        )
        late = step is not None and step.actor == "late"
        how = f"It arose before the passes ran ({event}), and none of them mended it."
        how = f"It arose after the passes had run ({event}), and no pass at render mended it." if late else how
        how += f" The last to change {name} was {printable(last.actor, 60)}." if last else ""
    request = trace.requests[-1]
    hollow = request.tools[index]["schema_shown"]
    schema = "a schema without its constraints, but no" if hollow else "neither its schema nor a"
    text = (
        f"Ghost of {name} in request {request.turn} of a session of {size}: the model sees its arguments, and {schema}"
        f" tombstone. {how}"
    )
    if last is None:
        return text, location(written.pruner, "pruner", "")
    return text, location(written.passes.get(last.actor, written.pruner), last.actor, "function")


def _result(rule: str, kind: str, level: str, said: str, where: list[Json]) -> Json:
    return {"ruleId": printable(rule, 100), "kind": kind, "level": level, "message": message(said), "locations": where}


def _fingerprint(target: str, result: Json) -> Json:
    """The same for the same finding in the next run: rule, where it is in words, and what is said."""
    where = [place["logicalLocations"] for place in result["locations"]]
    text = json.dumps([printable(target), result["ruleId"], where, result["message"]], sort_keys=True)
    return {"finding/v1": hashlib.sha256(text.encode()).hexdigest()[:32]}


def _document(
    command: str, rules: Mapping[str, str], results: Iterable[Json], code: int, notices: Sequence[str], sound: bool
) -> str:
    places = {printable(name, 100): place for place, name in enumerate(rules)}
    driver: Json = {
        "name": command,
        "rules": [{"id": printable(name, 100), "shortDescription": message(text)} for name, text in rules.items()],
    }
    with suppress(metadata.PackageNotFoundError):  # a checkout that is not installed has no version
        driver["version"] = metadata.version("ghostproof")
    invocation: Json = {"executionSuccessful": sound, "exitCode": code}
    if notices:
        invocation["toolExecutionNotifications"] = [{"level": "error", "message": message(text)} for text in notices]
    run = {
        "tool": {"driver": driver},
        "invocations": [invocation],
        "columnKind": "unicodeCodePoints",
        "results": [{**result, "ruleIndex": places[result["ruleId"]]} for result in results],
    }
    written = json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=True)
    return written.replace("\x7f", "\\u007f")
