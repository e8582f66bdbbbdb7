"""One answer as one self-contained HTML page: it loads nothing, runs nothing, and shows foreign text as text.

A refuting session of a model is drawn: lanes, budgets, prompts. A session of another kind is told line by line.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import resources

from ghostproof.report import explanation, verdict_words
from ghostproof.report.check_text import Checked
from ghostproof.report.html_session import budgets, lanes, legend, prompts
from ghostproof.report.markup import Markup, element, join
from ghostproof.report.printable import printable
from ghostproof.report.words import count
from ghostproof.turn.recording import Recording
from ghostproof.turn.trace import Trace
from ghostproof.turn.verdict import Refuted

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""What a browser may load for this page: nothing."""

NAME_MAX = 60
"""Characters of a tool's name that are shown wherever it is named."""

LANES = "One lane a tool, one column a moment at which something changed. Numbers are tokens; stale arguments no longer\
 match the live schema. A long session scrolls sideways."
BARS = "The upright line is the budget; a dashed piece is what the prompt still owes in tombstones."


def page(checked: Checked, story: Callable[[Refuted], list[str]]) -> str:
    """The page. `story` tells a refutation in lines, for those who read rather than look."""
    verdict = checked.verdict
    body = [_head(checked)]
    if isinstance(verdict, Refuted):
        body += _session(verdict, story(verdict))
    if checked.explanation is not None:
        title, *said = explanation.lines(checked.explanation, checked.places)
        body.append(_section(title.capitalize(), _story(said)))
    body.append(_evidence(checked))
    style = Markup(resources.files("ghostproof.report").joinpath("html_page.css").read_text(encoding="utf-8"))
    head = join(
        _single("meta", charset="utf-8"),
        _single("meta", http_equiv="Content-Security-Policy", content=POLICY),
        _single("meta", name="viewport", content="width=device-width, initial-scale=1"),
        _single("meta", name="color-scheme", content="light dark"),
        element("title", printable(f"{verdict_words.kind(verdict)}: {checked.target}", 200)),
        element("style", style),
    )
    whole = element("html", element("head", head), element("body", element("main", *body)), lang="en")
    return f"<!DOCTYPE html>\n{whole}\n"


def _single(name: str, /, **attributes: object) -> Markup:
    return Markup(element(name, **attributes).removesuffix(f"</{name}>"))


def _head(checked: Checked) -> Markup:
    verdict = checked.verdict
    kind = verdict_words.kind(verdict)
    facts = [("property", checked.judged.name), ("admitted", checked.admitted)]
    if verdict_words.engine(verdict) != "-":
        facts.append(("found by", verdict_words.engine(verdict)))
    if verdict_words.checked_by(verdict) != "-":
        facts.append(("checked by", verdict_words.checked_by(verdict)))
    return element(
        "header",
        element("p", element("span", kind, class_=f"verdict {kind.replace(' ', '-')}"), " ", _scope(checked)),
        element("h1", printable(checked.target, 200)),
        element("p", verdict_words.sentence(verdict, checked.judged.sentence), class_="said"),
        element("dl", *(join(element("dt", name), element("dd", value)) for name, value in facts)),
    )


def _scope(checked: Checked) -> str:
    reach = verdict_words.scope(checked.verdict)
    return reach if reach != "-" else ""


def _session(verdict: Refuted, lines: Sequence[str]) -> list[Markup]:
    trace = verdict.trace
    parts: list[Markup] = []
    if isinstance(trace, Trace):
        trace = replace(trace, names=tuple(printable(name, NAME_MAX) for name in trace.names))
        parts += [
            _section("The session", legend(), lanes(trace), hint=LANES),
            _section("The prompt as the model sees it", prompts(trace)),
            _section("Budgets before and after each pass", budgets(trace), hint=BARS),
        ]
    if isinstance(trace, Recording):
        parts.append(_section("Step by step", _story(lines)))
        parts.append(_section("What was sent", *_payloads(trace)))
    else:
        told = element("details", element("summary", count(len(lines), "line")), _story(lines))
        parts.append(_section("Step by step", told))
    return parts


def _section(title: str, *content: Markup, hint: str = "") -> Markup:
    return element("section", element("h2", title), element("p", hint, class_="hint") if hint else Markup(), *content)


def _story(lines: Sequence[str]) -> Markup:
    marked = (
        element("mark", line, class_="ghost") if line.lstrip().startswith("GHOST") else element("span", line)
        for line in lines
    )
    return element("pre", Markup("\n".join(marked)), class_="story", tabindex="0")


def _payloads(recording: Recording) -> list[Markup]:
    shown = []
    for exchange in recording.exchanges:
        ghosts = ", ".join(f"{ghost.tool} ({ghost.kind})" for ghost in exchange.ghosts)
        title = f"request {exchange.turn}" + (f": GHOST of {ghosts}" if ghosts else "")
        lines = json.dumps(exchange.sent, indent=2, ensure_ascii=True).split("\n")
        text = element("pre", Markup("\n".join(join(line) for line in lines)), class_="story", tabindex="0")
        shown.append(element("details", element("summary", title), text, open=bool(exchange.ghosts)))
    return shown


def _evidence(checked: Checked) -> Markup:
    verdict = checked.verdict
    lines = [*verdict_words.details(verdict), *(f"note: {note}" for note in checked.notes)]
    if isinstance(verdict, Refuted):
        lines = [*verdict_words.minimality(verdict), *lines]
    if not lines:
        return Markup()
    return _section("What the answer rests on", element("ul", *(element("li", line) for line in lines)))
