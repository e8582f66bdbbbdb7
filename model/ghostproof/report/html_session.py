"""A played session drawn with elements and text alone: lanes over turns, budgets, prompts. No picture says more than
its text does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ghostproof.report.changes import described
from ghostproof.report.html_bars import bar, scales
from ghostproof.report.markup import Markup, element, join
from ghostproof.report.moments import Arbitration, PassRun, answered, arbitration
from ghostproof.report.story import ACTIONS, UNEVENTFUL
from ghostproof.report.words import count
from ghostproof.turn.tool import Tool
from ghostproof.turn.trace import Request, Snapshot, Step, Trace

CALLS_MAX = 12
"""Calls of one tool that a prompt shows one by one."""

IN_ITS_LANE = "the tool"
"""What a tool is called in its own lane, which bears its name."""

MEANING = {
    "schema": "schema shown",
    "lossy": "schema without its constraints",
    "arguments": "arguments",
    "tombstone": "tombstone",
    "ghost": "ghost: arguments, no whole schema, no tombstone",
}

ENDS = {
    "visited": "every tool once",
    "fits": "its condition holds",
    "unchanged": "its condition fails, nothing left to change",
}


@dataclass(frozen=True, slots=True)
class Column:
    """One moment of a turn: all tools then, and what happened to each on the way."""

    title: str
    kind: str
    tools: tuple[Snapshot, ...]
    happened: Mapping[int, Sequence[str]]
    ghosts: tuple[int, ...] = ()


def legend() -> Markup:
    """What the colours and frames of the lanes mean."""
    return element(
        "ul",
        *(
            element("li", element("span", class_=f"key {name}", aria_hidden="true"), " ", words)
            for name, words in MEANING.items()
        ),
        class_="legend",
    )


def lanes(trace: Trace) -> Markup:
    """A table: three rows and what happened for each tool, a column for each moment at which something changed."""
    turns = [(request, _columns(trace, place)) for place, request in enumerate(trace.requests)]
    columns = [column for _, several in turns for column in several]
    tops = [
        element("th", f"turn {request.turn}", colspan=len(several), scope="colgroup", class_="turn")
        for request, several in turns
    ]
    moments = [element("th", column.title, scope="col", class_=column.kind) for column in columns]
    head = element(
        "thead",
        element("tr", element("th", "tool", rowspan=2, colspan=2, scope="col", class_="corner"), *tops),
        element("tr", *moments),
    )
    bodies = [_lane(trace, place, columns) for place in range(len(trace.names))]
    table = element("table", head, *bodies, class_="lanes")
    return element("div", table, class_="wide", tabindex="0", role="region", aria_label="lanes, one a tool over turns")


def _columns(trace: Trace, place: int) -> list[Column]:
    request = trace.requests[place]
    turn = arbitration(request)
    columns = [Column("arrives", "arrives", turn.arrived, _arrival(request, turn))]
    for number, run in enumerate((*turn.passes, None)):
        if turn.late and number == turn.render:
            columns.append(Column("late events", "arrives", turn.after_late, _told(turn.late)))
        if run is not None and run.visits:
            columns.append(Column(f"pass {run.end.name}", "pass", run.after, _visits(run)))
    said = {index: ["GHOST"] for index in request.violations}
    columns.append(Column(f"request {request.turn} is sent", "sent", request.tools, said, request.violations))
    return columns


def _arrival(request: Request, turn: Arbitration) -> dict[int, list[str]]:
    """What came between the last request and this turn's passes, in its order."""
    return _told((*answered(request), *turn.happened))


