"""What the documents show is what happens, and what they point at exists."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from repository.console import Scratch, commands, to_run
from repository.markdown import Fence, anchors, fences, links, paths
from repository.tree import ROOT, project_files

DOCUMENTS = [file for file in project_files() if file.suffix == ".md" and file.parts[0] != "tests"]
BLOCKS = [(document, block) for document in DOCUMENTS for block in fences((ROOT / document).read_text())]
FIRST_SCREEN_LINES = 45


def of_language(*languages: str) -> list[object]:
    """The blocks of these languages as parameters named after their place."""
    return [
        pytest.param(document, block, id=f"{document}:{block.line}")
        for document, block in BLOCKS
        if block.language in languages
    ]


@pytest.mark.parametrize(("document", "block"), of_language("console"))
def test_console_block(document: Path, block: Fence, tmp_path: Path) -> None:
    scratch = Scratch(tmp_path)
    for place, earlier in BLOCKS:
        if place == document and earlier.line < block.line and earlier.title:
            scratch.write(earlier)
    scratch.run(block)


@pytest.mark.parametrize(("document", "block"), of_language("sh", "bash", "shell", "shell-session"))
def test_a_block_that_is_not_run_holds_only_what_cannot_be(document: Path, block: Fence) -> None:
    for line in block.lines:
        assert to_run(line) is None, f"'{line}' can be run: show it in a console block, with what it prints"


@pytest.mark.parametrize(("document", "block"), of_language("python"))
def test_python_block_is_python(document: Path, block: Fence) -> None:
    ast.parse(block.text, filename=str(document))


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_links_resolve(document: Path) -> None:
    text = (ROOT / document).read_text()
    for link in links(text):
        if "://" in link or link.startswith("mailto:"):
            continue
        name, _, fragment = link.partition("#")
        target = (ROOT / document).parent / name if name else ROOT / document
        assert target.exists(), f"{document} links to {link}"
        if fragment:
            assert fragment in anchors(target.read_text()), f"{document} links to {link}: no such heading"


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_paths_exist(document: Path) -> None:
    """A path in inline code that begins with a folder of the project is meant from the root."""
    tops = {file.parts[0] for file in project_files() if len(file.parts) > 1}
    for path in paths((ROOT / document).read_text()):
        if path.split("/")[0] in tops:
            assert any(ROOT.glob(path.rstrip("/"))), f"{document} names {path}"


def test_the_readme_begins_with_a_run() -> None:
    shown = [block for document, block in BLOCKS if document == Path("README.md") and block.language == "console"]
    assert shown
    assert shown[0].line <= FIRST_SCREEN_LINES
    assert any(to_run(command.text) and command.output for command in commands(shown[0]))


def test_the_readme_names_the_two_commands_that_set_up() -> None:
    text = (ROOT / "README.md").read_text()
    assert "make prove" in text
    assert "make test" in text


def test_the_readme_leads_to_every_page() -> None:
    reached, waiting = set[Path](), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        reached.add(page)
        targets = ((page.parent / link.partition("#")[0]).resolve() for link in links(page.read_text()))
        waiting += [
            target for target in targets if target.suffix == ".md" and target not in reached and target.is_file()
        ]
    assert {ROOT / document for document in DOCUMENTS if document.parts[0] == "docs"} <= reached


DECISIONS = ROOT / "docs" / "decisions"
RECORDS = sorted(file for file in DECISIONS.glob("*.md") if file.name != "README.md")


def test_every_decision_is_listed_once() -> None:
    listed = [link for link in links((DECISIONS / "README.md").read_text()) if "/" not in link and link.endswith(".md")]
    assert sorted(listed) == [record.name for record in RECORDS]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.name)
def test_a_decision_has_the_form(record: Path) -> None:
    headings = [line.removeprefix("## ") for line in record.read_text().splitlines() if line.startswith("## ")]
    assert headings == ["Context", "Choice", "Reason", "Consequences"]
