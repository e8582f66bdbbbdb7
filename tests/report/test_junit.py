"""JUnit XML: what CI systems read, checked against the format as they commonly define it."""

from __future__ import annotations

from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from ghostproof.report import junit
from ghostproof.report.story import tell
from ghostproof.turn.trace import Trace
from ghostproof.turn.verdict import Refuted
from report.samples import HOSTILE, HOSTILE_VERDICTS, VERDICTS, outcome, part

# Element: required attributes, optional attributes, children. What the common parsers agree on.
FORMAT: dict[str, tuple[set[str], set[str], set[str]]] = {
    "testsuites": ({"tests", "failures", "errors", "time", "name"}, set(), {"testsuite"}),
    "testsuite": ({"name", "tests", "failures", "errors", "skipped", "time"}, set(), {"testcase"}),
    "testcase": ({"name", "classname", "time"}, set(), {"failure", "error", "system-out"}),
    "failure": ({"message", "type"}, set(), set()),
    "error": ({"message", "type"}, set(), set()),
    "system-out": (set(), set(), set()),
}


def told(verdict: Refuted) -> list[str]:
    return tell(verdict.trace) if isinstance(verdict.trace, Trace) else []


def conforms(element: Element) -> None:
    required, optional, children = FORMAT[element.tag]
    assert required <= set(element.keys()) <= required | optional, element.tag
    for child in element:
        assert child.tag in children, f"{child.tag} in {element.tag}"
        conforms(child)
    if element.tag == "testsuites":
        for total in ("tests", "failures", "errors"):
            assert int(element.attrib[total]) == sum(int(suite.attrib[total]) for suite in element)
    if element.tag == "testsuite":
        assert int(element.attrib["tests"]) == len(element.findall("testcase"))
        assert int(element.attrib["failures"]) == len(element.findall("testcase/failure"))
        assert int(element.attrib["errors"]) == len(element.findall("testcase/error"))


def parsed(*outcomes: object) -> Element:
    root = ElementTree.fromstring(junit.document(outcomes, told).encode())  # type: ignore[arg-type]
    conforms(root)
    return root


def test_expected_answers_are_passes_with_their_story() -> None:
    root = parsed(outcome(part(VERDICTS["proved"]), part(VERDICTS["refuted"], label="b")))
    cases = root.findall("testsuite/testcase")
    assert [(case.get("classname"), case.get("name")) for case in cases] == [
        ("ghostproof.T1", "a"),
        ("ghostproof.T1", "b"),
    ]
    assert not root.findall(".//failure") + root.findall(".//error")
    assert "GHOST: send" in cases[1].findtext("system-out", "")
    assert "its schema is shown, or a tombstone stands" in cases[0].findtext("system-out", "")


@pytest.mark.parametrize(
    ("name", "as_expected", "found"),
    [
        ("proved", False, "failure"),
        ("proved up to", False, "failure"),
        ("holds to", False, "failure"),
        ("refuted", False, "failure"),
        ("vacuous", False, "failure"),
        ("undetermined", False, "error"),
        ("disagreement", False, "error"),
        ("invalid pruner", False, "error"),
        ("undetermined", True, "error"),
        ("disagreement", True, "error"),
        ("invalid pruner", True, "error"),
    ],
)
def test_what_is_no_pass(name: str, as_expected: bool, found: str) -> None:
    (case,) = parsed(outcome(part(VERDICTS[name], as_expected))).findall("testsuite/testcase")
    assert [child.tag for child in case] == [found, "system-out"]
    assert case[0].get("type") == name
    assert case[0].get("message", "").startswith(f"expected Proved, got {name}: ")


def test_what_was_not_settled_is_an_error() -> None:
    root = parsed(outcome(part(VERDICTS["proved"]), errors=("it broke", "interrupted")), outcome(name="T9"))
    assert [suite.get("errors") for suite in root] == ["2", "1"]
    assert [error.get("message") for error in root.findall(".//error")] == [
        "it broke",
        "interrupted",
        "nothing was asked about this claim",
    ]


def test_hostile_text_is_xml() -> None:
    parts = [part(verdict, as_expected=False, label=HOSTILE, expected=HOSTILE) for verdict in HOSTILE_VERDICTS]
    text = junit.document([outcome(*parts, name=HOSTILE, errors=(HOSTILE,))], told)
    assert all(line.isprintable() for line in text.splitlines())
    conforms(ElementTree.fromstring(text.encode()))


def test_a_junit_parser_reads_it() -> None:
    junitparser = pytest.importorskip("junitparser")
    good, bad = part(VERDICTS["proved"]), part(VERDICTS["undetermined"], label="b")
    xml = junitparser.JUnitXml.fromstring(junit.document([outcome(good, bad)], told).encode())
    assert (xml.tests, xml.failures, xml.errors) == (2, 0, 1)
    (suite,) = xml
    assert [(case.name, case.is_passed) for case in suite] == [("a", True), ("b", False)]
