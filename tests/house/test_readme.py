"""The README's commands are run, and print what it shows."""

from __future__ import annotations

import difflib
import os
import re
import shlex
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest

from companion.games import GAMES
from companion.session.folders import practice_set
from companion.session.printed import missing
from companion.session.standing import load_game
from tests.support.commands import companion

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


class Shown(NamedTuple):
    """One command of a console block and the output that is printed below it; ``...`` alone stands for any lines."""

    command: str
    lines: tuple[str, ...]


def blocks() -> list[list[Shown]]:
    """The console blocks of the README, in order; a block that begins with ``# afresh`` begins a new archive."""
    found: list[list[Shown]] = [[]]
    for text in re.findall(r"```console\n(.*?)```", README, re.S):
        if text.startswith("# afresh"):
            found.append([])
        for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
            command, *lines = part.rstrip("\n").split("\n")
            found[-1].append(Shown(command, tuple(lines)))
    return [group for group in found if group]


def fits(shown: tuple[str, ...], printed: list[str]) -> bool:
    """Whether what is printed is what is shown, where a line of ``...`` stands for any number of lines."""
    if not shown:
        return not printed
    if shown[0] == "...":
        return any(fits(shown[1:], printed[skipped:]) for skipped in range(len(printed) + 1))
    return bool(printed) and printed[0].rstrip() == shown[0].rstrip() and fits(shown[1:], printed[1:])


@pytest.mark.parametrize("group", blocks(), ids=lambda group: group[0].command[:40])
def test_what_the_readme_shows_is_what_is_printed(group: list[Shown], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each console block, command by command, in an archive of its own."""
    monkeypatch.setenv("COMPANION_DB", os.fspath(tmp_path / "readme.sqlite3"))
    monkeypatch.chdir(ROOT)
    for shown in group:
        words = shlex.split(shown.command)
        assert words[0] == "companion"
        done = companion(*words[1:])
        printed = (done.out + done.err).rstrip("\n").split("\n")
        difference = "\n".join(difflib.unified_diff(shown.lines, printed, "README", "printed", lineterm=""))
        assert fits(shown.lines, printed), f"$ {shown.command}\n{difference}"


def test_the_commands_to_install_and_test_are_in_the_readme() -> None:
    """The start and the tests are one line each; .ci/run takes the test command from between its markers."""
    assert "python3 -m venv .venv && .venv/bin/pip install -q . && .venv/bin/companion" in README
    command = re.search(r"<!-- test command -->\n```sh\n(.*?)\n```\n<!-- end -->", README, re.S)
    assert command is not None
    assert command[1].endswith(".venv/bin/pytest -n auto")
    assert "<!-- test command -->" in (ROOT / ".ci" / "run").read_text()


@pytest.mark.parametrize("game_id", GAMES)
def test_how_much_must_be_typed_in_is_counted(game_id: str) -> None:
    """The table of the start says for each game how many values are missing to an owner who has told none, and that it can be
    tried without: by a practice of its own, or with a made-up set.
    """
    game = load_game(game_id)
    words = re.split(r"[ :,]+", game.title)[0]
    (row,) = (row for row in README.splitlines() if re.match(rf"\| {words}.*\| \d+ \|", row, re.I) and _names(row, game_id))

    assert int(row.split("|")[2]) == len(missing(game, {}))
    assert f"`practice {game_id}`" in row
    assert game.practice is not None or practice_set(game_id)


def _names(row: str, game_id: str) -> bool:
    return game_id in row or (game_id == "fallujahcards" and "card game" in row)


@pytest.mark.parametrize("game_id", GAMES)
def test_every_game_has_its_page(game_id: str) -> None:
    """A heading with the game's title, and its id."""
    title = tomllib.loads((ROOT / "tables" / game_id / "game.toml").read_text())["title"]
    heading = rf"^### .*{re.escape(title.partition(':')[0])}.*`{game_id}`"
    assert re.search(heading, README, re.M | re.I), title


def test_every_command_is_named_in_the_readme_or_in_its_help() -> None:
    """A command that a player cannot find does not exist."""
    from companion.cli.shell.catalog import COMMANDS

    listed = companion("--help").out
    missing = [name for name in COMMANDS if name not in listed and f"companion {name}" not in README]

    assert not missing
