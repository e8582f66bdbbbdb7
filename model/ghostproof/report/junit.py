"""JUnit XML of a run of claims: a suite for each claim, a case for each of its questions.

A wrong verdict is a failure. A missing or contradictory one is an error, and so is a claim that could not be settled or
was never reached: none of them is a pass, and none of them is skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from ghostproof.report import verdict_words
from ghostproof.report.outcome import Outcome, Part
from ghostproof.report.printable import printable
from ghostproof.turn.verdict import Disagreement, InvalidPruner, Refuted, Undetermined

Story = Callable[[Refuted], list[str]]


def document(outcomes: Sequence[Outcome], story: Story) -> str:
    """The XML text. `story` tells a refutation."""
    root = Element("testsuites", name="ghostproof prove")
    for outcome in outcomes:
        root.append(_suite(outcome, story))
    for total in ("tests", "failures", "errors"):
        root.set(total, str(sum(int(suite.get(total, "0")) for suite in root)))
    root.set("time", f"{sum(outcome.seconds for outcome in outcomes):.3f}")
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode")


def _suite(outcome: Outcome, story: Story) -> Element:
    name = printable(outcome.name)
    reasons = outcome.errors or (() if outcome.parts else ("nothing was asked about this claim",))
    failed = [part for part in outcome.parts if not part.passed]
    errors = sum(_unanswered(part) for part in failed)
    suite = Element("testsuite", name=name, time=f"{outcome.seconds:.3f}", skipped="0")
    suite.set("tests", str(len(outcome.parts) + len(reasons)))
    suite.set("failures", str(len(failed) - errors))
    suite.set("errors", str(errors + len(reasons)))
    for part in outcome.parts:
        _add_part(suite, name, part, story)
    for number, reason in enumerate(reasons, start=1):
        case = SubElement(suite, "testcase", classname=f"ghostproof.{name}", name=f"not settled {number}", time="0.000")
        SubElement(case, "error", type="not settled", message=printable(reason)).text = printable(reason)
    return suite


def _add_part(suite: Element, claim: str, part: Part, story: Story) -> None:
    name = printable(part.label) or claim
    case = SubElement(suite, "testcase", classname=f"ghostproof.{claim}", name=name, time=f"{part.seconds:.3f}")
    said = verdict_words.sentence(part.verdict, part.statement)
    if not part.passed:
        found = "error" if _unanswered(part) else "failure"
        kind = verdict_words.kind(part.verdict)
        message = f"expected {printable(part.expected)}, got {kind}: {said}"
        SubElement(case, found, type=kind, message=message).text = said
    lines = [printable(part.sentence, 1000), said, *verdict_words.details(part.verdict)]
    if isinstance(part.verdict, Refuted):
        lines += story(part.verdict)
    SubElement(case, "system-out").text = "\n".join(lines)


def _unanswered(part: Part) -> bool:
    return isinstance(part.verdict, Undetermined | Disagreement | InvalidPruner)
