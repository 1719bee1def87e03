"""The help text is up to date, and the table of commands agrees with Typer."""

from __future__ import annotations

from inspect import signature

import pytest
from typer.testing import CliRunner

from companion.cli.shell.app import app
from companion.cli.shell.catalog import COMMANDS, COMMON, FLAGS
from tests.support.regenerate import HELP, help_text


def test_the_help_text_is_up_to_date() -> None:
    """If this fails: python -m tests.support.regenerate"""
    with open(HELP, encoding="utf-8") as file:
        assert file.read() == help_text()


@pytest.mark.parametrize("name", COMMANDS)
def test_the_commands_as_data_are_the_commands(name: str) -> None:
    """Name, options and a help text with an example: what completion offers is what Typer takes."""
    group = _group()
    command = group.get_command(None, name)
    options = {option for param in command.params for option in param.opts if option.startswith("--")}

    assert options == set(COMMANDS[name].options)
    assert {option for param in command.params if getattr(param, "is_flag", False) for option in param.opts} == options & FLAGS
    assert f"Example: companion {name}" in command.help
    run = COMMANDS[name].run
    assert run is not None
    assert {*signature(run).parameters} - {"usage", "runner"} == {parameter.name for parameter in COMMANDS[name].parameters}
    assert len(COMMANDS[name].help) <= 70


def test_what_may_stand_before_the_command_is_known_to_most_of_them() -> None:
    assert all(any(name in command.options for command in COMMANDS.values()) for name in COMMON)
    assert {*FLAGS} - {"--help", "--plain"} <= {option for command in COMMANDS.values() for option in command.options}


def _group():
    from typer.main import get_command

    return get_command(app)


def test_every_option_says_what_it_is_for() -> None:
    group = _group()
    silent = [
        (name, param.name)
        for name in COMMANDS
        for param in group.get_command(None, name).params
        if not getattr(param, "help", "")
    ]

    assert silent == []


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_every_command_fits_and_leaves_with_0(name: str) -> None:
    result = CliRunner().invoke(app, [name, "--help"])

    assert result.exit_code == 0
    assert result.stdout.startswith(f"Usage: companion {name} ")
    assert max(map(len, result.stdout.splitlines())) <= 80
