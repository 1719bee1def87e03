"""What the README and the pages of help tell is so: every command is run, and prints what is shown."""

from __future__ import annotations

import difflib
import os
import re
import sqlite3
from pathlib import Path

import pytest

from companion.cli.repl.commands import SLASH_COMMANDS
from companion.cli.shell.catalog import COMMANDS, COMMON, LOOKS
from companion.core.text import matching_names
from companion.games import GAMES
from companion.session.facts import missing_facts, practice_set_file
from companion.session.state import load_game
from tests.support.commands import companion
from tests.support.pages import DOCS, ROOT, Shown, carried_out, groups, made, pages, renewed

README = (ROOT / "README.md").read_text(encoding="utf-8")
LONGEST = 150
"""Lines that the README may have: what a newcomer reads."""


def fits(shown: tuple[str, ...], printed: list[str]) -> bool:
    """Whether what is printed is what is shown, where a line of ``...`` stands for any number of lines."""
    if not shown:
        return not printed
    if shown[0] == "...":
        return any(fits(shown[1:], printed[skipped:]) for skipped in range(len(printed) + 1))
    return bool(printed) and printed[0].rstrip() == shown[0].rstrip() and fits(shown[1:], printed[1:])


@pytest.mark.parametrize(
    "group", [pytest.param(group, id=f"{page.stem}: {group[0].command[10:40]}") for page in pages() for group in groups(page)]
)
def test_pages_show_the_real_output(group: list[Shown], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each console block, command by command, in an archive of its own."""
    monkeypatch.setenv("COMPANION_DB", os.fspath(tmp_path / "readme.sqlite3"))
    monkeypatch.chdir(tmp_path)
    for shown in group:
        printed = carried_out(shown)
        difference = "\n".join(difflib.unified_diff(shown.lines, printed, "shown", "printed", lineterm=""))
        assert fits(shown.lines, printed), f"$ {shown.command}\n{difference}"


def test_shown_queries_run(tmp_path: Path) -> None:
    """By an archive with a session of today, read with nothing but SQLite."""
    path = tmp_path / "companion.sqlite3"
    companion("new", "fallujahcards", "--name", "april", "--seed", "1", "--db", os.fspath(path))
    shown = [text for page in pages() for text in re.findall(r"```sql\n(.*?)```", page.read_text(encoding="utf-8"), re.S)]
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        for query in "".join(shown).split(";\n"):
            database.execute(query).fetchall()
    finally:
        database.close()

    assert len(shown) >= 2


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.stem)
def test_every_shown_block_is_run(page: Path) -> None:
    """A command with its output stands in a block that is marked so."""
    other = re.findall(r"^```(?!console\n)(\w*)\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)
    assert [text for _, text in other if "$ companion" in text] == []


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.stem)
def test_named_commands_exist(page: Path) -> None:
    """``companion COMMAND --option`` and ``/command`` in the running text: none of another name."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    for words in (code.split() for code in re.findall(r"`companion ([a-z][^`]*)`", text)):
        (name,) = matching_names(words[0], list(COMMANDS)) or [f"no command {words[0]}"]
        known = {*COMMANDS[name].options, *COMMON, *LOOKS, "--help"}
        assert {word.partition("=")[0] for word in words if word.startswith("--")} <= known, words
    for name in re.findall(r"`/([a-z]+)[` ]", text):
        assert matching_names(name, list(SLASH_COMMANDS)), name


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.stem)
def test_links_resolve(page: Path) -> None:
    """Pictures and other files by their path from the page, topics of help by their name."""
    text = page.read_text(encoding="utf-8")
    for path in re.findall(r"\]\(([^)#]+)\)", text):
        assert (page.parent / path).exists(), path
    for name in re.findall(r"`companion help ([\w-]+)`", text):
        assert name in COMMANDS or (DOCS / f"{name}.md").exists(), name


@pytest.mark.parametrize("page", [page for page in pages() if list(made(page))], ids=lambda page: page.stem)
def test_generated_parts_are_up_to_date(page: Path) -> None:
    """If this fails: python -m tests.support.pages --write"""
    assert renewed(page) == page.read_text(encoding="utf-8")


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= LONGEST


def test_the_commands_to_install_and_test_are_in_the_readme() -> None:
    """The start and the tests are one line each; .ci/run takes the test command from between its markers."""
    assert "python3 -m venv .venv && .venv/bin/pip install -q . && .venv/bin/companion" in README
    command = re.search(r"<!-- test command -->\n```sh\n(.*?)\n```\n<!-- end -->", README, re.S)
    assert command is not None
    assert command[1].endswith(".venv/bin/pytest -n auto")
    assert "<!-- test command -->" in (ROOT / ".ci" / "run").read_text()


@pytest.mark.parametrize("game_id", GAMES)
def test_number_of_printed_facts_is_stated(game_id: str) -> None:
    """The table of the start says for each game how many values are missing to an owner who has told none, and it can be tried
    without: by a practice of its own, or with a made-up set.
    """
    game = load_game(game_id)
    (row,) = (row for row in README.splitlines() if re.match(rf"\| .*\| `{game_id}` \|", row))

    assert game.title.partition(":")[0].casefold() in row.casefold()
    assert int(row.split("|")[4]) == len(missing_facts(game, {}))
    assert game.practice is not None or practice_set_file(game)


@pytest.mark.parametrize("game_id", GAMES)
def test_every_game_has_its_page(game_id: str) -> None:
    """Under its id, with its title; the strength of its opponent or adviser is measured; the README sends there."""
    page = (DOCS / f"{game_id}.md").read_text(encoding="utf-8")

    assert page.startswith(f"# {load_game(game_id).title}")
    measured = (DOCS / "strength.md").read_text(encoding="utf-8")
    assert re.search(rf"^<!-- {game_id} strength -->\n\| what .*\n\|.*\n\| \S", measured, re.M)
    assert game_id in README.partition("\n## Read on\n")[2]


def test_every_page_for_players_is_named_in_the_readme() -> None:
    """What nobody is sent to, nobody reads. Pages that are for other trades stand in the list of ``companion help``."""
    assert {page.stem for page in pages()[1:] if f"`{page.stem}`" not in README and page.stem not in README} <= {
        "security",
        "a-game-of-your-own",
        "maintenance",
    }


def test_every_command_is_named_in_its_help() -> None:
    """A command that a player cannot find does not exist."""
    listed = companion("--help").out

    assert not [name for name in COMMANDS if f"\n  {name} " not in listed]
