"""The harness that runs the documents can fail: each promise that a block makes, broken."""

from __future__ import annotations

from pathlib import Path

import pytest

from repository.console import Command, Scratch, WrongDocumentError, commands, matches, to_run
from repository.markdown import Fence, anchors, fences, links, paths


def console(*lines: str) -> Fence:
    return Fence("console", "", 1, lines)


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Scratch:
    return Scratch(tmp_path_factory.mktemp("scratch"))


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(["$ echo right", "wrong"], id="wrong output"),
        pytest.param(["$ echo one; echo two", "one"], id="a line missing in the document"),
        pytest.param(["$ echo one", "one", "two"], id="a line too many in the document"),
        pytest.param(["$ echo right"], id="output that the document does not show"),
        pytest.param(["$ true", "something"], id="output that the program does not print"),
        pytest.param(["$ false"], id="failure not announced"),
        pytest.param(["$ exit 2  # exit 1"], id="another exit code"),
        pytest.param(["$ true  # exit 1"], id="announced failure that does not happen"),
        pytest.param(["$ echo a 1 s b", "a … s c"], id="wildcard followed by something else"),
        pytest.param(["$ printf '1\\n2\\n3\\n'", "1", "...", "4"], id="line wildcard followed by something else"),
        pytest.param(["$ echo first", "first", "$ echo second", "other"], id="the second command"),
        pytest.param(["$ no-such-command-anywhere"], id="unknown command"),
        pytest.param(["output without a command"], id="no command"),
        pytest.param(["$ make no-such-target"], id="unknown make target"),
        pytest.param(["$ make test", "12 passed"], id="output of a command that is not run"),
        pytest.param(["$ pip install 'ghostproof[no-such-extra]'"], id="unknown extra"),
        pytest.param(["$ uv run no-such-script"], id="unknown script"),
    ],
)
def test_a_wrong_block_fails(scratch: Scratch, lines: list[str]) -> None:
    with pytest.raises(WrongDocumentError):
        scratch.run(console(*lines))


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(["$ echo right", "right", ""], id="as shown"),
        pytest.param(["$ echo error >&2; exit 3  # exit 3", "error"], id="standard error and exit code"),
        pytest.param(["$ echo took 1.25 s", "took … s"], id="wildcard"),
        pytest.param(["$ printf '1\\n2\\n3\\n'", "1", "...", "3"], id="line wildcard"),
        pytest.param(["$ printf '1\\n3\\n'", "1", "...", "3"], id="line wildcard for nothing"),
        pytest.param(["$ echo one \\", "> two", "one two"], id="continued"),
        pytest.param(["$ test -f pyproject.toml && test ! -e .git"], id="in the root of a copy"),
        pytest.param(
            ["$ git clone somewhere && cd ghostproof", "$ make test", "$ pip install -e '.[langchain]'"], id="not run"
        ),
    ],
)
def test_a_right_block_passes(scratch: Scratch, lines: list[str]) -> None:
    scratch.run(console(*lines))


def test_ghostproof_is_the_code_of_the_copy(scratch: Scratch) -> None:
    where = "import ghostproof, os; print(os.path.relpath(ghostproof.__file__))"
    scratch.run(console(f"$ python -c '{where}'", "model/ghostproof/__init__.py"))


def test_a_titled_block_is_a_file(tmp_path: Path) -> None:
    scratch = Scratch(tmp_path)
    scratch.write(Fence("python", "mine.py", 1, ("print(6 * 7)",)))
    scratch.run(console("$ python mine.py", "42"))


@pytest.mark.parametrize(
    ("typed", "run"),
    [
        ("make prove", "ghostproof prove"),
        ('make prove ARGS="T1 --trace"', "ghostproof prove T1 --trace"),
        ("uv run ghostproof prove T1", "ghostproof prove T1"),
        ("cd ghostproof && make prove", "ghostproof prove"),
        ("uv run pytest", None),
        ("make test", None),
        ("ghostproof check 'a b.py:C'", "ghostproof check 'a b.py:C'"),
    ],
)
def test_what_stands_for_a_command(typed: str, run: str | None) -> None:
    assert to_run(typed) == run


def test_a_block_is_split_at_its_prompts() -> None:
    block = console("$ one  # exit 2", "printed ", "", "$ two", "")
    assert commands(block) == [Command("one", 2, ("printed",)), Command("two", 0, ())]


def test_the_dots_of_a_document_are_no_pattern() -> None:
    assert matches(["a.b*"], ["a.b*"])
    assert not matches(["a.b*"], ["aXbb"])


DOCUMENT = """\
# A `heading` with, marks
[one](docs/a.md#part) and `[no](link)` and `docs/b.md` or `docs/c.py:NAME`
````console
```
[not](read)
````
# A `heading` with, marks
[two]: docs/d.md
"""


def test_what_is_read_in_a_document() -> None:
    assert [fence.lines for fence in fences(DOCUMENT)] == [("```", "[not](read)")]
    assert list(links(DOCUMENT)) == ["docs/a.md#part", "docs/d.md"]
    assert list(paths(DOCUMENT)) == ["docs/b.md", "docs/c.py"]
    assert anchors(DOCUMENT) == {"a-heading-with-marks", "a-heading-with-marks-1"}


def test_a_block_that_is_never_closed_is_an_error() -> None:
    with pytest.raises(ValueError, match="line 2"):
        list(fences("text\n```console\n$ true\n"))
