"""What a run found, as lines, JSON and JUnit XML. Whatever the program said has been made printable by the harness."""

from __future__ import annotations

import json
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from ghostproof.conformance.harness import Result, Run
from ghostproof.conformance.suite import VERSION
from ghostproof.report import text

RULES = {
    "A1": "expand what was requested",
    "A2": "evict arguments, oldest first",
    "A3": "cascade",
    "A4": "prune schemas in the visiting order",
    "A5": "prune only where it saves",
    "A6": "requested tools give way last",
    "A7": "the gate",
    "A8": "budget exceeded",
    "A9": "separate budgets",
    "A10": "mode evict",
    "A11": "mode strict",
    "A12": "the invariant",
    "J1": "ghosts",
    "J2": "mutation ghosts",
}
"""The rules of docs/conformance-protocol.md."""

SHOWN = 5
"""Failures told in a report; all of them with --verbose, and always in JSON and JUnit."""


def rows(run: Run) -> list[tuple[str, ...]]:
    """For each rule how many vectors exercise it, and what became of them."""
    found = []
    for rule, words in RULES.items():
        results = [result for result in run.results if rule in result.vector.rules]
        if results:
            counted = (sum(result.status == status for result in results) for status in ("passed", "failed", "skipped"))
            found.append((f"{rule} {words}", str(len(results)), *map(str, counted)))
    return found


def first_failure(run: Run, verbose: bool) -> list[str]:
    """The simplest failures: where the answer first differs, and the case."""
    failed = sorted((result for result in run.results if result.counts_against), key=_simplest)
    lines: list[str] = []
    for result in failed if verbose else failed[:SHOWN]:
        vector = result.vector
        lines.append(f"{vector.id} {'required' if vector.required else vector.reason} ({', '.join(vector.rules)})")
        lines += text.labelled("differs:", result.said, "  ")
        lines += text.labelled("should be:", vector.title, "  ")
    if failed:
        lines += ["", "the first of these cases:"]
        lines += text.paragraph(json.dumps(failed[0].vector.case), "  ")
        if len(failed) > SHOWN and not verbose:
            lines.append(f"and {len(failed) - SHOWN} more (--verbose tells all)")
        lines.append("")
    return lines


def _simplest(result: Result) -> tuple[object, ...]:
    vector = result.vector
    return (not vector.required, len(vector.case["tools"]), len(vector.case["history"]), len(vector.rules), vector.id)


def closing(run: Run) -> list[str]:
    """The numbers, and the reasons of what was skipped."""
    required = [result for result in run.results if result.vector.required]
    optional = [result for result in run.results if not result.vector.required]
    lines = [
        f"skipped {sum(result.said == said for result in run.results)}: {said}"
        for said in dict.fromkeys(result.said for result in run.results if result.status == "skipped")
    ]
    lines.append(
        f"{run.program}: {'conforms' if run.passed else 'does NOT conform'} to suite {VERSION};"
        f" required {_passed(required)}, optional {_passed(optional)} passed"
    )
    return lines


def _passed(results: list[Result]) -> str:
    return f"{sum(result.status == 'passed' for result in results)} of {len(results)}"


def as_json(run: Run) -> str:
    """The whole run as JSON."""
    return json.dumps(
        {
            "suite": VERSION,
            "program": run.program,
            "capabilities": list(run.capabilities),
            "passed": run.passed,
            "results": [
                {
                    "id": result.vector.id,
                    "rules": list(result.vector.rules),
                    "required": result.vector.required,
                    "status": result.status,
                    "said": result.said,
                    "seconds": round(result.seconds, 4),
                }
                for result in run.results
            ],
        },
        indent=1,
    )


def as_junit(run: Run) -> str:
    """JUnit XML: a suite for the required vectors and one for the optional ones."""
    root = Element("testsuites", name="ghostproof conform")
    for name, required in (("required", True), ("optional", False)):
        results = [result for result in run.results if result.vector.required is required]
        suite = SubElement(root, "testsuite", name=name, errors="0")
        suite.set("tests", str(len(results)))
        suite.set("failures", str(sum(result.counts_against for result in results)))
        suite.set("skipped", str(sum(result.status == "skipped" and not result.counts_against for result in results)))
        suite.set("time", f"{sum(result.seconds for result in results):.3f}")
        for result in results:
            _add(suite, result)
    for total in ("tests", "failures", "errors", "skipped"):
        root.set(total, str(sum(int(suite.get(total, "0")) for suite in root)))
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode")


def _add(suite: Element, result: Result) -> None:
    vector = result.vector
    place = f"ghostproof.conform.{vector.rules[0]}"
    case = SubElement(suite, "testcase", classname=place, name=f"{vector.id} {vector.title}")
    case.set("time", f"{result.seconds:.3f}")
    if result.counts_against:
        SubElement(case, "failure", type=", ".join(vector.rules), message=result.said).text = json.dumps(vector.case)
    elif result.status == "skipped":
        SubElement(case, "skipped", message=result.said)
