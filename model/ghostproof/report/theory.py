"""The theory on one page: what the claims say, why, where the seed is imprecise, and what is asked of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ghostproof.report.printable import printable
from ghostproof.report.text import WIDTH, labelled, paragraph
from ghostproof.report.verdict_words import KINDS
from ghostproof.report.words import count, listed
from ghostproof.turn.claim import Claim, Expected, Obligation, Question
from ghostproof.turn.verdict import HoldsTo, Proved, Refuted, Verdict

Asked = Question | Obligation

LONG = 4000
LABELS = ("why:", "seed:", "but:")
HOW_TO_READ = (
    "Of each claim: what it says; why it should be so; the sentence of the seed, the text that the theory comes from;"
    " but, where that sentence says more or less than holds; and how many questions settle it, with the answers that"
    " `ghostproof prove` must come to. `ghostproof prove --list T2` shows each question of a claim, -v of all. Proved"
    " is for any N: every number of tools, turns, budgets and sizes. Proved up to and holds to reach as far as they"
    " say, and nothing is said beyond. Refuted is a session, played, and minimal in requests, then tools; it is what a"
    " wrong variant must yield. Vacuous means that there was nothing to prove."
)
WORDS = {
    "ghost": "a tool of which the request that is sent has arguments, and neither the schema nor a tombstone.",
    "tombstone": "a line in the history that says that the schema is withheld, and how to ask for it.",
    "turn": "the environment acts, the pruner's passes run in their order, the request is sent, the model responds,"
    " the executor answers.",
    "gate": "a pass that evicts or tombstones where arguments are resident and the schema is not; as last pass, over"
    " every tool, in every turn, unless a claim says otherwise.",
    "argument-first": "trims the history before it prunes schemas; schema-first prunes before it trims.",
    "joint budget": "one budget for the whole prompt; separate budgets: one for arguments and one for schemas.",
    "disruption": "a tool vanishes or returns, arguments appear from elsewhere (handoff, rewind, memory), a tombstone"
    " is lost, a schema is shown lossily, or it migrates behind a cached copy.",
    "blind call": "a call of a tool of which the model sees nothing.",
    "ordinary session": "no disruption, no blind call, a constant budget that the first prompt fits.",
    "R1": "a ghost of a tool that only reads is asked for and not rebuilt.",
    "R2": "a tombstone is obeyed. R1 and R2 are assumed only where a claim names them.",
}


def theory(claims: Sequence[Claim], width: int = WIDTH, every_question: bool = False) -> list[str]:
    """The claims to read from top to bottom, grouped by what they answer; no line wider than `width` but for a word
    that is."""
    lines = paragraph(HOW_TO_READ, width=width)
    for term, meaning in WORDS.items():
        lines += labelled(f"{term}:", meaning, "  ", width)
    for group in dict.fromkeys(claim.group for claim in claims):
        lines += ["", *paragraph(printable(group).upper(), width=width)] if group else []
        for claim in claims:
            if claim.group == group:
                lines += ["", *_claim(claim, width), *_asked(claim, width, every_question)]
    return lines


def _claim(claim: Claim, width: int) -> Iterator[str]:
    yield from labelled(f"{printable(claim.name, 40)} ", printable(claim.title), width=width)
    yield from paragraph(printable(claim.statement, LONG), "  ", width)
    for label, text in zip(LABELS, (claim.reason, claim.seed, claim.imprecise), strict=True):
        if text:
            yield from labelled(label.ljust(max(map(len, LABELS))), printable(text, LONG), "  ", width)


def _asked(claim: Claim, width: int, every_question: bool) -> Iterator[str]:
    yield from paragraph(summed(claim.questions), "  ", width)
    if every_question:
        answers = [answer(question.expected) for question in claim.questions]
        column = max(map(len, answers), default=0) + 1
        for question, said in zip(claim.questions, answers, strict=True):
            yield from labelled(said.ljust(column), asked(question), "    ", width)


def asked(question: Asked) -> str:
    """The question under its label; of a vacuous one also what is missing."""
    lacks = f" ({question.expected.scope})" if question.expected.missing else ""
    return f"{printable(question.label, 120)}: {printable(question.sentence)}{printable(lacks)}"


def answer(expected: Expected) -> str:
    """The expected verdict and how far it reaches."""
    kind = KINDS[expected.verdict]
    if expected.verdict is Proved:
        return f"{kind}: any N"
    return f"{kind}: {expected.scope}" if expected.scope and not expected.missing else kind


def summed(questions: Sequence[Asked]) -> str:
    """How many questions there are, and how many of each answer, with how far it reaches."""
    kinds: dict[type[Verdict], list[Expected]] = {verdict: [] for verdict in KINDS}
    for question in questions:
        kinds[question.expected.verdict].append(question.expected)
    parts = [_summed(expected) for expected in kinds.values() if expected]
    return f"{count(len(questions), 'question')}: {listed(parts)}" if parts else "no question"


def _summed(expected: Sequence[Expected]) -> str:
    verdict = expected[0].verdict
    said = f"{len(expected)} {'held to' if verdict is HoldsTo else KINDS[verdict]}"
    if verdict is Proved:
        return f"{said} for any N"
    noun = "turn" if verdict is HoldsTo else "request"
    sizes = [
        _span([number for number in numbers if number is not None], noun)
        for noun, numbers in ((noun, [e.requests for e in expected]), ("tool", [e.tools for e in expected]))
        if any(numbers)
    ]
    steps = [e.steps for e in expected if e.steps is not None]
    reach = [" with ".join(sizes), _span(steps, "step") if steps else ""]
    between = " in " if verdict is Refuted else " "
    return between.join(filter(None, (said, " or ".join(filter(None, reach)))))


def _span(numbers: Sequence[int], noun: str) -> str:
    least, most = min(numbers), max(numbers)
    return count(most, noun) if least == most else f"{least} to {count(most, noun)}"
