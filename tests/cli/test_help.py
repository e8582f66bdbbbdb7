"""What a newcomer reads first."""

from __future__ import annotations

import re
import tomllib
from importlib import metadata

import pytest
from click import Choice

from cli.run import ROOT
from ghostproof.cli import check, command, main
from ghostproof.turn.property import PROPERTIES


def test_help_says_what_to_do_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    assert "First:  ghostproof prove " in text
    assert "ghostproof check mine.py:PRUNER" in text
    assert "ghostproof check --callable mine.py:f" in text
    assert all(f"{code} " in text for code in (0, 1, 2, 3, 4, 5, 70, 130))
    assert all(len(line) <= 100 for line in text.splitlines())


@pytest.mark.parametrize("command", ["prove", "check", "conform"])
def test_commands_have_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "-h"]) == 0
    text = capsys.readouterr().out
    assert text.startswith(f"Usage: ghostproof {command}")
    options = re.findall(r"^  (-.*)$", text, re.MULTILINE)
    assert len(options) > 5


def test_without_a_command_nothing_was_answered(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "First:" in capsys.readouterr().out


def test_the_version(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metadata, "version", lambda name: "1.2.3")
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == "ghostproof 1.2.3\n"

    def missing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", missing)
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == "ghostproof (a checkout that is not installed)\n"


def test_the_properties_that_can_be_asked_for_are_those_there_are() -> None:
    (option,) = [parameter for parameter in check.params if parameter.name == "property_name"]
    assert isinstance(option.type, Choice)
    assert list(option.type.choices) == list(PROPERTIES)


def test_the_command_that_is_installed_is_this_one() -> None:
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    assert scripts == {"ghostproof": f"{main.__module__}:{main.__name__}"}


def test_the_list_of_commands_is_whole_at_80_columns(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["--help"]) == 0
    listed = capsys.readouterr().out.partition("Commands:")[2].splitlines()[1:]
    assert len(listed) == len(command.commands)
    assert all(line.endswith(".") and "..." not in line for line in listed)
