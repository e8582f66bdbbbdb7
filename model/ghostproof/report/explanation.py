"""An explanation in words of the model: what a proof used, what would mend a pruner, at which budgets it fails."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ghostproof.report import verdict_words
from ghostproof.report.clauses import clauses
from ghostproof.report.invariant import in_words
from ghostproof.report.printable import printable
from ghostproof.report.words import count, listed
from ghostproof.turn.explanation import BudgetRange, Explanation, Fact, Mended, Thresholds, WhySafe, WhyUnsafe, Without
from ghostproof.turn.verdict import Proved, Refuted

Places = Mapping[str, tuple[str, int]]

CHANGES = {
    ("schema_shown", "true"): "shows the schema",
    ("schema_shown", "false"): "hides the schema",
    ("schema_lossy", "true"): "strips the schema of its constraints",
    ("schema_lossy", "false"): "marks the schema as not lossy",
    ("calls_resident", "0"): "evicts every call",
    ("calls_resident", "calls_resident - 1"): "evicts a call",
    ("tombstone_resident", "true"): "writes a tombstone",
    ("tombstone_resident", "false"): "removes the tombstone",
    ("evidence_resident", "true"): "reveals the schema by an item of the history",
    ("evidence_resident", "false"): "lets no item of the history show the schema",
    ("emptied", "true"): "leaves an emptied call",
    ("truncated", "true"): "cuts the arguments",
}
FIELDS = {
    "schema_shown": "the schema being shown",
    "schema_lossy": "the schema being whole",
    "calls_resident": "the calls",
    "tombstone_resident": "the tombstone",
    "calls_before_tombstone": "the place of the tombstone",
    "evidence_resident": "the discovery evidence",
}
ENDS = {
    "ends: fits": "ends for its budget only when its condition holds",
    "ends: a round changed nothing": "ends otherwise only when its condition fails and a round changed nothing",
}
OUTCOMES = {
    "ghost": "a ghost",
    "none": "none",
    "no session": "no session starts",
    "not determined": "not determined",
}
ALONE = "what is proved is the changed model, not code; that a prompt fits, or a request is honoured, is not part of it"


def lines(explained: Explanation, places: Places) -> list[str]:
    """The explanation, line by line; `places` says where each pass is written."""
    if isinstance(explained, WhySafe):
        return ["why it is safe", *(f"  {line}" for line in _safe(explained, places))]
    return ["what would mend it", *(f"  {line}" for line in _unsafe(explained))]


def _safe(why: WhySafe, places: Places) -> Iterator[str]:
    if why.open:
        yield f"what the proof uses: not determined: {printable(why.open)}"
    else:
        offered = count(why.offered, "fact")
        yield f"the proof needs {len(why.needed)} of the {offered} that it could use, and fails without any of them:"
        yield from (f"  {line}" for line in _needed(why.needed, places))
        used = _by_pass(why.needed)
        idle = [item.name for item in why.without if item.name not in used]
        if idle:
            yield f"it uses nothing of what these passes do: {', '.join(_pass(name, places) for name in idle)}"
        if why.threats:
            yield "a tool that is no ghost can become one by these, so that what follows has to answer them:"
            yield from (f"  {printable(threat)}" for threat in why.threats)
    yield from (_without(item) for item in why.without)
    yield from (f"checked by {item.by}: {item.what} ({item.count:,})" for item in why.checked)


def _needed(facts: Sequence[Fact], places: Places) -> Iterator[str]:
    kept: dict[str, list[str]] = {}
    for fact in facts:
        if fact.kind == "invariant":
            kept.setdefault(fact.text, []).append(fact.where)
    for text, where in kept.items():
        yield f"of every tool, at {printable(listed(where), 1000)}: {condition(text)}"
    start = [condition(fact.text) for fact in facts if fact.kind == "start"]
    if start:
        yield f"a session starts with every tool so: {'; '.join(start)}"
    for fact in facts:
        if fact.kind == "guard":
            yield f"{printable(fact.where)}: only where {condition(fact.text)}"
        if fact.kind == "effect":
            yield f"{printable(fact.where)}: changes just what it says"
    for name, own in _by_pass(facts).items():
        yield f"pass {_pass(name, places)}"
        yield from (f"  {line}" for line in _of_pass(own))


def _by_pass(facts: Iterable[Fact]) -> dict[str, list[Fact]]:
    found: dict[str, list[Fact]] = {}
    for fact in facts:
        if fact.kind in ("change", "kept", "visits", "ends", "budget"):
            found.setdefault(fact.where, []).append(fact)
    return found


def _of_pass(facts: Sequence[Fact]) -> Iterator[str]:
    for fact in facts:
        if fact.kind == "change":
            said = CHANGES.get((fact.field, fact.text), f"sets {fact.field} to {fact.text}")
            yield printable(said) + ("" if fact.when == "true" else f", where {condition(fact.when)}")
    kept = [FIELDS.get(fact.field, fact.field) for fact in facts if fact.kind == "kept"]
    if kept:
        yield f"leaves alone whatever else there is of {printable(listed(kept))}"
    for fact in facts:
        if fact.kind == "visits":
            yield f"visits a tool only while {printable(fact.text)} fails"
        if fact.kind == "ends":
            yield ENDS.get(fact.when, printable(fact.when))
        if fact.kind == "budget":
            yield f"a visit moves no budget condition that cannot be moved by it: {printable(fact.text)}"


def condition(text: str) -> str:
    """A condition over the fields of a tool as a phrase: what all has to hold, with its alternatives."""
    found = clauses(text.replace(" = ", " == "))
    if not found or not all(found):  # nothing that clauses would help with
        return printable(in_words(text), 1000)
    said = [" or ".join(map(in_words, clause)) for clause in found]
    if len(found) > 1:
        said = [f"({part})" if len(clause) > 1 else part for part, clause in zip(said, found, strict=True)]
    return printable(" and ".join(said), 1000)


def _pass(name: str, places: Places) -> str:
    where = places.get(name)
    return printable(name, 60) + (f" ({printable(where[0])}:{where[1]})" if where else "")


def _without(item: Without) -> str:
    name = printable(item.name, 60)
    match item.verdict:
        case Proved():
            return f"without pass {name}: no ghost either, proved for {verdict_words.scope(item.verdict)}"
        case Refuted():
            return f"without pass {name}: a ghost in {verdict_words.size(item.verdict, ', ')}"
        case _:
            reach = verdict_words.scope(item.verdict)
            kind = verdict_words.kind(item.verdict)
            return f"without pass {name}: not determined ({kind}{f': {reach}' if reach != '-' else ''})"


def _unsafe(why: WhyUnsafe) -> Iterator[str]:
    yield from _mended(why.mended)
    if why.open:
        yield f"at which budgets there is a ghost: not determined: {printable(why.open)}"
    elif not why.thresholds:
        yield "it reads no budget, so there is none at which the ghost goes away"
    for found in why.thresholds:
        yield from _threshold(found)


def _mended(found: Mended) -> Iterator[str]:
    if not found.suggestions:
        yield f"no change of the catalogue is known to mend it ({count(found.tried, 'combination')} tried)"
    for suggestion in found.suggestions:
        by = verdict_words.checked_by(suggestion.verdict)
        yield printable("; ".join(suggestion.changes), 1000)
        yield f"  then proved for {verdict_words.scope(suggestion.verdict)}; checked by {by}"
    if found.suggestions:
        yield f"each of these alone, {count(found.tried, 'combination')} tried; {ALONE}"
    yield from (printable(text) for text in found.open)


def _threshold(found: Thresholds) -> Iterator[str]:
    yield f"{found.budget} in the turn of the ghost, up to {count(found.requests, 'request')} with these tools:"
    yield f"  {printable(found.sizes, 1000)}"
    for item in found.ranges:
        yield f"  {_range(item)}: {OUTCOMES[item.outcome]}{_how(item, found)}"


def _range(item: BudgetRange) -> str:
    if item.last is None:
        return f"{count(item.first, 'token')} and more"
    return count(item.last, "token") if item.first == item.last else f"{item.first} to {item.last} tokens"


def _how(item: BudgetRange, found: Thresholds) -> str:
    if item.outcome == "ghost":
        return " at each, replayed" if item.last is not None else " at each, replayed where asked one by one"
    return f", in any session of up to {count(found.requests, 'request')}" if item.outcome == "none" else ""
