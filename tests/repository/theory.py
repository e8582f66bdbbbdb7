"""The generated parts of docs/theory.md, made from the catalogue of claims: `make theory` writes them anew.

A part stands between `<!-- generated: NAME -->` and `<!-- end -->`. All else is written by hand. There a statement
cites the questions that settle it, in parentheses, each list of them behind the answer that is expected:
(proved: `T2 b, argument-first`; refuted: `T2 b, schema-first`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from ghostproof.engines.problem import Bounds
from ghostproof.report.story import tell
from ghostproof.report.theory import answer, asked, summed
from ghostproof.report.verdict_words import KINDS
from ghostproof.report.words import count
from ghostproof.settle import settle
from ghostproof.turn.claim import Claim, Obligation, Question
from ghostproof.turn.scenario import ANYTHING, ORDINARY_SESSION
from ghostproof.turn.trace import Trace
from ghostproof.turn.verdict import Proved, Refuted
from ghostproof_proofs.catalogue import CLAIMS
from ghostproof_proofs.t3_cells import Cell, cells
from ghostproof_proofs.t3_matrix import expected
from repository.tree import ROOT

PAGE = ROOT / "docs" / "theory.md"
PART = re.compile(r"(?P<start><!-- generated: (?P<name>[^>]+) -->\n)(?P<text>.*?)(?P<end><!-- end -->\n)", re.DOTALL)
NAMED = re.compile(r"`(T\d+) ([^`]+)`")
CITED = re.compile(r"\(([^()`]*(?:`[^`]*`[^()`]*)+)\)")
ANSWERED = re.compile(
    rf"\s*(?P<kind>{'|'.join(sorted(KINDS.values(), key=len, reverse=True))}):(?P<questions>.*)", re.DOTALL
)
SESSION = ("T2", "c, tombstone first, schema-first")

BY_NAME: Mapping[str, Claim] = {claim.name: claim for claim in CLAIMS}


class WrongPageError(Exception):
    """What the page says is not in the catalogue."""


@dataclass(frozen=True, slots=True)
class Citation:
    """One question as the page names it, with the answer that the page says it has."""

    claim: str
    label: str
    kind: str

    @property
    def question(self) -> Question | Obligation:
        """The question of the catalogue. Raises WrongPageError if there is none, or it expects another answer."""
        claim = BY_NAME.get(self.claim)
        found = [question for question in claim.questions if question.label == self.label] if claim else []
        if not found:
            raise WrongPageError(f"the catalogue has no question {self.claim} {self.label}")
        kind = KINDS[found[0].expected.verdict]
        if kind != self.kind:
            raise WrongPageError(f"{self.claim} {self.label} is said to be {self.kind}, and expected to be {kind}")
        return found[0]


def by_hand(text: str) -> str:
    """The page without its generated parts."""
    return PART.sub("", text)


def citations(text: str) -> list[Citation]:
    """The questions that `text` cites, in its order. Raises WrongPageError for one that stands without an answer."""
    plain = " ".join(text.split())
    found = []
    for inside in CITED.findall(plain):
        for part in re.split(r";(?=[^`]*(?:`[^`]*`[^`]*)*$)", inside):
            answered = ANSWERED.fullmatch(part)
            if answered:
                questions = NAMED.findall(answered["questions"])
                found += [Citation(claim, label, answered["kind"]) for claim, label in questions]
    named = NAMED.findall(plain)
    if len(found) != len(named):
        left = [one for one in named if one not in [(cited.claim, cited.label) for cited in found]]
        raise WrongPageError(f"named without an answer: {', '.join(map(' '.join, left))}")
    return found


def parts(text: str) -> Iterator[tuple[str, str]]:
    """The generated parts of the page as they stand there: name and text."""
    for found in PART.finditer(text):
        yield found["name"], found["text"]


def written(text: str) -> str:
    """The page with its generated parts made anew."""
    cited = citations(by_hand(text))
    return PART.sub(lambda found: found["start"] + made(found["name"], cited) + found["end"], text)


def made(name: str, cited: list[Citation]) -> str:
    """One part. Raises WrongPageError for a name that is not known."""
    if name in BY_NAME:
        lines = _questions(BY_NAME[name], [one for one in cited if one.claim == name])
    elif name == "counts":
        lines = [f"{count(len(CLAIMS), 'claim')}, {summed([one for claim in CLAIMS for one in claim.questions])}."]
    elif name == "matrix":
        lines = list(_matrix())
    elif name == "session":
        lines = ["```text", *session(), "```"]
    else:
        raise WrongPageError(f"nothing is generated for {name}")
    return "".join(f"{line}\n" for line in lines)


def _questions(claim: Claim, cited: list[Citation]) -> list[str]:
    """The cited questions, the number of all, and how the seed puts it."""
    table = ["| settled by | answer |", "|---|---|"]
    for label in dict.fromkeys(one.label for one in cited):
        found = next(question for question in claim.questions if question.label == label)
        table.append(f"| {_cell(asked(found))} | {_cell(answer(found.expected))} |")
    folded = ["<details>", f"<summary>{summed(claim.questions)}</summary>", "", *table, "", "</details>", ""]
    return [*folded, f"> Seed: *{claim.seed}*", ">", f"> But: {claim.imprecise}"]


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def session() -> list[str]:
    """The minimal session of one question, found and played now."""
    name, label = SESSION
    claim = BY_NAME[name]
    chosen = tuple(question for question in claim.questions if question.label == label)
    (found,) = settle(replace(claim, questions=chosen), Bounds()).answers
    if not found.met or not isinstance(found.verdict, Refuted) or not isinstance(found.verdict.trace, Trace):
        raise WrongPageError(f"{name} {label}: {found.verdict}")
    return tell(found.verdict.trace)


def _matrix() -> Iterator[str]:
    """The combinations of T3: a line for each order, gate and reach of trimming, a column for each place and scope."""
    lines: dict[tuple[str, str, str], dict[tuple[str, str], str]] = {}
    for cell in cells():
        takes = "-" if cell.takes == "no tombstones" else cell.takes.removesuffix(" tombstones")
        lines.setdefault((cell.order, cell.gate, takes), {})[cell.place, cell.scope] = _settled(cell)
    columns = dict.fromkeys(place for line in lines.values() if len(line) > 1 for place in line)
    yield f"| order | gate | trimming | {' | '.join(f'{place}, {scope}' for place, scope in columns)} |"
    yield "|---" * (len(columns) + 3) + "|"
    for heading, line in lines.items():
        # Without a gate there is neither place nor scope.
        answers = [line[column] if len(line) > 1 else next(iter(line.values())) for column in columns]
        yield f"| {' | '.join((*heading, *answers))} |"
    yield ""
    yield "*Safe*: under every action, for any N. *Ordinary*: safe in ordinary sessions, for any N; in brackets the"
    yield "shortest session with a ghost under every action. *Ghost*: in an ordinary session. In brackets are requests"
    yield "and tools. *Trimming* says whether it takes the gate's tombstones."


def _settled(cell: Cell) -> str:
    anything, ordinary = expected(cell, ANYTHING), expected(cell, ORDINARY_SESSION)
    if anything.verdict is Proved:
        return "safe"
    if ordinary.verdict is Proved:
        return f"ordinary ({anything.requests}, {anything.tools})"
    return f"ghost ({ordinary.requests}, {ordinary.tools})"


def main(page: Path = PAGE) -> None:
    """Write the generated parts of the page anew."""
    page.write_text(written(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
