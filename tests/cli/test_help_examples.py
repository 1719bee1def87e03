"""The examples of the help texts: each is a real line, typed here in a session of Fallujah 2004 or of the game that it names."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from companion.cli.shell.catalog import COMMANDS
from tests.support.commands import companion
from tests.support.trusted import ask_to_undo

_BEGUN = (
    "printed fallujah2004 import practice",
    "new fallujah2004 --scenario vigilant_resolve --name april --seed 7 --dice computer --draws computer",
)
_BOUGHT = (*_BEGUN, 'do buy "3/1, 1/8" at=north')
_TRUSTED = ("new lzalbany --dice trusted --option map=practice", "do deploy --accept", "do next --accept")
BEFORE = {
    "answer": (*_BOUGHT, "do j3 all"),
    "redo": (*_BOUGHT, "undo"),
    "undo": (*_BOUGHT, "adjust kia 1 --why test"),
    "do": _BEGUN,
    "new": ("printed fallujah2004 import practice",),
    "practice": (),
    "share": _TRUSTED,
    "consent": _TRUSTED,
    "verify": _TRUSTED,
    "stats": ("new fallujahcards --draws computer", "do turn", "simulate fallujahcards --games 3 --seed 7 --out games.csv"),
}
"""What was typed before the example; for other commands the first purchase."""

HELD = {"watch", "serve", "mcp", "play", "host"}
"""Commands that go on until they are ended; they are only looked up here."""


def examples(name: str) -> list[str]:
    """The command lines in the help of a command, without the program's name."""
    text = companion(name, "--help").out.partition("Arguments:")[0].partition("Options:")[0]
    paragraphs = [" ".join(part.split()) for part in text.split("\n\n")]
    return [found for part in paragraphs for found in re.findall(r"(?:Example|at once): companion (.*)", part)]


@pytest.mark.parametrize("name", COMMANDS)
def test_each_example_of_a_help_text_can_be_typed(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No example has a placeholder in capitals, and each does something in its session."""
    monkeypatch.chdir(tmp_path)
    lines = examples(name)

    assert lines
    for line in lines:
        assert not re.search(r"\b[A-Z]{3,}\b", line), line
    if name in HELD:
        return
    for number, example in enumerate(lines):
        monkeypatch.setenv("COMPANION_DB", str(tmp_path / f"archive-{number}"))
        for line in (*BEFORE.get(name, _BOUGHT), example):
            if line == "consent yes":
                ask_to_undo("nva")  # from its page
            done = companion(*shlex.split(line))
            open_question = 3 if name != "odds" else 0
            assert done.code in (0, open_question, 10), (line, done.err or done.out)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_help_text_shows_no_default_of_the_parser(name: str) -> None:
    assert not re.search(r"\[default|x>=", companion(name, "--help").out)