def _told(steps: Sequence[Step]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for step in steps:
        if step.action not in UNEVENTFUL:
            sentence = ACTIONS[step.actor][step.action].sentence
            found.setdefault(step.tool, []).append(sentence.replace("{tool}", IN_ITS_LANE))
    return found


def _visits(run: PassRun) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for visit in run.visits:
        found.setdefault(visit.tool, []).extend(described(visit.before, visit.after, IN_ITS_LANE))
    return found


def _lane(trace: Trace, place: int, columns: Sequence[Column]) -> Markup:
    fixed = trace.script.tools[place]
    effect = "changes state" if fixed["mutation"] else "only reads"
    note = f"{effect}{', pinned' if fixed['pinned'] else ''}"
    sizes = {"schema": "schema_tokens", "arguments": "argument_tokens", "tombstone": "tombstone_tokens"}
    rows = []
    for number, (name, size) in enumerate(sizes.items()):
        each = " each" if name == "arguments" else ""
        cells = [
            element("th", name, element("small", f"{fixed[size]:,}{each}"), scope="row", class_="part"),
            *(_cell(name, column, place) for column in columns),
        ]
        if number == 0:
            tool = element("th", trace.names[place], element("small", note), rowspan=4, scope="rowgroup", class_="tool")
            cells = [tool, *cells]
        rows.append(element("tr", *cells))
    happened = [element("td", _happened(column, place), class_=_frame(column, place)) for column in columns]
    rows.append(element("tr", element("th", "what happens", scope="row", class_="part"), *happened, class_="happens"))
    return element("tbody", *rows)


def _happened(column: Column, place: int) -> Markup:
    said = column.happened.get(place, ())
    if column.kind == "sent":
        return element("strong", "GHOST") if place in column.ghosts else Markup()
    return element("ul", *(element("li", line) for line in said)) if said else Markup()


def _cell(name: str, column: Column, place: int) -> Markup:
    tool = Tool(column.tools[place])
    kind, words = {"schema": _schema, "arguments": _arguments, "tombstone": _tombstone}[name](tool)
    shown = element("span", words, class_=f"state {kind}")
    return element("td", shown, class_=_frame(column, place))


def _frame(column: Column, place: int) -> str:
    return f"{column.kind}{' ghosted' if place in column.ghosts else ''}"


def _schema(tool: Tool) -> tuple[str, str]:
    if not tool.schema_shown:
        return "none", "not shown" if tool.registered else "gone"
    if tool.schema_lossy:
        return "lossy", "lossy"
    revealed = " by the history" if tool.evidence_resident else ""
    return "schema", f"shown{revealed}" + ("" if tool.schema_current else ", outdated")


def _arguments(tool: Tool) -> tuple[str, str]:
    emptied = "an emptied call" if tool.emptied else ""
    if not tool.calls_resident:
        return "none", emptied or "none"
    calls = count(tool.calls_resident, "call") + (", truncated" if tool.truncated else "")
    return "arguments", calls + ("" if tool.arguments_current else ", stale") + (f", {emptied}" if emptied else "")


def _tombstone(tool: Tool) -> tuple[str, str]:
    return ("tombstone", "stands") if tool.tombstone_resident else ("none", "none")


def budgets(trace: Trace) -> Markup:
    """A row for each pass in each turn, with what the prompt spends before and after it."""
    turns = [arbitration(request) for request in trace.requests]
    states = [tools for turn in turns for run in turn.passes for tools in (run.before, run.after)]
    given = [trace.requests[place].numbers for place in range(len(turns))]
    scale = scales(trace.budgets, states, given, trace.script.rest_tokens)
    rows = []
    for request, turn in zip(trace.requests, turns, strict=True):
        for number, run in enumerate(turn.passes):
            first = element("th", f"turn {request.turn}", rowspan=len(turn.passes), scope="rowgroup", class_="turn")
            rows.append(
                element(
                    "tr",
                    first if number == 0 else Markup(),
                    element("th", run.end.name, element("small", ENDS.get(run.end.reason, "")), scope="row"),
                    *(
                        element("td", bar(trace.budgets, tools, request.numbers, scale))
                        for tools in (run.before, run.after)
                    ),
                    class_="" if run.visits else "idle",
                )
            )
    head = element("tr", *(element("th", name, scope="col") for name in ("turn", "pass", "before", "after")))
    table = element("table", element("thead", head), element("tbody", *rows), class_="budgets")
    return element("div", table, class_="wide", tabindex="0", role="region", aria_label="budgets of each pass")


def prompts(trace: Trace) -> Markup:
    """The last request open, those before it folded."""
    shown = []
    for request in reversed(trace.requests):
        last = request is trace.requests[-1]
        ghosts = ", ".join(trace.names[index] for index in request.violations)
        title = f"request {request.turn}" + (f": ghost of {ghosts}" if ghosts else "")
        shown.append(element("details", element("summary", title), _prompt(trace, request), open=last))
    return join(*shown)


def _prompt(trace: Trace, request: Request) -> Markup:
    schemas = [_declaration(trace.names[place], Tool(tool)) for place, tool in enumerate(request.tools)]
    history = [
        item
        for place, tool in enumerate(request.tools)
        for item in _history(trace.names[place], Tool(tool), place in request.violations)
    ]
    nothing = element("li", "nothing of any tool", class_="item missing")
    return element(
        "div",
        element("h3", "tools"),
        element("ul", *schemas),
        element("h3", "history"),
        element("ul", *(history or [nothing])),
        class_="prompt",
    )


def _declaration(name: str, tool: Tool) -> Markup:
    if not tool.schema_shown:
        gone = "" if tool.registered else "; the tool is gone"
        return element("li", f"schema of {name}: not in this prompt{gone}", class_="item missing")
    kind, words = ("lossy", "without required fields, types and enums") if tool.schema_lossy else ("schema", "in full")
    stale = "" if tool.schema_current else ", outdated"
    where = ", by an item of the history" if tool.evidence_resident else ""
    return element(
        "li", f"schema of {name}, {words}{where}{stale} ({count(tool.schema_tokens, 'token')})", class_=f"item {kind}"
    )


def _history(name: str, tool: Tool, ghost: bool) -> Iterator[Markup]:
    """One tool's items, oldest first; how the items of different tools lie between each other is not modelled."""
    older = tool.calls_before_tombstone if tool.tombstone_resident else 0
    if tool.emptied:
        yield element("li", f"call of {name}, emptied: {{}}", class_="item")
    yield from _calls(name, tool, older, ghost)
    if tool.tombstone_resident:
        text = f"tombstone: the schema of {name} is withheld; request it before calling"
        yield element("li", f"{text} ({count(tool.tombstone_tokens, 'token')})", class_="item tombstone")
    yield from _calls(name, tool, tool.calls_resident - older, ghost)
    if ghost:
        said = f"nothing in this prompt says what {name} takes now, or that its schema is withheld"
        if tool.schema_shown:
            said = f"the schema of {name} has lost its required fields, types and enums, and nothing says so"
        yield element("li", element("strong", "GHOST"), f" {said}", class_="item ghost")


def _calls(name: str, tool: Tool, number: int, ghost: bool) -> Iterator[Markup]:
    stale = "" if tool.arguments_current else "; they no longer match the live schema"
    cut = "what is left of its arguments" if tool.truncated else "its arguments"
    text = f"call of {name} with {cut} ({count(tool.argument_tokens, 'token')}){stale}"
    mark = join(" ", element("strong", "ghost")) if ghost else Markup()
    for _ in range(min(number, CALLS_MAX)):
        yield element("li", text, mark, class_=f"item arguments{' ghosted' if ghost else ''}")
    if number > CALLS_MAX:
        yield element("li", f"and {count(number - CALLS_MAX, 'call')} more of {name}", class_="item arguments")
