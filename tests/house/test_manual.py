"""The man page is made from the table of commands, complete, and without a fault that man or mandoc reports."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess

import pytest

from companion.cli.shell.catalog import COMMANDS, COMMON, LOOKS
from tests.house.source import PATHS, text_of
from tests.support.command_texts import own_options
from tests.support.manual import COMMON_HELP, ENVIRONMENT, EXAMPLES, EXIT_STATUS, LOOKS_HELP, PAGE, escaped, text
from tests.support.pages import DOCS


def test_the_man_page_is_up_to_date() -> None:
    """If this fails: python -m tests.support.manual --write"""
    assert PAGE.read_text(encoding="utf-8") == text()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_described_with_its_words_and_options(name: str) -> None:
    section = text().partition(f"\n.TP\n\\fB{name}\\fR")[2].partition("\n.RE\n.TP\n\\fB")[0]

    assert [option for option in own_options(COMMANDS[name]) if f"\\fB{escaped(option)}\\fR" not in section] == []
    assert [word.metavar for word in COMMANDS[name].words if f"\\fI{escaped(word.metavar)}\\fR" not in section] == []


def test_options_of_all_commands_are_described() -> None:
    assert set(COMMON_HELP) == set(COMMON)
    assert {*LOOKS, "--help", "--version"} == {option for option, _ in LOOKS_HELP}


def test_exit_status_agrees_with_the_protocol() -> None:
    table = (DOCS / "protocol.md").read_text(encoding="utf-8").partition("\n## Exit codes\n")[2].partition("\n## ")[0]
    rows = dict(re.findall(r"^\| (\d+) \| (.*) \|$", table, re.M))

    assert {code: text.rstrip(".").lower() for code, text in EXIT_STATUS.items()} == {
        code: text.lower() for code, text in rows.items()
    }


def test_every_variable_that_is_read_is_described() -> None:
    read = {name for path in PATHS for name in re.findall(r'environ\.get\(\s*"([A-Z_]+)"', text_of(path))}
    described = {name for names in ENVIRONMENT for name in names.split(", ")}

    assert read - described == set()
    assert len(read) > 5


@pytest.mark.parametrize("example", EXAMPLES.values())
def test_examples_can_be_read(example: str) -> None:
    for line in example.split("\n"):
        name, *words = shlex.split(line)
        assert name == "companion"
        assert not words or COMMANDS[words[0]].parse(words[1:]) is not None


def test_man_shows_it_without_warnings() -> None:
    if not shutil.which("man") or not shutil.which("groff"):
        pytest.skip("man is not installed")
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "80", "MANROFFSEQ": ""}
    done = subprocess.run(
        ["man", "--warnings", "-P", "cat", "-l", str(PAGE)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env=environment,
    )
    if "minimized" in done.stdout:  # a container in which man is a stub
        pytest.skip("man is not installed")

    assert (done.returncode, done.stderr) == (0, "")
    shown = " ".join(done.stdout.split())
    assert "companion - referee and bookkeeper" in shown
    assert 'companion do buy "3/1, 1/8" at=north' in shown


def test_mandoc_has_nothing_to_warn_of() -> None:
    if not shutil.which("mandoc"):
        pytest.skip("mandoc is not installed")
    done = subprocess.run(["mandoc", "-Tlint", "-Wwarning", str(PAGE)], capture_output=True, text=True, timeout=60, check=False)

    assert (done.returncode, done.stdout) == (0, "")
