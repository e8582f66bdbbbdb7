"""The page: whole without a network, safe whatever the names are, legible in light and dark, and complete."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from importlib import resources

import pytest

from ghostproof import output
from ghostproof.report.html_page import page
from ghostproof.turn.pruner import Pass, Pruner
from ghostproof.turn.trace import Trace
from ghostproof.turn.verdict import Refuted
from report import sessions
from report.samples import HOSTILE, HOSTILE_VERDICTS, RECORDING, VERDICTS, session, withhold
from report.sessions import about, answer

VOID = {"meta"}
STYLE = resources.files("ghostproof.report").joinpath("html_page.css").read_text(encoding="utf-8")
EVIL = """<script>alert(1)</script><img src=x onerror="a()">'"&amp;</td></style>"""


class Page(HTMLParser):
    """The elements of a page in their order, each with its attributes and the text in it."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None], list[str]]] = []
        self._open: list[int] = []
        self.feed(text)
        self.close()
        assert not self._open, "every element is closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs)
        self.elements.append((tag, dict(attrs), []))
        if tag not in VOID:
            self._open.append(len(self.elements) - 1)

    def handle_endtag(self, tag: str) -> None:
        assert self.elements[self._open.pop()][0] == tag

    def handle_data(self, data: str) -> None:
        for place in self._open:
            self.elements[place][2].append(data)

    def all(self, tag: str, class_: str = "") -> list[str]:
        """The text of each element of this kind."""
        return [
            "".join(text)
            for name, attributes, text in self.elements
            if name == tag and (not class_ or class_ in (attributes.get("class") or "").split())
        ]


def shown(trace: Trace, target: str = "mine.py:PRUNER") -> Page:
    return Page(page(answer(trace, target), output.story))


@pytest.mark.parametrize("name", VERDICTS)
def test_each_verdict_has_a_page(name: str) -> None:
    found = Page(page(about(VERDICTS[name], 1), output.story))
    assert found.all("span", "verdict") == [name]
    assert found.all("h1") == ["mine.py:PRUNER"]
    assert bool(found.all("table", "lanes")) == (name == "refuted")


@pytest.mark.parametrize(
    "verdict",
    [*VERDICTS.values(), *HOSTILE_VERDICTS, Refuted("driver", RECORDING)],
    ids=lambda item: type(item).__name__,
)
def test_it_loads_and_runs_nothing(verdict: Refuted) -> None:
    found = Page(page(about(verdict, 1, HOSTILE), output.story))
    for tag, attributes, _ in found.elements:
        assert tag not in ("script", "link", "img", "iframe", "object", "embed", "base", "form", "a", "svg", "video")
        assert not {name for name in attributes if name.startswith("on") or name in ("src", "href", "srcset")}
    policy = [item.get("content") for _, item, _ in found.elements if item.get("http-equiv")]
    assert policy == ["default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"]
    assert not re.search(r"url\(|@import|expression", STYLE)


def test_it_is_the_same_each_time() -> None:
    checked = about(VERDICTS["refuted"], 1)
    assert page(checked, output.story) == page(checked, output.story)


def test_names_are_text_whatever_they_are() -> None:
    trace = session(EVIL, EVIL)
    plain = shown(session())
    hostile = shown(trace, EVIL)
    assert [tag for tag, _, _ in hostile.elements] == [tag for tag, _, _ in plain.elements]
    assert hostile.all("h1") == [EVIL]
    assert all(text.startswith(EVIL[:30]) for text in hostile.all("th", "tool"))


def test_pass_names_are_text_whatever_they_are() -> None:
    passes = [Pass(visit, name=f"{EVIL}{visit.__name__}") for visit in (withhold, sessions.strip)]
    found = shown(sessions.played(Pruner(*passes), sessions.turn(["arguments appear", "idle"])))
    assert not found.all("script")
    assert not found.all("img")
    assert any(EVIL[:30] in text for text in found.all("th"))


def test_control_characters_never_reach_a_page() -> None:
    text = page(about(HOSTILE_VERDICTS[2], 1, HOSTILE), output.story)
    assert text.replace("\n", "").isprintable()
    assert text.encode()


def test_a_lane_for_each_tool_and_a_column_for_each_moment() -> None:
    trace = sessions.two_ghosts()
    found = shown(trace)
    assert [text.removesuffix("changes state") for text in found.all("th", "tool")] == ["send", "search"]
    assert found.all("th", "turn")[0] == "turn 1"
    columns = [*found.all("th", "arrives"), *found.all("th", "pass"), *found.all("th", "sent")]
    assert columns == ["arrives", "pass withhold", "request 1 is sent"]
    for kind in ("arrives", "pass", "sent"):
        assert len(found.all("td", kind)) == len(trace.names) * 4
    states = found.all("span", "state")
    assert states == [*["shown", "not shown", "not shown"], *["1 call, stale"] * 3, *["none"] * 3] * 2


def test_the_ghost_is_marked_and_nothing_else_is() -> None:
    both, one = shown(sessions.two_ghosts()), shown(sessions.hollow())
    assert len(both.all("td", "ghosted")) == 8
    assert both.all("summary")[0] == "request 1: ghost of send, search"
    assert len(both.all("li", "ghosted")) == 2
    assert len(one.all("td", "ghosted")) == 4
    assert one.all("li", "ghost") == [
        "GHOST the schema of send has lost its required fields, types and enums, and nothing says so"
    ]


def test_the_prompt_as_the_model_sees_it() -> None:
    last, first = shown(session()).all("div", "prompt")
    assert "schema of send: not in this prompt" in last
    assert "tombstone" not in last
    assert last.count("call of send with its arguments (1 token)") == 1
    assert "GHOST nothing in this prompt says what send takes now" in last
    assert "tombstone: the schema of send is withheld; request it before calling (1 token)" in first
    assert "GHOST" not in first


def test_many_calls_are_summed_up() -> None:
    turns = [sessions.turn(["arguments appear"]) for _ in range(15)]
    pruner = Pruner(Pass(sessions.withhold_idle))
    found = shown(sessions.played(pruner, *turns, names=("send",)))
    assert "and 3 calls more of send" in found.all("div", "prompt")[0]


def test_budgets_before_and_after_each_pass() -> None:
    found = shown(session())
    said = found.all("span", "said")
    assert said[:4] == [
        "prompt 3 of 2 tokens, over budget",
        "prompt 1 of 2 tokens, 1 owed for tombstones",
        "prompt 1 of 2 tokens, 1 owed for tombstones",
        "prompt 2 of 2 tokens",
    ]
    assert len(said) == 2 * 3 * 2
    assert len(found.all("span", "limit")) == len(said)
    assert not shown(sessions.two_ghosts()).all("span", "limit")
    alone = sessions.played(Pruner(Pass(withhold)), sessions.turn(["arguments appear"]), names=("send",))
    assert shown(alone).all("span", "said") == ["prompt 3 tokens", "prompt 1 token, 1 owed for tombstones"]


def test_shares_of_a_bar_never_leave_it() -> None:
    trace = session()
    for piece, attributes, _ in shown(trace).elements:
        if piece == "span" and (style := attributes.get("style")):
            assert 0 <= float(style.partition(":")[2].removesuffix("%")) <= 100


def test_a_recorded_session_is_told_and_its_requests_are_shown() -> None:
    found = Page(page(about(Refuted("driver", RECORDING), 1), output.story))
    assert "request 1: the user asks" in found.all("pre", "story")[0]
    assert '"content": "go"' in found.all("pre", "story")[1]


# ---- colours ------------------------------------------------------------------------------------------------------


def colours(dark: bool) -> dict[str, tuple[float, float, float]]:
    light, _, rest = STYLE.partition("@media (prefers-color-scheme: dark)")
    found = re.findall(r"--([a-z-]+): #([0-9a-f]{6});", rest.partition("* {")[0] if dark else light)
    return {name: tuple(int(code[place : place + 2], 16) / 255 for place in (0, 2, 4)) for name, code in found}  # type: ignore[misc]


def contrast(one: tuple[float, float, float], other: tuple[float, float, float]) -> float:
    """The contrast ratio of WCAG 2."""

    def light(colour: tuple[float, float, float]) -> float:
        linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in colour]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    brighter, darker = sorted((light(one), light(other)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


ON_PAGE = ("text", "soft", "ghost", "schema")
FILLED = ("schema", "arguments", "tombstone", "ghost", "good")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_text_is_legible(dark: bool) -> None:
    known = colours(dark)
    for name in ON_PAGE:
        for ground in ("page", "panel", "ghost-panel"):
            assert contrast(known[name], known[ground]) >= 4.5, (name, ground)
    for name in FILLED:
        assert contrast(known["on"], known[name]) >= 4.5, name
        assert contrast(known[name], known["page"]) >= 3, name
