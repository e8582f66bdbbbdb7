"""Every kind of callable that cannot be checked earns one clear line."""

import builtins
import os
from pathlib import Path
from typing import Any

import pytest

from drive.targets import CALLABLES, broken, check, small
from ghostproof.drive import client
from ghostproof.sandbox.load import load
from ghostproof.turn.errors import PrunerError
from ghostproof.turn.place import shown_path
from ghostproof.turn.verdict import Refuted


def line(target: str, **limits: Any) -> str:
    with pytest.raises(PrunerError) as caught:
        check(target, **limits)
    text = str(caught.value)
    assert "\n" not in text
    return text.replace(shown_path(str(CALLABLES)) + os.sep, "")


@pytest.mark.parametrize(
    ("name", "where", "found"),
    [
        ("raises", r"broken.py:", "raised KeyError: 'budget'"),
        ("exits", r"broken.py:", "asked the interpreter to exit (done)"),
        ("dies", "broken.py:dies", "ended the interpreter with exit status 3"),
        ("returns_a_list", "broken.py:", "returned a list"),
        ("returns_a_number", "broken.py:", "returned an int"),
        (
            "returns_a_set_inside",
            "broken.py:",
            "request['tools'][0]['function']['parameters']['required'] is a set, which is not JSON",
        ),
        ("returns_nan", "broken.py:", "request['temperature'] is nan"),
        ("returns_a_huge_number", "broken.py:", "request['seed'] is an integer of more than 4000 digits"),
        ("returns_a_number_key", "broken.py:", "request has a key of type int"),
        ("returns_itself_inside", "broken.py:", "nested more than 64 deep"),
        ("returns_no_messages", "broken.py:returns_no_messages", "not OpenAI chat: messages: missing"),
        ("returns_a_nameless_tool", "broken.py:returns_a_nameless_tool", "not OpenAI chat: tools[0].name: missing"),
        ("takes_three", "broken.py:", "takes 3 arguments"),
        ("needs_a_keyword", "broken.py:", "needs the keyword argument budget"),
        ("NeedsArguments", "broken.py:", "cannot be made without arguments"),
        ("CannotPrune", "CannotPrune", "has no `prune` and cannot be called"),
        ("number", "broken.py:number", "is an int, which cannot be called"),
        ("absent", "broken.py", "has no absent"),
        ("raise", "broken.py", "has no raise; did you mean raises"),
        ("asks_nothing", "broken.py:", "without any option"),
        ("asks_for_ever", "broken.py:", "more than 64 questions in one call"),
    ],
)
def test_one_line_each(name: str, where: str, found: str) -> None:
    text = line(broken(name))
    assert text.startswith(where)
    assert found in text


def test_a_hang_is_ended_at_the_deadline_and_its_line_is_named() -> None:
    text = line(broken("hangs"), seconds=0.3)
    assert text.startswith("broken.py:")
    assert "did not return within 0.3 s" in text


def test_a_hang_while_the_file_is_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "LOADING_SECONDS", 0.3)
    file = tmp_path / "slow.py"
    file.write_text("while True: pass\n")
    assert line(f"{file}:prune", seconds=0.2).startswith(f"{file}:1: did not return within 0.3 s")


@pytest.mark.parametrize("name", ["rolls_dice", "counts_calls"])
def test_two_answers_to_one_request_are_nondeterministic(name: str) -> None:
    assert "is nondeterministic" in line(broken(name), turns=3)


def test_questions_that_change_are_nondeterministic() -> None:
    assert "is nondeterministic" in line(broken("asks_at_random"))


def test_a_pruner_may_change_its_copy_and_still_return_another(tmp_path: Path) -> None:
    file = tmp_path / "both.py"
    file.write_text(
        "def prune(request):\n"
        "    sent = {**request, 'tools': list(request['tools'])}\n"
        "    request['messages'] = request['tools'] = None\n"
        "    sent['tools'] = sent['tools'][:0] if len(sent['messages']) > 1 else sent['tools']\n"
        "    return sent\n"
    )
    assert isinstance(check(f"{file}:prune"), Refuted)


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("def prune(request:\n", "is not Python: "),
        ("x = 1 / 0\n", "raised ZeroDivisionError: division by zero"),
        ("import sys\nsys.exit(2)\n", "asked the interpreter to exit (2)"),
        ("import langchain_absent_part\n", "needs langchain_absent_part, which is not installed; install it beside"),
        ("\0", "is not Python"),
    ],
)
def test_a_file_that_cannot_be_loaded(tmp_path: Path, source: str, found: str) -> None:
    file = tmp_path / "bad.py"
    file.write_text(source)
    text = line(f"{file}:prune")
    assert text.startswith(str(file))
    assert found in text


@pytest.mark.parametrize(
    ("target", "found"),
    [
        ("absent.py:prune", "absent.py: there is no such file"),
        ("no_such_package.pruner:prune", "no_such_package.pruner: there is no such module"),
        ("pruner.py", "pruner.py: names nothing in it; write path.py:NAME"),
        (":prune", ":prune: names nothing in it"),
    ],
)
def test_a_target_that_is_not_there(target: str, found: str) -> None:
    assert line(target).startswith(found)


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "needy.py"
    file.write_text("from langchain.agents import create_agent\n")
    real = builtins.__import__

    def without(name: str, *rest: object, **more: object) -> object:
        if name.partition(".")[0] == "langchain":
            raise ModuleNotFoundError("No module named 'langchain'", name="langchain")
        return real(name, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(PrunerError, match=r"needs langchain, which is not installed; install ghostproof\[langchain\]"):
        load(f"{file}:prune")


def test_a_dotted_target_and_a_method_of_an_object() -> None:
    assert load("ghostproof.drive.oracle:Oracle.choose").__name__ == "choose"
    assert load(small("StickySelection.__call__")).__name__ == "__call__"
