"""Cures named in messages, and commands named elsewhere, typed in the situation where they are shown."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.views.lines import layout
from tests.cli.cure_situations import AMBUSH, SITUATIONS, TINY, Fault, Situation
from tests.cli.hint_situations import HINTS
from tests.cli.test_cures import commands_of, pattern_of
from tests.support.commands import companion as run

PLACEHOLDERS = "|".join(
    (
        *(
            "ACTION",
            "AREA",
            "CARD",
            "FILE",
            "FOLDER",
            "GAME",
            "HEX",
            "KEY",
            "LEADER",
            "N",
            "NAME",
            "PLACE",
            "SEAT",
            "SESSION",
            "SITUATION",
            "TOPIC",
            r"\[PLACE\]",
        ),
        *("SEAT", "SPACE", "TEXT", "UNIT", "VALUE", "WHAT"),
    )
)
"""The words of a cure that a player replaces."""


def _allows(command: str, line: str) -> bool:
    """True if a line is the command, with anything in place of the words that a player replaces."""
    printed = " ".join(shlex.split(re.sub(rf"(?<!\w)(?:{PLACEHOLDERS})(?!\w)", "\0", command)))
    printed += "\0" * printed.endswith("=")  # KEY=...
    return re.fullmatch(".+".join(map(re.escape, printed.split("\0"))), " ".join(shlex.split(line))) is not None


@contextmanager
def _with(fault: Fault | None) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        if fault:
            fault(patch)
        yield


@pytest.mark.parametrize("situation", [*SITUATIONS, *HINTS], ids=lambda situation: situation.wrong)
def test_a_cure_is_accepted_where_its_message_is_shown(
    situation: Situation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """All commands of the cure exit with 0, or with 3 where they ask a question."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COMPANION_DB", str(tmp_path / "archive"))
    for game, fixture in ((TINY, "tiny_game"), (AMBUSH, "ambush_game")):
        if situation.begun[:1] == game:
            request.getfixturevalue(fixture)
    for line in situation.begun:
        assert run(*shlex.split(line)).code in (0, 3), line
    # each line is one row
    monkeypatch.setattr("companion.cli.shell.output.layout", lambda line, width: layout(line, 10_000))
    monkeypatch.setattr("companion.cli.shell.output.width", lambda: 10_000)
    if situation.terminal:
        _open_terminal(monkeypatch)
    with _with(situation.lasting):
        with _with(situation.passing):
            failed = run(*shlex.split(situation.wrong))
        rows = (*failed.err.splitlines(), *failed.out.splitlines())
        lines = (*(re.sub(r" \[[^]]*\d[^]]*\]$", "", row) for row in rows), " ".join(failed.out.split()))  # without the rule
        shown = next(filter(None, map(pattern_of(situation.cure).search, lines)), None)
        assert shown, (failed.out, failed.err)
        commands = commands_of(shown[0])
        lines = situation.typed or tuple(commands)
        assert len(lines) >= len(commands) and all(map(_allows, commands, lines)), (commands, lines)
        for line in lines:
            done = run(*shlex.split(line))
            assert done.code in (0, 3, situation.code), (line, done.err)


def _open_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("shell.output", "shell.files", "commands.play", "commands.your_set"):
        monkeypatch.setattr(f"companion.cli.{module}.on_terminal", lambda: True)
